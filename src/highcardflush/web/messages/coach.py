"""The coach: values of decisions and side bets, and their cost compared with the best play."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from typing import Any, Literal

from msgspec import UNSET, UnsetType

from highcardflush.coach import advice as coach
from highcardflush.coach.advice import Mistake, MistakeKind
from highcardflush.coach.reasons import loss, why
from highcardflush.coach.session import Severity, severity, side_bet_value
from highcardflush.formats.json import with_exact
from highcardflush.game.state import Decision
from highcardflush.jackpot import Meter
from highcardflush.money import MICROS_PER_DOLLAR
from highcardflush.odds.progressive import MeterOdds, progressive_odds
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import SIDE_BETS
from highcardflush.web.messages.parts import Message, Suit, Words, suit
from highcardflush.words.en import COACH


class Bar(Message, frozen=True):
    """Number of possible dealer hands for each outcome of a Raise."""

    not_qualified: int
    win: int
    tie: int
    lose: int


class MistakeMade(Message, frozen=True):
    kind: MistakeKind
    cost_cents: float

    @classmethod
    def of(cls, mistake: Mistake) -> MistakeMade:
        return cls(mistake.kind, float(mistake.cost))


class Worth(Message, frozen=True, kw_only=True):
    """Value of a decision, counting Ante and Raise together, and its cost compared with the best decision.

    An exact value is a string such as `1/3`.
    """

    type: Literal["Fold", "Raise"]
    amount_cents: int | UnsetType = UNSET
    keep: Suit | UnsetType | None = UNSET
    value_cents: float
    value_cents_exact: str
    antes: float
    antes_exact: str
    cost_cents: float
    """Cost compared with the best decision."""
    cost_cents_exact: str
    cost_antes: float
    severity: Severity
    bar: Bar | UnsetType = UNSET

    @classmethod
    def of(cls, advice: coach.Advice, decision: Decision) -> Worth:
        """Value a decision, assuming that every straight flush that must be exposed is exposed."""
        bar = Bar.of(advice.flush_kept(decision.keep).odds) if decision.raise_cents else UNSET
        return cls(**_value(advice, decision, advice.shown_value(decision)), bar=bar)


class AskedWorth(Worth, frozen=True, kw_only=True):
    """Value of a decision that was made or asked about, with the cards that it exposes and its mistakes."""

    mistakes: list[MistakeMade]
    loss: Words
    """Sentence about the cost."""

    @classmethod
    def asked(cls, advice: coach.Advice, decision: Decision) -> AskedWorth:
        """Value a decision; a Raise that the purse cannot cover does not count as a mistake."""
        mistakes = [each for each in advice.mistakes(decision) if each.kind != "short" and each.cost > 0]
        value = _value(advice, decision, advice.value(decision))
        words = Words.of(loss(advice, _cost(advice, advice.value(decision))), COACH)
        return cls(**value, mistakes=list(map(MistakeMade.of, mistakes)), loss=words)


def _cost(advice: coach.Advice, value: Fraction) -> Fraction:
    """Return the cost of a decision. A Raise that the purse cannot cover may beat the best one; its cost is zero."""
    return max(advice.best.value - value, Fraction(0))


def _value(advice: coach.Advice, decision: Decision, value: Fraction) -> dict[str, Any]:
    """Return a `Worth`'s fields."""
    cost = _cost(advice, value)
    raised = {"amount_cents": decision.raise_cents, "keep": suit(decision.keep)} if decision.raise_cents else {}
    return {
        "type": "Raise" if decision.raise_cents else "Fold",
        **raised,
        **with_exact("value_cents", value),
        **with_exact("antes", advice.antes(value)),
        **with_exact("cost_cents", cost),
        "cost_antes": float(advice.antes(cost)),
        "severity": severity(advice.antes(cost)),
    }


def options(advice: coach.Advice, made: Decision | None = None) -> list[Worth]:
    """Value a fold and, for each flush, the usual Raises and the Raise made, except those that exceed the purse."""
    raises = []
    for flush in advice.flushes:
        cents = set(advice.listed_raises(flush))
        if made is not None and made.raise_cents and made.keep == flush.keep:
            cents.add(made.raise_cents)
        raises += [Decision(each, flush.keep) for each in sorted(cents)]
    covered = [each for each in raises if advice.shown_value(each) <= advice.best.value]
    return [Worth.of(advice, decision) for decision in (Decision(), *covered)]


def best(advice: coach.Advice) -> Worth:
    return Worth.of(advice, Decision(advice.best.raise_cents, advice.best.keep))


def reasons(advice: coach.Advice) -> list[Words]:
    return [Words.of(reason, COACH) for reason in why(advice, advice.flushes[0])] if advice.flushes else []


class Advice(Message, frozen=True):
    seat: int
    best: Worth
    options: list[Worth]
    why: list[Words]
    """Reasons for the best decision, one sentence each."""
    asked: AskedWorth | None

    @classmethod
    def of(cls, seat: int, advice: coach.Advice, asked: AskedWorth | None) -> Advice:
        return cls(seat, best(advice), options(advice), reasons(advice), asked)


class BreakEven(Message, frozen=True):
    meter: str
    amount_micros: int | None
    break_even_micros: int
    """Amount of this meter at which the bet breaks even if the other meters are at their seeds."""

    @classmethod
    def of(cls, odds: MeterOdds, meters: Mapping[str, Meter]) -> BreakEven:
        amount = meters[odds.name].amount_micros if odds.name in meters else None
        return cls(odds.name, amount, ceil(odds.break_even * MICROS_PER_DOLLAR))


class SideBet(Message, frozen=True):
    """Value of a side bet to the player. It is negative if the player loses money on average."""

    wager: str
    stake_cents: int
    value_cents: float
    value_cents_exact: str
    edge: float
    edge_exact: str
    in_your_favour: bool
    bonus: bool
    """True if the bet is for a bonus jackpot, which must not be presented as a progressive."""
    notice: str | None
    """Text that must be shown, word for word, with the amount of a bonus jackpot."""
    meters: list[BreakEven]

    @classmethod
    def of(cls, book: Rulebook, wager: str, stake_cents: int, meters: Mapping[str, Meter], envied: int) -> SideBet:
        value, jackpot = side_bet_value(book, wager, stake_cents, meters, envied), SIDE_BETS[wager].jackpot
        odds = progressive_odds(book, seats=envied + 1).meters if jackpot else ()
        return cls(
            wager=wager,
            stake_cents=stake_cents,
            **with_exact("value_cents", value),
            **with_exact("edge", -value / stake_cents),
            in_your_favour=value > 0,
            bonus=jackpot and book.bonus_jackpot,
            notice=book.bonus_notice or None if jackpot else None,
            meters=[BreakEven.of(each, meters) for each in odds],
        )


class SideBets(Message, frozen=True):
    table: str
    bets: list[SideBet]
