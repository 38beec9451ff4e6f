"""What the session knows: the table, the player's money, and the rounds so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from highcardflush.cards import Hand
from highcardflush.cli.table.book import Book
from highcardflush.cli.table.faces import say_wager
from highcardflush.cli.table.prompt import Answers
from highcardflush.cli.table.screen import Screen
from highcardflush.game import State
from highcardflush.game.actions import Wagers
from highcardflush.game.state import Decision, Result
from highcardflush.jackpot import Meter
from highcardflush.rulebook import Rulebook

if TYPE_CHECKING:
    from highcardflush.coach import Spot


@dataclass(frozen=True)
class Past:
    """A round that is over, as the player remembers it."""

    number: int
    hand: Hand
    did: str
    nets: tuple[tuple[str, int], ...]
    bankroll_cents: int
    seed: bytes

    @property
    def net_cents(self) -> int:
        return sum(cents for _, cents in self.nets)


@dataclass
class Table:
    """A table in play. The player sits in the last seat."""

    screen: Screen
    answers: Answers
    rulebook: Rulebook
    seats: int
    bankroll_cents: int
    master: bytes
    book: Book | None = None
    meters: dict[str, Meter] = field(default_factory=dict)
    wagers: Wagers | None = None
    past: list[Past] = field(default_factory=list)
    in_play: State | None = None
    """The round that is not settled yet."""
    coach: bool = False
    """Whether the coach speaks now."""
    coached: bool = False
    """Whether it ever did."""
    spot: Spot | None = None
    """What the player knew at the last decision."""
    played: list[tuple[Spot, Decision, int]] = field(default_factory=list)
    """Each decision of a finished round, with the round's net: for the coach's account."""

    @property
    def seat(self) -> int:
        """The player's."""
        return self.seats

    @property
    def number(self) -> int:
        """Of the round in play, from 1."""
        return len(self.past) + 1

    @property
    def net_cents(self) -> int:
        return sum(past.net_cents for past in self.past)

    def say(self, wager: str) -> str:
        """What a wager or its meter is called at this table."""
        return say_wager(wager, self.rulebook)

    def call_coach(self) -> str:
        """Call the coach, or send it away; what to say to that."""
        self.coach = not self.coach
        self.coached = True
        return "The coach speaks at each decision." if self.coach else "The coach is silent."

    def nets_by_wager(self) -> dict[str, int]:
        total: Counter[str] = Counter()
        for past in self.past:
            for wager, cents in past.nets:
                total[wager] += cents
        return dict(total)


def nets(results: Iterable[Result], seat: int) -> tuple[tuple[str, int], ...]:
    """What a seat gained or lost on each wager."""
    return tuple((str(result.wager), result.net_cents) for result in results if result.seat == seat)
