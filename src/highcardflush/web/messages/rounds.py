"""A round that is over: its record, and its steps with the value of every decision."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from highcardflush.cards import Hand as Cards
from highcardflush.coach.advice import Advice
from highcardflush.game.state import Decision
from highcardflush.web.messages.coach import AskedWorth, Worth, best, options, reasons
from highcardflush.web.messages.facts import Fact
from highcardflush.web.messages.library import SideBetRule
from highcardflush.web.messages.parts import Message, Result, Words
from highcardflush.web.messages.tables import View


class Record(Message, frozen=True):
    """A round that is over."""

    table: str
    number: int
    rulebook: str
    sha256: str
    notation: str
    proof: str
    """The notation with everything that is needed to verify it."""
    results: tuple[Result, ...]


class Weighed(Message, frozen=True):
    """A decision that was made: its value, and the value of every other choice."""

    seat: int
    ante_cents: int
    hand: Cards
    seen: Cards
    """Cards of other seats that were exposed before it."""
    best: Worth
    options: list[Worth]
    """Whole Antes, the ends of the range, and the Raise that was made."""
    why: list[Words]
    """One sentence each."""
    made: AskedWorth

    @classmethod
    def of(cls, seat: int, advice: Advice, made: Decision) -> Weighed:
        return super().of(
            advice.spot,
            seat=seat,
            ante_cents=advice.spot.wagers["ante"],
            best=best(advice),
            options=options(advice, made),
            why=reasons(advice),
            made=AskedWorth.asked(advice, made),
        )


class Step(Message, frozen=True):
    """One action of a round that is over."""

    kind: str
    told: list[Fact]
    view: View
    """The round after it, with all cards open."""
    weighed: Weighed | UnsetType = UNSET
    """Present if the action is a decision."""


class Steps(Message, frozen=True):
    """A round that is over, step by step."""

    table: str
    number: int
    you: int | None
    """The caller's seat in the round."""
    bonus: bool
    """The jackpot was a bonus jackpot, which must not pass for a progressive."""
    base_cents: int | None
    """Bet for which the jackpot's pay table lists dollars; null if no jackpot was offered."""
    steps: list[Step]
    rules: dict[str, str]
    """The rulebook that was played by, and those whose pay tables its table has, by name: JSON whose hash the record
    contains."""
    side_bets: dict[str, SideBetRule]
    """The side bets of these rulebooks."""
