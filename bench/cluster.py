"""Compare two workers of a cluster with one worker, and with two bare processes, within one run.

Six seats at `oxford`, ten-eight-six or better. All pools are ready before anything is measured, and take turns. The
result is the median of the turns' ratios: one and two follow each other at once, so that a machine that is slow for a
minute is slow for both. The bare processes divide the chunks and never communicate, so they show how much two cores
give here at that moment: if other programs use the second core (the output shows their share), nothing can be twice as
fast. All totals must equal those of one process.

python bench/cluster.py
"""

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from typing import TypeVar

from highcardflush.odds.strategies import NAMED
from highcardflush.rulebook import packaged
from highcardflush.simulate.chunks import CHUNK_ROUNDS, Pool, Totals, in_chunks
from highcardflush.simulate.cluster import local
from highcardflush.simulate.plan import make_plan
from highcardflush.simulate.simulation import play_chunk

SEATS, CHUNKS, TURNS, PIECES = 6, 1200, 15, 4
RULES = make_plan(packaged("oxford"), SEATS, NAMED["t-8-6"]).rules
T = TypeVar("T")


class Bare:
    """A pool of processes that get their share in a few pieces."""

    def __init__(self, executor: ProcessPoolExecutor, processes: int) -> None:
        self._executor, self._processes = executor, processes

    def in_order(self, work: Callable[[int], T], chunks: int) -> Iterator[T]:
        return self._executor.map(work, range(chunks), chunksize=-(-chunks // (PIECES * self._processes)))


def timed_play(pool: Pool) -> tuple[float, Totals]:
    start = time.perf_counter()
    totals, _ = in_chunks(partial(play_chunk, RULES, 0), CHUNKS * CHUNK_ROUNDS, 1, pool=pool)
    return time.perf_counter() - start, totals


def machine_ticks() -> tuple[int, int]:
    """Return the ticks of all cores since the start of the machine, and those that other machines of the host took."""
    fields = [int(field) for field in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return sum(fields), fields[7]


def main() -> None:
    load, before = os.getloadavg()[0], machine_ticks()
    with ExitStack() as stack:
        pools: dict[str, tuple[Pool, Pool]] = {
            "bare processes": (
                Bare(stack.enter_context(ProcessPoolExecutor(1)), 1),
                Bare(stack.enter_context(ProcessPoolExecutor(2)), 2),
            ),
            "workers": (stack.enter_context(local(1)), stack.enter_context(local(2))),
        }
        expected = {timed_play(pool)[1] for pair in pools.values() for pool in pair}  # and all are compiled
        assert len(expected) == 1, "the totals must be those of one process"
        seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in pools}
        for _ in range(TURNS):
            for name, (one, two) in pools.items():
                turns = timed_play(one), timed_play(two)
                assert {totals for _, totals in turns} == expected, f"{name}: the totals must be those of one process"
                seconds[name].append((turns[0][0], turns[1][0]))
    ticks, others = (now - then for now, then in zip(machine_ticks(), before, strict=True))
    hands = SEATS * CHUNKS * CHUNK_ROUNDS / 1e6
    head = f"M hands/s, {SEATS} seats; load {load:.1f} before"
    print(f"{head:<40}{'with 1':>10}{'with 2':>10}{'2 to 1':>10}   of each turn")
    for name, each in seconds.items():
        ratios = [one / two for one, two in each]
        speeds = (hands / median(column) for column in zip(*each, strict=True))
        print(
            f"{name:<40}{''.join(f'{speed:>10.1f}' for speed in speeds)}{median(ratios):>10.2f}"
            f"   {' '.join(f'{ratio:.2f}' for ratio in sorted(ratios))}"
        )
    print(f"others took {others / ticks:.0%} of the cores' time")


if __name__ == "__main__":
    main()
