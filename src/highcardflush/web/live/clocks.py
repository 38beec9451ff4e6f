"""Virtual tables run themselves: when a table's clock runs out, the house sends the command that is due.

A clock decides nothing. It sends the commands that a dealer would send, and one that another process has sent before is
refused.

A player who sits at a table without a connection keeps the seat for a grace time, counted from when this process first
misses the player, and then loses it between rounds. The house approves wins of virtual tables where a meter permits.

While the database takes no commands no clock runs out, because players could not answer either. Afterwards everybody
gets the full time again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from highcardflush.errors import HcfError, NotFound, OutcomeUnknown, StoreError
from highcardflush.game.actions import Action
from highcardflush.house import commands as c
from highcardflush.house.permissions import SERVER
from highcardflush.house.table.due import Due
from highcardflush.house.table.state import Table
from highcardflush.web.live.people import Names
from highcardflush.web.live.schedule import Schedule, TableLeases
from highcardflush.web.live.watchers import Watchers
from highcardflush.web.server.context import Context

LOG = logging.getLogger(__name__)
FLOOR_S = 2.0
"""Interval at which leases, absent players and waiting wins are checked."""
RETRY_S = 1.0
"""Delay before a refused command is sent again, if nothing has happened since."""


class Clocks:
    def __init__(
        self,
        context: Context,
        tables: Mapping[str, Table],
        names: Names,
        watchers: Watchers,
        schedule: Schedule,
        leases: TableLeases,
        on_lease: Sequence[Callable[[Table], object]],
    ) -> None:
        """`on_lease` is called with each table whose clock this process takes over."""
        self._context, self._tables, self._names, self._watchers = context, tables, names, watchers
        self._schedule, self._leases, self._on_lease = schedule, leases, on_lease
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._sent: dict[str, int] = {}
        """For each table the event after which a command was sent that has no answer yet."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._absent: dict[str, float] = {}
        """Seated players without a connection, each with the time when they were first missed."""
        self._was_open = True
        self._suspended = False
        """The database takes no commands."""

    # --- commands that are due

    def run_clock(self, table: Table) -> Due | None:
        """Return what is due at a changed table; start its timer if this process runs its clock."""
        if (timer := self._timers.pop(table.name, None)) is not None:
            timer.cancel()
        due = self._schedule.due(table)
        if due is None or self._suspended or not self._leases.runs(table.name):
            return due
        if due.in_s > 0:
            self._look_in(due.in_s, table.name)
        elif self._sent.get(table.name) != table.head.seq:
            self._sent[table.name] = table.head.seq
            self._start(self._send(table, due))
        return due

    def run_all(self) -> None:
        """Start the clocks of all tables again after a change to the floor."""
        for table in list(self._tables.values()):
            self.run_clock(table)

    def _look_in(self, seconds: float, name: str) -> None:
        self._timers[name] = asyncio.get_running_loop().call_later(seconds, self._look_again, name)

    def _look_again(self, name: str) -> None:
        self._timers.pop(name, None)
        if (table := self._tables.get(name)) is not None:
            self.run_clock(table)

    async def _send(self, table: Table, due: Due) -> None:
        """Send the command that is due; its key permits it once after each event."""
        command = type(due.command).__name__
        try:
            await self._submit(table.stream, due.command, f"{command} {table.stream} {table.head.seq}")
        except HcfError as error:
            LOG.info("a clock was refused", extra={"table": table.name, "what": command, "error": error.code})
            self._sent.pop(table.name, None)
            self._suspended |= isinstance(error, (StoreError, OutcomeUnknown))
            if table.name not in self._timers:
                self._look_in(RETRY_S, table.name)

    async def _submit(self, stream: str, command: Action | c.Command, key: str) -> None:
        await self._context.pump.submit(stream, command, SERVER, key)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- regular checks

    async def run(self) -> None:
        self.run_all()
        while True:
            try:
                for name in await self._leases.renew():
                    self._take_over(name)
                self._follow_hours()
                self.free_seats()
                await self._approve_wins()
                self._resume()
            except HcfError as error:
                self._suspended |= isinstance(error, StoreError)
                LOG.warning("the tables could not be checked", extra={"error": error.code})
            await asyncio.sleep(FLOOR_S)

    def _take_over(self, name: str) -> None:
        self._look_again(name)
        for listener in self._on_lease:
            listener(self._tables[name])

    def _resume(self) -> None:
        """Start all clocks again once the database takes commands."""
        if self._suspended and self._context.house.store.failed is None:
            self._suspended = False
            self._context.house.cache.restart_clocks()
            self._watchers.show_all()
            self.run_all()

    def _follow_hours(self) -> None:
        """Start or stop the clocks when the floor opens or closes."""
        is_open = self._context.floor.is_open(self._context.clock())
        if is_open != self._was_open:
            self._was_open = is_open
            self.run_all()

    def free_seats(self) -> None:
        """Take seats from players who have been absent for longer than the grace time."""
        now, absent = self._context.monotonic(), dict[str, float]()
        for table in self._tables.values():
            if table.config.physical or not self._leases.runs(table.name):
                continue
            playing = {seat.number for seat in table.round.state.seats} if table.round is not None else set()
            for seat, player in table.seats.items():
                if player is None or self._leases.is_connected(player) or self._names.kinds.get(player) == "bot":
                    continue
                absent[player] = self._absent.get(player, now)
                if now - absent[player] >= self._context.floor.grace_s and seat not in playing:
                    self._start(self._free(table, seat))
        self._absent = absent

    async def _free(self, table: Table, seat: int) -> None:
        try:
            await self._submit(table.stream, c.Leave(seat), f"Leave {table.stream} {table.head.seq} {seat}")
        except HcfError as error:
            LOG.info("a seat was not freed", extra={"table": table.name, "seat": seat, "error": error.code})

    async def _approve_wins(self) -> None:
        """Vote for each waiting win of a meter that lets the server approve; the house checks the proof."""
        tables = [table for table in self._tables.values() if self._leases.runs(table.name)]
        for name in {str(name) for table in tables for name in table.config.meters.values()}:
            try:
                state, _ = await self._context.ask(self._context.house.meter, name)
            except NotFound:
                continue
            waiting = [case for case in state.cases.values() if case.outcome == "waiting"]
            for case in waiting if state.parameters.server_approves else ():
                if all(vote.actor != SERVER for vote in case.votes):
                    await self._vote(name, case.win.win)

    async def _vote(self, meter: str, win: int) -> None:
        try:
            await self._submit(f"meter/{meter}", c.Vote(win, approve=True), f"Vote meter/{meter} {win}")
        except HcfError as error:
            LOG.warning("a win was not approved", extra={"meter": meter, "win": win, "error": str(error)})
