"""Actions that change a round. They contain every random draw, time-out and meter amount, so a log replays exactly."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from highcardflush.cards import NO_CARDS, Card, Hand
from highcardflush.jackpot import Meter
from highcardflush.money import MOST_CENTS
from highcardflush.rulebook.document import MAX_SEATS

Disposition = Literal["return", "forfeit"]
Cents = Annotated[int, Meta(ge=0, le=MOST_CENTS)]
"""A wager in cents, at most a billion dollars."""
Seat = Annotated[int, Meta(ge=0, le=MAX_SEATS)]
Die = Annotated[int, Meta(ge=0, le=9)]
Word = Annotated[str, Meta(max_length=40)]
LINE = r"^[^\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]*\Z"
"""Pattern for one line of text without control characters, invisible characters or changes of reading direction."""
Remark = Annotated[str, Meta(max_length=500, pattern=LINE)]
Wagers = dict[Word, Cents]
"""A seat's wagers before the deal, in cents, keyed by wager name."""


class Action(Struct, frozen=True, gc=False, tag=True, omit_defaults=True, forbid_unknown_fields=True):
    """Base class of everything that `step` accepts."""


class PlaceWagers(Action, frozen=True):
    """Place all wagers of a seat, replacing any earlier ones."""

    seat: Seat
    wagers: Annotated[Wagers, Meta(max_length=20)]


class ClearWagers(Action, frozen=True):
    """Take the seat's wagers back and sit out."""

    seat: Seat


class RollDice(Action, frozen=True):
    """Roll the three dice for the deal. `clockwise` is the direction in which positions are counted."""

    dice: tuple[Die, Die, Die]
    clockwise: bool = False


class Lock(Action, frozen=True):
    """Close the betting, and add the contributions to the meters."""


class DrawDynamic(Action, frozen=True):
    """Draw the round's Dynamic Pays. `pays` pairs each line with its pay for a $1 bet."""

    pays: Annotated[tuple[tuple[Word, Cents], ...], Meta(max_length=20)]


class Deal(Action, frozen=True):
    """Deal every hand from a shuffled deck."""

    deck: tuple[Card, ...]


class DealHand(Action, frozen=True):
    """Enter one hand dealt at a physical table. Seat 0 is the dealer."""

    seat: Seat
    hand: Hand


class Fold(Action, frozen=True):
    seat: Seat
    expose: Hand = NO_CARDS


class Raise(Action, frozen=True):
    """Raise. `keep` is the suit that plays, or `None` for the best one. The cards in `expose` are laid face up."""

    seat: Seat
    amount_cents: Cents
    keep: Annotated[int, Meta(ge=0, le=3)] | None = None
    expose: Hand = NO_CARDS


class TimeOut(Action, frozen=True):
    """Take the table's default action for a seat whose clock has run out. If `fold` is true, fold instead."""

    seat: Seat
    fold: bool = False


class VoidHand(Action, frozen=True):
    """Void one hand on a supervisor's decision, and return or forfeit its wagers."""

    seat: Seat
    disposition: Disposition
    reason: Word
    text: Remark = ""
    by: Word = "supervisor"


class Void(Action, frozen=True):
    """Void the round on a supervisor's decision, and return every wager."""

    reason: Word
    text: Remark = ""
    by: Word = "supervisor"


class Settle(Action, frozen=True):
    """Settle the round with the current amounts of the meters, which include this round's contributions."""

    meters: dict[str, Meter] = {}
