"""Running a simulation: chunks of rounds, each with its own stream of random words, on any number of threads.

A chunk's stream is made from the seed and the chunk's number alone, and totals are added in the order of the chunks;
so a seed gives the same totals on one thread as on many. Kernels let go of Python's lock. The main thread only adds
up: an interrupt there loses no more than the chunks in flight.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction

import numpy as np

from highcardflush.errors import HcfError
from highcardflush.odds.strategies import Strategy
from highcardflush.rulebook.model import Rulebook
from highcardflush.simulate.kernel import COUNTS, OTHER, Array, Rules, play
from highcardflush.simulate.plan import make_plan
from highcardflush.simulate.result import Simulation, Totals, wager_results

CHUNK_ROUNDS = 1 << 16
Progress = Callable[[int, int], None]


def simulate(
    rulebook: Rulebook,
    rounds: int,
    seats: int,
    strategy: Strategy,
    seed: int = 0,
    threads: int = 1,
    meter: Mapping[str, Fraction] | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Play rounds in which each seat bets one unit on every wager offered, and hold the result against exact odds.

    Percentages of a meter are valued at `meter` (dollars by meter's name; its seed where not given), caps on payouts
    are not applied. `progress` is told rounds done and all. An interrupt ends the run and gives the result so far.
    """
    for name, value, least in (("rounds", rounds, 1), ("seed", seed, 0), ("threads", threads, 1)):
        if value < least:
            raise HcfError(name, read=str(value), expected=f"{least} or more")
    plan = make_plan(rulebook, seats, strategy, meter)
    play_chunk(plan.rules, seed, 0, 0)  # compiled before the clock starts
    start = time.perf_counter()
    totals, interrupted = run_chunks(plan.rules, seed, rounds, threads, progress)
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
    rules: Rules, seed: int, rounds: int, threads: int, progress: Progress | None = None
) -> tuple[Totals, bool]:
    """All chunks, added up in their order; after an interrupt those that were done, and whether it came."""
    totals, waiting, interrupted = Totals(0, ()), deque[Future[Totals]](), False
    with ThreadPoolExecutor(threads) as pool:
        try:
            for chunk, first in enumerate(range(0, rounds, CHUNK_ROUNDS)):
                waiting.append(pool.submit(play_chunk, rules, seed, chunk, min(CHUNK_ROUNDS, rounds - first)))
                if len(waiting) > 2 * threads:
                    totals = _added(totals, waiting, rounds, progress)
            while waiting:
                totals = _added(totals, waiting, rounds, progress)
        except KeyboardInterrupt:
            interrupted = True
            for future in waiting:
                future.cancel()
    if interrupted and not totals.rounds:
        raise KeyboardInterrupt
    return totals, interrupted


def _added(totals: Totals, waiting: deque[Future[Totals]], rounds: int, progress: Progress | None) -> Totals:
    """The totals with the chunk that has waited longest."""
    totals = totals.plus(waiting[0].result())
    waiting.popleft()
    if progress:
        progress(totals.rounds, rounds)
    return totals


def play_chunk(rules: Rules, seed: int, chunk: int, rounds: int) -> Totals:
    """Deal and settle one chunk."""
    tally, money = np.zeros(COUNTS + OTHER * len(rules.others), dtype=np.int64), np.zeros(1)
    play(rules, stream(seed, chunk), rounds, tally, money)
    return Totals(rounds, tuple(tally.tolist()), float(money[0]))


def stream(seed: int, chunk: int) -> Array:
    """The state in which a chunk's stream begins."""
    return np.random.SeedSequence(seed, spawn_key=(chunk,)).generate_state(4, np.uint64)
