"""Result of a floor: returns compared with the exact long run, jackpots, the times between them, and house advances.

Runs are independent, so standard errors come from the variation between runs. The error of a quantile is half the
distance between the quantiles one standard error below and above its fraction (Woodruff's method). A run begins with
house seeds and ends with money in its meters and reserves, so the payments alone are not the long-run return. Two
measures estimate it:

- Paid and owed: payments plus the growth of meters, and of reserves that are not exhausted by seeds. Money that enters
  a meter is either still there or has been paid, so meters add nothing to the error. For the same reason this measure
  does not reveal a wrong frequency of wins if a reserve pays the seeds.
- The long-run return estimated from the amounts paid (`simulate.floors.long_run`), in which every win counts.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import Annotated

import numpy as np
from msgspec import UNSET, Struct, UnsetType

from highcardflush.money import MICROS_PER_CENT, MICROS_PER_DOLLAR
from highcardflush.odds import treasury
from highcardflush.odds.primitives import Array
from highcardflush.odds.progressive import MeterOdds, ProgressiveOdds, progressive_odds
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.simulate.floors import kernel as at
from highcardflush.simulate.floors.floor import Floor
from highcardflush.simulate.floors.long_run import (
    ComparedReturn,
    Cycles,
    Return,
    RunTotals,
    cycles_of,
    long_run,
    mean_at_win,
    ratio,
    ratio_error,
)
from highcardflush.simulate.simulation import ENOUGH
from highcardflush.units import HIDDEN, INLINE, Figure, Number, Part

PARTS = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


class Spread(Struct, frozen=True, kw_only=True):
    """Mean, quantiles and maximum of some amounts, with standard errors, or zeros if there are no amounts."""

    mean: float
    standard_error: float
    quantiles: dict[float, float]
    """Quantiles, each keyed by the fraction of the amounts that do not exceed it."""
    quantile_errors: Annotated[dict[float, float | None], Figure(key="quantile_standard_errors")]
    """Standard errors of the quantiles; `None` if a quantile is the maximum, because there are too few amounts."""
    most: float


class ComparedSpread(Struct, frozen=True):
    """A spread of amounts in these runs, with the exact mean and quantiles of the long run."""

    spread: Annotated[Spread, INLINE]
    long_run: Part | None
    """Exact mean in the long run, or `None` if it is infinite."""
    long_run_quantiles: dict[float, float | None] | UnsetType = UNSET
    """Exact long-run quantiles of the advance; `None` if infinite or without reserve."""


class Winners(Struct, frozen=True):
    """Observed and expected number of players who won 100 % of a meter."""

    observed: int
    expected_count: float
    standard_error: float
    """Standard error, computed from the exact probability of a win."""

    @property
    def z(self) -> Number:
        return (self.observed - self.expected_count) / self.standard_error


class MeanAtWin(Struct, frozen=True):
    """Mean amount of a meter at a 100 % win, with its exact value."""

    compared: Annotated[ComparedReturn, INLINE]
    has_error: Annotated[bool, HIDDEN]
    """False if there are too few wins to estimate the error."""

    @property
    def z(self) -> Number | None:
        return self.compared.z if self.has_error else None


class MeterResult(Struct, frozen=True, kw_only=True):
    """Results of one meter over all runs. Amounts are in dollars, and times are in hours of play."""

    name: str
    odds: Annotated[MeterOdds, HIDDEN]
    wins: int
    """Number of 100 % wins. A shared win counts once."""
    shared: int
    """Number of 100 % wins with more than one winner."""
    percentage_wins: int
    winners: Winners
    at_win: Annotated[MeanAtWin, Figure(key="at_win_dollars")]
    """Mean amount at a win in the long run."""
    jackpots: Annotated[ComparedSpread, Figure(key="jackpot_dollars")]
    """Amount paid at each 100 % win to all its winners together."""
    hours_between: Annotated[ComparedSpread, Figure(key="hours_between_wins")]
    """Hours between two wins, or from the start to the first win. The mean is all hours divided by all wins."""
    short: Annotated[int, Figure(key="wins_short_of_reseed")]
    """Number of wins at which the reserve held less than the reseed."""
    below: Annotated[Return, Figure(key="reserve_below_zero")]
    """Fraction of the bets that were made while the reserve was below zero."""
    load: Annotated[Fraction | None, Figure(form="exact")]
    """Cost of new seeds as a fraction of the contributions to the reserve, or `None` if there is no reserve."""
    advance: Annotated[ComparedSpread, Figure(key="advance_dollars")]
    """House advance after each win. The exact quantiles are long-run values."""
    deepest: Annotated[Spread, Figure(key="greatest_advance_dollars")]
    """Greatest house advance in each run."""
    by_year: Annotated[tuple[Spread, ...], Figure(key="advance_by_year_dollars")]
    """House advance at the end of each year."""
    house_seeds: Annotated[Return, Figure(key="house_seeds_a_year_dollars")]
    """Amount per year that the house pays for seeds and never gets back."""
    house_pays: Annotated[Return, Figure(key="house_pays_a_year_dollars")]
    """Amount per year that the house pays to winners beyond the first, if each gets the whole meter."""


class FloorResult(Struct, frozen=True, kw_only=True):
    """Result of a simulated floor. Returns are fractions of all bets."""

    floor: Annotated[Floor, INLINE]
    odds: Annotated[ProgressiveOdds, HIDDEN]
    runs: int
    bets: int
    seconds: float
    interrupted: Annotated[bool, HIDDEN]
    paid: Return
    """The part of the return that was paid to players."""
    owed: Return
    """The part of the return that is the growth of meters and reserves."""
    both: Annotated[ComparedReturn, Figure(key="paid_and_owed")]
    """Sum of `paid` and `owed`."""
    long_run: ComparedReturn
    """Long-run return, estimated from the amounts paid."""
    several: Annotated[tuple[treasury.SeveralWinners, ...], Figure(key="several_winners")]
    """Costs if several players win in one round, when each meter has its mean amount at a win and an empty reserve."""
    caps: Annotated[dict[str, Fraction], Figure(key="caps_save")]
    """Fraction of each bet that each cap would save, keyed by the cap's key. The runs do not apply caps."""
    envy: ComparedReturn
    hold: Return
    """House hold: a bet minus its contributions, fixed pays, Envy Pays, and seeds that the house never gets back."""
    meters: tuple[MeterResult, ...]

    @property
    def years(self) -> int:
        """Years of play in all runs together."""
        return self.runs * self.floor.years


