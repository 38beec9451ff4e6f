"""Measure the books as ratios within one run: rounds through `submit` against bare commits of the same database.

    python bench/house.py [--seconds 4] [--bare transaction|autocommit|libpq]

A bare commit is BEGIN, INSERT of one row and COMMIT through the usual driver, as durable as the books, by the same
number of writers: threads that take turns in SQLite, processes in PostgreSQL. In PostgreSQL, `autocommit` saves two of
the three round trips, and `libpq` also saves the work of psycopg's cursor. A submit is a complete command: checks, the
engine's step, event, transfers, wallets, answer. Each writer plays rounds of three seats at a separate virtual table,
and all tables are linked to one meter.

Bare commits and rounds alternate in short turns, so that a slowdown of the machine affects both.
"""

import argparse
import multiprocessing
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Literal, NamedTuple

import psycopg

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests")]

from highcardflush.game.actions import Action, Lock, PlaceWagers, Raise  # noqa: E402
from highcardflush.house import House, open_house  # noqa: E402
from highcardflush.house import commands as c  # noqa: E402
from highcardflush.house.commands import Command  # noqa: E402
from highcardflush.house.permissions import DEALER  # noqa: E402
from highcardflush.house.store import admin, libsqlite  # noqa: E402
from highcardflush.rulebook import configure, packaged, parse_offer  # noqa: E402
from support.places import postgres  # noqa: E402

KEY = bytes(32)
METER, PAYTABLE = "mega", "PT-BJS-HCF-SF-07"
SEATS = 3
PURSE_CENTS = 100_000_000_00
WRITERS = (1, 8)
TURNS = 8
SPAWN = multiprocessing.get_context("spawn")
CREATE_BARE = "CREATE TABLE bare (writer INTEGER, number INTEGER, PRIMARY KEY (writer, number))"
NUMBERS = count()


class Line(NamedTuple):
    database: str
    writers: int
    bare: float
    submits: float
    rounds: float


Bare = Literal["transaction", "autocommit", "libpq"]
Work = Callable[[float], int]
"""Works until a time of the monotonic clock, and returns a count."""


# --- setting up ----------------------------------------------------------------------------------


def table_name(writer: int) -> str:
    return f"table-{writer}"


def set_up(url: str, tables: int = max(WRITERS), seats: int = SEATS) -> House:
    """Found a house with linked tables whose seats are taken."""
    admin.upgrade(url)
    house = open_house(url, KEY)
    meter = c.CreateMeter(f"galaxy-v7/{PAYTABLE}", seed_micros=30_000_000000, rate_bp=2300, reserve_rate_bp=500)
    house.submit(f"meter/{METER}", meter, "admin", "meter")
    rulebook = configure(
        packaged("galaxy-v7"),
        [parse_offer("progressive", PAYTABLE), parse_offer("flush", "washington/PT-FLT-HCF-FB-01")],
        {},
    )
    house.submit("office", c.AddPerson("cashier", "cashier"), "admin", "cashier")
    for writer in range(tables):
        name = table_name(writer)
        house.submit(f"table/{name}", c.CreateTable(rulebook, False, {"progressive": METER}), "admin", name)
        for seat in range(1, seats + 1):
            player = player_name(writer, seat)
            house.submit("office", c.AddPerson(player, "player"), "admin", player)
            house.submit("cage", c.BuyIn(player, PURSE_CENTS), "cashier", player)
            house.submit(f"table/{name}", c.Sit(seat), player, "sits")
    return house


def player_name(writer: int, seat: int) -> str:
    return f"player-{writer}-{seat}"


def round_of(writer: int, seats: int = SEATS) -> list[tuple[Command | Action, str]]:
    """Return a whole round with its actors: everybody raises by the Ante, which is always allowed."""
    players = {seat: player_name(writer, seat) for seat in range(1, seats + 1)}
    wagers = {"ante": 1000, "flush": 500, "progressive": 100}
    return [
        (c.OpenRound(), DEALER),
        *((PlaceWagers(seat, wagers), player) for seat, player in players.items()),
        (Lock(), DEALER),
        (c.DealCards(), DEALER),
        *((Raise(seat, wagers["ante"]), player) for seat, player in players.items()),
        (c.SettleRound(), DEALER),
    ]


def dealer(house: House, writer: int) -> Work:
    stream, script = f"table/{table_name(writer)}", round_of(writer)

    def work(until: float) -> int:
        commits = 0
        while time.monotonic() < until:
            for command, actor in script:
                house.submit(stream, command, actor, f"bench {writer} {next(NUMBERS)}")
            commits += 1
        return commits

    return work


def events(house: House) -> int:
    rows = house.store.snapshot(lambda tx: tx.read("SELECT COUNT(*) FROM events WHERE key IS NOT NULL"))
    return int(rows[0][0])


# --- SQLite: threads -----------------------------------------------------------------------------


def in_threads(works: Sequence[Work], seconds: float) -> tuple[int, float]:
    """Run all works at once in threads, and return their total and the seconds."""
    start = time.monotonic()
    with ThreadPoolExecutor(len(works)) as pool:
        commits = sum(pool.map(lambda work: work(start + seconds), works))
    return commits, time.monotonic() - start


def bare_sqlite(path: Path, writers: int) -> Iterator[Work]:
    """Insert and commit in threads, one after another as SQLite must."""
    connection = libsqlite.connect(str(path))
    turn = threading.Lock()

    def writer(name: int) -> Work:
        def work(until: float) -> int:
            commits = 0
            while time.monotonic() < until:
                with turn:
                    connection.execute("BEGIN IMMEDIATE")
                    connection.execute("INSERT INTO bare VALUES (?, ?)", (name, commits))
                    connection.execute("COMMIT")
                commits += 1
            return commits

        return work

    return (writer(next(NUMBERS)) for _ in range(writers))


