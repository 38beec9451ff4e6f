"""How fast rounds are simulated, beside the same by hand in C, as ratios within one run.

The main game and both bonuses of `oxford`, ten-eight-six or better. C is compiled on the spot with gcc -O3
-march=native where there is a gcc; it draws the same cards from the same words, and its sums must be the same.
Times are the best of many short slices, since others may use the machine; two threads are told by the clock.

python bench/simulate.py
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from highcardflush.odds.strategies import NAMED
from highcardflush.rulebook import packaged
from highcardflush.simulate import kernel
from highcardflush.simulate.plan import make_plan
from highcardflush.simulate.run import CHUNK_ROUNDS, Work, run_chunks

SOURCE = Path(__file__).with_suffix(".c")
SLICE = 8192
SLICES = 400
WORDS = (1, 2, 3, 4)
OXFORD, T86 = packaged("oxford"), NAMED["t-8-6"]


def compiled(folder: str) -> str | None:
    """The C program, if it can be compiled here."""
    if shutil.which("gcc") is None:
        return None
    program = f"{folder}/simulate"
    subprocess.run(["gcc", "-O3", "-march=native", "-o", program, str(SOURCE)], check=True)
    return program


def c_round(program: str, seats: int) -> tuple[float, list[int]]:
    """Seconds a round in C, and its sums."""
    arguments = [program, str(seats), str(SLICE * SLICES), *map(str, WORDS)]
    seconds, *sums = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout.split()
    return float(seconds), [int(word) for word in sums]


def kernel_round(seats: int) -> tuple[float, list[int]]:
    """Seconds a round in the kernel, and its sums as C prints them."""
    rules = make_plan(OXFORD, seats, T86).rules
    tally, money = np.zeros(kernel.COUNTS, dtype=np.int64), np.zeros(2)
    kernel.play(rules, np.array(WORDS, dtype=np.uint64), 0, tally, money)
    best = min(_slice(rules, np.array((*WORDS[:3], i), dtype=np.uint64)) for i in range(SLICES))
    kernel.play(rules, np.array(WORDS, dtype=np.uint64), SLICE * SLICES, tally, money)
    raises = {kernel.RAISE: 100, kernel.RAISE_2: 10_000, kernel.ANTE_RAISE: 100}
    sums = [int(tally[i]) // raises.get(i, 1) for i in range(kernel.ENVY)]
    sums += tally[kernel.OUTCOMES_AT : kernel.STRAIGHTS_AT].tolist()
    runs = tally[kernel.STRAIGHTS_AT + 2 :].reshape(5, 2).sum(axis=1)
    return best, sums + runs.tolist()


def _slice(rules: kernel.Rules, words: kernel.Array) -> float:
    tally, money = np.zeros(kernel.COUNTS, dtype=np.int64), np.zeros(2)
    start = time.perf_counter()
    kernel.play(rules, words, SLICE, tally, money)
    return time.perf_counter() - start


def threads_rate(seats: int, threads: int) -> float:
    """Hands a second through the thread pool, the best of many short runs."""
    work = Work(make_plan(OXFORD, seats, T86).rules, 0, 4 * threads * CHUNK_ROUNDS)
    best = 1e9
    for _ in range(40):
        start = time.perf_counter()
        run_chunks(work, threads)
        best = min(best, time.perf_counter() - start)
    return work.rounds * seats / best


def main() -> None:
    print(f"{'simulation':<34}{'M hands/s':>12}{'times C':>12}")
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(folder)
        for seats in (1, 6):
            seconds, sums = kernel_round(seats)
            by_hand, same = c_round(program, seats) if program else (None, sums)
            assert sums == same, "the kernel and C must deal and settle alike"
            ratio = f"{by_hand * SLICE / seconds:.2f}" if by_hand else "no gcc"
            print(f"{f'kernel, {seats} seat(s)':<34}{seats * SLICE / seconds / 1e6:>12.1f}{ratio:>12}")
            if by_hand:
                print(f"{f'C by hand, {seats} seat(s)':<34}{seats / by_hand / 1e6:>12.1f}{1:>12.2f}")
    for seats in (1, 6):
        one, two = (threads_rate(seats, threads) for threads in (1, 2))
        print(f"{f'chunks, {seats} seat(s), 1 thread':<34}{one / 1e6:>12.1f}")
        print(f"{f'chunks, {seats} seat(s), 2 threads':<34}{two / 1e6:>12.1f}{two / one:>12.2f} times one thread")


if __name__ == "__main__":
    main()
