"""A server that is killed, loses its database or runs out of disk space while patrons play, and checks afterwards."""

import asyncio
import os
import resource
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from highcardflush.house import House, open_house
from highcardflush.house import commands as c
from highcardflush.house.floor_settings import FloorSettings
from highcardflush.house.office.commands import read_floor
from highcardflush.house.store.address import key_file
from highcardflush.house.table.state import Table
from highcardflush.web.server.default_floor import add_server
from support.data.tables import table as rulebook_of
from support.places import postgres
from support.places.floor import findings
from support.places.postgres import PATIENCE_SECONDS
from support.places.serving import Serving, serving
from support.walkers.patrons import Crowd, Patron

SEATS = 6
FLOOR = {"betting_s": 5, "pause_s": 1, "house_players": 0}
RULES = "oxford | | clock 5, ante-minimum 1, ante-maximum 10000"
MICROSECONDS = 1_000_000
SLACK_MICROS = 50_000
"""Possible difference between the books' clock and a process's monotonic clock."""
NOTICED_S = 8.0
"""A shorter loss of the database delays jobs without an error."""
NO_ROOM = 64 * 1024
"""Limit on file sizes: enough for the log, and for SQLite to read, but not for a round."""
LONGEST_S = 3 * PATIENCE_SECONDS
"""Longest wait in seconds for a crowd to connect, or to finish a round."""


def prepare(url: str, tables: int) -> list[tuple[str, int]]:
    """Found a floor with short clocks and return its seats."""
    with closing(open_house(url, key_file(url))) as house:
        add_server(house)
        house.submit("office", c.SetFloor(dict(FLOOR), "a test"), "admin", "floor")
        rules, names = rulebook_of(RULES), [f"t{number}" for number in range(1, tables + 1)]
        for name in names:
            house.submit(f"table/{name}", c.CreateTable(rules), "admin", name)
    return [(name, seat) for seat in range(1, SEATS + 1) for name in names]


class Start(NamedTuple):
    """Time until a server accepted connections: by the wall clock, and as CPU time."""

    seconds: float
    cpu_s: float


def _now() -> int:
    return time.time_ns() // 1000


class Site:
    """A server that is restarted on its port after each kill, and its patrons."""

    def __init__(self, url: str, folder: Path, workers: int = 1, disk: Path | None = None) -> None:
        """`disk` is a small mounted file system that holds only the books and may be filled."""
        self.url, self._folder, self._workers, self._disk = url, folder, workers, disk
        self._port = postgres._free_port()
        self.starts: list[Start] = []
        self.away: list[tuple[int, int]] = []
        """Periods in which nobody could play, in microseconds since 1970. Every clock restarts after each of them."""
        self._gone = _now()
        self.server: Serving
        self._stack = ExitStack()

    async def start(self) -> None:
        await asyncio.to_thread(self._start)

    def _start(self) -> None:
        words = ["--db", self.url, "--key", str(key_file(self.url)), "--port", str(self._port)]
        words += ["--workers", str(self._workers), "--log-level", "info"]
        self.begin_anew()
        began = time.monotonic()
        self.server = self._stack.enter_context(serving(*words, folder=self._folder))
        seconds, pid = time.monotonic() - began, self.server.process.pid
        ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        self.starts.append(Start(seconds, sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")))

    def begin_anew(self) -> None:
        self.away.append((self._gone, _now()))

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def close(self) -> None:
        self._stack.close()

    # --- outages

    async def kill(self) -> None:
        await asyncio.to_thread(self._end, signal.SIGKILL)
        await self.start()

    def _end(self, number: signal.Signals) -> None:
        self._gone = _now()
        self.server.stop(number)
        self._stack.close()

    async def kill_worker(self, which: int) -> None:
        """Kill a worker, which its supervisor restarts."""
        pids = workers(self.server.process.pid)
        os.kill(pids[which % len(pids)], signal.SIGKILL)
        await until(lambda: len(set(workers(self.server.process.pid)) - set(pids)) == 1)

    async def without_room(self, crowd: Crowd, seconds: float = 0.0) -> None:
        """Leave no disk space until bets are refused, and for this many seconds after that."""
        self._gone = _now()
        with fill(self._disk) if self._disk is not None else limit_files(self.server.process.pid):
            patron = crowd.patrons[0]
            async with asyncio.timeout(PATIENCE_SECONDS):
                while await patron.clear() != (503, "store-failed"):
                    await asyncio.sleep(0.02)
            await asyncio.sleep(seconds)
            await self.look()
            self.begin_anew()

    async def look(self) -> None:
        """Check that views still work."""
        for path in ("/api/v1/tables", "/api/v1/tables/t1", "/api/v1/tables/t1/events?after=0"):
            status, _ = await asyncio.to_thread(self.server.get, path)
            assert status == 200, (path, status)

    async def kill_database(self, cluster: postgres.Server, away_s: float = 0.0) -> None:
        assert cluster.process is not None
        self._gone = _now()
        cluster.process.kill()
        cluster.process.wait(PATIENCE_SECONDS)
        await asyncio.sleep(away_s)
        if away_s >= NOTICED_S:
            self.begin_anew()
        until_s = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                await asyncio.to_thread(cluster.start)
                return
            except AssertionError:  # processes of the old server have not yet noticed that it is gone
                assert time.monotonic() < until_s
                await asyncio.sleep(0.1)


@contextmanager
def limit_files(pid: int) -> Iterator[None]:
    """Prevent a process from making any file longer."""
    _, most = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (NO_ROOM, most))
    yield
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, most))


