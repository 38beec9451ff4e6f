"""Severity of a mistake, by its cost in Antes."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

Severity = Literal["best", "inaccuracy", "mistake", "blunder"]
FROM_ANTES: tuple[tuple[Severity, Fraction], ...] = (("blunder", Fraction(1, 4)), ("mistake", Fraction(1, 20)))
"""Smallest costs in Antes; a smaller cost above zero is an inaccuracy."""


def severity(cost_antes: Fraction) -> Severity:
    """
    >>> [severity(Fraction(cost, 100)) for cost in (0, 4, 5, 25)]
    ['best', 'inaccuracy', 'mistake', 'blunder']
    """
    if cost_antes <= 0:
        return "best"
    return next((named for named, least in FROM_ANTES if cost_antes >= least), "inaccuracy")
