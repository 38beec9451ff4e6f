"""The schedule of a table: the next command of the house, its time, and the process that sends it, by leases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from secrets import token_hex

from highcardflush.house import leases
from highcardflush.house.commands import OpenRound
from highcardflush.house.table.due import Due, next_due
from highcardflush.house.table.state import Table
from highcardflush.web.live.connections import Connections
from highcardflush.web.server.context import Context

LEASE_S = 6.0
START_UP_S = 10.0
"""During start-up a process claims only half of the free tables, so that other workers get some."""


class Schedule:
    def __init__(self, context: Context) -> None:
        self._context = context
        self.opens = True
        """False while the server stops: no new rounds."""

    def due(self, table: Table) -> Due | None:
        """Return the next command of the house at a virtual table, if there is one."""
        if table.config.physical:
            return None
        due = next_due(table, self._context.house.cache.watched_s(table), self._context.floor.times)
        if due is not None and isinstance(due.command, OpenRound) and not (table.seats and self.is_open(table)):
            return None
        return due

    def is_open(self, table: Table) -> bool:
        """Return whether a round opens when somebody sits at the table."""
        return self.opens and table.state == "open" and self._context.floor.is_open(self._context.clock())


class TableLeases:
    """Leases on tables: which process runs a table's clock, and which connects the players at tables of others.

    SQLite has one process, which runs every table.
    """

    def __init__(self, context: Context, tables: Mapping[str, Table], connections: Connections) -> None:
        self._context, self._tables, self._connections = context, tables, connections
        self._holder = token_hex(8)
        self._leased: set[str] = set()
        """Streams of the tables that this process runs."""
        self._elsewhere: set[str] = set()
        """People who are connected to another process."""
        self._began = context.monotonic()

    def runs(self, name: str) -> bool:
        """Return whether this process runs the clock of a table."""
        return self._context.house.store.dialect == "sqlite" or f"table/{name}" in self._leased

    def is_connected(self, person: str) -> bool:
        """Return whether a person is connected to any process."""
        return self._connections.has(person) or person in self._elsewhere

    async def renew(self) -> list[str]:
        """Renew all leases and claim free ones; the names of tables that are new here."""
        context = self._context
        store = context.house.store
        if store.dialect == "sqlite":
            return []
        before, mine = self._leased, await context.ask(leases.renew, store, self._holder, LEASE_S)
        taken = await context.ask(leases.holders, store)
        free = [f"table/{name}" for name in sorted(self._tables) if f"table/{name}" not in taken]
        if context.monotonic() - self._began < START_UP_S:
            free = free[::2]
        people = {f"person/{player}" for player in self._players_elsewhere()}
        if wanted := people - mine | set(free):
            mine |= await context.ask(leases.take_free, store, wanted, self._holder, LEASE_S)
        if gone := {stream for stream in mine if stream.startswith("person/")} - people:
            await context.ask(partial(leases.release, store, self._holder, *gone))
        self._leased = {stream for stream in mine if stream.startswith("table/")}
        self._elsewhere = {
            stream.removeprefix("person/")
            for stream, holder in taken.items()
            if stream.startswith("person/") and holder != self._holder
        }
        return [stream.removeprefix("table/") for stream in self._leased - before]

    def _players_elsewhere(self) -> Iterator[str]:
        """People connected here who sit at a table that another process runs: it needs to know."""
        for table in self._tables.values():
            if not self.runs(table.name):
                yield from (player for player in table.seats.values() if player and self._connections.has(player))

    async def release(self) -> None:
        """Let other processes run the tables of this one."""
        if self._leased:
            await self._context.ask(leases.release, self._context.house.store, self._holder)
            self._leased.clear()
