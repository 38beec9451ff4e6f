"""Runs the bank test for a long time, and many simultaneous hits, repeatedly, both on a separate PostgreSQL server.

    .venv/bin/python sweep/bank.py [--commands 100000] [--hits 64] [--times 20] [--seed 1]

Three processes submit random commands while connections, processes and the server fail; see
tests/support/walkers/bank.py. For the hits, `--hits` physical tables whose rounds have won the same meter settle at the
same moment from eight processes, `--times` times with each policy; see tests/support/walkers/meter_race.py.

Exit status: 0 no error found, 1 an error, 2 usage, 130 interrupted.
"""

import sys
import time

import options

from support.places import postgres
from support.places.floor import open_new_floor
from support.places.postgres import TEMPLATE
from support.walkers import meter_race
from support.walkers.bank import Bank, opened_bank

COMMANDS_A_TROUBLE = 40
COMMANDS_A_RESTART = 2_000
PROCESSES = 8
POLICIES = ("share", "each", "in-turn")


def say(text: str, end: str = "") -> None:
    print(f"\r{text:<110}", end=end, flush=True)


def play_bank(server: postgres.Server, commands: int, seed: int) -> None:
    with opened_bank(server, seed, pause_seconds=0.5) as bank:
        began = time.monotonic()

        def tell(bank: Bank) -> None:
            troubles = f"commands, {bank.counts['outcome-unknown']:,} unknown, {bank.trouble.restarts:,} restarts"
            options.tell(bank.answered, commands, troubles, began)

        restarts = max(2, commands // COMMANDS_A_RESTART)
        bank.run(commands, max(1, commands // COMMANDS_A_TROUBLE), restarts, tell)
        say("bank: every answer against the books, and the audit")
        bank.check()
    say(f"bank: {bank.answered:,} commands, all well", end="\n")
    spoilt = {f"commits {moment}": count for moment, count in bank.trouble.proxy.cuts.items()}
    for counts in (bank.counts, {**bank.trouble.counts, **spoilt}, bank.kinds):
        print("  " + ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items())))


def hit_together(server: postgres.Server, hits: int, times: int) -> None:
    tables = [f"table-{number:02}" for number in range(hits)]
    for policy in POLICIES:
        url = postgres.fresh_database(server, TEMPLATE)
        with open_new_floor(url) as floor:
            meter_race.stage_hits(floor, tables, [1 + number % 4 for number in range(hits)], policy)
            for turn in range(times):
                say(f"hits: {policy}, {hits} at one moment, {turn} of {times} times")
                if turn:
                    for number, table in enumerate(tables):
                        meter_race.stage_again(floor, table, 1 + (number + turn) % 4)
                jobs = [meter_race.Job(meter_race.settle, f"{table} {turn}", (table,)) for table in tables]
                meter_race.together(url, jobs, PROCESSES)
            say(f"hits: {policy}, what each of {hits * times:,} saw and paid, and the audit")
            meter_race.check_hits(floor, hits, 4, policy, turns=times)
        server.admin(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")
        say(f"hits: {policy}, {hits} at one moment, {times} times: all paid exactly", end="\n")


def main(commands: int, hits: int, times: int, seed: int) -> None:
    if (absent := postgres.missing()) is not None:
        sys.exit(absent)
    with postgres.running_server("max_connections=200") as server:
        if times:
            hit_together(server, hits, times)
        if commands:
            play_bank(server, commands, seed)


if __name__ == "__main__":
    options.run(main, __doc__, commands=100_000, hits=64, times=20, seed=1)
