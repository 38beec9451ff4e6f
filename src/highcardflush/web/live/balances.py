"""Sends players their wallet balance after it has changed, at most ten times a second."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from highcardflush.errors import HcfError
from highcardflush.house.books.accounts import WALLET
from highcardflush.money import MICROS_PER_CENT
from highcardflush.web.live.connections import Connections
from highcardflush.web.messages.live import BalanceMessage
from highcardflush.web.server.context import Context

BALANCES_S = 0.1
BATCH = 500
"""Players whose balances are read at once."""


class Balances:
    def __init__(self, context: Context, connections: Connections) -> None:
        self._context, self._connections = context, connections
        self._changed: set[str] = set()

    def note(self, accounts: Iterable[str]) -> None:
        """Queue the balances of connected players among the owners of these accounts."""
        self.note_players(account.removeprefix(WALLET) for account in accounts if account.startswith(WALLET))

    def note_players(self, players: Iterable[str | None]) -> None:
        self._changed.update(player for player in players if player and self._connections.has(player))

    async def run(self) -> None:
        while True:
            await asyncio.sleep(BALANCES_S)
            players, self._changed = sorted(self._changed), set()
            for start in range(0, len(players), BATCH):
                await self._send(players[start : start + BATCH])

    async def _send(self, players: list[str]) -> None:
        try:
            balances = await self._context.ask(self._context.house.wallets, players)
        except HcfError:
            self._changed.update(players)
            return
        for player, micros in balances.items():
            for connection in self._connections.of(player):
                connection.say(BalanceMessage(micros // MICROS_PER_CENT))
