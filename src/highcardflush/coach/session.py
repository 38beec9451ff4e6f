"""Values of bets, severity of mistakes, and the parts of a session's result: result = expectation - mistakes + luck.

The expectation is the value of the wagers before the deal, with the best play. A mistake costs the difference between
the values of the best decision and of the decision made. The rest is luck, which is zero on average for any way of
playing. z is luck divided by its standard deviation. The variance of luck is the sum, over the rounds, of the variances
due to the player's and the dealer's cards.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Literal

from msgspec import Struct

from highcardflush.coach.advice import Mistake, Spot, advise
from highcardflush.game.state import Decision
from highcardflush.jackpot import Meter
from highcardflush.money import MICROS_PER_DOLLAR
from highcardflush.odds.paytable import table_odds
from highcardflush.odds.progressive import progressive_odds
from highcardflush.odds.prospect import Prospect, prospect
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import ANTE, SIDE_BETS

Severity = Literal["best", "inaccuracy", "mistake", "blunder"]
FROM_ANTES: tuple[tuple[Severity, Fraction], ...] = (("blunder", Fraction(1, 4)), ("mistake", Fraction(1, 20)))
"""Minimum cost of each severity, in Antes. Any smaller cost above zero is an inaccuracy."""


def severity(cost_antes: Fraction) -> Severity:
    """
    >>> [severity(Fraction(cost, 100)) for cost in (0, 4, 5, 25)]
    ['best', 'inaccuracy', 'mistake', 'blunder']
    """
    if cost_antes <= 0:
        return "best"
    return next((name for name, least in FROM_ANTES if cost_antes >= least), "inaccuracy")


class Grade(Struct, frozen=True):
    """Grade of a round, with amounts in cents and the variance in square cents."""

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
    """Grade a round with this decision and net result. If the prospect of its wagers is cached, pass it as `before`."""
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


def side_bet_value(
    rulebook: Rulebook, wager: str, stake_cents: int, meters: Mapping[str, Meter], envied: int = 0
) -> Fraction:
    """Return the value of a side bet in cents. `envied` is the number of other seats that made the progressive bet."""
    if SIDE_BETS[wager].jackpot:
        dollars = {name: Fraction(meter.amount_micros, MICROS_PER_DOLLAR) for name, meter in meters.items()}
        edge = progressive_odds(rulebook, dollars, seats=envied + 1).at_meters.house_edge
    else:
        paytable = rulebook.paytable(wager)
        assert paytable is not None
        # A cap applies as if no other bet won.
        lowest = min((cap.cents for cap in rulebook.settings.caps_on(wager)), default=None)
        cap = Fraction(lowest, stake_cents) if lowest is not None else None
        edge = table_odds(paytable, cap=cap).house_edge
    return -stake_cents * edge


def ante_value(rulebook: Rulebook, ante_cents: int) -> Fraction:
    return prospect(rulebook, {ANTE.name: ante_cents}, {}).mean
