"""Applies every commit to this process's tables, in order, and passes each changed table on to its listeners.

Commits go through one queue on the event loop, so every watcher receives a table's events in order and without gaps.
Events that other processes have committed are read from the books by their numbers.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress

from highcardflush.errors import HcfError
from highcardflush.house.books.event import CAGE
from highcardflush.house.books.reader import OFFICE
from highcardflush.house.events import KINDS
from highcardflush.house.submit import Committed
from highcardflush.house.table.state import Table
from highcardflush.web.live.clocks import Clocks
from highcardflush.web.live.connections import Connection
from highcardflush.web.live.people import Balances, Names
from highcardflush.web.live.watchers import Watchers
from highcardflush.web.server.context import ServerContext

LOG = logging.getLogger(__name__)
READ_RETRY_S = 0.5
"""Time to wait before streams that could not be read are read again."""
NEW_TABLE_S, NEW_TABLE_POLL_S = 5.0, 0.01
"""Maximum time to wait for a table that another process has created, and the interval between looks at it."""
EVENTS_PER_TURN = 4
"""Number of events that are sent before other tasks get a turn."""
CHANGES_ACCESS = {kind for (_, kind), body in KINDS.items() if body.event_kind.changes_access}
"""Kinds of office events that change the floor or a connected person's permissions."""


class Hub:
    def __init__(
        self,
        context: ServerContext,
        names: Names,
        watchers: Watchers,
        balances: Balances,
        clocks: Clocks,
        office_changed: Callable[[], Awaitable[None]],
        refresh_meters: Callable[[str], Awaitable[None]],
    ) -> None:
        self._context, self._names, self._watchers = context, names, watchers
        self._balances, self._clocks, self._office_changed = balances, clocks, office_changed
        self._refresh_meters = refresh_meters
        self._tables = context.tables
        self._commits: asyncio.Queue[Sequence[Committed]] = asyncio.Queue()
        self._stale: set[str] = set()
        """Streams to which another process has written."""
        self._read_to = {OFFICE: 0, CAGE: 0}
        """Numbers of the last office event and the last cage event that were read to catch up with other processes."""

    async def load(self) -> None:
        """Start queueing this process's commits, and read all tables."""
        loop, house, ask = asyncio.get_running_loop(), self._context.house, self._context.ask

        def enqueue(commits: Sequence[Committed]) -> None:
            loop.call_soon_threadsafe(self._commits.put_nowait, commits)

        house.on_committed(enqueue)
        for stream, newest in (await ask(house.newer, {})).items():
            if stream in self._read_to:
                self._read_to[stream] = newest
            kind, _, name = stream.partition("/")
            if kind == "table":
                self._tables[name] = await ask(house.table, name)
        await self._names.learn(self._tables.values())

    def hint(self, streams: Iterable[str]) -> None:
        """Queue streams to which another process may have written."""
        self._stale.update(streams)
        self._commits.put_nowait(())

    async def watch(self, connection: Connection, name: str, after: int | None) -> None:
        """Send a table to a connection, or only its events after number `after`, and then each of its later events."""
        if name not in self._tables:
            await self._wait_for(name)
        await self._refresh_meters(name)
        table = self._context.require_table(name)
        if after is not None and after > table.head.seq:  # this process has not read all events yet
            self.hint([table.stream])
            table = await self._context.ask(self._context.house.table, name)
        if await self._watchers.add(connection, table, after):
            self._clocks.notify(self._tables[name])

    async def _wait_for(self, name: str) -> None:
        """Wait for a table that another process has just created. Refuse a table that is not in the books."""
        await self._context.ask(self._context.house.table, name)
        self.hint([f"table/{name}"])
        with suppress(TimeoutError):
            async with asyncio.timeout(NEW_TABLE_S):
                while name not in self._tables:
                    await asyncio.sleep(NEW_TABLE_POLL_S)

    async def run(self) -> None:
        while True:
            commits = await self._commits.get()
            stale, self._stale = self._stale, set()
            try:
                await self._apply(commits)
                if stale:
                    await self._catch_up(*stale)
            except HcfError as error:
                LOG.warning("commits could not be sent", extra={"error": error.code})
                # read these streams again: they may not be reported a second time, and the tables' clocks would stop
                self._stale |= stale | {commit.event.stream for commit in commits}
                asyncio.get_running_loop().call_later(READ_RETRY_S, self._commits.put_nowait, ())

    async def _apply(self, commits: Sequence[Committed]) -> None:
        if any(commit.event.stream == OFFICE and commit.event.kind in CHANGES_ACCESS for commit in commits):
            await self._office_changed()
        await self._names.learn(commit.table for commit in commits if commit.table is not None)
        for number, commit in enumerate(commits, 1):
            if number % EVENTS_PER_TURN == 0:
                await asyncio.sleep(0)  # let the first messages be written before the last ones are encoded
            for transfer in commit.transfers:
                self._balances.note((transfer.source, transfer.target))
            if commit.table is None:
                continue
            cached, seq = self._tables.get(commit.table.name), commit.event.seq
            if cached is not None and seq > cached.head.seq + 1:
                await self._catch_up(commit.event.stream)  # another process has committed events in between
            elif cached is None or seq == cached.head.seq + 1:
                self._advance(commit.table, commit.event.kind)

    async def _catch_up(self, *streams: str) -> None:
        """Read the new events in streams to which another process has written."""
        for stream in self._read_to.keys() & streams:
            changes = await self._context.ask(self._context.house.changes, stream, self._read_to[stream])
            self._read_to[stream] = changes.newest
            self._balances.note(changes.accounts)
            if stream == OFFICE and changes.kinds & CHANGES_ACCESS:
                await self._office_changed()
        names = [name for kind, _, name in (stream.partition("/") for stream in streams) if kind == "table"]
        cached = {name: self._tables.get(name) for name in names}
        events = await self._context.ask(self._context.house.follow, cached) if cached else []
        await self._names.learn(table for _, table in events)
        for event, table in events:
            self._balances.note_players(table.seats.values())
            self._advance(table, event.kind)

    def _advance(self, table: Table, kind: str) -> None:
        self._tables[table.name] = table
        self._context.last_calls.note(table)
        upcoming = self._clocks.run_clock(table)
        self._clocks.notify(table)
        self._watchers.show(table, kind, upcoming)
