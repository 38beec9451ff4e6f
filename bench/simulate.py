"""Measure the simulation against C written by hand, as ratios within one run.

The main game and both bonuses of `oxford`, ten-eight-six or better. `kernel` is what `hcf simulate` runs; `without
pdep` is the same compiled for a processor that lacks the instruction, in a separate process: its sums must be equal.
C has a deck in memory and settles hand by hand, compiled on the spot with each installed compiler and each set of
flags, and the fastest is the yardstick. Its sums must be those of the kernel for hands dealt from such a deck with the
same words. All take turns, and the median of their turns counts. A turn's time is that of its best short slice, since
other programs may use the machine. Two threads are timed by the wall clock, in turns too.

python bench/simulate.py
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
from numba.core.registry import cpu_target

from highcardflush.odds.strategies import NAMED
from highcardflush.rulebook import packaged
from highcardflush.simulate import kernel
from highcardflush.simulate.chunks import CHUNK_ROUNDS, in_chunks, stream
from highcardflush.simulate.plan import make_plan
from highcardflush.simulate.simulation import play_chunk

SOURCE = Path(__file__).with_suffix(".c")
SLICE = 8192
SLICES = 100
TURNS = 7
WORDS = (1, 2, 3, 4)
OXFORD, T86 = packaged("oxford"), NAMED["t-8-6"]
FLAGS = ("-O2", "-O3", "-O2 -march=native", "-O3 -march=native")
Turn = Callable[[], float]


def compiled(folder: str) -> dict[str, str]:
    """Compile the C program with each available compiler and its flags."""
    programs = {}
    for compiler in filter(shutil.which, ("gcc", "clang")):
        for number, flags in enumerate(FLAGS):
            program = f"{folder}/{compiler}-{number}"
            subprocess.run([compiler, *flags.split(), "-o", program, str(SOURCE)], check=True)
            programs[f"{compiler} {flags}"] = program
    return programs


def c_round(program: str, seats: int) -> list[str]:
    """Seconds a round in C, and its sums."""
    arguments = [program, str(seats), str(SLICE * SLICES), *map(str, WORDS)]
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout.split()


def c_seconds(program: str, seats: int) -> float:
    return float(c_round(program, seats)[0])


def rules_of(seats: int) -> kernel.Rules:
    return make_plan(OXFORD, seats, T86).rules


def round_seconds(seats: int) -> float:
    """Seconds a round of the kernel."""
    rules, tally, money, best = rules_of(seats), np.zeros(kernel.COUNTS, dtype=np.int64), np.zeros(1), 1e9
    for chunk in range(SLICES):
        state, start = stream(0, chunk, kernel.STATE), time.perf_counter()
        kernel.play(rules, state, SLICE, tally, money)
        best = min(best, time.perf_counter() - start)
    return best / SLICE


class Apart:
    """The kernel in another process, compiled as if there were no pdep."""

    def __init__(self) -> None:
        *_, features = cpu_target.target_context.codegen().magic_tuple()
        environment = os.environ | {"NUMBA_CPU_FEATURES": features.replace("+bmi2", "-bmi2")}
        self.process = subprocess.Popen(
            [sys.executable, __file__, "answer"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def ask(self, question: str, seats: int) -> list[str]:
        """Return the answer of the process to `seconds` or `sums`."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(question, seats, file=self.process.stdin, flush=True)
        return self.process.stdout.readline().split()

    def seconds(self, seats: int) -> float:
        return float(self.ask("seconds", seats)[0])


def answer() -> None:
    """Be that process."""
    for line in sys.stdin:
        question, seats = line.split()
        if question == "seconds":
            print(round_seconds(int(seats)), flush=True)
        else:
            print(kernel.has_pdep(), *chunk_sums(int(seats)), flush=True)


def chunk_sums(seats: int) -> tuple[int, ...]:
    return play_chunk(rules_of(seats), 0, 1, SLICE).tally


