"""The same table simulated, to stand beside the exact values."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

from highcardflush.odds.strategies import NAMED
from highcardflush.report.model import SimulatedLine, SimulatedWager, SimulationPage
from highcardflush.rulebook.model import Rulebook
from highcardflush.simulate import LineCount, WagerResult, simulate

STRATEGY = "t-8-6"
ENOUGH = 10
"""Fewer expected hits than this are not near normal, so they get no z."""


def simulation_page(rulebook: Rulebook, rounds: int, seed: int, tell: Callable[[str], None]) -> SimulationPage | None:
    """A simulation at a full table, or None where none is asked for or only the jackpot is run."""
    if not rounds or rulebook.settings.play != "full":
        return None
    tell(f"{rounds:,} rounds simulated")
    found = simulate(rulebook, rounds, rulebook.settings.seats, NAMED[STRATEGY], seed=seed)
    if found.interrupted:
        raise KeyboardInterrupt
    return SimulationPage(
        rounds=found.rounds,
        seats=found.seats,
        strategy=found.strategy,
        seed=found.seed,
        wagers=tuple(_wager(name, result) for name, result in found.wagers.items()),
    )


def _wager(name: str, result: WagerResult) -> SimulatedWager:
    return SimulatedWager(
        wager=name,
        exact=result.exact,
        mean=result.mean,
        standard_error=result.standard_error,
        z=result.z,
        lines=tuple(_line(line, result.count) for line in result.lines),
    )


def _line(line: LineCount, hands: int) -> SimulatedLine:
    expected = line.expected_count
    error = sqrt(expected * (1 - expected / hands))
    z = (line.observed - expected) / error if expected >= ENOUGH and error else None
    return SimulatedLine(line=line.line, expected_count=expected, observed=line.observed, z=z)
