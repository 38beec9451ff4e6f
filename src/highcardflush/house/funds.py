"""Remembers wallets that were too small for a command.

A wallet is debited without being read: the database refuses to take it below zero, and undoes the whole transaction.
That is expensive, and the same player may try again and again. So a wallet that was too small is read first from then
on, and a command that needs more is refused before anything is written, until one command is paid for.
"""

from __future__ import annotations

from highcardflush.errors import NoFunds
from highcardflush.house.books.reader import read_wallet
from highcardflush.house.books.writer import Envelope, Writer
from highcardflush.house.commands import Role
from highcardflush.house.permissions import READS
from highcardflush.house.store.protocol import Transaction
from highcardflush.money import say_micros
from highcardflush.words import refuse

MOST = 10_000
"""The most players that are remembered."""


class Funds:
    def __init__(self) -> None:
        self._short: set[str] = set()

    def found_short(self, tx: Transaction, envelope: Envelope, writer: Writer) -> NoFunds | None:
        """Return the refusal of a command that the database has refused, or None if the wallets hold enough by now."""
        debits = writer.debits
        if len(self._short) + len(debits) > MOST:
            self._short.clear()
        self._short |= debits.keys()
        balances = {player: read_wallet(tx, player) or 0 for player in debits}
        player = min(balances, key=lambda player: balances[player] - debits[player])
        return _no_funds(envelope, writer.role, player, balances[player]) if balances[player] < debits[player] else None

    def require(self, tx: Transaction, envelope: Envelope, writer: Writer) -> None:
        """Refuse if a wallet that was too small is still short."""
        for player in self._short & writer.debits.keys():
            balance = read_wallet(tx, player) or 0
            if balance < writer.debits[player]:
                raise _no_funds(envelope, writer.role, player, balance)
            self._short.discard(player)


def _no_funds(envelope: Envelope, role: Role, player: str, balance: int) -> NoFunds:
    may_know = envelope.actor == player or role in READS["any wallet"]
    return refuse("no-funds", NoFunds, held=say_micros(balance)) if may_know else refuse("no-funds-there", NoFunds)