def floor_result(floor: Floor, runs: list[RunTotals], seconds: float, *, interrupted: bool) -> FloorResult:
    odds, unit = progressive_odds(floor.rulebook, seats=2), floor.base_cents * MICROS_PER_CENT
    table, caps = floor.rulebook.progressive[1], floor.rulebook.settings.caps_on(PROGRESSIVE)
    alone = progressive_odds(floor.rulebook)
    assert alone.long_run is not None
    envy = (odds.at_meters.envy - alone.at_meters.envy) * floor.envied
    exact = alone.long_run + envy
    paid = [unit * (run.fixed + run.envy) + int(run.sums[:, at.PAID].sum()) for run in runs]
    owed = [_owed(floor, alone, run) for run in runs]
    given_micros = [unit * (run.fixed + run.envy) + _new_money_micros(alone, run) for run in runs]
    rates = float(alone.contributions)
    bets = [run.bets for run in runs]
    hold = ratio(given_micros, bets, unit)
    plans = enumerate(zip(floor.rulebook.plans.values(), alone.meters, strict=True))
    cycles = [cycles_of(i, plan, each, floor.base_cents) for i, (plan, each) in plans]
    return FloorResult(
        floor=floor,
        odds=alone,
        runs=len(runs),
        bets=sum(bets),
        seconds=seconds,
        interrupted=interrupted,
        paid=ratio(paid, bets, unit),
        owed=ratio(owed, bets, unit),
        both=ratio([one + other for one, other in zip(paid, owed, strict=True)], bets, unit).compared_with(exact),
        long_run=long_run(cycles, runs, unit).compared_with(exact),
        several=treasury.several_winners(floor.rulebook, floor.seats, treasury.mean_meters(alone)),
        caps={cap.key: treasury.cap_saves(table, floor.base_cents, cap.cents) for cap in caps},
        envy=ratio([unit * run.envy for run in runs], bets, unit).compared_with(envy),
        hold=Return(1 - rates - hold.mean, hold.standard_error),
        meters=tuple(_meter(floor, odds, each, runs) for odds, each in zip(alone.meters, cycles, strict=True)),
    )


def _owed(floor: Floor, odds: ProgressiveOdds, run: RunTotals) -> int:
    """Return the growth of a run's meters, and of the reserves that are not exhausted by seeds."""
    total = 0
    for i, (plan, meter) in enumerate(zip(floor.rulebook.plans.values(), odds.meters, strict=True)):
        amount, reserve = (int(each) for each in run.years[-1, i])
        reserve_kept = reserve if meter.advance is not None else -int(run.sums[i, at.SURPLUS])
        total += amount - plan.seed_micros + reserve_kept
    return total


