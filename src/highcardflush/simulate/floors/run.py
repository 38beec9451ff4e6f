"""Running a floor: each run plays all years from new meters, with a random stream derived from seed and run alone."""

from __future__ import annotations

import time
from functools import partial
from itertools import pairwise
from math import ceil

import numpy as np

from highcardflush.errors import HcfError
from highcardflush.odds.primitives import Array
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.simulate.chunks import Pool, Progress, in_order, take_all
from highcardflush.simulate.floors.chance import BLOCK, Chance, chance_of, draw_block
from highcardflush.simulate.floors.floor import Floor
from highcardflush.simulate.floors.kernel import EVENT, JACKPOT, LEFT, START, SUMS, Meters, meters_of, settle
from highcardflush.simulate.floors.result import FloorResult, floor_result
from highcardflush.simulate.floors.totals import RunTotals


def simulate_floor(
    floor: Floor, threads: int = 1, progress: Progress | None = None, pool: Pool | None = None
) -> FloorResult:
    """Play a floor; `progress` receives runs done and all. An interrupt returns the result of the runs done.

    A `pool` works instead of threads.
    """
    if threads < 1:
        raise HcfError("threads", read=str(threads), expected="1 or more")
    table = floor.rulebook.paytable(PROGRESSIVE)
    assert table is not None
    chance, meters = chance_of(floor), meters_of(floor.rulebook.plans, table, floor.base_cents)
    _compile(meters)
    start, results = time.perf_counter(), list[RunTotals]()

    def take(totals: RunTotals) -> None:
        if progress:
            progress(len(results) + 1, floor.runs)
        results.append(totals)

    stop = take_all(in_order(partial(play_run, floor, chance, meters), floor.runs, threads, pool), take)
    if stop and len(results) < 2:  # A single run has no error.
        raise stop
    return floor_result(floor, results, time.perf_counter() - start, interrupted=stop is not None)


def play_run(floor: Floor, chance: Chance, meters: Meters, run: int) -> RunTotals:
    """Play all years of one run."""
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(floor.seed, spawn_key=(run,))))
    state = np.array([(plan.seed_micros, 0) for plan in floor.rulebook.plans.values()], dtype=np.int64)
    sums = np.zeros((len(state), SUMS), dtype=np.int64)
    sums[:, (START, LEFT)] = state[:, :1]
    years, jackpots, bets, fixed, envy = [], [np.zeros((0, JACKPOT), dtype=np.int64)], 0, 0, 0
    for year in range(floor.years):
        for first, rounds in _blocks(floor, chance):
            block = draw_block(chance, random, rounds)
            hits = _play(meters, block.bets, block.ends, block.lines, state, sums)
            hits[:, EVENT] = block.rounds[hits[:, EVENT]] + year * floor.rounds_a_year + first
            jackpots.append(hits)
            bets, fixed, envy = bets + int(block.bets.sum()), fixed + block.fixed, envy + block.envy
        years.append(state.copy())
    return RunTotals(bets, fixed, envy, sums, np.array(years), np.concatenate(jackpots))


def _compile(meters: Meters) -> None:
    """Compile before the clock starts."""
    none, state = np.zeros(0, dtype=np.int64), np.zeros((len(meters.reseed), 2), dtype=np.int64)
    _play(meters, np.zeros(1, dtype=np.int64), none, none, state, np.zeros((len(state), SUMS), dtype=np.int64))


def _play(meters: Meters, bets: Array, ends: Array, lines: Array, state: Array, sums: Array) -> Array:
    """Return the jackpots of a block."""
    room = np.zeros((len(lines), JACKPOT), dtype=np.int64)
    return room[: settle(meters, bets, ends, lines, state, sums, room)]


def _blocks(floor: Floor, chance: Chance) -> list[tuple[int, int]]:
    """Divide a year into blocks: the first round and the number of rounds of each."""
    count = ceil(floor.rounds_a_year * chance.candidate / BLOCK) or 1
    ends = [floor.rounds_a_year * i // count for i in range(count + 1)]
    return [(first, end - first) for first, end in pairwise(ends)]
