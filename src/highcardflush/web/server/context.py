"""State shared by all components of a server process: house, pump, floor, tables, connections and reader threads."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from highcardflush.errors import NotFound
from highcardflush.house import House
from highcardflush.house.commands import OpenRound
from highcardflush.house.office.commands import read_floor
from highcardflush.house.pump import Pump
from highcardflush.house.store.protocol import Transaction
from highcardflush.house.table.due import NextCommand, after, next_command
from highcardflush.house.table.state import Table
from highcardflush.web.live.connections import Connections
from highcardflush.web.live.last_calls import LastCalls
from highcardflush.web.server.metrics import Metrics
from highcardflush.web.server.rate_limits import Limits
from highcardflush.web.server.settings import Settings
from highcardflush.words import refuse

T = TypeVar("T")
MICROSECONDS = 1_000_000
READERS = 4
"""Number of threads for short reads."""
REPORTERS = 2
"""Number of threads for reports, which can be slow. Players do not wait for these threads."""


@dataclass(eq=False, repr=False)
class ServerContext:
    house: House
    settings: Settings
    clock: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic
    metrics: Metrics = field(default_factory=Metrics)

    def __post_init__(self) -> None:
        self.floor = self.house.store.snapshot(read_floor)
        self.pump = Pump(self.house, observe=self.metrics.observe_command)
        self.limits = Limits(self.monotonic)
        self.tables: dict[str, Table] = {}
        """State of each table after the newest event that this process has read; only the hub changes this dict."""
        self.connections = Connections()
        self.last_calls = LastCalls(self.monotonic)
        self.opens = True
        """False while the server is stopping, so that no new rounds open."""
        self._readers = ThreadPoolExecutor(READERS, "reads")
        self._reporters = ThreadPoolExecutor(REPORTERS, "reports")

    def now(self) -> int:
        """Return the time in microseconds since 1970."""
        return int(self.clock() * MICROSECONDS)

    def close_threads(self) -> None:
        self._readers.shutdown()
        self._reporters.shutdown(cancel_futures=True)

    async def ask(self, function: Callable[..., T], *args: Any) -> T:
        """Use a reader thread to run a function that reads the database."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, function, *args)

    async def report(self, function: Callable[..., T], *args: Any) -> T:
        """Use a reporter thread to run a function that may read for a long time."""
        return await asyncio.get_running_loop().run_in_executor(self._reporters, function, *args)

    async def read(self, job: Callable[[Transaction], T]) -> T:
        """Run a job on a snapshot of the database."""
        return await self.ask(self.house.store.snapshot, job)

    async def write(self, job: Callable[[Transaction], T]) -> T:
        """Run a job that writes rows outside the books, such as credentials or sessions."""
        return await self.ask(self.house.store.transact, job)

    def require_table(self, name: str) -> Table:
        """Return a table from this process's cache."""
        if (table := self.tables.get(name)) is None:
            raise refuse("no-table", NotFound, name=name)
        return table

    def next_server_command(self, table: Table) -> NextCommand | None:
        """Return the next command that the server must send to a virtual table, or None."""
        if table.config.physical:
            return None
        upcoming = next_command(table, self.house.cache.elapsed_s(table), self.floor.times)
        if upcoming is not None and upcoming.clock == "betting":
            elapsed_s = self.last_calls.elapsed_s(table)
            if elapsed_s is not None and (left_s := self.floor.last_call_s - elapsed_s) < upcoming.in_s:
                upcoming = after(left_s, "betting", upcoming.command)
        opens = upcoming is not None and isinstance(upcoming.command, OpenRound)
        return None if opens and not (table.seats and self.is_open(table)) else upcoming

    def is_open(self, table: Table) -> bool:
        """Return True if a round would open when somebody sits down at the table."""
        return self.opens and table.state == "open" and self.floor.is_open(self.clock())
