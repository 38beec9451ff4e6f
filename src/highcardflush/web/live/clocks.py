"""Runs the clocks of virtual tables. When a table's clock runs out, the house sends the next command.

A player without a connection for the whole grace time loses the seat between rounds. The grace time starts when this
process first notices the absence. A connected player who does not bet loses the seat after several minutes and rounds.
The server approves wins on meters that permit it. While the database accepts no
commands, clocks are suspended, because players could not act either. Afterwards every clock starts with its full time.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from secrets import token_hex
from typing import Any

from highcardflush.errors import HcfError, NotFound, OutcomeUnknown, StoreError
from highcardflush.game.actions import Action, TimeOut
from highcardflush.house import commands as c
from highcardflush.house import leases
from highcardflush.house.bots import in_play
from highcardflush.house.permissions import SERVER
from highcardflush.house.table.due import NextCommand
from highcardflush.house.table.state import Table
from highcardflush.web.live.people import Names
from highcardflush.web.live.watchers import Watchers
from highcardflush.web.server.context import ServerContext

LOG = logging.getLogger(__name__)
CHECK_INTERVAL_S = 2.0
"""Interval at which leases, absent players and pending wins are checked."""
IDLE_S, IDLE_ROUNDS = 300.0, 5
"""Time and number of rounds for which a connected player may sit without a wager. Both must have passed."""
COMMAND_RETRY_S = 1.0
"""Delay before a refused command is sent again, if nothing happens at the table in the meantime."""
LEASE_S = 6.0
START_UP_S = 10.0
"""Time after its start during which a process claims only half of the free tables, so that other workers get some."""


class TableLeases:
    """Leases on the tables this process runs, and on the players connected to it who sit at other processes' tables.

    With SQLite, a single process runs every table.
    """

    def __init__(self, context: ServerContext) -> None:
        self._context = context
        self._holder = token_hex(8)
        self._leased: set[str] = set()
        """Streams of the tables that this process runs."""
        self._elsewhere: set[str] = set()
        """People who are connected to another process."""
        self._began = context.monotonic()

    def runs(self, name: str) -> bool:
        """Return True if this process runs the table's clock."""
        return self._context.house.store.dialect == "sqlite" or f"table/{name}" in self._leased

    def is_connected(self, person: str) -> bool:
        """Return True if the person has a connection to any process."""
        return self._context.connections.has(person) or person in self._elsewhere

    async def renew(self) -> list[str]:
        """Renew all leases and claim free ones; return the names of the tables that this process has newly acquired."""
        context = self._context
        store = context.house.store
        if store.dialect == "sqlite":
            return []
        before, mine = self._leased, await context.ask(leases.renew, store, self._holder, LEASE_S)
        taken = await context.ask(leases.holders, store)
        free = [f"table/{name}" for name in sorted(context.tables) if f"table/{name}" not in taken]
        if context.monotonic() - self._began < START_UP_S:
            free = free[::2]
        people = {  # another process must know that the players at its tables are connected here
            f"person/{player}"
            for table in context.tables.values()
            for player in table.seats.values()
            if player and not self.runs(table.name) and context.connections.has(player)
        }
        if claims := people - mine | set(free):
            mine |= await context.ask(leases.take_free, store, claims, self._holder, LEASE_S)
        if gone := {stream for stream in mine if stream.startswith("person/")} - people:
            await context.ask(partial(leases.release, store, self._holder, *gone))
        self._leased = {stream for stream in mine if stream.startswith("table/")}
        self._elsewhere = {
            stream.removeprefix("person/")
            for stream, holder in taken.items()
            if stream.startswith("person/") and holder != self._holder
        }
        return [stream.removeprefix("table/") for stream in self._leased - before]

    async def claim(self, name: str) -> None:
        """Claim a new table at once, because its player should not wait for the next renewal."""
        store = self._context.house.store
        if store.dialect != "sqlite":
            self._leased |= await self._context.ask(leases.take_free, store, [f"table/{name}"], self._holder, LEASE_S)

    async def release(self) -> None:
        """Let other processes run this process's tables."""
        if self._leased:
            await self._context.ask(leases.release, self._context.house.store, self._holder)
            self._leased.clear()


