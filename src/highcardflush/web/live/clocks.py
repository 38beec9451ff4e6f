"""Tables that run themselves: whatever is due at a table is sent when its clock has run out.

The clock of a table decides nothing: it sends the same commands as a dealer would, and one that another process has
sent before is refused. In PostgreSQL a lease says which process runs a table; SQLite has one process.

A table opens while somebody sits there. Who sits and has no connection keeps the seat for a grace time, from when this
process has first missed them, and is then taken from it between rounds. Wins of virtual tables are approved where a
meter lets the server.

While the books take nothing no time runs out: players could not answer either. When they do again everybody has the
whole of it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterator
from functools import partial
from secrets import token_hex
from typing import Any

from highcardflush.errors import HcfError, NotFound, OutcomeUnknown, StoreError
from highcardflush.house import commands as c
from highcardflush.house import leases
from highcardflush.house.permissions import SERVER
from highcardflush.house.table.due import Due, next_due
from highcardflush.house.table.state import Table
from highcardflush.web.live.hub import Hub
from highcardflush.web.server.base import Base

LOG = logging.getLogger(__name__)
ROUND_S = 2.0
"""How often leases, absentees and wins that wait are looked at."""
LEASE_S = 6.0
SHARE_S = 10.0
"""For so long after its start a process leaves half of the tables that are free to others that start too."""
AGAIN_S = 1.0
"""When what was refused is tried again, if nothing has happened since."""


class Clocks:
    def __init__(self, base: Base, hub: Hub) -> None:
        self._base, self._hub = base, hub
        self._holder = token_hex(8)
        self._held: set[str] = set()
        self._others: set[str] = set()
        """Who is connected to another process."""
        self._began = base.monotonic()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._sent: dict[str, int] = {}
        """The event of each table after which something was sent that is not answered."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._absent: dict[str, float] = {}
        """Who sits somewhere and is not here, since when."""
        self._was_open = True
        self._cut_off = False
        """The books take nothing."""
        self.opens = True
        """Whether rounds are opened: not while the server stops."""
        hub.due, hub.run_clock = self.due, self._changed

    # --- what is due

    def due(self, table: Table) -> Due | None:
        """What the house does next at a table, if it is to run itself."""
        if table.config.physical:
            return None
        found = next_due(table, self._base.house.watched_s(table), self._base.floor.times)
        opens = found is not None and isinstance(found.command, c.OpenRound)
        return None if opens and not self._may_open(table) else found

    def _may_open(self, table: Table) -> bool:
        return self.is_open(table) and bool(table.seats)

    def is_open(self, table: Table) -> bool:
        """Whether rounds are opened at a table when somebody sits there."""
        return self.opens and table.state == "open" and self._base.floor.is_open(self._base.clock())

    def runs(self, name: str) -> bool:
        """Whether this process runs the clock of a table."""
        return self._base.house.store.dialect == "sqlite" or f"table/{name}" in self._held

    def _changed(self, table: Table) -> Due | None:
        """What is due at a table, and have it done where this process runs the clock."""
        if (timer := self._timers.pop(table.name, None)) is not None:
            timer.cancel()
        found = self.due(table)
        if found is None or self._cut_off or not self.runs(table.name):
            return found
        if found.in_s > 0:
            loop = asyncio.get_running_loop()
            self._timers[table.name] = loop.call_later(found.in_s, self._look_again, table.name)
        elif self._sent.get(table.name) != table.head.seq:
            self._sent[table.name] = table.head.seq
            self._start(self._send(table, found))
        return found

    def look_at_all(self) -> None:
        """Something has changed for every table."""
        for table in list(self._hub.tables.values()):
            self._changed(table)

    def _look_again(self, name: str) -> None:
        self._timers.pop(name, None)
        if (table := self._hub.tables.get(name)) is not None:
            self._changed(table)

    async def _send(self, table: Table, found: Due) -> None:
        """What is due, once for each event that it follows."""
        what = type(found.command).__name__
        key = f"{what} {table.stream} {table.head.seq}"
        try:
            await self._base.pump.submit(table.stream, found.command, SERVER, key)
        except HcfError as error:
            LOG.info("not done", extra={"table": table.name, "what": what, "error": error.code})
            self._sent.pop(table.name, None)
            self._cut_off |= isinstance(error, (StoreError, OutcomeUnknown))
            if table.name not in self._timers:
                loop = asyncio.get_running_loop()
                self._timers[table.name] = loop.call_later(AGAIN_S, self._look_again, table.name)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- rounds of the floor

    async def run(self) -> None:
        self.look_at_all()
        while True:
            try:
                await self._hold_leases()
                self._follow_hours()
                self._free_seats()
                await self._approve()
                self._resume()
            except HcfError as error:
                self._cut_off |= isinstance(error, StoreError)
                LOG.warning("the floor could not be looked at", extra={"error": error.code})
            await asyncio.sleep(ROUND_S)

    def _resume(self) -> None:
        """Go on, if the books take commands again."""
        base = self._base
        if self._cut_off and base.house.store.failed is None:
            self._cut_off = False
            base.house.watch_anew()
            self._hub.show_again()
            self.look_at_all()

    def _follow_hours(self) -> None:
        """The floor opens and closes by the clock on the wall."""
        is_open = self._base.floor.is_open(self._base.clock())
        if is_open != self._was_open:
            self._was_open = is_open
            self.look_at_all()

    async def _hold_leases(self) -> None:
        base = self._base
        store = base.house.store
        if store.dialect == "sqlite":
            return
        before, mine = self._held, await base.ask(leases.renew, store, self._holder, LEASE_S)
        taken = await base.ask(leases.holders, store)
        free = [f"table/{name}" for name in sorted(self._hub.tables) if f"table/{name}" not in taken]
        if base.monotonic() - self._began < SHARE_S:
            free = free[::2]  # others start too
        here = {f"person/{player}" for player in self._elsewhere()}
        if wanted := here - mine | set(free):
            mine |= await base.ask(leases.take_free, store, wanted, self._holder, LEASE_S)
        if gone := {stream for stream in mine if stream.startswith("person/")} - here:
            await base.ask(partial(leases.release, store, self._holder, *gone))
        self._held = {stream for stream in mine if stream.startswith("table/")}
        self._others = {
            stream.removeprefix("person/")
            for stream, holder in taken.items()
            if stream.startswith("person/") and holder != self._holder
        }
        for stream in self._held - before:
            self._look_again(stream.removeprefix("table/"))
            self._hub.look_again(self._hub.tables[stream.removeprefix("table/")])  # house players go with the clock

    def _elsewhere(self) -> Iterator[str]:
        """Who is connected here and sits at a table that another process runs: it is to know."""
        for table in self._hub.tables.values():
            if not self.runs(table.name):
                yield from (player for player in table.seats.values() if player and self._hub.is_here(player))

    async def release(self) -> None:
        """Let others run what this process has run."""
        if self._held:
            await self._base.ask(leases.release, self._base.house.store, self._holder)
            self._held.clear()

    def _free_seats(self) -> None:
        hub, now = self._hub, self._base.monotonic()
        missing: dict[str, float] = {}
        for table in hub.tables.values():
            if table.config.physical or not self.runs(table.name):
                continue
            playing = {seat.number for seat in table.round.state.seats} if table.round is not None else set()
            for seat, player in table.seats.items():
                if player is None or self._is_here(player) or hub.kinds.get(player) == "bot":
                    continue
                missing[player] = self._absent.get(player, now)
                if now - missing[player] >= self._base.floor.grace_s and seat not in playing:
                    self._start(self._free(table, seat))
        self._absent = missing

    def _is_here(self, player: str) -> bool:
        """Whether somebody is connected, to whichever process."""
        return self._hub.is_here(player) or player in self._others

    async def _free(self, table: Table, seat: int) -> None:
        key = f"Leave {table.stream} {table.head.seq} {seat}"
        try:
            await self._base.pump.submit(table.stream, c.Leave(seat), SERVER, key)
        except HcfError as error:
            LOG.info("not freed", extra={"table": table.name, "seat": seat, "error": error.code})

    async def _approve(self) -> None:
        """A voice for each win that waits, where the meter lets the server; the house checks its proof."""
        base = self._base
        tables = [table for table in self._hub.tables.values() if self.runs(table.name)]
        for name in {str(name) for table in tables for name in table.config.meters.values()}:
            try:
                state, _ = await base.ask(base.house.meter, name)
            except NotFound:
                continue
            waiting = [case for case in state.cases.values() if case.outcome == "waiting"]
            for case in waiting if state.parameters.server_approves else ():
                if all(vote.actor != SERVER for vote in case.votes):
                    key = f"Vote meter/{name} {case.win.win}"
                    try:
                        await base.pump.submit(f"meter/{name}", c.Vote(case.win.win, approve=True), SERVER, key)
                    except HcfError as error:
                        LOG.warning("no voice", extra={"meter": name, "win": case.win.win, "error": str(error)})
