"""Tracks who watches which table. Sends these watchers every event of the table, encoded once per class of viewer.

A watcher that is one event behind (`Connection.seen`) gets that event; one that is further behind gets the whole table.
"""

import asyncio
import logging
from collections import defaultdict

from highcardflush.errors import HcfError
from highcardflush.house.events import RoundOpened
from highcardflush.house.meter.count import Reading
from highcardflush.house.meter.state import MeterState
from highcardflush.house.table.due import NextCommand
from highcardflush.house.table.state import Table
from highcardflush.house.table.view import with_displays
from highcardflush.jackpot import Meter
from highcardflush.web.live.connections import Connection
from highcardflush.web.live.packets import Packet
from highcardflush.web.live.people import Balances, Names
from highcardflush.web.live.table_messages import PieceCache, TableMessages
from highcardflush.web.messages.live import MeterMessage, WinMessage
from highcardflush.web.messages.parts import Message, encode
from highcardflush.web.messages.tables import Hit
from highcardflush.web.server.context import ServerContext

LOG = logging.getLogger(__name__)
METERS_S = 1.0
CONNECTIONS_PER_TURN = 100
"""Number of connections that get a meter's messages before other tasks get a turn."""
MOST_MISSED = 100
"""Maximum number of events replayed to a reconnecting client. A client that missed more gets the whole table."""


class Watchers:
    def __init__(self, context: ServerContext, names: Names) -> None:
        self._context, self._names = context, names
        self.by_table: dict[str, set[Connection]] = defaultdict(set)
        self._caches: dict[str, PieceCache] = defaultdict(PieceCache)
        self.displays: dict[str, Meter] = {}
        """Displays of the watched meters, as they were last sent or recorded by the opening of a round."""

    def show(self, table: Table, kind: str, upcoming: NextCommand | None) -> None:
        """Send a table's state after its newest event, whose kind is `kind`, to everybody who watches the table."""
        if kind == RoundOpened.event_kind.name:
            self._take_displays(table)
        if watchers := self.by_table.get(table.name):
            messages = self._messages(table, kind, upcoming)
            for connection in watchers:
                _send(connection, messages)

    def show_all(self) -> None:
        """Send all watchers their whole tables, because the clocks have been restarted."""
        for name, watchers in self.by_table.items():
            table = self._context.tables[name]
            messages = self._messages(table, "", self._context.next_server_command(table))
            for connection in watchers:
                connection.send_packet(messages.packet(connection.who, with_facts=False))

    def forget(self, person: str) -> None:
        """Remove a changed display name from the caches."""
        self._names.display_names.pop(person, None)
        self._caches.clear()

    def _take_displays(self, table: Table) -> None:
        """Take the displays that the opening of a round has recorded, because those last sent may be a second old."""
        shown = table.round.state.meters if table.round is not None else {}
        for level, meter in table.config.meters.items():
            if meter in self.displays and level in shown:
                self.displays[meter] = shown[level]

    def _messages(self, table: Table, kind: str, upcoming: NextCommand | None) -> TableMessages:
        seen = with_displays(table, self.displays)
        return TableMessages(seen, kind, self._names.display_names, upcoming, self._caches[table.name])

    async def add(self, connection: Connection, table: Table, after: int | None) -> bool:
        """Send a table or its events after number `after`. Return False if the connection already watched the table."""
        name = table.name
        if after is not None and table.head.seq - MOST_MISSED <= after <= table.head.seq:
            missed = await self._context.ask(self._context.house.tables_since, name, after)
            await self._names.learn(then for _, then in missed)
        else:
            missed = []
        for number, (event, then) in enumerate(missed, 1):
            # Only the clock after the newest event is still running.
            upcoming = self._context.next_server_command(then) if number == len(missed) else None
            messages = self._messages(then, event.kind, upcoming)
            connection.send_packet(messages.packet(connection.who, with_facts=True))
        if missed:
            table = missed[-1][1]
        else:
            self._send_whole(connection, table)
        connection.seen[name] = table.head.seq
        is_new = connection not in self.by_table[name]
        self.by_table[name].add(connection)
        newest = self._context.tables[name]
        if newest.head.seq > table.head.seq:  # an event was committed in the meantime
            self._send_whole(connection, newest)
            connection.seen[name] = newest.head.seq
        return is_new

    def _send_whole(self, connection: Connection, table: Table) -> None:
        messages = self._messages(table, "", self._context.next_server_command(table))
        connection.send_packet(messages.packet(connection.who, with_facts=False))

    def remove(self, connection: Connection, name: str) -> None:
        connection.seen.pop(name, None)
        watchers = self.by_table.get(name, set())
        watchers.discard(connection)
        if not watchers:
            self.by_table.pop(name, None)

    def remove_all(self, connection: Connection) -> None:
        for name in list(connection.seen):
            self.remove(connection, name)


