"""What a floor came to: returns against the exact long run, jackpots, the times between them, the house's advance.

Runs are independent, so every error is that of runs. A run begins with a seed that the house gave and ends with money
in its meters and reserves, so what was paid alone is not what the long run returns. Two measures are:

- Paid and owed: with the growth of meters and reserves. But what goes into a meter comes out of it or stands in it, so
  by that account the meters give no error and, where a reserve pays the seeds, no wrong frequency of wins would show.
  (A reserve that seeds take more from than it gathers is never paid back, so its fall is not owed to anybody.)
- The long run by what was paid (`simulate.floors.long_run`), in which every win counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import sqrt

import numpy as np
from msgspec import Struct

from highcardflush.money import MICROS_PER_CENT, MICROS_PER_DOLLAR
from highcardflush.odds.progressive import MeterOdds, ProgressiveOdds, progressive_odds
from highcardflush.odds.treasury import (
    SeveralWinners,
    advance_quantiles,
    cap_saves,
    mean_meters,
    seed_load,
    several_winners,
)
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.simulate.floors import kernel as at
from highcardflush.simulate.floors.floor import Floor
from highcardflush.simulate.floors.long_run import Cycles, cycles_of, long_run, mean_at_win
from highcardflush.simulate.floors.totals import Return, RunTotals, ratio
from highcardflush.simulate.kernel import Array
from highcardflush.simulate.result import ENOUGH

PARTS = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


class Spread(Struct, frozen=True):
    """Mean, quantiles and greatest of some amounts. None of them is 0."""

    mean: float
    quantiles: dict[float, float]
    """By the part of the amounts that are not larger."""
    most: float


class MeterResult(Struct, frozen=True, kw_only=True):
    """One meter over all runs. Amounts in dollars, times in hours of play."""

    name: str
    odds: MeterOdds
    wins: int
    """100 % wins; several winners who share are one."""
    shared: int
    """Of them, those with more than one winner."""
    percentage_wins: int
    winners: int
    """Of 100 %."""
    winners_expected: float
    """By their exact chance, of all bets."""
    at_win: Return
    """The mean amount at a win in the long run."""
    jackpots: Spread
    """What was paid at a 100 % win, to all its winners."""
    hours_between: Spread
    """Between two wins, or the begin and the first. Mean: all hours by all wins."""
    hours_expected: float
    short: int
    """Wins at which the reserve did not hold the reseed."""
    advance: Spread
    """What the house has advanced, after each win."""
    advance_exact: dict[float, float]
    """Its quantiles in the long run; none where the reserve never pays it back."""
    load: Fraction | None
    """The part of what the reserve gathers that seeds take; None without a reserve."""
    deepest: Spread
    """The greatest advance of each run."""
    below: float
    """The part of the bets at which the reserve stood below zero."""
    by_year: tuple[Spread, ...]
    """The advance at the end of each year."""
    house_seeds: float
    """What the house gave for seeds in a year, and does not get back."""
    house_pays: float
    """What the house paid in a year to winners beyond the first, each of whom gets the whole meter."""

    @property
    def winners_error(self) -> float:
        """The standard error of their number, by their exact chance."""
        return sqrt(self.winners_expected * (1 - 1 / float(self.odds.bets_between_hits)))

    @property
    def winners_z(self) -> float:
        return (self.winners - self.winners_expected) / self.winners_error

    @property
    def at_win_z(self) -> float | None:
        """None where there are too few wins to know its error."""
        return self.at_win.z(self.odds.expected_at_hit) if self.winners_expected >= ENOUGH else None


class FloorResult(Struct, frozen=True, kw_only=True):
    """A floor that was played."""

    floor: Floor
    odds: ProgressiveOdds
    runs: int
    bets: int
    seconds: float
    interrupted: bool
    paid: Return
    """All that players were paid."""
    owed: float
    """The growth of meters and reserves."""
    both: Return
    """Paid and owed together."""
    long_run: Return
    """By what was paid, the meters at their mean."""
    exact: Fraction
    """What the long run returns."""
    several: tuple[SeveralWinners, ...]
    """Several winners in one round, with each meter at its mean amount at a win and an empty reserve."""
    caps: dict[str, Fraction]
    """By the key of a cap in force: the part of each bet that it would save. The runs do not apply it."""
    envy: Return
    envy_exact: Fraction
    hold: Return
    """What the house keeps of a bet: no contributions, no pays, no seeds that it does not get back."""
    meters: tuple[MeterResult, ...]

    @property
    def z(self) -> float:
        return self.long_run.z(self.exact)

    @property
    def years(self) -> int:
        """Of all runs."""
        return self.runs * self.floor.years


def floor_result(floor: Floor, runs: list[RunTotals], seconds: float, *, interrupted: bool) -> FloorResult:
    odds, unit = progressive_odds(floor.rulebook, seats=2), floor.base_cents * MICROS_PER_CENT
    alone = progressive_odds(floor.rulebook)
    assert alone.long_run is not None
    envy = (odds.at_meters.envy - alone.at_meters.envy) * floor.envied
    paid = [unit * (run.fixed + run.envy) + int(run.sums[:, at.PAID].sum()) for run in runs]
    owed = [_owed(floor, alone, run) for run in runs]
    given = [unit * (run.fixed + run.envy) + _given(alone, run) for run in runs]
    rates = float(alone.contributions)
    bets = [run.bets for run in runs]
    held = ratio(given, bets, unit)
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
        owed=sum(owed) / (unit * sum(bets)),
        both=ratio([one + other for one, other in zip(paid, owed, strict=True)], bets, unit),
        long_run=long_run(cycles, runs, unit),
        exact=alone.long_run + envy,
        several=several_winners(floor.rulebook, floor.seats, mean_meters(alone)),
        caps=_caps(floor),
        envy=ratio([unit * run.envy for run in runs], bets, unit),
        envy_exact=envy,
        hold=Return(1 - rates - held.mean, held.standard_error),
        meters=tuple(_meter(floor, odds, each, runs) for odds, each in zip(alone.meters, cycles, strict=True)),
    )


def _caps(floor: Floor) -> dict[str, Fraction]:
    table = floor.rulebook.paytable(PROGRESSIVE)
    assert table is not None
    caps = floor.rulebook.settings.caps_on(PROGRESSIVE)
    return {cap.key: cap_saves(table, floor.base_cents, cap.cents) for cap in caps}


def _owed(floor: Floor, odds: ProgressiveOdds, run: RunTotals) -> int:
    """The growth of all meters of a run, and of the reserves that seeds do not empty."""
    total = 0
    for i, (plan, meter) in enumerate(zip(floor.rulebook.plans.values(), odds.meters, strict=True)):
        amount, reserve = (int(each) for each in run.years[-1, i])
        kept = reserve if meter.advance is not None else -int(run.sums[i, at.SURPLUS])
        total += amount - plan.seed_micros + kept
    return total


def _given(odds: ProgressiveOdds, run: RunTotals) -> int:
    """What the house gave to meters and their winners, and the advances that no reserve pays back."""
    lost = [-min(0, int(run.years[-1, i, at.RESERVE])) for i, each in enumerate(odds.meters) if each.advance is None]
    return int(run.sums[:, (at.HOUSE, at.SEEDS)].sum()) + sum(lost)


def spread(values: Iterable[float] | Array, mean: float | None = None) -> Spread:
    """Of amounts one by one; a mean that is known better is given."""
    found = np.asarray(values, dtype=np.float64)
    if not len(found):
        return Spread(mean or 0.0, dict.fromkeys(PARTS, 0.0), 0.0)
    parts = np.quantile(found, PARTS, method="inverted_cdf").tolist()
    return Spread(
        float(found.mean()) if mean is None else mean, dict(zip(PARTS, parts, strict=True)), float(found.max())
    )


def _meter(floor: Floor, odds: MeterOdds, cycles: Cycles, runs: list[RunTotals]) -> MeterResult:
    number, bets = cycles.meter, sum(run.bets for run in runs)
    own = [run.jackpots[run.jackpots[:, at.METER] == number] for run in runs]
    every, sums = np.concatenate(own), sum(run.sums[number] for run in runs)
    an_hour, years = floor.tables * floor.rounds_an_hour, len(runs) * floor.years
    gaps = np.concatenate([np.diff(each[:, at.EVENT], prepend=0) for each in own]) / an_hour
    wins, plan = int(sums[at.WINS]), cycles.plan
    load = seed_load(plan, odds, Fraction(floor.base_cents, 100))
    advances = -np.minimum(np.array([run.years[:, number, at.RESERVE] for run in runs]), 0) / MICROS_PER_DOLLAR
    return MeterResult(
        name=odds.name,
        odds=odds,
        wins=wins,
        shared=int((every[:, at.TOGETHER] > 1).sum()),
        percentage_wins=int(sums[at.PARTS]),
        winners=int(sums[at.WINNERS]),
        winners_expected=bets / float(odds.bets_between_hits),
        at_win=mean_at_win(cycles, runs),
        jackpots=spread(every[:, at.POT] / 100),
        hours_between=spread(gaps, years * floor.hours_a_year / wins if wins else 0.0),
        hours_expected=float(odds.bets_between_hits / floor.bets_an_hour),
        short=int((every[:, at.ADVANCE] > 0).sum()),
        advance=spread(every[:, at.ADVANCE] / MICROS_PER_DOLLAR),
        advance_exact=advance_quantiles(load, plan, PARTS),
        load=load,
        deepest=spread([float(each[:, at.ADVANCE].max(initial=0)) / MICROS_PER_DOLLAR for each in own]),
        below=int(sums[at.BELOW]) / max(1, bets),
        by_year=tuple(spread(advances[:, year]) for year in range(floor.years)),
        house_seeds=float(sums[at.SEEDS]) / MICROS_PER_DOLLAR / years,
        house_pays=float(sums[at.HOUSE]) / MICROS_PER_DOLLAR / years,
    )
