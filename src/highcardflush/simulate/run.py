"""Running a simulation: chunks of rounds (`simulate.chunks`), added up and compared with the exact odds."""

from __future__ import annotations

import time
from collections.abc import Mapping
from fractions import Fraction
from functools import partial

import numpy as np

from highcardflush.errors import HcfError
from highcardflush.odds.strategies import Strategy
from highcardflush.rulebook.model import Rulebook
from highcardflush.simulate.chunks import Pool, Progress, in_chunks, stream
from highcardflush.simulate.kernel import COUNTS, OTHER, STATE, Rules, play
from highcardflush.simulate.plan import make_plan
from highcardflush.simulate.result import Simulation, Totals, wager_results


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
    """Play rounds in which each seat bets one unit on every offered wager, and compare the result with exact odds.

    Percentages of a meter are valued at `meter` (dollars by meter's name; its seed where not given); caps on payouts
    are not applied. `progress` receives rounds done and all. An interrupt ends the run and returns the result so far. A
    `pool` works instead of threads.
    """
    for name, value, least in (("rounds", rounds, 1), ("seed", seed, 0), ("threads", threads, 1)):
        if value < least:
            raise HcfError(name, read=str(value), expected=f"{least} or more")
    plan = make_plan(rulebook, seats, strategy, meter)
    play_chunk(plan.rules, seed, 0, 0)  # Compile before the clock starts.
    start = time.perf_counter()
    totals, interrupted = run_chunks(plan.rules, seed, rounds, threads, progress, pool)
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


def run_chunks(
    rules: Rules, seed: int, rounds: int, threads: int, progress: Progress | None = None, pool: Pool | None = None
) -> tuple[Totals, bool]:
    """Add up all chunks in order; after an interrupt those that finished. Return the totals and whether it was cut
    short."""
    return in_chunks(partial(play_chunk, rules, seed), Totals(0, ()), rounds, threads, progress, pool)


def play_chunk(rules: Rules, seed: int, chunk: int, rounds: int) -> Totals:
    """Deal and settle one chunk."""
    tally, money = np.zeros(COUNTS + OTHER * len(rules.others), dtype=np.int64), np.zeros(1)
    play(rules, stream(seed, chunk, STATE), rounds, tally, money)
    return Totals(rounds, tuple(tally.tolist()), float(money[0]))
