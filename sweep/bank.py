"""The bank test at length, and many hits at one moment, again and again. Both on a PostgreSQL of their own.

    .venv/bin/python sweep/bank.py [--commands 100000] [--hits 64] [--times 20] [--seed 1]

Commands are random, three processes take them, and connections, processes and the server fail all the while; see
tests/support/walkers/bank.py. Hits: so many physical tables whose rounds have won the same meter settle at the same
moment from eight processes, so many times with each policy; see tests/support/walkers/race.py.

Exit status: 0 all is well, 1 it is not, 2 usage, 130 interrupted.
"""

import argparse
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests")]

from highcardflush.house.store.admin import upgrade  # noqa: E402
from support.places import postgres  # noqa: E402
from support.places.books import TEMPLATE  # noqa: E402
from support.places.floor import opened  # noqa: E402
from support.walkers import race  # noqa: E402
from support.walkers.bank import Bank, opened_bank  # noqa: E402

COMMANDS_A_TROUBLE = 40
COMMANDS_A_RESTART = 2_000
PROCESSES = 8
POLICIES = ("share", "each", "in-turn")


def say(text: str, *, done: bool = False) -> None:
    print(f"\r{text:<110}", end="\n" if done else "", flush=True)


class Progress:
    """A line that is written again every second."""

    def __init__(self, commands: int) -> None:
        self._commands = commands
        self._start = self._last = time.monotonic()

    def __call__(self, bank: Bank) -> None:
        now = time.monotonic()
        if now - self._last > 1:
            self._last = now
            rate = bank.answered / (now - self._start)
            left = (self._commands - bank.answered) / rate if rate else 0
            unknown, restarts = bank.counts["outcome-unknown"], bank.trouble.restarts
            say(
                f"bank: {bank.answered:,} of {self._commands:,} commands, {rate:,.0f}/s, {unknown:,} unknown outcomes,"
                f" {restarts:,} restarts, {left / 60:,.1f} min left"
            )


def play_bank(server: postgres.Server, commands: int, seed: int) -> None:
    with opened_bank(server, seed, pause_seconds=0.5) as bank:
        restarts = max(2, commands // COMMANDS_A_RESTART)
        bank.run(commands, max(1, commands // COMMANDS_A_TROUBLE), restarts, Progress(commands))
        say("bank: every answer against the books, and the audit")
        bank.check()
    say(f"bank: {bank.answered:,} commands, all well", done=True)
    spoilt = {f"commits {moment}": count for moment, count in bank.trouble.proxy.done.items()}
    for counts in (bank.counts, {**bank.trouble.done, **spoilt}, bank.kinds):
        print("  " + ", ".join(f"{what} {count:,}" for what, count in sorted(counts.items())))


def hit_together(server: postgres.Server, hits: int, times: int) -> None:
    tables = [f"table-{number:02}" for number in range(hits)]
    for policy in POLICIES:
        url = postgres.fresh_database(server, TEMPLATE)
        with opened(url) as floor:
            race.stage_hits(floor, tables, [1 + number % 4 for number in range(hits)], policy)
            for turn in range(times):
                say(f"hits: {policy}, {hits} at one moment, {turn} of {times} times")
                if turn:
                    for number, table in enumerate(tables):
                        race.stage_again(floor, table, 1 + (number + turn) % 4)
                jobs = [race.Job(race.settle, f"{table} {turn}", (table,)) for table in tables]
                race.together(url, jobs, PROCESSES)
            say(f"hits: {policy}, what each of {hits * times:,} saw and paid, and the audit")
            race.check_hits(floor, hits, 4, policy, turns=times)
        server.admin(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")
        say(f"hits: {policy}, {hits} at one moment, {times} times: all paid exactly", done=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--commands", type=int, default=100_000)
    parser.add_argument("--hits", type=int, default=64, help="simultaneous hits")
    parser.add_argument("--times", type=int, default=20, help="how often they are staged, with each policy")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    if (absent := postgres.missing()) is not None:
        sys.exit(absent)
    with postgres.running("max_connections=200") as server:
        server.admin(f"CREATE DATABASE {TEMPLATE}")
        upgrade(server.url(TEMPLATE))
        if chosen.times:
            hit_together(server, chosen.hits, chosen.times)
        if chosen.commands:
            play_bank(server, chosen.commands, chosen.seed)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