class Clocks:
    def __init__(
        self,
        context: ServerContext,
        names: Names,
        watchers: Watchers,
        leases: TableLeases,
        listeners: Sequence[Callable[[Table], object]],
    ) -> None:
        """Each listener is called with every table that has changed or whose clock this process has taken over."""
        self._context, self._names, self._watchers = context, names, watchers
        self._leases, self._listeners = leases, listeners
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._sent: dict[str, int] = {}
        """Number of the event after which the server's newest command was sent, keyed by table."""
        self._tasks: set[asyncio.Task[object]] = set()
        self._absent: dict[str, float] = {}
        """Seated players without a connection, each with the time at which the absence was first noticed."""
        self._idle: dict[tuple[str, int, str], tuple[float, int]] = {}
        """Connected players without a wager, keyed by table, seat and player. The values are the time when this was
        first noticed and the number of rounds that the table had played by then."""
        self._was_open = True
        self._suspended = False
        """True while the database accepts no commands."""

    def run_clock(self, table: Table) -> NextCommand | None:
        """Return the server's next command for a changed table. If this process runs the table, start its timer."""
        if (timer := self._timers.pop(table.name, None)) is not None:
            timer.cancel()
        upcoming = self._context.next_server_command(table)
        if upcoming is None or self._suspended or not self._leases.runs(table.name):
            return upcoming
        if upcoming.in_s > 0:
            self._check_after(upcoming.in_s, table.name)
        elif self._sent.get(table.name) != table.head.seq:
            self._sent[table.name] = table.head.seq
            self._start(self._send(table, upcoming))
        return upcoming

    def run_all(self) -> None:
        """Restart the clocks of all tables, for example after a change to the floor."""
        for table in list(self._context.tables.values()):
            self.run_clock(table)

    def notify(self, table: Table) -> None:
        for listener in self._listeners:
            listener(table)

    def _check_after(self, seconds: float, name: str) -> None:
        self._timers[name] = asyncio.get_running_loop().call_later(seconds, self._check, name)

    def _check(self, name: str) -> None:
        self._timers.pop(name, None)
        if (table := self._context.tables.get(name)) is not None:
            self.run_clock(table)

    async def _send(self, table: Table, upcoming: NextCommand) -> None:
        """Send the next command, once per event; after a refusal, check the table again later."""
        error = await self._submit(table.stream, upcoming.command, f"{table.head.seq}")
        if error is not None:
            self._sent.pop(table.name, None)
            self._suspended |= isinstance(error, (StoreError, OutcomeUnknown))
            if table.name not in self._timers:
                self._check_after(COMMAND_RETRY_S, table.name)

    async def _submit(self, stream: str, command: Action | c.Command, once: str) -> HcfError | None:
        """Submit a command under a key that lets it succeed only once; log a refusal and return it."""
        key = f"{type(command).__name__} {stream} {once}"
        try:
            await self._context.pump.submit(stream, command, SERVER, key)
        except HcfError as error:
            LOG.info("a server command was refused", extra={"key": key, "error": str(error)})
            return error
        return None

    def _start(self, work: Coroutine[Any, Any, object]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def run(self) -> None:
        self.run_all()
        while True:
            try:
                for name in await self._leases.renew():
                    self._check(name)
                    self.notify(self._context.tables[name])
                is_open = self._context.floor.is_open(self._context.clock())
                if is_open != self._was_open:
                    self._was_open = is_open
                    self.run_all()
                self.free_seats()
                await self._approve_wins()
                self._resume()
            except HcfError as error:
                self._suspended |= isinstance(error, StoreError)
                LOG.warning("the tables could not be checked", extra={"error": error.code})
            await asyncio.sleep(CHECK_INTERVAL_S)

    def _resume(self) -> None:
        """Restart all clocks once the database accepts commands again."""
        if self._suspended and self._context.house.store.failed is None:
            self._suspended = False
            self._context.house.cache.restart_clocks()
            self._watchers.show_all()
            self.run_all()

    def free_seats(self) -> None:
        """Free the seats of players who have been absent for longer than the grace time, or who no longer bet. At a
        table for one, where no clock runs, first play the hand of the absent player to its end."""
        now, absent, idle = (
            self._context.monotonic(),
            dict[str, float](),
            dict[tuple[str, int, str], tuple[float, int]](),
        )
        for table in self._context.tables.values():
            if table.config.physical or not self._leases.runs(table.name):
                continue
            for seat, player in table.seats.items():
                if player is None or self._names.kinds.get(player) == "bot":
                    continue
                if not self._leases.is_connected(player):
                    absent[player] = self._absent.get(player, now)
                is_away = player in absent and now - absent[player] >= self._context.floor.grace_s
                if seat in in_play(table):
                    if is_away and table.config.alone and table.round is not None and seat in table.round.deciding:
                        self._start(self._submit(table.stream, TimeOut(seat), f"{table.head.seq} {seat}"))
                    continue
                if is_away:
                    self._free(table, seat, "away")
                key = table.name, seat, player
                since, rounds = idle[key] = self._idle.get(key, (now, table.rounds))
                if player not in absent and now - since >= IDLE_S and table.rounds - rounds >= IDLE_ROUNDS:
                    self._free(table, seat, "idle")
        self._absent, self._idle = absent, idle

    def _free(self, table: Table, seat: int, code: c.LeaveCode) -> None:
        self._start(self._submit(table.stream, c.Leave(seat, code=code), f"{table.head.seq} {seat}"))

    async def _approve_wins(self) -> None:
        """Vote to approve each pending win on a meter that lets the server approve. The house checks the proof."""
        tables = [table for table in self._context.tables.values() if self._leases.runs(table.name)]
        for name in {str(name) for table in tables for name in table.config.meters.values()}:
            try:
                state, _ = await self._context.ask(self._context.house.meter, name)
            except NotFound:
                continue
            waiting = [case for case in state.cases.values() if case.outcome == "waiting"]
            for case in waiting if state.parameters.server_approves else ():
                if all(vote.actor != SERVER for vote in case.votes):
                    await self._submit(f"meter/{name}", c.Vote(case.win.win, approve=True), f"{case.win.win}")
