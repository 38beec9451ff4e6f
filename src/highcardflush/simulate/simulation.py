"""Simulates rounds in chunks and compares the mean result of each wager with its exact value.

The seats of a round share a dealer and a deck, so their hands are not independent, but rounds are. A side bet's
standard error is computed from the classes of two hands dealt together (`simulate.pairs`), because a short run has too
few hits on rare lines to estimate it. The main game's is estimated from the rounds played.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import sqrt

import numpy as np
from msgspec import Struct

from highcardflush.odds.counting import DEALS
from highcardflush.odds.paytable import LineOdds, TableOdds
from highcardflush.odds.strategies import Strategy
from highcardflush.ranking import MAIN_PAYS, Showdown
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import ENVY, SIDE_BETS, Reach
from highcardflush.simulate import kernel as at
from highcardflush.simulate.chunks import Pool, Progress, Totals, in_chunks, require_least, stream
from highcardflush.simulate.pairs import Pairs, line_pairs, mean_product
from highcardflush.simulate.plan import NATIVE, Plan, classes, make_plan
from highcardflush.units import Count, Exact, Number

OUTCOMES: tuple[Showdown, ...] = ("fold", "not-qualified", "lose", "tie", "win")
"""Names of the kernel's outcomes, as in the exact odds."""
ENOUGH = 10
"""Minimum expected number of hits at which a count is treated as normally distributed."""


class LineCount(Struct, frozen=True):
    """Observed and expected number of hits of a line."""

    line: str
    observed: int
    expected_count: float
    standard_error: float

    @property
    def z(self) -> Number | None:
        """Deviation from the expected count, in standard errors, or `None` if that count is below `ENOUGH`."""
        enough = self.expected_count >= ENOUGH and self.standard_error
        return (self.observed - self.expected_count) / self.standard_error if enough else None


class WagerResult(Struct, frozen=True):
    """Result of one wager, in Antes (ante, raise, main) or in bets."""

    count: int
    """Number of hands, each with one bet."""
    mean: float
    standard_error: float
    expected: Exact
    """Exact mean."""
    lines: tuple[LineCount, ...] = ()

    @property
    def exact(self) -> Number:
        return float(self.expected)

    @property
    def z(self) -> Number:
        """Difference between the mean and the expected value, in standard errors."""
        return (self.mean - self.exact) / self.standard_error if self.standard_error else 0.0


class Simulation(Struct, frozen=True):
    """Result of a run."""

    rulebook: str
    strategy: str
    seats: int
    seed: int
    threads: int
    rounds: int
    seconds: float
    """Seconds spent on dealing and settling, without compilation."""
    interrupted: bool
    wagers: dict[str, WagerResult]

    @property
    def hands(self) -> Count:
        return self.rounds * self.seats

    @property
    def hands_per_second(self) -> Number:
        return self.hands / self.seconds


def simulate(
    rulebook: Rulebook,
    rounds: int,
    seats: int,
    strategy: Strategy,
    seed: int = 0,
    threads: int = 1,
    meter: Mapping[str, Fraction] | None = None,
    progress: Progress | None = None,
    pool: Pool | None = None,
) -> Simulation:
    """Play rounds in which each seat bets one unit on every offered wager, and compare the results with exact odds.

    Meters have their amounts in `meter` (dollars, by name) or their seed amounts, without caps. `progress` receives the
    number of finished rounds and the total. If interrupted, return the result so far. A `pool` replaces the threads.
    """
    require_least(rounds=(rounds, 1), seed=(seed, 0), threads=(threads, 1))
    plan = make_plan(rulebook, seats, strategy, meter)
    play_chunk(plan.rules, seed, 0, 0)  # Compile the kernel before the time is measured.
    start = time.perf_counter()
    totals, interrupted = in_chunks(partial(play_chunk, plan.rules, seed), rounds, threads, progress, pool)
    seconds = time.perf_counter() - start
    return Simulation(
        rulebook=rulebook.name,
        strategy=strategy.name,
        seats=seats,
        seed=seed,
        threads=threads,
        rounds=totals.rounds,
        seconds=seconds,
        interrupted=interrupted,
        wagers=wager_results(plan, totals),
    )


def play_chunk(rules: at.Rules, seed: int, chunk: int, rounds: int) -> Totals:
    """Deal and settle one chunk. The tally ends with the progressive's sum, after the kernel's places."""
    tally, money = np.zeros(at.COUNTS + at.OTHER * len(rules.others), dtype=np.int64), np.zeros(1)
    at.play(rules, stream(seed, chunk, at.STATE), rounds, tally, money)
    return Totals(rounds, (*tally.tolist(), float(money[0])))


def wager_results(plan: Plan, totals: Totals) -> dict[str, WagerResult]:
    """Return the result of each wager at the table, starting with the main game."""
    results = _main_results(plan, totals)
    slow_bets = [name for name in plan.tables if name not in NATIVE]
    for wager, odds in plan.tables.items():
        if wager in NATIVE:
            place, reaches, counts = NATIVE[wager]
        else:
            place, reaches = at.COUNTS + at.OTHER * slow_bets.index(wager), classes(SIDE_BETS[wager])
            counts = place + 1
        pairs, mean = line_pairs(odds), odds.returned - odds.envy
        lines = _line_counts(plan, totals, odds, pairs, reaches, counts)
        both = _mean_of(pairs, partial(mean_product, odds))
        variance = _of_rounds(plan, odds.variance, both - mean**2)
        results[wager] = _result(plan, totals, totals.tally[place], mean, variance, 1, lines)
        if odds.envy:
            results[ENVY.name] = _envy_result(plan, totals, odds, pairs)
    return results


