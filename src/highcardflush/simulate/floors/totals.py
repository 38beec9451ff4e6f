"""The totals of one run, and a ratio over runs with its error."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt

from msgspec import Struct

from highcardflush.odds.primitives import Array
from highcardflush.units import Exact, Number


class RunTotals(Struct, frozen=True):
    """Totals of one run; the kernel defines the places in `sums` and `jackpots`."""

    bets: int
    fixed: int
    """Fixed pays, in bets of 1."""
    envy: int
    sums: Array
    years: Array
    """Amount and reserve of each meter after each year."""
    jackpots: Array
    """Jackpots, with the number of the round in place of the event."""


class Return(Struct, frozen=True):
    """A mean over runs, such as a part of all bets."""

    mean: float
    standard_error: float

    def beside(self, exact: Fraction) -> ComparedReturn:
        return ComparedReturn(self.mean, self.standard_error, exact)


class ComparedReturn(Return, frozen=True):
    """A mean over runs beside its exact value."""

    expected: Exact

    @property
    def exact(self) -> Number:
        return float(self.expected)

    @property
    def z(self) -> Number:
        """Distance from the exact value in standard errors."""
        return (self.mean - self.exact) / self.standard_error if self.standard_error else 0.0


def ratio(values: Sequence[Fraction | float], counts: Sequence[int], unit: int = 1) -> Return:
    """Return the ratio of sums, with its error: the variation of the runs around it."""
    whole, runs = sum(counts), len(counts)
    if not whole:
        return Return(0.0, 0.0)
    exact = [Fraction(value) / unit for value in values]
    mean = sum(exact, Fraction(0)) / whole
    off = sum((value - mean * count) ** 2 for value, count in zip(exact, counts, strict=True))
    return Return(float(mean), sqrt(off * runs / (runs - 1)) / whole)