def _send(connection: Connection, messages: TableMessages) -> None:
    seen, seq = connection.seen[messages.table.name], messages.table.head.seq
    if seq > seen:
        connection.send_packet(messages.packet(connection.who, with_facts=seq == seen + 1))
    connection.seen[messages.table.name] = max(seq, seen)


class MeterDisplays:
    """Once a second, sends a meter's changed amount and decided wins to all who watch a table linked to the meter."""

    def __init__(self, context: ServerContext, watchers: Watchers, balances: Balances) -> None:
        self._context, self._watchers, self._balances = context, watchers, balances
        self._sent: dict[str, tuple[MeterState, int]] = {}
        """Last state read and last amount sent (in micro-dollars) for each watched meter, keyed by its name."""
        self._one_at_a_time = asyncio.Lock()

    async def run(self) -> None:
        while True:
            await asyncio.sleep(METERS_S)
            configs = [self._context.tables[table].config for table in self._watchers.by_table]
            watched = {str(name) for config in configs for name in config.meters.values()}
            for name in self._sent.keys() - watched:
                del self._sent[name], self._watchers.displays[name]  # the next watcher must not get old wins
            for name in watched:
                await self._read(name)

    async def refresh(self, name: str) -> None:
        """Read the meters of a table that somebody is about to watch."""
        for meter in set(self._context.require_table(name).config.meters.values()):
            await self._read(meter)

    def show(self, connection: Connection, name: str) -> None:
        """Send a connection the amounts of a table's meters, as they were last sent to others."""
        for meter in dict.fromkeys(self._context.require_table(name).config.meters.values()):
            if meter in self._watchers.displays:
                connection.send_message(MeterMessage(meter, self._watchers.displays[meter].amount_micros))

    async def _read(self, name: str) -> None:
        async with self._one_at_a_time:  # an older amount must not overtake a newer one
            try:
                await self._send(*await self._context.ask(self._context.house.meter, name))
            except HcfError as error:
                LOG.warning("a meter could not be read", extra={"meter": name, "error": error.code})

    async def _send(self, state: MeterState, reading: Reading) -> None:
        amount, (before, sent) = reading.display.amount_micros, self._sent.get(state.name, (None, None))
        self._sent[state.name], self._watchers.displays[state.name] = (state, amount), reading.display
        messages: list[Message] = []
        if amount != sent:
            messages.append(MeterMessage(state.name, amount))
        if before is not None:
            for number, case in state.cases.items():
                earlier = before.cases.get(number)
                if earlier is None or earlier.outcome != case.outcome:
                    messages.append(WinMessage.of(Hit.of(case), meter=state.name))
                    self._balances.note([case.win.account])  # another process may have paid the win
        if not messages:
            return
        packets = [Packet(encode(message)) for message in messages]
        by_table = self._watchers.by_table
        connections = {each for table in state.linked for each in by_table.get(table, ())}
        for number, connection in enumerate(connections, 1):
            for packet in packets:
                connection.send_packet(packet)
            if number % CONNECTIONS_PER_TURN == 0:
                await asyncio.sleep(0)  # thousands may watch, and commands must not wait for all of them
