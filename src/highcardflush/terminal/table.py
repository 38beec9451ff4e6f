"""The state of a session: the table, the player's money, and the rounds so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from highcardflush.coach import Spot
from highcardflush.fairness import round_seed
from highcardflush.game import State, view
from highcardflush.game.actions import Wagers
from highcardflush.game.state import Decision
from highcardflush.jackpot import Meter
from highcardflush.money import say_display
from highcardflush.rulebook import Rulebook
from highcardflush.terminal.recorder import Recorder
from highcardflush.terminal.screen import Screen
from highcardflush.words import say_wager


@dataclass(frozen=True)
class PastRound:
    """A finished round, as the player remembers it."""

    number: int
    spot: Spot
    """The player's view at the decision."""
    decision: Decision
    nets: dict[str, int]
    """Gain or loss of each wager."""
    bankroll_cents: int
    seed: bytes

    @property
    def net_cents(self) -> int:
        return sum(self.nets.values())


@dataclass
class Table:
    """A table in play. The player sits in the last seat."""

    screen: Screen
    rulebook: Rulebook
    seats: int
    bankroll_cents: int
    master: bytes
    recorder: Recorder | None = None
    coach: bool = False
    """True while the coach speaks."""
    coached: bool = False
    """True if the coach was ever on."""
    meters: dict[str, Meter] = field(default_factory=dict)
    wagers: Wagers | None = None
    """The player's wagers in the last round."""
    past: list[PastRound] = field(default_factory=list)
    in_play: State | None = None
    """The round that is not settled yet."""
    bought_cents: int = 0
    """Money bought after the first bankroll was lost."""

    @property
    def seat(self) -> int:
        return self.seats

    @property
    def number(self) -> int:
        return len(self.past) + 1

    @property
    def seed(self) -> bytes:
        return round_seed(self.master, self.number)

    def say(self, wager: str) -> str:
        """Return the name of a wager or its meter at this table."""
        return say_wager(self.rulebook, wager)

    def say_meters(self) -> list[str]:
        """Return each meter with its amount, which includes this round's bets once they are locked."""
        meters = view(self.rulebook, self.in_play, self.seat).meters if self.in_play else self.meters
        return [f"{self.say(name).capitalize()} {say_display(meter.amount_micros)}" for name, meter in meters.items()]