def deck_sums(seats: int) -> list[int]:
    """Return the kernel's sums for hands dealt from a deck, as C prints them."""
    rules, state, deck = rules_of(seats), np.array(WORDS, dtype=np.uint64), kernel.DECK.copy()
    tally, money, winners = np.zeros(kernel.COUNTS, dtype=np.int64), np.zeros(1), np.zeros(SLICE, dtype=np.int64)
    hands, pays = np.zeros((SLICE, 7), dtype=np.uint64), np.tile(rules.pays, (SLICE, 1))
    for _ in range(SLICES):
        kernel.deal(seats, state, deck, hands)
        columns = np.ascontiguousarray(hands.T)
        winning = kernel.settle(rules, columns, SLICE, tally, winners)
        kernel.settle_straights(rules, columns, pays, winners[:winning], tally, money)
    raises = {kernel.RAISE: 100, kernel.RAISE_2: 10_000, kernel.ANTE_RAISE: 100}
    sums = [int(tally[i]) // raises.get(i, 1) for i in range(kernel.ENVY)]
    sums += tally[kernel.OUTCOMES_AT : kernel.STRAIGHTS_AT].tolist()
    runs = tally[kernel.STRAIGHTS_AT + 2 : kernel.OUTCOMES_2_AT].reshape(5, 2).sum(axis=1)
    return [*sums, *runs.tolist(), *tally[kernel.OUTCOMES_2_AT : kernel.COUNTS].tolist()]


def in_turns(contestants: dict[str, Turn]) -> dict[str, float]:
    """Run these jobs in turns, and return the median of each."""
    turns = [{name: turn() for name, turn in contestants.items()} for _ in range(TURNS)]
    return {name: median(turn[name] for turn in turns) for name in contestants}


def threads_seconds(seats: int, threads: int) -> float:
    """Seconds a round through the thread pool, the best of some short runs."""
    rules, rounds, best = rules_of(seats), 4 * threads * CHUNK_ROUNDS, 1e9
    for _ in range(5):
        start = time.perf_counter()
        in_chunks(partial(play_chunk, rules, 0), rounds, threads)
        best = min(best, time.perf_counter() - start)
    return best / rounds


def show(name: str, seats: int, seconds: float, beside: str = "") -> None:
    print(f"{f'{name}, {seats} seat(s)':<52}{seats / seconds / 1e6:>10.1f}{beside:>14}", flush=True)


def assert_alike(programs: Iterable[str], apart: Apart, seats: int) -> None:
    """Require programs that draw from the same words to return the same sums."""
    quick, *sums = apart.ask("sums", seats)
    assert quick == "False"
    assert sums == [str(each) for each in chunk_sums(seats)], "the kernel must deal and settle alike without pdep"
    for program in programs:
        assert deck_sums(seats) == [int(word) for word in c_round(program, seats)[1:]], "the kernel must settle as C"


def main() -> None:
    print(f"{'simulation':<52}{'M hands/s':>10}{'times C':>14}")
    apart = Apart()
    with tempfile.TemporaryDirectory() as folder:
        programs = compiled(folder)
        for seats in (1, 6):
            assert_alike(programs.values(), apart, seats)
            contestants: dict[str, Turn] = {
                "kernel": partial(round_seconds, seats),
                "kernel without pdep": partial(apart.seconds, seats),
            }
            by_hand = {f"C by hand, {name}": partial(c_seconds, program, seats) for name, program in programs.items()}
            medians = in_turns(contestants | by_hand)
            best = min((medians[name] for name in by_hand), default=None)
            for name, seconds in medians.items():
                show(name, seats, seconds, f"{best / seconds:.2f}" if best else "no compiler")
    apart.process.communicate()
    for seats in (1, 6):
        medians = in_turns({str(threads): partial(threads_seconds, seats, threads) for threads in (1, 2)})
        show("chunks, 1 thread", seats, medians["1"])
        show("chunks, 2 threads", seats, medians["2"], f"{medians['1'] / medians['2']:.2f} times 1")


if __name__ == "__main__":
    answer() if sys.argv[1:] == ["answer"] else main()
