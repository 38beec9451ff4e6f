"""Find the number of live seats that a machine carries: server and clients share its cores, every command is on disk.

    python bench/live.py [--database sqlite|postgresql] [--seats 12000] [--first 2000] [--step 1000]
                         [--seconds 10] [--times 3]

Tables of six play at online pace, a bet and a decision each in a round of 30 s, all linked to one meter. Seats come in
steps. Each step plays a round to settle down and then measures, `--times` times for `--seconds` seconds, the latency
from sending an action to the `told` that shows it to its player. On a shared host other machines take the cores away
for 50 or 100 ms at once, and clients then wait. So only measurements in which they took less than 2 % of a core count,
and measuring goes on until enough count, or until six times `--times` were made. The run ends at the step whose median
measurement has a p99 above 50 ms, or at `--seats`.
People, tables and sessions are in the database before the server starts. Then everything is as in production, with all
limits.
SQLite has one process, PostgreSQL two workers.
"""

import argparse
import asyncio
import contextlib
import gc
import multiprocessing
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import median

import seats as load_of
import uvloop
from msgspec import Struct
from seats import Load

from highcardflush.house import House, open_house
from highcardflush.house import commands as c
from highcardflush.house.accounts import credentials, sessions
from highcardflush.house.accounts.credentials import Credentials
from highcardflush.house.accounts.sessions import Session
from highcardflush.house.meter.linked import meter_for, table_for
from highcardflush.house.store import admin
from highcardflush.house.store.address import key_file
from highcardflush.house.store.protocol import Transaction
from highcardflush.house.submit import Request
from highcardflush.rulebook import packaged

SEATS = 6
GROUP = 128
PURSE_CENTS = 100_000_00
DAY = 86_400
COMING_A_SECOND = 100
"""Seats that connect in a second: not what is measured."""
SETTLE_S = 35.0
QUIET, MOST_TIMES = 0.02, 6
CODE = "from highcardflush.cli import main; main()"
METER, TABLE = "live", packaged("galaxy-v7").paytables["PT-BJS-HCF-SF-07"]


class Server(Struct):
    """The server's process, where it listens, and others that work for it."""

    process: subprocess.Popen[str]
    host: str
    port: int
    beside: list[int] = []


class Used(Struct, frozen=True):
    cpu_s: float
    memory_bytes: int


# --- what is there before ------------------------------------------------------------------------


def player(order: int) -> str:
    return f"live-{order}"


def table(order: int) -> str:
    return f"live-{order // SEATS}"


def session(order: int) -> str:
    """Return a unique session token. A bench keeps no secret."""
    return f"bench-session-{order:032}"


def set_up(url: str, seats: int) -> None:
    """Linked tables, and players with money and a session each."""
    admin.upgrade(url)
    with contextlib.closing(open_house(url, key_file(url))) as house:
        house.submit(f"meter/{METER}", meter_for(TABLE), "admin", "meter")
        house.submit("office", c.SetFloor({"house_players": 0}, "nobody but the load"), "admin", "floor")
        house.submit("office", c.AddPerson("cal", "cashier"), "admin", "cal")
        rules, levels = table_for(packaged("galaxy-v7"), {METER: house.meter(METER)[0]})
        everybody = range(seats)
        _do(house, [Request("office", c.AddPerson(player(n), "player"), "admin", player(n)) for n in everybody])
        _do(house, [Request("cage", c.BuyIn(player(n), PURSE_CENTS), "cal", player(n)) for n in everybody])
        tables = dict.fromkeys(map(table, everybody))
        _do(house, [Request(f"table/{t}", c.CreateTable(rules, meters=levels), "admin", f"table {t}") for t in tables])
        for start in range(0, seats, GROUP):
            house.store.transact(partial(_enter, orders=everybody[start : start + GROUP]))


def _do(house: House, requests: list[Request]) -> None:
    for start in range(0, len(requests), GROUP):
        for outcome in house.submit_many(requests[start : start + GROUP]):
            if isinstance(outcome, Exception):
                raise outcome


def _enter(tx: Transaction, orders: range) -> None:
    now = int(time.time() * 1e6)
    for n in orders:
        credentials.create(tx, Credentials(player(n), f"Player {n}", None, None, None, now))
        until = now + DAY * 1_000_000
        sessions.create(tx, Session(sessions.digest(session(n)), player(n), "session", now, until, now, ""))


# --- the server ----------------------------------------------------------------------------------


@contextlib.contextmanager
def serving(url: str, workers: int, log: Path) -> Iterator[Server]:
    command = [sys.executable, "-c", CODE, "serve", "--db", url, "--port", "0", "--log-level", "warning"]
    command += ["--workers", str(workers)] if workers > 1 else []
    with log.open("w") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        match = re.fullmatch(r"serving http://(.+):(\d+)\n", line)
        if match is None:
            raise SystemExit(f"the server said {line!r}:\n{log.read_text()[-2000:]}")
        yield Server(process, match[1], int(match[2]))
    finally:
        process.terminate()
        process.wait(60)


def _tree(pid: int) -> list[int]:
    """Return a process and its descendants."""
    pids = [pid]
    for one in pids:
        with contextlib.suppress(OSError):
            for tasks in Path(f"/proc/{one}/task").iterdir():
                pids += map(int, (tasks / "children").read_text().split())
    return pids


