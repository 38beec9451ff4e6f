"""Display names and kinds of the people who sit at tables, cached."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from highcardflush.house.table.state import Table
from highcardflush.web.server.context import Context

MOST_NAMES = 30_000


class Names:
    def __init__(self, context: Context, tables: Mapping[str, Table]) -> None:
        self._context, self._tables = context, tables
        self.shown: dict[str, str] = {}
        self.kinds: dict[str, str] = {}

    async def learn(self, tables: Iterable[Table]) -> None:
        """Read the names of the players at these tables that are not cached."""
        players = _players(tables)
        if len(self.shown) > MOST_NAMES:
            self.shown.clear()
            players |= _players(self._tables.values())
        if missing := sorted(player for player in players if player not in self.shown)[:MOST_NAMES]:
            for person in await self._context.ask(self._context.house.people, missing):
                self.shown[person.name], self.kinds[person.name] = person.shown, person.kind


def _players(tables: Iterable[Table]) -> set[str]:
    return {player for table in tables for player in table.seats.values() if player}