def _envy_result(plan: Plan, totals: Totals, odds: TableOdds, pairs: Pairs) -> WagerResult:
    """Return the result of Envy Pays. A hand causes one Envy Pay for each other seat."""
    other_seats = plan.rules.seats - 1
    mean = odds.envy / other_seats
    square = sum((line.line.envy**2 * line.probability for line in odds.lines), Fraction(0))
    both = _mean_of(pairs, lambda one, other: Fraction(one.line.envy * other.line.envy))
    variance = other_seats**2 * _of_rounds(plan, square - mean**2, both - mean**2)
    return _result(plan, totals, totals.tally[at.ENVY], odds.envy, variance)


def _mean_of(pairs: Pairs, value: Callable[[LineOdds, LineOdds], Fraction]) -> Fraction:
    """Return the mean of a value that depends on the lines of two seats."""
    values = (count * value(one, other) for (one, other), count in pairs.items() if one and other)
    return sum(values, Fraction(0)) / DEALS


def _of_rounds(plan: Plan, variance: Fraction, covariance: Fraction) -> Fraction:
    """Return the variance of a round's total, from the variance of one seat and the covariance of two seats."""
    seats = plan.rules.seats
    return seats * variance + seats * (seats - 1) * covariance


def _result(
    plan: Plan,
    totals: Totals,
    total: float | Fraction,
    expected: Fraction,
    variance: Fraction,
    stake: int = 0,
    lines: tuple[LineCount, ...] = (),
) -> WagerResult:
    """Return a wager's result from its total, which includes any returned `stake`, and a round's variance."""
    hands = totals.rounds * plan.rules.seats
    mean = float(Fraction(total) / hands) - stake
    return WagerResult(hands, mean, sqrt(variance * totals.rounds) / hands, expected - stake, lines)


def _main_results(plan: Plan, totals: Totals) -> dict[str, WagerResult]:
    tally, rounds, seats, deals = totals.tally, totals.rounds, plan.rules.seats, plan.game.deals()
    lines = []
    for i, case in enumerate(OUTCOMES):
        observed, squares = tally[at.OUTCOMES_AT + i], tally[at.OUTCOMES_2_AT + i]
        expected = float(Fraction(rounds * seats * deals[case], DEALS))
        lines.append(LineCount(case, observed, expected, sqrt(rounds * _spread(rounds, observed, squares))))
    ante, raised = tally[at.ANTE], tally[at.RAISE]
    ante_2, raised_2, product = tally[at.ANTE_2], tally[at.RAISE_2], tally[at.ANTE_RAISE]
    sums = {
        "main": (100 * ante + raised, 10_000 * ante_2 + 200 * product + raised_2, 100),
        "ante": (ante, ante_2, 1),
        "raise": (raised, raised_2, 100),
    }
    results = {}
    for wager, (total, squares, scale) in sums.items():
        mean = _moment(plan, wager, 1)
        alone = seats * (_moment(plan, wager, 2) - mean**2)
        variance = _spread(rounds, total, squares) / scale**2 or alone
        main_lines = tuple(lines) if wager == "main" else ()
        results[wager] = _result(plan, totals, Fraction(total, scale), mean, variance, lines=main_lines)
    return results


def _spread(rounds: int, total: int, squares: int) -> Fraction:
    """Return the variance between rounds, from the sum of their values and the sum of the squared values."""
    return (squares - Fraction(total) ** 2 / rounds) / max(rounds - 1, 1)


def _moment(plan: Plan, wager: str, power: int) -> Fraction:
    """Return the exact mean of the net result, raised to a power, on the Ante, the Raise or both."""
    total = Fraction(0)
    for case, net, count in plan.game.nets():
        ante, _ = MAIN_PAYS[case]
        part = {"main": net, "ante": Fraction(ante), "raise": net - ante}[wager]
        total += part**power * count
    return total / DEALS


def _line_counts(
    plan: Plan, totals: Totals, odds: TableOdds, pairs: Pairs, reaches: Sequence[Reach], place: int
) -> tuple[LineCount, ...]:
    """Count the hits of each line. From `place` on, the tally has the number of hands in each class."""
    reached = list(zip(map(odds.at, reaches), totals.tally[place:], strict=False))
    counts = []
    for each in odds.lines:
        chance, both = each.probability, Fraction(pairs[each, each], DEALS)
        observed = sum(hands for line, hands in reached if line is each)
        variance = _of_rounds(plan, chance - chance**2, both - chance**2)
        expected = float(totals.rounds * plan.rules.seats * chance)
        counts.append(LineCount(each.line.name, observed, expected, sqrt(totals.rounds * variance)))
    return tuple(counts)
