"""All components of a server process, wired together: `async with Services(context) as services` runs them."""

import asyncio
import logging
from typing import Any

from litestar.di import NamedDependency

from highcardflush.house.office.commands import read_floor
from highcardflush.house.reports import Memo
from highcardflush.web.accounts.accounts import Accounts
from highcardflush.web.accounts.sessions import Sessions
from highcardflush.web.live.clocks import Clocks, TableLeases
from highcardflush.web.live.house_players import HousePlayers
from highcardflush.web.live.hub import Hub
from highcardflush.web.live.people import Balances, Breaks, Guests, Names
from highcardflush.web.live.tables_for_one import TablesForOne
from highcardflush.web.live.watchers import MeterDisplays, Watchers
from highcardflush.web.server.audits import Audits
from highcardflush.web.server.calculator import Calculator, Grades
from highcardflush.web.server.context import ServerContext
from highcardflush.web.server.health import Checker
from highcardflush.web.server.maintenance import Maintenance

LOG = logging.getLogger(__name__)


class Services:
    def __init__(self, context: ServerContext) -> None:
        self.context = context
        self.health = Checker(context.house, context.settings, context.clock, context.monotonic)
        self.calculator = Calculator()
        self.memo = Memo()
        self.grades = Grades(context.house)
        self.audits = Audits(context)
        self.sessions = Sessions(context)
        self.breaks = Breaks(context)
        self.names = Names(context)
        self.watchers = Watchers(context, self.names)
        self.accounts = Accounts(context, self.sessions, self.watchers.forget)
        self.balances = Balances(context)
        self.meter_displays = MeterDisplays(context, self.watchers, self.balances)
        self.leases = TableLeases(context)
        self.players = HousePlayers(context, self.watchers, self.leases)
        self.tables_for_one = TablesForOne(context, self.leases)
        self.guests = Guests(context, self.sessions)
        listeners = self.players.table_changed, self.guests.table_changed
        self.clocks = Clocks(context, self.names, self.watchers, self.leases, listeners)
        self.hub = Hub(
            context,
            self.names,
            self.watchers,
            self.balances,
            self.clocks,
            self._office_changed,
            self.meter_displays.refresh,
        )
        self.maintenance = Maintenance(context, self.health, self.hub.hint)
        self._tasks: list[asyncio.Task[None]] = []
        metrics = context.metrics
        metrics.ask("hcf_queue", lambda: context.pump.waiting)
        metrics.ask("hcf_sockets", lambda: len(context.connections.open))
        metrics.ask("hcf_tables", lambda: sum(map(self.leases.runs, list(context.tables))))
        self.broken = asyncio.Event()
        """Set when a component that should run forever has failed."""

    async def __aenter__(self) -> "Services":
        await self.context.pump.__aenter__()
        await self.maintenance.remote_commits.load()  # first, so that later reads miss no commit
        self.context.floor = await self.context.read(read_floor)
        await self.breaks.load()
        await self.hub.load()
        parts = (
            self.hub, self.balances, self.meter_displays, self.clocks, self.players, self.guests, self.maintenance,
            self.sessions, self.breaks,
        )  # fmt: skip
        self._tasks = [asyncio.create_task(part.run()) for part in parts]
        for task in self._tasks:
            task.add_done_callback(self._ended)
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self.context.connections.close()
        await self.audits.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.context.pump.__aexit__(None, None, None)
        self.calculator.close()
        self.accounts.hashing.close()
        self.context.close_threads()

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Report that a component has failed, so that this process ends and its parent starts another."""
        if not task.cancelled():
            LOG.critical("a component of the server has failed", exc_info=task.exception())
            self.broken.set()

    async def _office_changed(self) -> None:
        """Read the floor again, and disconnect people whose role has changed or who are no longer active."""
        self.context.floor = await self.context.read(read_floor)
        for person in await self.context.ask(self.context.house.people, list(self.context.connections.by_person)):
            for connection in self.context.connections.of(person.name):
                if not person.active or connection.who.role != person.role:
                    connection.end("signed-out", "your permissions here have changed")
        self.clocks.run_all()
        self.players.look_at_all()
        self.guests.look()


Served = NamedDependency[Services]
"""Type of a handler's `services` parameter."""