def _new_money_micros(odds: ProgressiveOdds, run: RunTotals) -> int:
    """Return the amount that the house paid for seeds and to winners, including advances that no reserve pays back."""
    lost = [-min(0, int(run.years[-1, i, at.RESERVE])) for i, each in enumerate(odds.meters) if each.advance is None]
    return int(run.sums[:, (at.HOUSE, at.SEEDS)].sum()) + sum(lost)


def spread(by_run: Sequence[Array], hours: float | None = None) -> Spread:
    """Return the spread of each run's amounts. If `hours` is given, the mean is this sum for each run per amount."""
    amounts, counts = np.concatenate(by_run), [len(each) for each in by_run]
    if not len(amounts):
        zeros, unknown = dict.fromkeys(PARTS, 0.0), dict.fromkeys(PARTS)
        return Spread(mean=0.0, standard_error=0.0, quantiles=zeros, quantile_errors=unknown, most=0.0)
    sums = [float(each.sum()) if hours is None else hours for each in by_run]
    mean = sum(sums) / len(amounts)
    quantiles = np.quantile(amounts, PARTS, method="inverted_cdf").tolist()
    errors = [_quantile_error(amounts, by_run, counts, *each) for each in zip(PARTS, quantiles, strict=True)]
    return Spread(
        mean=mean,
        standard_error=ratio_error(sums, counts, mean),
        quantiles=dict(zip(PARTS, quantiles, strict=True)),
        quantile_errors=dict(zip(PARTS, errors, strict=True)),
        most=float(amounts.max()),
    )


def _quantile_error(
    amounts: Array, by_run: Sequence[Array], counts: list[int], part: float, quantile: float
) -> float | None:
    if quantile >= amounts.max():
        return None
    below = [int((each <= quantile).sum()) for each in by_run]
    error = ratio_error(below, counts, sum(below) / len(amounts))
    low, high = np.quantile(amounts, np.clip((part - error, part + error), 0, 1)).tolist()
    return float(high - low) / 2


def _meter(floor: Floor, odds: MeterOdds, cycles: Cycles, runs: list[RunTotals]) -> MeterResult:
    number, bets = cycles.meter, sum(run.bets for run in runs)
    own_jackpots = [run.jackpots[run.jackpots[:, at.METER] == number] for run in runs]
    every, sums = np.concatenate(own_jackpots), sum(run.sums[number] for run in runs)
    an_hour, plan, run_years = floor.tables * floor.rounds_an_hour, cycles.plan, [floor.years] * len(runs)
    gaps = [np.diff(each[:, at.EVENT], prepend=0) / an_hour for each in own_jackpots]
    expected = bets / float(odds.bets_between_hits)
    load = treasury.seed_load(plan, odds, Fraction(floor.base_cents, 100))
    year_advances = -np.minimum(np.array([run.years[:, number, at.RESERVE] for run in runs]), 0) / MICROS_PER_DOLLAR
    win_advances = [each[:, at.ADVANCE] / MICROS_PER_DOLLAR for each in own_jackpots]

    def yearly(column: int) -> Return:
        return ratio([int(run.sums[number][column]) for run in runs], run_years, MICROS_PER_DOLLAR)

    return MeterResult(
        name=odds.name,
        odds=odds,
        wins=int(sums[at.WINS]),
        shared=int((every[:, at.TOGETHER] > 1).sum()),
        percentage_wins=int(sums[at.PARTS]),
        winners=Winners(int(sums[at.WINNERS]), expected, sqrt(expected * (1 - 1 / float(odds.bets_between_hits)))),
        at_win=MeanAtWin(mean_at_win(cycles, runs).compared_with(odds.expected_at_hit), expected >= ENOUGH),
        jackpots=ComparedSpread(spread([each[:, at.POT] / 100 for each in own_jackpots]), odds.expected_at_hit),
        hours_between=ComparedSpread(
            spread(gaps, floor.years * floor.hours_a_year), odds.bets_between_hits / floor.bets_an_hour
        ),
        short=int((every[:, at.ADVANCE] > 0).sum()),
        advance=ComparedSpread(spread(win_advances), odds.advance, treasury.advance_quantiles(load, plan, PARTS)),
        load=load,
        deepest=spread([each.max(initial=0, keepdims=True) for each in win_advances]),
        below=ratio([int(run.sums[number][at.BELOW]) for run in runs], [run.bets for run in runs]),
        by_year=tuple(spread(list(year_advances[:, [year]])) for year in range(floor.years)),
        house_seeds=yearly(at.SEEDS),
        house_pays=yearly(at.HOUSE),
    )
