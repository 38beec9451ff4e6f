"""Signs out all guests when the floor no longer takes guests; a guest in a round finishes it first.

A guest is a person without name and password; registered people stay.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

from highcardflush.errors import HcfError
from highcardflush.house.habits import in_play
from highcardflush.house.table.state import Table
from highcardflush.web.accounts import Sessions
from highcardflush.web.server.context import Context

LOG = logging.getLogger(__name__)


class Guests:
    def __init__(self, context: Context, tables: Mapping[str, Table], sessions: Sessions) -> None:
        self._context, self._tables, self._sessions = context, tables, sessions
        self._wanted = asyncio.Event()

    async def run(self) -> None:
        self.look()
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            try:
                await self._sessions.sign_out_guests(self._playing)
            except HcfError as error:  # the end of the next round tries again
                LOG.warning("guests could not be signed out", extra={"error": error.code})

    def look(self) -> None:
        """Sign guests out if the floor takes none."""
        if not self._context.floor.guests:
            self._wanted.set()

    def table_changed(self, table: Table) -> None:
        if not in_play(table):
            self.look()

    def _playing(self) -> set[str | None]:
        return {
            table.round.seats.get(seat)
            for table in self._tables.values()
            if table.round is not None
            for seat in in_play(table)
        }
