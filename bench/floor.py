"""Measure the load of a floor on the books, as ratios: many linked tables, groups, history, readers, a pest.

    python bench/floor.py [--rounds 100000] [PART ...]

Parts: linked, groups, bytes, history, pest. `history` first plays `--rounds` rounds, which takes some minutes, and
then times reads, play during an audit, and the audit of the newest thousand rounds.
"""

import argparse
import asyncio
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

import psycopg

import house as bench
from highcardflush.errors import HcfError
from highcardflush.game.actions import Action, PlaceWagers, Void
from highcardflush.house import House, reports
from highcardflush.house import commands as c
from highcardflush.house.commands import Command
from highcardflush.house.permissions import DEALER
from highcardflush.house.pump import Pump
from highcardflush.house.store import libsqlite
from highcardflush.house.submit import Request
from highcardflush.web.server.maintenance import collect
from support.places import postgres

LINKED = (8, 100, 1_667)
GROUPS = (1, 8, 32, 128)
NUMBERS = count()


def key() -> str:
    return f"floor {next(NUMBERS)}"


@contextlib.contextmanager
def sqlite_file() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hcf-bench-") as folder:
        yield Path(folder) / "house.db"


def submit_all(house: House, requests: Sequence[Request], group: int = 128) -> None:
    for start in range(0, len(requests), group):
        for outcome in house.submit_many(requests[start : start + group]):
            if isinstance(outcome, Exception):
                raise outcome


def rounds_at(tables: Sequence[int], seats: int) -> list[Request]:
    """Return a round at each of these tables, all of them in step."""
    scripts = [(f"table/{bench.table_name(table)}", bench.round_of(table, seats)) for table in tables]
    steps = range(len(scripts[0][1]))
    return [
        Request(stream, command, actor, key())
        for step in steps
        for stream, script in scripts
        for command, actor in [script[step]]
    ]


# --- linked tables -------------------------------------------------------------------------------


def linked(arguments: argparse.Namespace) -> None:
    print("OpenRound in SQLite, CPU, median of 400")
    costs = []
    for tables in LINKED:
        with sqlite_file() as path:
            house = bench.set_up(f"sqlite:///{path}", tables, seats=1)
            house.submit("office", c.AddPerson("sue", "supervisor"), "admin", "sue")
            submit_all(house, rounds_at(range(tables), 1))
            costs.append(statistics.median(_open(house, number % 8) for number in range(400)))
            house.close()
        print(
            f"  {tables:>6,} tables {costs[-1] * 1e6:>8,.0f} us {costs[-1] / costs[0]:>6.2f} of the first", flush=True
        )


def _open(house: House, table: int) -> float:
    stream = f"table/{bench.table_name(table)}"
    start = time.process_time()
    house.submit(stream, c.OpenRound(), DEALER, key())
    spent_s = time.process_time() - start
    house.submit(stream, Void("other", text="bench"), "sue", key())
    return spent_s


# --- groups --------------------------------------------------------------------------------------


def groups(arguments: argparse.Namespace) -> None:
    """Measure durable commands a second, alone and in groups, and bare commits."""
    print("submits a second in one process, in groups of so many tables; bare is one row a commit")
    print(
        f"  {'database':<12}{'bare/s':>9}" + "".join(f"{f'by {size}':>9}" for size in GROUPS) + f"{'128 of bare':>13}"
    )
    with sqlite_file() as path:
        house = bench.set_up(f"sqlite:///{path}", max(GROUPS))
        beside = path.with_name("bare.db")
        beside.touch()
        libsqlite.connect(str(beside)).execute(f"{bench.CREATE_BARE} WITHOUT ROWID")
        _print_groups("SQLite", house, lambda: next(bench.bare_sqlite(beside, 1)))
    if (absent := postgres.missing()) is not None:
        print(absent, file=sys.stderr)
        return
    with postgres.running() as server:
        url = postgres.fresh_database(server)
        house = bench.set_up(url, max(GROUPS))
        with psycopg.connect(url) as connection:
            connection.execute(bench.CREATE_BARE.encode())
            connection.commit()
            work = bench.inserter(connection, 0, "transaction")
            _print_groups("PostgreSQL", house, lambda: work)


