"""What happened: one frozen record per fact, in the order in which it is told at the table."""

from __future__ import annotations

from msgspec import Struct

from highcardflush.cards import Hand
from highcardflush.game.actions import Disposition, Wagers
from highcardflush.game.state import Result
from highcardflush.jackpot import Meter, Move
from highcardflush.words import Reason


class Event(Struct, frozen=True, gc=False, tag=True, omit_defaults=True):
    """Anything that `step` tells."""


class WagersPlaced(Event, frozen=True):
    seat: int
    wagers: Wagers


class WagersCleared(Event, frozen=True):
    seat: int


class DiceRolled(Event, frozen=True):
    dice: tuple[int, int, int]
    clockwise: bool
    first_position: int


class WagersLocked(Event, frozen=True):
    """No more bets. What a bonus jackpot displays now is what its wins of this round are percentages of."""

    displays: dict[str, int] = {}
    """In micro-dollars, by meter."""


class Contributed(Event, frozen=True):
    """One bet's part for one meter and its reserve, added when the wagers lock."""

    seat: int
    meter: str
    amount: Meter


class ContributionReversed(Event, frozen=True):
    seat: int
    meter: str
    amount: Meter


class DynamicDrawn(Event, frozen=True):
    pays: tuple[tuple[str, int], ...]


class HandDealt(Event, frozen=True):
    """Seat 0 is the dealer."""

    seat: int
    hand: Hand


class PacketDealt(Event, frozen=True):
    """A packet to an empty seat, where the deal goes to every position."""

    seat: int


class PacketCollected(Event, frozen=True):
    """The packet of an empty seat goes to the discards, when all are dealt."""

    seat: int


class Folded(Event, frozen=True):
    seat: int
    expose: Hand
    timed_out: bool


class Raised(Event, frozen=True):
    seat: int
    amount_cents: int
    keep: int | None
    expose: Hand
    timed_out: bool
    from_wins_cents: int = 0
    """The part of the amount that wins paid at once, told before it, have covered."""


class BonusShown(Event, frozen=True):
    """A straight flush laid face up with the bet made, as far as these cards tell.

    `paid_now`: it is paid with the Raise that shows it; else at settlement.
    """

    seat: int
    pay_cents: int
    paid_now: bool
    reason: Reason


class HandVoided(Event, frozen=True):
    seat: int
    disposition: Disposition
    reason: str
    text: str
    by: str


class RoundVoided(Event, frozen=True):
    reason: str
    text: str
    by: str


class DealerShown(Event, frozen=True):
    hand: Hand
    qualifies: bool
    reason: Reason


class WagerSettled(Event, frozen=True):
    result: Result


class MeterMoved(Event, frozen=True):
    meter: str
    move: Move


class RoundSettled(Event, frozen=True):
    """The round is over; the meters as they stand after it."""

    meters: dict[str, Meter]
