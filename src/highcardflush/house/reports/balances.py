"""Every account and what it holds, by all of its transfers. They add up to nothing, for a transfer only moves money."""

from __future__ import annotations

from collections import defaultdict

from msgspec import Struct

from highcardflush.house import people
from highcardflush.house.house import House
from highcardflush.house.posting import WALLET, wallet
from highcardflush.house.reports.reading import BOOKS
from highcardflush.house.store import Transaction


class Balance(Struct, frozen=True):
    account: str
    micros: int


class Balances(Struct, frozen=True):
    """`wrong`: wallets whose row does not say what their transfers do; `whole`: whether these are all accounts."""

    accounts: tuple[Balance, ...]
    wrong: tuple[str, ...]
    whole: bool = True

    @property
    def total_micros(self) -> int:
        return sum(balance.micros for balance in self.accounts)

    @property
    def agrees(self) -> bool:
        return not self.wrong and (self.total_micros == 0 or not self.whole)


def balances(house: House, actor: str) -> Balances:
    """All accounts that ever moved, and every wallet; for a cashier the wallets, for a player the own one."""
    role = house.role(actor)
    if role != "player":
        people.require_read(actor, role, "any wallet")
    found = house.store.snapshot(_balances)
    if role in people.READS[BOOKS]:
        return found

    def shown(account: str) -> bool:
        return account == wallet(actor) if role == "player" else account.startswith(WALLET)

    accounts = tuple(balance for balance in found.accounts if shown(balance.account))
    return Balances(accounts, tuple(filter(shown, found.wrong)), whole=False)


def _balances(tx: Transaction) -> Balances:
    held: dict[str, int] = defaultdict(int)
    for side, sign in (("target", 1), ("source", -1)):
        for account, micros in tx.read(f"SELECT {side}, CAST(SUM(micros) AS BIGINT) FROM transfers GROUP BY {side}"):
            held[account] += sign * int(micros)
    rows = {wallet(player): int(micros) for player, micros in tx.read("SELECT player, micros FROM wallets")}
    wrong = sorted(account for account, micros in rows.items() if held[account] != micros)
    return Balances(tuple(Balance(account, micros) for account, micros in sorted(held.items())), tuple(wrong))
