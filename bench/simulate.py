"""How fast rounds are simulated, beside the same by hand in C, as ratios within one run.

The main game and both bonuses of `oxford`, ten-eight-six or better. C is compiled on the spot with each compiler that
is here and each set of flags, and the fastest of them is the yardstick; it draws the same cards from the same words,
and its sums must be the same. All take turns, and the median of their turns counts; a turn's time is that of its best
short slice, since others may use the machine. Two threads are told by the clock, in turns too.

python bench/simulate.py
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np

from highcardflush.odds.strategies import NAMED
from highcardflush.rulebook import packaged
from highcardflush.simulate import kernel
from highcardflush.simulate.plan import make_plan
from highcardflush.simulate.run import CHUNK_ROUNDS, run_chunks

SOURCE = Path(__file__).with_suffix(".c")
SLICE = 8192
SLICES = 100
TURNS = 7
WORDS = (1, 2, 3, 4)
OXFORD, T86 = packaged("oxford"), NAMED["t-8-6"]
FLAGS = ("-O2", "-O3", "-O2 -march=native", "-O3 -march=native")
Turn = Callable[[], float]


def compiled(folder: str) -> dict[str, str]:
    """The C program by compiler and flags, as far as there are compilers."""
    found = {}
    for compiler in filter(shutil.which, ("gcc", "clang")):
        for number, flags in enumerate(FLAGS):
            program = f"{folder}/{compiler}-{number}"
            subprocess.run([compiler, *flags.split(), "-o", program, str(SOURCE)], check=True)
            found[f"{compiler} {flags}"] = program
    return found


def c_round(program: str, seats: int) -> tuple[float, list[int]]:
    """Seconds a round in C, and its sums."""
    arguments = [program, str(seats), str(SLICE * SLICES), *map(str, WORDS)]
    seconds, *sums = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout.split()
    return float(seconds), [int(word) for word in sums]


def c_seconds(program: str, seats: int) -> float:
    return c_round(program, seats)[0]


def kernel_round(seats: int) -> float:
    """Seconds a round in the kernel."""
    rules = make_plan(OXFORD, seats, T86).rules
    return min(_slice(rules, np.array((*WORDS[:3], i), dtype=np.uint64)) for i in range(SLICES)) / SLICE


def kernel_sums(seats: int) -> list[int]:
    """The kernel's sums as C prints them."""
    tally, money = np.zeros(kernel.COUNTS, dtype=np.int64), np.zeros(1)
    words = np.array(WORDS, dtype=np.uint64)
    kernel.play(make_plan(OXFORD, seats, T86).rules, words, SLICE * SLICES, tally, money)
    raises = {kernel.RAISE: 100, kernel.RAISE_2: 10_000, kernel.ANTE_RAISE: 100}
    sums = [int(tally[i]) // raises.get(i, 1) for i in range(kernel.ENVY)]
    sums += tally[kernel.OUTCOMES_AT : kernel.STRAIGHTS_AT].tolist()
    runs = tally[kernel.STRAIGHTS_AT + 2 : kernel.OUTCOMES_2_AT].reshape(5, 2).sum(axis=1)
    return [*sums, *runs.tolist(), *tally[kernel.OUTCOMES_2_AT : kernel.COUNTS].tolist()]


def _slice(rules: kernel.Rules, words: kernel.Array) -> float:
    tally, money = np.zeros(kernel.COUNTS, dtype=np.int64), np.zeros(1)
    start = time.perf_counter()
    kernel.play(rules, words, SLICE, tally, money)
    return time.perf_counter() - start


def in_turns(contestants: dict[str, Turn]) -> dict[str, float]:
    """The median of each one's turns."""
    turns = [{name: turn() for name, turn in contestants.items()} for _ in range(TURNS)]
    return {name: median(turn[name] for turn in turns) for name in contestants}


def threads_seconds(seats: int, threads: int) -> float:
    """Seconds a round through the thread pool, the best of some short runs."""
    rules, rounds, best = make_plan(OXFORD, seats, T86).rules, 4 * threads * CHUNK_ROUNDS, 1e9
    for _ in range(5):
        start = time.perf_counter()
        run_chunks(rules, 0, rounds, threads)
        best = min(best, time.perf_counter() - start)
    return best / rounds


def show(name: str, seats: int, seconds: float, beside: str = "") -> None:
    print(f"{f'{name}, {seats} seat(s)':<52}{seats / seconds / 1e6:>10.1f}{beside:>14}", flush=True)


def main() -> None:
    print(f"{'simulation':<52}{'M hands/s':>10}{'times C':>14}")
    with tempfile.TemporaryDirectory() as folder:
        programs = compiled(folder)
        for seats in (1, 6):
            for program in programs.values():
                assert kernel_sums(seats) == c_round(program, seats)[1], "the kernel and C must deal and settle alike"
            contestants: dict[str, Turn] = {"kernel": partial(kernel_round, seats)}
            for name, program in programs.items():
                contestants[f"C by hand, {name}"] = partial(c_seconds, program, seats)
            medians = in_turns(contestants)
            by_hand = min((seconds for name, seconds in medians.items() if name != "kernel"), default=None)
            for name, seconds in medians.items():
                show(name, seats, seconds, f"{by_hand / seconds:.2f}" if by_hand else "no compiler")
    for seats in (1, 6):
        medians = in_turns({str(threads): partial(threads_seconds, seats, threads) for threads in (1, 2)})
        show("chunks, 1 thread", seats, medians["1"])
        show("chunks, 2 threads", seats, medians["2"], f"{medians['1'] / medians['2']:.2f} times 1")


if __name__ == "__main__":
    main()