@contextmanager
def fill(disk: Path) -> Iterator[None]:
    """Fill a file system to the last byte."""
    ballast = disk / "ballast"
    with ballast.open("ab", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(os.statvfs(disk).f_frsize))
    yield
    ballast.unlink()


def workers(supervisor: int) -> list[int]:
    """Return the process ids of a supervisor's workers."""
    children = Path(f"/proc/{supervisor}/task/{supervisor}/children")
    pids = children.read_text().split() if children.exists() else []
    return [int(child) for child in pids if b"spawn_main" in _command_of(child)]


def _command_of(process: str) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes()
    return b""


@asynccontextmanager
async def playing(site: Site, seats: Sequence[tuple[str, int]], dreamers: int, seed: int = 1) -> AsyncIterator[Crowd]:
    """Run a server with players on all seats, who finish their rounds at the end; every `dreamers`-th never decides."""
    try:
        await site.start()
        crowd = Crowd(site.address, seed)
        try:
            crowd.invite(seats, dreamers)
            await back(crowd)
            yield crowd
            crowd.bets = False
            await until(lambda: not any(patron.in_play or patron.waiting for patron in crowd.patrons), crowd)
        finally:
            await crowd.leave()
        assert await asyncio.to_thread(site.server.stop) == 0
    finally:
        site.close()


async def until(true: Callable[[], bool], crowd: Crowd | None = None) -> None:
    async with asyncio.timeout(LONGEST_S):
        while not true():
            if crowd is not None:
                crowd.look()
                assert not crowd.complaints, crowd.complaints
            await asyncio.sleep(0.02)


async def in_the_middle(crowd: Crowd) -> None:
    """Wait until a hand is being decided, and a moment longer."""
    await until(lambda: any(patron.phase in ("dealt", "acting") for patron in crowd.patrons), crowd)
    await asyncio.sleep(crowd.rng.uniform(0, 0.5))


async def back(crowd: Crowd) -> None:
    """Wait until everybody is connected and every table has moved on."""
    before = {patron: patron.seq for patron in crowd.patrons}

    def missing() -> list[Patron]:
        return [one for one in crowd.patrons if not one.is_here or one.seq == before[one]]

    try:
        await until(lambda: not missing(), crowd)
    except TimeoutError:
        raise AssertionError(f"not back: {'; '.join(map(str, missing()))}") from None


async def settle_all(crowd: Crowd) -> None:
    """Wait until all patrons are connected and have seen a round end."""
    before = {patron: patron.settled for patron in crowd.patrons}
    await until(lambda: all(one.is_here and one.settled > before[one] for one in crowd.patrons), crowd)


def check(site: Site, crowd: Crowd) -> None:
    """Check that nothing acknowledged is lost, every player had the full time to act, and the audit finds nothing."""
    assert not crowd.complaints, crowd.complaints
    with closing(open_house(site.url, key_file(site.url))) as house:
        sql = "SELECT key, stream, seq, kind FROM events WHERE key IS NOT NULL"
        book_rows = {str(key): tuple(rest) for key, *rest in house.store.snapshot(lambda tx: tx.read(sql))}
        lost_answers = [answer for answer in crowd.answers if book_rows.get(answer.key) != answer[1:]]
        assert not lost_answers, lost_answers
        floor = house.store.snapshot(read_floor)
        names = sorted({patron.table for patron in crowd.patrons})
        wrong = [fault for name in names for fault in _rushed(house, name, floor, site.away)]
        assert not wrong, wrong
        assert findings(house.store) == []


def _rushed(house: House, name: str, floor: FloorSettings, away: Sequence[tuple[int, int]]) -> list[str]:
    """List the house's actions that came too early. One that was due before an outage may be recorded after it."""
    faults = list[str]()
    at: dict[int, tuple[int, Table]] = {}
    while since := house.tables_since(name, max(at, default=0)):
        for event, table in since:
            at[event.seq] = event.at, table
            if event.kind == "void":
                faults.append(f"{name} {event.seq}: void")
            if event.kind not in ("open", "lock", "time-out"):
                continue
            assert event.key is not None
            _, before = at[int(event.key.split()[-1])]  # the event after which the house was due to act
            begin_us, _ = at[before.clock_start.seq] if before.clock_start.seq else (0, None)
            away_us, back = max((each for each in away if begin_us < each[1] <= event.at), default=(event.at, begin_us))
            wait_us = max(away_us - begin_us, event.at - back)
            given_s = _given_s(before, event.kind, floor)
            if given_s and wait_us < given_s * MICROSECONDS - SLACK_MICROS:
                faults.append(f"{name} {event.seq}: {event.kind} after {wait_us / MICROSECONDS} of {given_s} s")
    return faults


def _given_s(table: Table, kind: str, floor: FloorSettings) -> float:
    """Return the seconds that the house must wait before the next event at a table."""
    round_ = table.round
    if kind == "open":
        return floor.pause_s if table.last is not None else 0
    assert round_ is not None
    if kind == "lock":
        return 0 if {seat.number for seat in round_.state.seats} >= table.seats.keys() else floor.betting_s
    return round_.rulebook.settings.clock
