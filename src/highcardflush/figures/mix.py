"""All wagers of one hand together: their exact covariances with the best play.

Every hand is in one of a few dozen classes (`odds.classes`), which give its flush, its straight flush, its decision and
the dealer hands that it meets. So every product of two wagers is a sum over the classes. A side bet that the classes do
not describe is left out. Caps are not applied.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from math import sqrt
from typing import Annotated

from msgspec import Struct

from highcardflush.odds.classes import DealClass
from highcardflush.odds.counting import DEALS
from highcardflush.odds.game import Choice
from highcardflush.odds.paytable import TableOdds
from highcardflush.odds.prospect import TOLD, rule_classes
from highcardflush.rulebook import SIDE_BETS, Rulebook
from highcardflush.units import HIDDEN, Exact, Figure, Number, Part

MAIN = "main"
"""Ante and Raise together, under their name in a simulation."""


class WagerPair(Struct, frozen=True):
    wagers: Annotated[tuple[str, str], Figure("parts", "simulated wagers")]
    covariance: Annotated[Fraction, Figure("count", "of the net results of two wagers, in squared units")]
    correlation: Annotated[float, Figure("count", "of the net results of two wagers")]


class Mix(Struct, frozen=True, kw_only=True):
    """One Ante and one unit on each side bet, by wager: `main` first, then the side bets on offer."""

    wagers: tuple[str, ...]
    means: Annotated[tuple[Fraction, ...], HIDDEN]
    """Mean net of each wager."""
    covariances: Annotated[tuple[tuple[Fraction, ...], ...], HIDDEN]
    """Covariances, one row and one column for each wager; the diagonal has the variances."""

    @property
    def expected(self) -> Exact:
        return sum(self.means, Fraction(0))

    @property
    def variance(self) -> Part:
        return sum((each for row in self.covariances for each in row), Fraction(0))

    @property
    def standard_deviation(self) -> Number:
        return sqrt(self.variance)

    @property
    def correlations(self) -> tuple[tuple[float, ...], ...]:
        roots = [sqrt(row[i]) for i, row in enumerate(self.covariances)]
        return tuple(
            tuple(float(each) / (roots[i] * roots[j]) for j, each in enumerate(row))
            for i, row in enumerate(self.covariances)
        )

    @property
    def pairs(self) -> Annotated[tuple[WagerPair, ...], Figure("parts", "wagers two by two")]:
        return tuple(
            WagerPair((self.wagers[i], self.wagers[j]), self.covariances[i][j], self.correlations[i][j])
            for i, j in combinations_with_replacement(range(len(self.wagers)), 2)
        )


def bet_mix(rulebook: Rulebook, tables: dict[str, TableOdds]) -> Mix:
    """Compute the mix of a table; `tables` are its side bets, with their meters valued."""
    sides = {wager: odds for wager, odds in tables.items() if SIDE_BETS[wager].match in TOLD}
    size = 1 + len(sides)
    first, second = [Fraction(0)] * size, [[Fraction(0)] * size for _ in range(size)]
    for each in rule_classes(rulebook):
        nets = [_net(SIDE_BETS[wager].match is TOLD[0], odds, each) for wager, odds in sides.items()]
        low, high = rulebook.raise_antes(each.cards)
        raised = {"fold": None, "low": low, "high": high}[each.choice]
        for _, main, count in Choice(each.cards, raised, each.odds).nets():
            values = [main, *(net for net, _ in nets)]
            for i, first_net in enumerate(values):
                first[i] += count * first_net
                for j, right in enumerate(values):
                    second[i][j] += count * (nets[i - 1][1] if i == j and i else first_net * right)
    means = tuple(total / DEALS for total in first)
    covariances = tuple(
        tuple(second[i][j] / DEALS - means[i] * means[j] for j in range(size)) for i in range(size)
    )  # fmt: skip
    return Mix(wagers=(MAIN, *sides), means=means, covariances=covariances)


def _net(by_length: bool, odds: TableOdds, each: DealClass) -> tuple[Fraction, Fraction]:
    """Return the mean net of a side bet with the hands of a class, and the mean square."""
    line = odds.at((each.cards, False) if by_length else each.straight)
    if line is None:
        return Fraction(-1), Fraction(1)
    return line.returned - 1, line.squared - 2 * line.returned + 1
