"""Guests on a floor that has none any more: who is in a round plays it to its end, all others are signed out.

A guest is who has neither name nor password; who has registered is none, whatever the wallet holds.
"""

from __future__ import annotations

import asyncio
import logging

from highcardflush.errors import HcfError
from highcardflush.house.habits import in_play
from highcardflush.house.table.state import Table
from highcardflush.web.accounts import Accounts
from highcardflush.web.live.hub import Hub
from highcardflush.web.server.base import Base

LOG = logging.getLogger(__name__)


class Guests:
    def __init__(self, base: Base, hub: Hub, accounts: Accounts) -> None:
        self._base, self._hub, self._accounts = base, hub, accounts
        self._asked = asyncio.Event()
        hub.on_table.append(self._changed)

    async def run(self) -> None:
        self.look()
        while True:
            await self._asked.wait()
            self._asked.clear()
            try:
                await self._accounts.sign_out_guests(self._playing)
            except HcfError as error:  # the end of the next round is another chance
                LOG.warning("guests could not be signed out", extra={"error": error.code})

    def look(self) -> None:
        """The floor may be set otherwise."""
        if not self._base.floor.guests:
            self._asked.set()

    def _changed(self, table: Table) -> None:
        if not in_play(table):
            self.look()

    def _playing(self) -> set[str | None]:
        return {
            table.round.seats.get(seat)
            for table in self._hub.tables.values()
            if table.round is not None
            for seat in in_play(table)
        }
