"""Breaks, for one process: a wager is held against what is remembered, and costs no look at the database.

What this process writes it remembers at once. What another has written `run` finds within a second; beside SQLite
there is none. A break is never made shorter, so of two that are known the longer holds.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from math import ceil

from highcardflush.errors import HcfError
from highcardflush.house.accounts import sessions
from highcardflush.web.accounts.entry import MICROS
from highcardflush.web.accounts.signed import WATCH_S
from highcardflush.web.errors import OnBreak
from highcardflush.web.server.context import Context

LOG = logging.getLogger(__name__)
MINUTE = 60 * MICROS


class Breaks:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._until: dict[str, int] = {}

    async def load(self) -> None:
        """What is in force, as the database has it, and no more what is over."""
        now = self._now()
        found = await self._context.read(partial(sessions.breaks_in_force, now=now))
        for person, until in self._until.items():
            found[person] = max(until, found.get(person, 0))
        self._until = {person: until for person, until in found.items() if until > now}

    async def run(self) -> None:
        while True:
            await asyncio.sleep(WATCH_S[self._context.house.store.dialect])
            try:
                await self.load()
            except HcfError as error:
                LOG.warning("breaks could not be looked at", extra={"error": error.code})

    async def take(self, person: str, minutes: int) -> int:
        """Until when somebody's break lasts who takes one of so many minutes."""
        now = self._now()
        until = await self._context.write(lambda tx: sessions.take_break(tx, person, now, now + minutes * MINUTE))
        self._until[person] = max(until, self._until.get(person, 0))
        return until

    def until(self, person: str) -> int | None:
        """When somebody's break is over, in microseconds; None without one."""
        until = self._until.get(person, 0)
        return until if until > self._now() else None

    def require_none(self, person: str) -> None:
        """Refuse a wager of somebody who has taken a break."""
        if (until := self.until(person)) is not None:
            minutes = ceil((until - self._now()) / MINUTE)
            left = f"your break, which has {minutes} more minute{'s' * (minutes != 1)}"
            raise OnBreak("wagers", read=left, expected="no wager before it is over")

    def _now(self) -> int:
        return int(self._context.clock() * MICROS)