def measure_sqlite(writers: int, seconds: float) -> Line:
    with tempfile.TemporaryDirectory(prefix="hcf-bench-") as folder:
        path = Path(folder) / "house.db"
        house = set_up(f"sqlite:///{path}")
        beside = Path(folder) / "bare.db"
        beside.touch()
        libsqlite.connect(str(beside)).execute(f"{CREATE_BARE} WITHOUT ROWID")

        def bare(seconds: float) -> float:
            commits, spent_s = in_threads(list(bare_sqlite(beside, writers)), seconds)
            return commits / spent_s

        def play(seconds: float) -> tuple[float, float]:
            before = events(house)
            commits, spent_s = in_threads([dealer(house, writer) for writer in range(writers)], seconds)
            return (events(house) - before) / spent_s, commits / spent_s

        line = measure("SQLite", writers, bare, play, seconds)
        house.close()
        return line


# --- PostgreSQL: processes -----------------------------------------------------------------------


def serve(url: str, writer: int, bare: Bare, pipe: Connection) -> None:
    """Play or insert in a process, for the seconds that it is asked for."""
    house = open_house(url, KEY)
    with psycopg.connect(url, autocommit=bare != "transaction") as connection:
        works = {"play": dealer(house, writer), "bare": inserter(connection, writer, bare)}
        pipe.send(None)
        while message := pipe.recv():
            what, seconds = message
            start = time.monotonic()
            commits = works[what](start + seconds)
            pipe.send((commits, time.monotonic() - start))
    house.close()


def inserter(connection: psycopg.Connection, writer: int, bare: Bare) -> Work:
    numbers, driver = count(), connection.pgconn

    def execute() -> None:
        connection.execute("INSERT INTO bare VALUES (%s, %s)", (writer, next(numbers)), prepare=True)

    def execute_and_commit() -> None:
        execute()
        connection.commit()

    def call_libpq() -> None:
        result = driver.exec_prepared(b"bare", [b"%d" % writer, b"%d" % next(numbers)])
        assert result.status == psycopg.pq.ExecStatus.COMMAND_OK

    insert = {"transaction": execute_and_commit, "autocommit": execute, "libpq": call_libpq}[bare]
    if bare == "libpq":
        driver.prepare(b"bare", b"INSERT INTO bare VALUES ($1, $2)")

    def work(until: float) -> int:
        commits = 0
        while time.monotonic() < until:
            insert()
            commits += 1
        return commits

    return work


def measure_postgres(server: postgres.Server, writers: int, seconds: float, bare: Bare = "transaction") -> Line:
    url = postgres.fresh_database(server)
    house = set_up(url)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(CREATE_BARE.encode())
    pipes = [SPAWN.Pipe() for _ in range(writers)]
    processes = [SPAWN.Process(target=serve, args=(url, n, bare, theirs)) for n, (_, theirs) in enumerate(pipes)]
    for process, (_, theirs) in zip(processes, pipes, strict=True):
        process.start()
        theirs.close()
    ours = [mine for mine, _ in pipes]
    for pipe in ours:
        pipe.recv()

    def together(what: str, seconds: float) -> tuple[int, float]:
        for pipe in ours:
            pipe.send((what, seconds))
        answers = [pipe.recv() for pipe in ours]
        return sum(commits for commits, _ in answers), max(spent_s for _, spent_s in answers)

    def insert(seconds: float) -> float:
        commits, spent_s = together("bare", seconds)
        return commits / spent_s

    def play(seconds: float) -> tuple[float, float]:
        before = events(house)
        commits, spent_s = together("play", seconds)
        return (events(house) - before) / spent_s, commits / spent_s

    line = measure("PostgreSQL", writers, insert, play, seconds)
    for pipe, process in zip(ours, processes, strict=True):
        pipe.send(None)
        process.join()
    house.close()
    return line


# --- both ----------------------------------------------------------------------------------------


def measure(
    name: str,
    writers: int,
    bare: Callable[[float], float],
    play: Callable[[float], tuple[float, float]],
    seconds: float,
) -> Line:
    """Return the mean throughput of some turns, after one to warm up."""
    turns = [(bare(seconds / TURNS), *play(seconds / TURNS)) for _ in range(TURNS + 1)][1:]
    commits, submits, rounds = (sum(column) / TURNS for column in zip(*turns, strict=True))
    return Line(name, writers, commits, submits, rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=4.0, help="how long each line is measured")
    parser.add_argument("--bare", choices=("transaction", "autocommit", "libpq"), default="transaction")
    arguments = parser.parse_args()
    print(f"{'database':<12}{'writers':>8}{'bare commits/s':>16}{'submits/s':>12}{'of bare':>9}{'rounds/s':>10}")
    for line in measured(arguments.seconds, arguments.bare):
        print(
            f"{line.database:<12}{line.writers:>8}{line.bare:>16,.0f}{line.submits:>12,.0f}"
            f"{line.submits / line.bare:>9.2f}{line.rounds:>10,.0f}",
            flush=True,
        )
    print(f"\na round has {SEATS} seats and {len(round_of(0))} submits; the house holds itself to 0.50 of bare or more")


def measured(seconds: float, bare: Bare) -> Iterator[Line]:
    for writers in WRITERS:
        yield measure_sqlite(writers, seconds)
    if (absent := postgres.missing()) is not None:
        print(absent, file=sys.stderr)
        return
    with postgres.running() as server:
        for writers in WRITERS:
            yield measure_postgres(server, writers, seconds, bare)


if __name__ == "__main__":
    main()