def _print_groups(name: str, house: House, bare: Callable[[], bench.Work]) -> None:
    submit_all(house, rounds_at(range(max(GROUPS)), bench.SEATS))
    collect()  # as a server does
    rates: dict[int, list[float]] = {size: [] for size in GROUPS}
    commits = []
    for _ in range(3):  # in turns, so that a machine that slows down slows all of them
        commits.append(bare()(time.monotonic() + 1.0))
        for size in GROUPS:
            requests = [request for _ in range(max(1, 32 // size)) for request in rounds_at(range(size), bench.SEATS)]
            start = time.monotonic()
            submit_all(house, requests, size)
            rates[size].append(len(requests) / (time.monotonic() - start))
    means = [statistics.mean(rates[size]) for size in GROUPS]
    print(
        f"  {name:<12}{statistics.mean(commits):>9,.0f}"
        + "".join(f"{rate:>9,.0f}" for rate in means)
        + f"{means[-1] / statistics.mean(commits):>13.2f}",
        flush=True,
    )
    house.close()


# --- bytes ---------------------------------------------------------------------------------------


def bytes_a_round(arguments: argparse.Namespace) -> None:
    """Measure the bytes that a round of three seats adds to the file, and the bytes written to the database and its
    log."""
    print(f"bytes a round of {bench.SEATS} seats in SQLite")
    for words, group in (("one by one", 1), ("groups of 8", 8)):
        with sqlite_file() as path:
            house = bench.set_up(f"sqlite:///{path}")
            submit_all(house, rounds_at(range(8), bench.SEATS), group)
            size, wrote = _size(house, path), _written()
            for _ in range(50):
                submit_all(house, rounds_at(range(8), bench.SEATS), group)
            growth, writes = _size(house, path) - size, _written() - wrote
            print(f"  {words:<12}{growth / 400 / 1000:>8.1f} kB in the file {writes / 400 / 1000:>8.1f} kB written")
            house.close()


def _size(house: House, path: Path) -> int:
    """Return the size after a checkpoint."""
    connection = libsqlite.connect(str(path))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return path.stat().st_size


def _written() -> int:
    fields = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(fields["wchar"])


# --- history -------------------------------------------------------------------------------------


def history(arguments: argparse.Namespace) -> None:
    """Measure reads, play during an audit, and the audit of new rounds, in books with a past."""
    with sqlite_file() as path:
        house = bench.set_up(f"sqlite:///{path}", 32, seats=1)
        house.submit("office", c.AddPerson("ana", "auditor"), "admin", "ana")
        early: dict[str, float] = {}
        rounds = 0
        for goal in (min(1_000, arguments.rounds), arguments.rounds):
            rounds = _play_on(house, rounds, goal)
            times = {name: _timed(read) for name, read in _reads(house).items()}
            early = early or times
        print(f"reads in SQLite after 1,000 and {arguments.rounds:,} rounds")
        for name, later in times.items():
            print(f"  {name:<18}{early[name] * 1e3:>9.2f} ms{later * 1e3:>9.2f} ms{later / early[name]:>7.2f} of it")
        _audits(house, path, rounds)
        house.close()


def _play_on(house: House, rounds: int, goal: int) -> int:
    while rounds < goal:
        submit_all(house, rounds_at(range(32), 1))
        rounds += 32
        if sys.stderr.isatty():
            print(f"\r  {rounds:,} of {goal:,} rounds", end="\r", file=sys.stderr, flush=True)
    return rounds


def _reads(house: House) -> dict[str, Callable[[], object]]:
    player, table = bench.player_name(0, 1), bench.table_name(0)
    return {
        "own balance": lambda: house.wallet(player),
        "own statement": lambda: reports.statement(house, player, player, 20),
        "all balances": lambda: reports.balances(house, "ana"),
        "house status": lambda: reports.overview(house, "ana"),
        "table list": lambda: reports.all_tables(house, "ana"),
        "meter show": lambda: reports.meter_fields(house, bench.METER, "ana"),
        "last rounds": lambda: reports.rounds(house, table, "ana", 20),
        "newest proof": lambda: house.round_record(table, house.table(table).rounds).proof,
        "first proof": lambda: house.round_record(table, 1).proof,
        "table": lambda: house.table(table),
    }


def _timed(read: Callable[[], object]) -> float:
    def once() -> float:
        start = time.process_time()
        read()
        return time.process_time() - start

    return statistics.median(once() for _ in range(21))


def _audits(house: House, path: Path, rounds: int) -> None:
    heads = path.with_name("heads.json")
    print("audits in SQLite")
    _timed_audit(f"all {rounds:,} rounds, 2 processes", path, "--jobs", "2", "--export-heads", str(heads))
    added = _play_on(house, 0, 1_000)
    _timed_audit(f"the newest {added:,} of {rounds + added:,} rounds", path, "--since", str(heads))
    rate_alone = _rate(house, 5.0)
    audit = _hcf(path)
    beside = _rate(house, 10.0)
    over = "" if audit.poll() is None else ", which ended before"
    audit.terminate()
    audit.wait()
    log = os.path.getsize(f"{path}-wal") / 1e6
    print(f"  play beside an audit of everything{over}: {beside / rate_alone:.2f} of play alone; its log {log:.1f} MB")


def _timed_audit(what: str, path: Path, *options: str) -> None:
    start = time.monotonic()
    status = _hcf(path, *options).wait()
    print(f"  {what}: {time.monotonic() - start:.1f} s, {'all well' if status == 0 else f'exit {status}'}", flush=True)


def _hcf(path: Path, *options: str) -> subprocess.Popen[bytes]:
    code = "from highcardflush.cli import main; main()"
    command = [sys.executable, "-c", code, "audit", "--db", f"sqlite:///{path}", *options]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def _rate(house: House, seconds: float) -> float:
    start, answers = time.monotonic(), 0
    while time.monotonic() < start + seconds:
        submit_all(house, rounds_at(range(32), 1), 1)
        answers += 32
    return answers / (time.monotonic() - start)


# --- a pest --------------------------------------------------------------------------------------


def pest(arguments: argparse.Namespace) -> None:
    """Measure the throughput of a hundred honest tables, first alone, then while one player bets again and again as
    fast as answers arrive, then after that player is refused."""
    with sqlite_file() as path:
        house = bench.set_up(f"sqlite:///{path}", 101, seats=1)
        rate_alone, _ = asyncio.run(_honest(house, pests=0))
        beside, attempts = asyncio.run(_honest(house, pests=1))
        print(f"100 tables beside a player with {attempts:,} commands: {beside / rate_alone:.2f} of what they do alone")
        house.close()


async def _honest(house: House, pests: int, seconds: float = 5.0) -> tuple[float, int]:
    stream, player = f"table/{bench.table_name(100)}", bench.player_name(100, 1)
    until, attempts = time.monotonic() + seconds, 0

    async def table(pump: Pump, number: int) -> int:
        rounds = 0
        while time.monotonic() < until:
            for command, actor in bench.round_of(number, 1):
                await pump.submit(f"table/{bench.table_name(number)}", command, actor, key())
                rounds += 1
        return rounds

    async def annoy(pump: Pump) -> None:
        nonlocal attempts
        with contextlib.suppress(HcfError):
            await pump.submit(stream, c.OpenRound(), DEALER, key())
        commands: list[Command | Action] = [PlaceWagers(1, {"ante": 1000}), c.NameSeed(1, "00"), c.Roll()]
        while time.monotonic() < until:
            with contextlib.suppress(HcfError):
                await pump.submit(stream, commands[attempts % len(commands)], player, key())
            attempts += 1

    async with Pump(house) as pump:
        honest = asyncio.gather(*(table(pump, number) for number in range(100)))
        await asyncio.gather(honest, *(annoy(pump) for _ in range(pests)))
    return sum(honest.result()) / seconds, attempts


PARTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "linked": linked, "groups": groups, "bytes": bytes_a_round, "history": history, "pest": pest,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all, if none is named")
    parser.add_argument("--rounds", type=int, default=100_000, help="how long the history is")
    arguments = parser.parse_args()
    for part in arguments.parts or PARTS:
        PARTS[part](arguments)


if __name__ == "__main__":
    main()
