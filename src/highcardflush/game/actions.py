"""What can be done to a round. Chance, time and meters are in the action, so a log replays exactly."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from highcardflush.cards import NO_CARDS, Card, Hand
from highcardflush.jackpot import Meter
from highcardflush.money import MOST_CENTS
from highcardflush.rulebook.model import MAX_SEATS

Disposition = Literal["return", "forfeit"]
Cents = Annotated[int, Meta(ge=0, le=MOST_CENTS)]
"""A wager: what is read from outside is at most a billion dollars."""
Seat = Annotated[int, Meta(ge=0, le=MAX_SEATS)]
Die = Annotated[int, Meta(ge=0, le=9)]
Word = Annotated[str, Meta(max_length=40)]
LINE = r"^[^\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]*\Z"
"""A line of text: nothing in it moves a cursor or turns the order of what is read."""
Remark = Annotated[str, Meta(max_length=500, pattern=LINE)]
Wagers = dict[Word, Cents]
"""The wagers of a seat before the cards, in cents by their names."""


class Action(Struct, frozen=True, gc=False, tag=True, omit_defaults=True, forbid_unknown_fields=True):
    """Anything that may be passed to `step`."""


class PlaceWagers(Action, frozen=True):
    """A seat's wagers, all of them: placing again replaces them."""

    seat: Seat
    wagers: Annotated[Wagers, Meta(max_length=20)]


class ClearWagers(Action, frozen=True):
    """The seat takes its wagers back and sits out."""

    seat: Seat


class RollDice(Action, frozen=True):
    """The three dice of the alternative deal, and which way positions are counted."""

    dice: tuple[Die, Die, Die]
    clockwise: bool = False


class Lock(Action, frozen=True):
    """No more bets: the wagers stand and the meters take their contributions."""


class DrawDynamic(Action, frozen=True):
    """The round's Dynamic Pays, by line, as printed for a $1 bet."""

    pays: Annotated[tuple[tuple[Word, Cents], ...], Meta(max_length=20)]


class Deal(Action, frozen=True):
    """Deal every hand from a shuffled deck."""

    deck: tuple[Card, ...]


class DealHand(Action, frozen=True):
    """One hand as it lies on a physical table. Seat 0 is the dealer."""

    seat: Seat
    hand: Hand


class Fold(Action, frozen=True):
    seat: Seat
    expose: Hand = NO_CARDS


class Raise(Action, frozen=True):
    """A Raise. `keep` is the suit that plays, the best one if None; `expose` is laid face up."""

    seat: Seat
    amount_cents: Cents
    keep: Annotated[int, Meta(ge=0, le=3)] | None = None
    expose: Hand = NO_CARDS


class TimeOut(Action, frozen=True):
    """The seat's clock has run out: the table's default action is taken for it, or a fold if it cannot pay for it."""

    seat: Seat
    fold: bool = False


class VoidHand(Action, frozen=True):
    """A supervisor voids one hand, returning or taking its wagers."""

    seat: Seat
    disposition: Disposition
    reason: Word
    text: Remark = ""
    by: Word = "supervisor"


class Void(Action, frozen=True):
    """A supervisor voids the round: every wager goes back."""

    reason: Word
    text: Remark = ""
    by: Word = "supervisor"


class Settle(Action, frozen=True):
    """Settle the round, with the meters as they stand (this round's contributions included)."""

    meters: dict[str, Meter] = {}
