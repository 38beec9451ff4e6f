"""Estimates the long-run return from the amounts paid. The estimate is unbiased, and every win counts.

The amounts paid differ from the long run in two ways:

- A cycle from one 100 % win to the next begins with a seed or with the reserve, which may take decades to reach its
  mean. A dollar at the start of a cycle is paid within the cycle, so each starting amount is replaced by its exact
  mean.
- The last cycle is cut off. The amount left in the meter is replaced by its exact mean after that many bets.

The estimate therefore reveals wins that are too frequent or too rare, and wrong contributions and pays. The mean amount
at a win is adjusted by the mean fraction of a starting dollar that is left at the win. Of a cycle that is cut off, this
fraction of its growth is counted. Several winners who share a meter in one round count as one win.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import exp, log1p, sqrt

from msgspec import Struct

from highcardflush.jackpot import contribution
from highcardflush.money import MICROS_PER_CENT, MICROS_PER_DOLLAR
from highcardflush.odds.primitives import Array
from highcardflush.odds.progressive import MeterOdds
from highcardflush.rulebook.paytable import Plan
from highcardflush.simulate.floors import kernel as at
from highcardflush.units import Exact, Number


class RunTotals(Struct, frozen=True):
    """Totals of one run. The kernel defines the places in `sums` and `jackpots`."""

    bets: int
    fixed: int
    """Sum of the fixed pays, for bets of 1."""
    envy: int
    sums: Array
    years: Array
    """Amount and reserve of each meter after each year."""
    jackpots: Array
    """The 100 % wins, one per row. The column `EVENT` has the number of the round within the run."""


class Return(Struct, frozen=True):
    """A mean over runs, such as a fraction of all bets, with its standard error."""

    mean: float
    standard_error: float

    def compared_with(self, exact: Fraction) -> "ComparedReturn":
        return ComparedReturn(self.mean, self.standard_error, exact)


class ComparedReturn(Return, frozen=True):
    """A mean over runs, and the exact value with which it is compared."""

    expected: Exact

    @property
    def exact(self) -> Number:
        return float(self.expected)

    @property
    def z(self) -> Number:
        """Difference from the exact value, in standard errors."""
        return (self.mean - self.exact) / self.standard_error if self.standard_error else 0.0


def ratio(values: Sequence[Fraction | float], counts: Sequence[int], unit: int = 1) -> Return:
    """Return the ratio of two sums and its standard error, estimated from the variation between runs."""
    whole = sum(counts)
    if not whole:
        return Return(0.0, 0.0)
    exact = [Fraction(value) / unit for value in values]
    mean = sum(exact, Fraction(0)) / whole
    return Return(float(mean), ratio_error(exact, counts, mean))


def ratio_error(values: Sequence[Fraction | float], counts: Sequence[int], mean: Fraction | float) -> float:
    """Return the standard error of the ratio `mean` of two sums, estimated from the variation between runs."""
    runs = len(counts)
    off = sum((value - mean * count) ** 2 for value, count in zip(values, counts, strict=True))
    return sqrt(off * runs / (runs - 1)) / sum(counts)


class Cycles(Struct, frozen=True, kw_only=True):
    """Exact long-run odds of one meter. Amounts are in micros."""

    meter: int
    """Index of the meter."""
    plan: Plan
    growth: int
    """Micros that each bet adds to the meter."""
    win: float
    """Probability of a 100 % win."""
    part: float
    """Mean fraction of the meter that other percentage wins take per bet."""
    start: float
    """Mean amount after a win."""
    kept: float
    """Mean fraction of a starting dollar that is left in the meter at the win."""

    def mean_after(self, bets: int) -> float:
        """Return the meter's mean amount after this many bets, if it starts at its mean starting amount."""
        loss = self.win + self.part
        level = ((1 - loss) * self.growth + self.win * self.start) / loss
        return level + (self.start - level) * exp(bets * log1p(-loss))

    def paid(self, run: RunTotals) -> float:
        """Estimate, from the amounts paid in a run, how much the same number of bets is paid in the long run."""
        sums = run.sums[self.meter].tolist()
        remaining = sums[at.LEFT] / sums[at.START] if sums[at.START] else 1.0
        starts = self._started(sums) + sums[at.START] - sums[at.LEFT]
        alike = (sums[at.WINS] + 1 - remaining) * self.start
        return float(sums[at.PAID] - sums[at.HOUSE] - starts + alike + self.mean_after(run.bets) - self.start)

    def at_wins(self, run: RunTotals) -> float:
        """Return the sum of the meter's amounts at the wins of a run, adjusted as if all cycles had the mean start."""
        sums, every = run.sums[self.meter].tolist(), run.jackpots[run.jackpots[:, at.METER] == self.meter]
        each = at.POLICIES[self.plan.hits] == at.EACH
        pots = int((every[:, at.POT] // (every[:, at.TOGETHER] if each else 1)).sum()) * MICROS_PER_CENT
        grown = int(run.years[-1, self.meter, at.AMOUNT]) - sums[at.START]
        return float(pots - self.kept * (self._started(sums) - sums[at.WINS] * self.start - grown))

    def _started(self, sums: list[int]) -> int:
        """Return the sum of the starting amounts of the completed cycles."""
        after = sums[at.WINS] * self.plan.reseed_micros + sums[at.SURPLUS]
        return self.plan.seed_micros + after - sums[at.START]


def cycles_of(number: int, plan: Plan, odds: MeterOdds, base_cents: int) -> Cycles:
    win = 1 / odds.bets_between_hits
    return Cycles(
        meter=number,
        plan=plan,
        growth=contribution(plan, base_cents).amount_micros,
        win=float(win),
        part=float(win / odds.kept - win),
        start=float(odds.start * MICROS_PER_DOLLAR),
        kept=float(odds.kept),
    )


def long_run(meters: list[Cycles], runs: list[RunTotals], unit: int) -> Return:
    """Return the estimated long-run return of a bet of `unit` micros, including fixed pays and Envy Pays."""
    paid = [unit * (run.fixed + run.envy) + sum(each.paid(run) for each in meters) for run in runs]
    bets = [run.bets for run in runs]
    result = ratio(paid, bets, unit)
    # With few runs, the error may be underestimated. The exact probability of a win gives its minimum.
    least = sqrt(sum(each.start**2 * each.win for each in meters) / max(1, sum(bets))) / unit
    return Return(result.mean, max(result.standard_error, least))


def mean_at_win(meter: Cycles, runs: list[RunTotals]) -> Return:
    """Return the mean amount at a 100 % win in the long run, in dollars."""
    wins = [int(run.sums[meter.meter, at.WINS]) for run in runs]
    return ratio([meter.at_wins(run) for run in runs], wins, MICROS_PER_DOLLAR)
