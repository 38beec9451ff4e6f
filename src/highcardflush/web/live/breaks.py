"""Breaks of players, cached so that a wager is checked without a query.

A break taken here is cached at once; `run` reads those taken at other processes within seconds. A break is never
shortened, so of two known ends the later one holds.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from math import ceil

from highcardflush.errors import HcfError
from highcardflush.house.accounts import sessions
from highcardflush.web.accounts.session_rows import MICROS
from highcardflush.web.accounts.sessions import WATCH_S
from highcardflush.web.errors import OnBreak
from highcardflush.web.server.context import Context
from highcardflush.words import refuse

LOG = logging.getLogger(__name__)
MINUTE = 60 * MICROS


class Breaks:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._ends: dict[str, int] = {}
        """End of each player's break, in microseconds."""

    async def load(self) -> None:
        """Read all breaks from the database and drop those that are over."""
        now = self._now()
        ends = await self._context.read(partial(sessions.breaks_in_force, now=now))
        for person, until in self._ends.items():
            ends[person] = max(until, ends.get(person, 0))
        self._ends = {person: until for person, until in ends.items() if until > now}

    async def run(self) -> None:
        while True:
            await asyncio.sleep(WATCH_S[self._context.house.store.dialect])
            try:
                await self.load()
            except HcfError as error:
                LOG.warning("breaks could not be read", extra={"error": error.code})

    async def take(self, person: str, minutes: int) -> int:
        """Begin or extend a break; return its end in microseconds."""
        now = self._now()
        until = await self._context.write(lambda tx: sessions.take_break(tx, person, now, now + minutes * MINUTE))
        self._ends[person] = max(until, self._ends.get(person, 0))
        return until

    def until(self, person: str) -> int | None:
        """Return the end of a person's break in microseconds, or None without one."""
        until = self._ends.get(person, 0)
        return until if until > self._now() else None

    def require_none(self, person: str) -> None:
        """Refuse a wager during a break."""
        if (until := self.until(person)) is not None:
            minutes = ceil((until - self._now()) / MINUTE)
            raise refuse("on-break", OnBreak, minutes=minutes)

    def _now(self) -> int:
        return int(self._context.clock() * MICROS)
