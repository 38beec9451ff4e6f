"""Tables at which one person plays alone: finds a free one, or opens another.

Such a table has the rulebook, limits and meters of a shared table. It stays in the books when its player leaves, so a
free table is always used before another is opened.
"""

import asyncio
import random
from contextlib import suppress

from highcardflush.errors import HouseError, NotFound, NotPermitted, TooMany
from highcardflush.house import commands as c
from highcardflush.house.bots import in_play
from highcardflush.house.permissions import SERVER
from highcardflush.house.table.state import Table, configured
from highcardflush.web.live.clocks import TableLeases
from highcardflush.web.server.context import ServerContext
from highcardflush.words import refuse

PREFIX = "alone-"
HELD_S = 30.0
"""Time for which a table is kept for the person who asked for it, so that this person can sit down."""
POLL_S = 0.005


class TablesForOne:
    def __init__(self, context: ServerContext, leases: TableLeases) -> None:
        self._context, self._leases = context, leases
        self._held: dict[str, tuple[str, float]] = {}
        """The person for whom each table is kept, and the time until which it is kept."""

    async def find(self, person: str, rulebook: str) -> str:
        """Return the name of a table at which this person can play alone, and keep it for a while."""
        most = self._context.floor.tables_for_one
        if not most:
            raise refuse("alone-off", NotPermitted)
        command = self._command(rulebook)
        tables = [table for table in self._context.tables.values() if _is_like(table, command)]
        now = self._context.monotonic()
        self._held = {name: held for name, held in self._held.items() if held[1] > now}
        own = [table.name for table in tables if person in table.seats.values()]
        own += [table.name for table in tables if self._held.get(table.name, ("", 0.0))[0] == person]
        free = [table.name for table in tables if _is_free(table) and table.name not in self._held]
        if own:
            name = own[0]
        elif free:
            name = random.choice(free)  # Another process may offer its callers the same tables.
        elif len(tables) < most:
            name = await self._open(command)
        else:
            raise refuse("alone-full", TooMany, most=most)
        self._held[name] = person, now + HELD_S
        return name

    def _command(self, rulebook: str) -> c.CreateTable:
        """Return the command that creates a table for one like a shared table that plays the rulebook."""
        shared = [
            table
            for table in self._context.tables.values()
            if table.config.rulebook.name == rulebook and not (table.config.physical or table.config.alone)
        ]
        if not shared:
            raise refuse("no-table-to-copy", NotFound, rulebook=rulebook[:60])
        # The default floor has a table with the name of each rulebook.
        config = min(shared, key=lambda table: (table.name != rulebook, table.name)).config
        rules = configured(config.rulebook, {"seats": "1"})
        return c.CreateTable(rules, False, config.meters, config.second_above_micros, alone=True)

    async def _open(self, command: c.CreateTable) -> str:
        for number in range(1, len(self._context.tables) + 2):
            name = f"{PREFIX}{number}"
            if name in self._context.tables or name in self._held:
                continue
            self._held[name] = "", self._context.monotonic() + HELD_S  # No other caller may use this name meanwhile.
            with suppress(HouseError):  # Another process may have used the name.
                await self._context.pump.submit(f"table/{name}", command, SERVER, f"open {name}")
                await self._leases.claim(name)
                while name not in self._context.tables:
                    await asyncio.sleep(POLL_S)
                return name
        raise refuse("busy-tables", TooMany)

    async def open_round(self, stream: str) -> None:
        """Open a round if the stream is a table for one that has none, because its player bets before the clock ran."""
        name = stream.removeprefix("table/")
        cached = self._context.tables.get(name)
        if cached is None or not cached.config.alone:
            return
        table = await self._context.ask(self._context.house.table, name)
        if table.round is None and table.seats and not table.leaving and self._context.is_open(table):
            with suppress(HouseError):  # The clock may have opened it.
                key = f"OpenRound {stream} {table.head.seq}"
                await self._context.pump.submit(stream, c.OpenRound(), SERVER, key)


def _is_like(table: Table, command: c.CreateTable) -> bool:
    config, rules = table.config, command.rulebook
    return config.alone and config.rulebook.table_hash == rules.table_hash and config.meters == command.meters


def _is_free(table: Table) -> bool:
    round_ = table.round
    is_playable = round_ is None or not (round_.lost or round_.stale)
    return table.state == "open" and is_playable and not (table.seats or in_play(table))
