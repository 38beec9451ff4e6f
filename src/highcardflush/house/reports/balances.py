"""Balances of all accounts (`hcf house balances`). They add up to zero, because transfers only move money between them.

The balances come from current rows, which the audit compares with the ledger. Each wallet has a row. A meter's balance
is its newest count plus the amounts in the rows of the tables that have moved it since. A stream's row contains the
amount it has moved to the house and, for a table, to chips. Wagers in play are the sums of transfers in live rounds.
"""

from collections.abc import Iterator

from msgspec import Struct

from highcardflush.house import permissions
from highcardflush.house.books.event import CAGE, CHIPS, HOUSE, wallet
from highcardflush.house.books.reader import read_opening
from highcardflush.house.house import House
from highcardflush.house.meter.count import show
from highcardflush.house.reports.reading import ALL, BOOKS, FIRST, names, read_meter
from highcardflush.house.store.protocol import REPORT_SECONDS, Transaction, read_total, total
from highcardflush.money import MICROS_PER_CENT

WALLETS = "any wallet"
NEWEST = "SELECT m.micros FROM moves m WHERE m.player = w.player AND m.n = w.moves"
PURSES = (
    f"SELECT p.kind, COUNT(*), {total('w.bought_cents')}, {total('w.cashed_cents')}, {total('w.micros')}"
    " FROM wallets w JOIN people p ON p.name = w.player GROUP BY p.kind"
)


class Balance(Struct, frozen=True):
    account: str
    micros: int


class Purses(Struct, frozen=True):
    """Totals for all wallets of one kind of player: amounts bought in and cashed out at the cage, and balances."""

    wallets: int = 0
    bought_in_micros: int = 0
    cashed_out_micros: int = 0
    held_micros: int = 0

    @property
    def net_micros(self) -> int:
        """Total gain or loss of the players. Wagers in play count as lost. Wins that wait for approval do not count."""
        return self.held_micros - self.bought_in_micros + self.cashed_out_micros


class Balances(Struct, frozen=True):
    """Balances of the house's accounts and of wallets."""

    accounts: tuple[Balance, ...]
    """All accounts in use other than wallets. They include the money of bots and guests."""
    wallets: tuple[Balance, ...]
    """The requested wallets, sorted by player."""
    wrong: tuple[str, ...]
    """Wallets whose balance differs from the balance after their newest move."""
    people: Purses = Purses()
    bots: Purses = Purses()
    guests: Purses = Purses()
    whole: bool = True
    """True if all accounts are included, which requires the permission to read the books."""

    @property
    def total_micros(self) -> int:
        """Sum of all accounts and all wallets, including wallets that are not listed."""
        wallets = sum(purses.held_micros for purses in (self.people, self.bots, self.guests))
        return wallets + sum(balance.micros for balance in self.accounts)

    @property
    def agrees(self) -> bool:
        return not self.wrong and (self.total_micros == 0 or not self.whole)


def balance(house: House, player: str, actor: str) -> int:
    """Return the balance of a wallet in micro-dollars. Players may read only their own wallet."""
    role = house.role(actor)
    if actor != player:
        permissions.require_read(role, WALLETS)
    return house.wallet(player)


def balances(house: House, actor: str, after: str = "", first: int = FIRST) -> Balances:
    """Return accounts and up to `first` wallets after player `after`. Cashiers see only wallets, players their own."""
    role = house.role(actor)
    if role == "player":
        return house.store.snapshot(lambda tx: Balances((), *_wallets(tx, "w.player = ?", actor), whole=False))
    permissions.require_read(role, WALLETS)

    def read(tx: Transaction) -> Balances:
        wallets, wrong = _wallets(tx, "w.player > ? ORDER BY w.player LIMIT ?", after, first)
        if role not in permissions.READS[BOOKS]:
            return Balances((), wallets, wrong, whole=False)
        purses = dict.fromkeys(("person", "bot", "guest"), Purses())
        for kind, number, *amounts in tx.read(PURSES):
            bought, cashed, held = map(read_total, amounts)
            purses[kind] = Purses(int(number), bought * MICROS_PER_CENT, cashed * MICROS_PER_CENT, held)
        people, bots, guests = purses.values()
        cage = sum(each.cashed_out_micros - each.bought_in_micros for each in purses.values())
        accounts = sorted([*_streams(tx), *_meters(tx), (CAGE, cage)])
        return Balances(tuple(Balance(*account) for account in accounts), wallets, wrong, people, bots, guests)

    return house.store.snapshot(read, REPORT_SECONDS)


def _wallets(tx: Transaction, where: str, *params: object) -> tuple[tuple[Balance, ...], tuple[str, ...]]:
    """Return wallets, and the names of those whose balance differs from the balance after the newest move."""
    rows = tx.read(f"SELECT w.player, w.micros, COALESCE(({NEWEST}), 0) FROM wallets w WHERE {where}", *params)
    listed = tuple(Balance(wallet(player), int(micros)) for player, micros, _ in rows)
    return listed, tuple(wallet(player) for player, micros, moves_micros in rows if micros != moves_micros)


def _streams(tx: Transaction) -> Iterator[tuple[str, int]]:
    """Yield the accounts of the house, of the chips at each physical table, and of the wagers in play at each table."""
    rows = tx.read("SELECT name, house_micros, chips_micros FROM streams WHERE house_micros <> 0 OR chips_micros <> 0")
    yield HOUSE, sum(int(micros) for _, micros, _ in rows)
    yield from ((CHIPS + name.partition("/")[2], int(micros)) for name, _, micros in rows if micros)
    # All wagers in play were placed since the newest round was opened.
    sql = "SELECT source, micros FROM transfers WHERE stream = ? AND seq > ? AND (source = ? OR target = ?)"
    for name in names(tx, "table", first=ALL):
        stream, account = f"table/{name}", f"play/{name}"
        rows = tx.read(sql, stream, read_opening(tx, stream), account, account)
        if micros_in_play := sum(-int(micros) if source == account else int(micros) for source, micros in rows):
            yield account, micros_in_play


def _meters(tx: Transaction) -> Iterator[tuple[str, int]]:
    for name in names(tx, "meter", first=ALL):
        state = read_meter(tx, name)
        raw, waiting = show(tx, state).raw, [case for case in state.cases.values() if case.outcome == "waiting"]
        by_account = {"pending": sum(case.win.micros for case in waiting), "advances": -state.sums.advances_micros}
        if not state.parameters.bonus:  # The display of a bonus jackpot holds no money.
            by_account |= {"meter": raw.amount_micros, "reserve": raw.reserve_micros}
        yield from ((f"{account}/{name}", micros) for account, micros in by_account.items() if micros)
