"""Events of a round: one frozen record per fact, in the order in which a dealer would announce them."""

from msgspec import Struct

from highcardflush.cards import Hand
from highcardflush.game.actions import Disposition, Wagers
from highcardflush.game.dealing import seat_at
from highcardflush.game.state import Result
from highcardflush.jackpot import Meter, Move
from highcardflush.words import Reason


class Event(Struct, frozen=True, gc=False, tag=True, omit_defaults=True):
    """Base class of everything that `step` reports."""


class WagersPlaced(Event, frozen=True):
    seat: int
    wagers: Wagers


class WagersCleared(Event, frozen=True):
    seat: int


class DiceRolled(Event, frozen=True):
    dice: tuple[int, int, int]
    clockwise: bool
    first_position: int

    @property
    def first_seat(self) -> int:
        """Seat of the first packet, or 0 for the dealer."""
        return seat_at(self.first_position, clockwise=self.clockwise)


class WagersLocked(Event, frozen=True):
    """Betting is closed. Wins of a bonus jackpot are percentages of the amount displayed now."""

    displays: dict[str, int] = {}
    """Displayed amounts in micro-dollars, keyed by meter."""


class Contributed(Event, frozen=True):
    """Contribution of one bet to one meter and its reserve, added when the wagers lock."""

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
    """One hand was dealt. Seat 0 is the dealer."""

    seat: int
    hand: Hand


class PacketDealt(Event, frozen=True):
    """A packet was dealt to an empty seat, because a deal by dice goes to every position."""

    seat: int


class PacketCollected(Event, frozen=True):
    """The packet of an empty seat was discarded after all packets had been dealt."""

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
    """Part of the Raise, in cents, that was funded by wins paid at the same time. Earlier events report these wins."""


class BonusShown(Event, frozen=True):
    """A straight flush was laid face up for a side bet."""

    seat: int
    pay_cents: int
    paid_now: bool
    """True if the win is paid together with the Raise, False if it is paid at settlement."""
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
    """The round is over. `meters` contains the amounts after the round."""

    meters: dict[str, Meter]