def used(*pids: int) -> Used:
    """Return the resources that these processes and their children have used so far, and the memory they hold now."""
    ticks = pages = 0
    for pid in {child for root in pids for child in _tree(root)}:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
            pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return Used(ticks / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE"))


def stolen_s() -> float:
    """Return the seconds that other machines on the same host have taken from these cores so far (the kernel's steal
    time)."""
    with contextlib.suppress(OSError, IndexError):
        return int(Path("/proc/stat").read_text().split("\n", 1)[0].split()[8]) / os.sysconf("SC_CLK_TCK")
    return 0.0


# --- the load ------------------------------------------------------------------------------------

HEAD = (
    f"  {'seats':>7}{'p50 ms':>9}{'p99 ms':>9}{'max ms':>9}{'actions/s':>11}{'commands/s':>12}{'frames/s':>10}"
    f"{'MB/s':>7}{'CPU us a command':>18}{'server':>8}{'store':>7}{'client':>8}{'others':>8}{'kB a seat':>11}"
)


async def ramp(server: Server, arguments: argparse.Namespace) -> int:
    """Add seats in steps until answers take too long, and return the last number of seats that was fast enough."""
    load = Load(server.host, server.port, Random(1), array("d"))
    empty, seat_count, order = used(server.process.pid).memory_bytes, 0, 0
    print(HEAD)
    for goal in range(arguments.first, arguments.seats + 1, arguments.step):
        start = time.monotonic()
        first = order
        while order < goal:
            for number in range(1, SEATS + 1):
                await load_of.connect(load, table(order), number, session(order))
                order += 1
            await asyncio.sleep(max(0, start + (order - first) / COMING_A_SECOND - time.monotonic()))
        await asyncio.sleep(SETTLE_S)
        gc.collect()
        gc.freeze()
        times: list[tuple[float, float]] = []
        quiet: list[float] = []
        while len(quiet) < arguments.times and len(times) < MOST_TIMES * arguments.times:
            times.append(await measure(load, server, arguments.seconds, empty))
            quiet = [p99_ms for p99_ms, others in times if others < QUIET]
        p99_ms = median(quiet or [p99_ms for p99_ms, _ in times])
        which = f"{len(quiet)} quiet" if quiet else "all, none of them quiet,"
        print(f"  p99 {p99_ms:.1f} ms in the middle of {which} times", flush=True)
        if p99_ms > arguments.limit or load.playing < 0.99 * order:
            break
        seat_count = load.playing
    if load.refused or load.lost:
        print(f"  refused {dict(load.refused)}, lost {dict(load.lost)}")
    return seat_count


async def measure(load: Load, server: Server, seconds: float, empty: int) -> tuple[float, float]:
    """Print what a time brings; the p99 in milliseconds, and how much of a core others took."""
    load.clear()
    start, mine = time.monotonic(), time.process_time()
    before, store, steal_before = used(server.process.pid), used(*server.beside), stolen_s()
    await asyncio.sleep(seconds)
    took, after = time.monotonic() - start, used(server.process.pid)
    cpu, store_cpu = after.cpu_s - before.cpu_s, used(*server.beside).cpu_s - store.cpu_s
    own_cpu, memory_bytes = time.process_time() - mine, after.memory_bytes - empty
    others = (stolen_s() - steal_before) / took
    latencies = sorted(load.latencies) or [float("inf")]
    p50, p99 = (latencies[int(part * (len(latencies) - 1))] * 1e3 for part in (0.5, 0.99))
    print(
        f"  {load.playing:>7,}{p50:>9.1f}{p99:>9.1f}{latencies[-1] * 1e3:>9.1f}{len(load.latencies) / took:>11,.0f}"
        f"{load.events / took:>12,.0f}{load.frames / took:>10,.0f}{load.received / took / 1e6:>7.1f}"
        f"{(cpu + store_cpu) / max(load.events, 1) * 1e6:>18,.0f}{cpu / took:>8.0%}{store_cpu / took:>7.0%}"
        f"{own_cpu / took:>8.0%}{others:>8.1%}{memory_bytes / max(load.playing, 1) / 1e3:>11,.1f}",
        flush=True,
    )
    return p99, others


# --- both databases ------------------------------------------------------------------------------


def run(name: str, url: str, workers: int, folder: Path, arguments: argparse.Namespace, beside: list[int]) -> None:
    os.environ["HCF_KEY"] = str(folder / f"{name}.key")
    maker = multiprocessing.get_context("spawn").Process(target=set_up, args=(url, arguments.seats + SEATS))
    maker.start()  # a separate process, so that the process of the clients stays small
    maker.join()
    if maker.exitcode:
        raise SystemExit(f"no tables in {name}")
    with serving(url, workers, folder / f"{name}.log") as server:
        server.beside = beside
        others = os.getloadavg()[0]
        print(
            f"{name}, {workers} process{'es' if workers > 1 else ''}; CPU in parts of a core; load before {others:.1f}"
        )
        seat_count = uvloop.run(ramp(server, arguments))
        print(f"  the most seats with p99 under {arguments.limit:g} ms: {seat_count:,}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--database", choices=("sqlite", "postgresql"), help="both, if none is named")
    parser.add_argument("--seats", type=int, default=12_000, help="the most")
    parser.add_argument("--first", type=int, default=2_000)
    parser.add_argument("--step", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=10.0, help="that are measured at a time")
    parser.add_argument("--times", type=int, default=3, help="that count in each step")
    parser.add_argument("--limit", type=float, default=50.0, metavar="MS", help="where it ends")
    arguments = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="hcf-bench-") as name:
        folder = Path(name)
        if arguments.database != "postgresql":
            run("SQLite", f"sqlite:///{folder / 'house.db'}", 1, folder, arguments, [])
        if arguments.database == "sqlite":
            return
        sys.path[:0] = [str(Path(__file__).parent.parent / "tests")]
        from support.places import postgres

        if (absent := postgres.missing()) is not None:
            print(absent, file=sys.stderr)
            return
        with postgres.running() as cluster:
            assert cluster.process is not None
            run("PostgreSQL", postgres.fresh_database(cluster), 2, folder, arguments, [cluster.process.pid])


if __name__ == "__main__":
    main()
