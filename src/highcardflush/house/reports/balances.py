"""Every account and what it holds, by all of its transfers. They add up to nothing, for a transfer only moves money."""

from __future__ import annotations

from collections import defaultdict

from msgspec import Struct

from highcardflush.house.house import House
from highcardflush.house.posting import wallet
from highcardflush.house.reports.reading import require_books
from highcardflush.house.store import Transaction


class Balance(Struct, frozen=True):
    account: str
    micros: int


class Balances(Struct, frozen=True):
    """`wrong`: wallets whose row does not say what their transfers do."""

    accounts: tuple[Balance, ...]
    wrong: tuple[str, ...]

    @property
    def total_micros(self) -> int:
        return sum(balance.micros for balance in self.accounts)

    @property
    def agrees(self) -> bool:
        return not self.wrong and self.total_micros == 0


def balances(house: House, actor: str) -> Balances:
    """All accounts that ever moved, and every wallet."""
    require_books(house, actor)
    return house.store.snapshot(_balances)


def _balances(tx: Transaction) -> Balances:
    held: dict[str, int] = defaultdict(int)
    for side, sign in (("target", 1), ("source", -1)):
        for account, micros in tx.read(f"SELECT {side}, CAST(SUM(micros) AS BIGINT) FROM transfers GROUP BY {side}"):
            held[account] += sign * int(micros)
    rows = {wallet(player): int(micros) for player, micros in tx.read("SELECT player, micros FROM wallets")}
    wrong = sorted(account for account, micros in rows.items() if held[account] != micros)
    return Balances(tuple(Balance(account, micros) for account, micros in sorted(held.items())), tuple(wrong))
