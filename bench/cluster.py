"""How much faster two workers of a cluster are than one, beside two threads, within one run.

Six seats at `oxford`, ten-eight-six or better. Both clusters stand ready before anything is measured; they take turns,
and the best turn counts, since others may use the machine. All totals must be those of one process. The machine's load
is told: where others use the second core, two workers cannot be faster.

python bench/cluster.py
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial

from highcardflush.odds.strategies import NAMED
from highcardflush.rulebook import packaged
from highcardflush.simulate.chunks import CHUNK_ROUNDS, Pool
from highcardflush.simulate.cluster import local
from highcardflush.simulate.plan import make_plan
from highcardflush.simulate.result import Totals
from highcardflush.simulate.run import run_chunks

SEATS, CHUNKS, TURNS = 6, 1200, 4
RULES = make_plan(packaged("oxford"), SEATS, NAMED["t-8-6"]).rules


def played(threads: int, pool: Pool | None) -> tuple[float, Totals]:
    start = time.perf_counter()
    totals, _ = run_chunks(RULES, 0, CHUNKS * CHUNK_ROUNDS, threads, pool=pool)
    return time.perf_counter() - start, totals


def main() -> None:
    load = os.getloadavg()[0]
    with local(1) as one, local(2) as two:
        contestants: dict[str, Callable[[], tuple[float, Totals]]] = {
            "1 thread": partial(played, 1, None),
            "2 threads": partial(played, 2, None),
            "1 worker": partial(played, 1, one),
            "2 workers": partial(played, 1, two),
        }
        expected = {name: turn()[1] for name, turn in contestants.items()}["1 thread"]  # and all are compiled
        found: dict[str, list[float]] = {name: [] for name in contestants}
        for _ in range(TURNS):
            for name, turn in contestants.items():
                seconds, totals = turn()
                assert totals == expected, f"{name}: the totals must be those of one process"
                found[name].append(seconds)
    best = {name: min(each) for name, each in found.items()}
    print(f"{f'chunks, {SEATS} seats, load {load:.1f} before':<52}{'M hands/s':>10}{'times 1':>14}")
    for name, seconds in best.items():
        alone = best[f"1 {name.split()[1].removesuffix('s')}"]
        print(f"{name:<52}{SEATS * CHUNKS * CHUNK_ROUNDS / seconds / 1e6:>10.1f}{alone / seconds:>14.2f}", flush=True)


if __name__ == "__main__":
    main()
