"""Sends meter readings and the outcomes of meter wins to everybody who watches a linked table, once a second."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

from highcardflush.errors import HcfError
from highcardflush.house.meter.count import Reading
from highcardflush.house.meter.state import MeterState
from highcardflush.house.table.state import Table
from highcardflush.web.live.packets import Packet
from highcardflush.web.live.people import Balances
from highcardflush.web.live.watchers import Watchers
from highcardflush.web.messages.live import MeterMessage, WinMessage
from highcardflush.web.messages.parts import Message, encode
from highcardflush.web.server.context import Context

LOG = logging.getLogger(__name__)
METERS_S = 1.0
AT_ONCE = 100
"""Connections served before other tasks get a turn."""


class MeterDisplays:
    def __init__(self, context: Context, tables: Mapping[str, Table], watchers: Watchers, balances: Balances) -> None:
        self._context, self._tables, self._watchers, self._balances = context, tables, watchers, balances
        self._sent: dict[str, tuple[MeterState, int]] = {}
        """Watched meters with their last state and the last amount sent, in micro-dollars."""

    async def run(self) -> None:
        while True:
            await asyncio.sleep(METERS_S)
            configs = [self._tables[table].config for table in self._watchers.tables]
            watched = {str(name) for config in configs for name in config.meters.values()}
            for name in self._sent.keys() - watched:
                del self._sent[name]  # the next watcher gets no outcomes of old wins
            for name in watched:
                try:
                    await self._send(*await self._context.ask(self._context.house.meter, name))
                except HcfError as error:
                    LOG.warning("a meter could not be read", extra={"meter": name, "error": error.code})

    async def _send(self, state: MeterState, reading: Reading) -> None:
        amount, (before, sent) = reading.display.amount_micros, self._sent.get(state.name, (None, None))
        self._sent[state.name] = state, amount
        messages: list[Message] = []
        if amount != sent:
            messages.append(MeterMessage(state.name, amount))
        if before is not None:
            for number, case in state.cases.items():
                earlier = before.cases.get(number)
                if earlier is None or earlier.outcome != case.outcome:
                    messages.append(WinMessage.of(state.name, case))
                    self._balances.note([case.win.account])  # another process may have paid it
        if not messages:
            return
        packets = [Packet(encode(message)) for message in messages]
        for number, connection in enumerate(self._watchers.of(state.linked), 1):
            for packet in packets:
                connection.send(packet)
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)  # thousands may watch: commands must not wait for all of them
