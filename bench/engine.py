"""Measure the engine as ratios within one run: each line is compared with a plain Python loop of the same run.

python bench/engine.py
"""

import subprocess
import sys
import time
from collections.abc import Callable

from highcardflush.cards import Hand
from highcardflush.fairness import round_seed, shuffle
from highcardflush.game import actions as a
from highcardflush.game import locked_meters, open_round, step
from highcardflush.game.state import State
from highcardflush.notation import format_round, parse_rounds, replay
from highcardflush.ranking import flush_rank, straight_flush
from highcardflush.rulebook import packaged

MASTER = bytes(32)
OXFORD = packaged("oxford")


def rate(work: Callable[[], object], seconds: float = 1.0) -> float:
    count, start = 0, time.perf_counter()
    while (spent_s := time.perf_counter() - start) < seconds:
        work()
        count += 1
    return count / spent_s


def unit() -> int:
    total = 0
    for i in range(1000):
        total += i
    return total


def six_seats() -> State:
    state = open_round(OXFORD)
    for seat in range(1, 7):
        state, _ = step(OXFORD, state, a.PlaceWagers(seat, {"ante": 1000, "flush": 500, "straight-flush": 500}))
    state, _ = step(OXFORD, state, a.Lock())
    state, _ = step(OXFORD, state, a.Deal(shuffle(round_seed(MASTER, 1))))
    for seat in range(1, 7):
        state, _ = step(OXFORD, state, a.TimeOut(seat))
    state, _ = step(OXFORD, state, a.Settle(locked_meters(OXFORD, state)))
    return state


def start_up(*arguments: str) -> float:
    """Return the seconds of a Python process, the best of seven."""
    times = []
    for _ in range(7):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    base = rate(unit)
    hand = Hand.parse("AsKs9s7s 6d7d8d")
    text = format_round(OXFORD, six_seats())
    (round_,) = parse_rounds(text)
    work: list[tuple[str, Callable[[], object]]] = [
        ("yardstick: 1,000 additions", unit),
        ("rank a hand: flush and straight flush", lambda: (flush_rank(hand), straight_flush(hand))),
        ("shuffle a deck", lambda: shuffle(MASTER)),
        ("play a round of six seats", six_seats),
        ("parse that round", lambda: parse_rounds(text)),
        ("replay that round", lambda: replay(round_)),
    ]
    print(f"{'what':<42}{'a second':>12}{'yardsticks each':>18}")
    for name, job in work:
        jobs_per_s = rate(job)
        print(f"{name:<42}{jobs_per_s:>12,.0f}{base / jobs_per_s:>18.2f}")
    bare = start_up("-c", "pass")
    print(f"\n{'start-up':<42}{'seconds':>12}{'bare Pythons':>18}")
    for name, arguments in (
        ("python -c pass", ("-c", "pass")),
        ("import highcardflush", ("-c", "import highcardflush")),
        ("hcf --help", ("-c", "import sys; from highcardflush.cli import run; sys.exit(run(['--help']))")),
    ):
        spent_s = start_up(*arguments)
        print(f"{name:<42}{spent_s:>12.3f}{spent_s / bare:>18.1f}")


if __name__ == "__main__":
    main()
