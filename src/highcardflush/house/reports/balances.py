"""Every account and what it holds, by all of its transfers. They add up to nothing, for a transfer only moves money."""

from __future__ import annotations

from collections import defaultdict

from msgspec import Struct

from highcardflush.house import permissions
from highcardflush.house.books.accounts import CAGE, WALLET, wallet
from highcardflush.house.house import House
from highcardflush.house.reports.reading import BOOKS
from highcardflush.house.store.protocol import Transaction, read_total, total


class Balance(Struct, frozen=True):
    account: str
    micros: int


class Purses(Struct, frozen=True):
    """All wallets of one kind of players, people or bots: over the counter, and what is in them now."""

    wallets: int = 0
    bought_in_micros: int = 0
    cashed_out_micros: int = 0
    held_micros: int = 0

    @property
    def net_micros(self) -> int:
        """What they have won or lost; wagers in play count as gone, a win that waits as not there yet."""
        return self.held_micros - self.bought_in_micros + self.cashed_out_micros


class Balances(Struct, frozen=True):
    """`wrong`: wallets whose row does not say what their transfers do; `whole`: whether these are all accounts.

    The money of the house's own players is in all accounts: `people` and `bots` tell it apart.
    """

    accounts: tuple[Balance, ...]
    wrong: tuple[str, ...]
    people: Purses = Purses()
    bots: Purses = Purses()
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
        permissions.require_read(actor, role, "any wallet")
    found = house.store.snapshot(_balances)
    if role in permissions.READS[BOOKS]:
        return found

    def shown(account: str) -> bool:
        return account == wallet(actor) if role == "player" else account.startswith(WALLET)

    accounts = tuple(balance for balance in found.accounts if shown(balance.account))
    return Balances(accounts, tuple(filter(shown, found.wrong)), whole=False)


def _balances(tx: Transaction) -> Balances:
    held: dict[str, int] = defaultdict(int)
    for side, sign in (("target", 1), ("source", -1)):
        for account, micros in tx.read(f"SELECT {side}, {total('micros')} FROM transfers GROUP BY {side}"):
            held[account] += sign * read_total(micros)
    rows = {wallet(player): int(micros) for player, micros in tx.read("SELECT player, micros FROM wallets")}
    wrong = sorted(account for account, micros in rows.items() if held[account] != micros)
    accounts = tuple(Balance(account, micros) for account, micros in sorted(held.items()))
    bots = {wallet(name) for (name,) in tx.read("SELECT name FROM people WHERE role = ? AND bot", "player")}
    counter = f"SELECT {{0}}, {total('micros')} FROM transfers WHERE {{1}} = ? GROUP BY {{0}}"
    bought, cashed = (
        {account: read_total(micros) for account, micros in tx.read(counter.format(*sides), CAGE)}
        for sides in (("target", "source"), ("source", "target"))
    )
    people, own = (
        Purses(len(wallets), *(sum(amounts.get(one, 0) for one in wallets) for amounts in (bought, cashed, held)))
        for wallets in (rows.keys() - bots, bots)
    )
    return Balances(accounts, tuple(wrong), people, own)
