"""A session in three parts that add up exactly: result = expectation - cost of mistakes + luck.

Expectation is the value of the wagers with the best play before the deal. A mistake costs the value of the best
decision less that of the decision taken. The rest is luck, which is zero on average, however one plays. z is luck over
the root of the variances of the player's and of the dealer's cards, summed over the rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import sqrt

from msgspec import Struct

from highcardflush.coach.advice import Mistake, Spot, advise
from highcardflush.game.state import Decision
from highcardflush.odds.prospect import Prospect, prospect


class Grade(Struct, frozen=True):
    """The grade of a round, in cents and square cents."""

    net_cents: int
    expected: Fraction
    variance: Fraction
    mistakes: tuple[Mistake, ...]

    @property
    def cost(self) -> Fraction:
        return sum((mistake.cost for mistake in self.mistakes), Fraction(0))

    @property
    def luck(self) -> Fraction:
        return self.net_cents - self.expected + self.cost


class Account(Grade, frozen=True):
    rounds: int

    @property
    def z(self) -> float:
        return float(self.luck) / sqrt(self.variance) if self.variance else 0.0


def grade(spot: Spot, decision: Decision, net_cents: int, before: Prospect | None = None) -> Grade:
    """Grade a round with this net result and decision; `before` is the prospect of its wagers, if cached."""
    advised, before = advise(spot), before or _before(spot)
    variance = before.variance + advised.variance(decision)
    return Grade(net_cents, before.mean, variance, advised.mistakes(decision))


def _before(spot: Spot) -> Prospect:
    return prospect(spot.rulebook, spot.wagers, spot.meters, spot.envied)


def account(rounds: Iterable[tuple[Spot, Decision, int]]) -> Account:
    prospects: dict[object, Prospect] = {}
    grades = []
    for spot, decision, net_cents in rounds:
        wagers = (tuple(spot.wagers.items()), tuple(spot.meters.items()), spot.envied)
        if wagers not in prospects:
            prospects[wagers] = _before(spot)
        grades.append(grade(spot, decision, net_cents, prospects[wagers]))
    return summed(grades)


def summed(grades: Sequence[Grade]) -> Account:
    return Account(
        net_cents=sum(each.net_cents for each in grades),
        expected=sum((each.expected for each in grades), Fraction(0)),
        variance=sum((each.variance for each in grades), Fraction(0)),
        mistakes=tuple(mistake for each in grades for mistake in each.mistakes),
        rounds=len(grades),
    )
