"""The messages of a table: the engine's events (`game/events.py`) and the house's own messages."""

from msgspec import Struct

from highcardflush.cards import Hand
from highcardflush.game.events import Event
from highcardflush.house.commands import LeaveCode, TableState
from highcardflush.jackpot import Meter


class HouseTold(Struct, frozen=True, gc=False, tag=True, omit_defaults=True):
    """A message of the house."""


Told = Event | HouseTold


class Seated(HouseTold, frozen=True):
    """Somebody has sat down. A person without a name plays with chips."""

    seat: int
    player: str | None = None


class SeatLeft(HouseTold, frozen=True):
    """A seat is free. `code`, if set, is the reason why the server freed it."""

    seat: int
    code: LeaveCode | None = None


class SeatLeaving(HouseTold, frozen=True):
    """Somebody leaves the seat when the round ends."""

    seat: int


class TableSwitched(HouseTold, frozen=True):
    """The table is open, paused or closed from now on."""

    state: TableState
    reason: str


class Warned(HouseTold, frozen=True):
    seat: int
    reason: str


class RoundOpened(HouseTold, frozen=True):
    """A round has opened for wagers. `closed`, if set, is the reason why it takes no progressive bets."""

    number: int
    meters: dict[str, Meter]
    commitment: str | None = None
    closed: str | None = None


class SeedNamed(HouseTold, frozen=True):
    """A player's seed has been named or revealed."""

    seat: int
    seed: str


class SeedCommitted(HouseTold, frozen=True):
    seat: int
    commitment: str


class HandTakenBack(HouseTold, frozen=True):
    """A hand that was keyed in incorrectly is taken back. Seat 0 is the dealer."""

    seat: int


class HandShown(HouseTold, frozen=True):
    """A seat's cards that lie face up when the seat is settled, and the suit that the player kept."""

    seat: int
    hand: Hand
    keep: int | None = None
