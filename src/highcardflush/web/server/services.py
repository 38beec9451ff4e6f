"""What one process of the server has: the house, the way in, who is connected, the clocks."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from highcardflush.house.floor import read_floor
from highcardflush.house.reports import Memo
from highcardflush.web.accounts import Accounts
from highcardflush.web.grades import Grades
from highcardflush.web.live.breaks import Breaks
from highcardflush.web.live.clocks import Clocks
from highcardflush.web.live.guests import Guests
from highcardflush.web.live.house_players import Players
from highcardflush.web.live.hub import Hub, read_roles
from highcardflush.web.server.audits import Audits
from highcardflush.web.server.base import Base
from highcardflush.web.server.calculator import Calculator
from highcardflush.web.server.health import Checker
from highcardflush.web.server.maintenance import Upkeep

LOG = logging.getLogger(__name__)


class Services(Base):
    """`async with Services(house, settings) as services`: it runs."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.health = Checker(self.house, self.settings, self.clock, self.monotonic)
        self.calculator = Calculator()
        self.memo = Memo()
        self.grades = Grades(self.house)
        self.audits = Audits(self.house, self.pump, self.settings, self.clock)
        self.hub = Hub(self)
        self.hub.on_office = self.look_at_office
        self.accounts = Accounts(self)
        self.breaks = Breaks(self)
        self.clocks = Clocks(self, self.hub)
        self.upkeep = Upkeep(self.house, self.settings, self.metrics, self.health, self.hub.hint)
        self.players = Players(self, self.hub, self.clocks)
        self.guests = Guests(self, self.hub, self.accounts)
        self._running: list[asyncio.Task[None]] = []
        self.metrics.ask("hcf_queue", lambda: self.pump.waiting)
        self.metrics.ask("hcf_sockets", lambda: len(self.hub.connections))
        self.metrics.ask("hcf_tables", lambda: sum(map(self.clocks.runs, list(self.hub.tables))))
        self.broken = asyncio.Event()
        """Something that runs by itself has failed."""

    async def __aenter__(self) -> Services:
        await self.pump.__aenter__()
        await self.upkeep.load()  # what is read after this misses nothing
        self.floor = await self.read(read_floor)
        await self.breaks.load()
        await self.hub.load()
        parts = (self.hub, self.clocks, self.players, self.guests, self.upkeep, self.accounts, self.breaks)
        self._running = [asyncio.create_task(part.run()) for part in parts]
        for task in self._running:
            task.add_done_callback(self._ended)
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self.hub.close()
        await self.audits.close()
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        await self.pump.__aexit__(None, None, None)
        self.calculator.close()
        self.accounts.close()
        self.close_threads()

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Without one of its parts a process is of no use: whoever runs it starts it again."""
        if not task.cancelled():
            LOG.critical("a part of the server has failed", exc_info=task.exception())
            self.broken.set()

    async def look_at_office(self) -> None:
        """The office has gone on: the floor may be set otherwise, and somebody may no longer be what they were."""
        self.floor = await self.read(read_floor)
        people = list(self.hub.people)
        for person, role, active in await self.read(lambda tx: read_roles(tx, *people)):
            self.hub.meet(person, role, active=active)
        self.clocks.look_at_all()
        self.players.look_at_all()
        self.guests.look()
