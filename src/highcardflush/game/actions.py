"""What can be done to a round. Chance, time and meters are in the action, so a log replays exactly."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from highcardflush.cards import NO_CARDS, Card, Hand
from highcardflush.jackpot import Meter
from highcardflush.money import MOST_CENTS

Disposition = Literal["return", "forfeit"]
Cents = Annotated[int, Meta(ge=0, le=MOST_CENTS)]
"""A wager: what is read from outside is at most a billion dollars."""
Wagers = dict[str, Cents]
"""The wagers of a seat before the cards, in cents by their names."""


class Action(Struct, frozen=True, tag=True, omit_defaults=True, forbid_unknown_fields=True):
    """Anything that may be passed to `step`."""


class PlaceWagers(Action, frozen=True):
    """A seat's wagers, all of them: placing again replaces them."""

    seat: int
    wagers: Wagers


class ClearWagers(Action, frozen=True):
    """The seat takes its wagers back and sits out."""

    seat: int


class RollDice(Action, frozen=True):
    """The three dice of the alternative deal, and which way positions are counted."""

    dice: tuple[int, int, int]
    clockwise: bool = False


class Lock(Action, frozen=True):
    """No more bets: the wagers stand and the meters take their contributions."""


class DrawDynamic(Action, frozen=True):
    """The round's Dynamic Pays, by line, as printed for a $1 bet."""

    pays: tuple[tuple[str, int], ...]


class Deal(Action, frozen=True):
    """Deal every hand from a shuffled deck."""

    deck: tuple[Card, ...]


class DealHand(Action, frozen=True):
    """One hand as it lies on a physical table. Seat 0 is the dealer."""

    seat: int
    hand: Hand


class Fold(Action, frozen=True):
    seat: int
    expose: Hand = NO_CARDS


class Raise(Action, frozen=True):
    """A Raise. `keep` is the suit that plays, the best one if None; `expose` is laid face up."""

    seat: int
    amount_cents: Cents
    keep: int | None = None
    expose: Hand = NO_CARDS


class TimeOut(Action, frozen=True):
    """The seat's clock has run out: the table's default action is taken for it, or a fold if it cannot pay for it."""

    seat: int
    fold: bool = False


class VoidHand(Action, frozen=True):
    """A supervisor voids one hand, returning or taking its wagers."""

    seat: int
    disposition: Disposition
    reason: str
    text: Annotated[str, Meta(max_length=500)] = ""
    by: str = "supervisor"


class Void(Action, frozen=True):
    """A supervisor voids the round: every wager goes back."""

    reason: str
    text: Annotated[str, Meta(max_length=500)] = ""
    by: str = "supervisor"


class Settle(Action, frozen=True):
    """Settle the round, with the meters as they stand (this round's contributions included)."""

    meters: dict[str, Meter] = {}
