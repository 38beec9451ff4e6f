"""All components of a server process, wired together: `async with Services(house, settings) as services` runs them."""

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
from highcardflush.web.live.watchers import MeterDisplays, Watchers
from highcardflush.web.server.audits import Audits
from highcardflush.web.server.calculator import Calculator, Grades
from highcardflush.web.server.context import ServerContext
from highcardflush.web.server.health import Checker
from highcardflush.web.server.maintenance import Maintenance

LOG = logging.getLogger(__name__)


class Services(ServerContext):
    def __post_init__(self) -> None:
        super().__post_init__()
        self.health = Checker(self.house, self.settings, self.clock, self.monotonic)
        self.calculator = Calculator()
        self.memo = Memo()
        self.grades = Grades(self.house)
        self.audits = Audits(self)
        self.sessions = Sessions(self)
        self.breaks = Breaks(self)
        self.names = Names(self)
        self.watchers = Watchers(self, self.names)
        self.accounts = Accounts(self, self.sessions, self.watchers.forget)
        self.balances = Balances(self)
        self.meter_displays = MeterDisplays(self, self.watchers, self.balances)
        self.leases = TableLeases(self)
        self.players = HousePlayers(self, self.watchers, self.leases)
        self.guests = Guests(self, self.sessions)
        listeners = self.players.table_changed, self.guests.table_changed
        self.clocks = Clocks(self, self.names, self.watchers, self.leases, listeners)
        self.hub = Hub(self, self.names, self.watchers, self.balances, self.clocks, self._office_changed)
        self.maintenance = Maintenance(self, self.health, self.hub.hint)
        self._tasks: list[asyncio.Task[None]] = []
        self.metrics.ask("hcf_queue", lambda: self.pump.waiting)
        self.metrics.ask("hcf_sockets", lambda: len(self.connections.open))
        self.metrics.ask("hcf_tables", lambda: sum(map(self.leases.runs, list(self.tables))))
        self.broken = asyncio.Event()
        """Set when a component that should run forever has failed."""

    async def __aenter__(self) -> "Services":
        await self.pump.__aenter__()
        await self.maintenance.remote_commits.load()  # first, so that later reads miss no commit
        self.floor = await self.read(read_floor)
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
        await self.connections.close()
        await self.audits.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.pump.__aexit__(None, None, None)
        self.calculator.close()
        self.accounts.hashing.close()
        self.close_threads()

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Report that a component has failed, so that this process ends and its parent starts another."""
        if not task.cancelled():
            LOG.critical("a component of the server has failed", exc_info=task.exception())
            self.broken.set()

    async def _office_changed(self) -> None:
        """Read the floor again, and disconnect people whose role has changed or who are no longer active."""
        self.floor = await self.read(read_floor)
        for person in await self.ask(self.house.people, list(self.connections.by_person)):
            for connection in self.connections.of(person.name):
                if not person.active or connection.who.role != person.role:
                    connection.end("signed-out", "your permissions here have changed")
        self.clocks.run_all()
        self.players.look_at_all()
        self.guests.look()


Served = NamedDependency[Services]
"""Type of a handler's `services` parameter."""
