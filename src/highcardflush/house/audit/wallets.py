"""The wallets: the balance of each is what came in less what went out, and its moves show every step.

The moves of a wallet count 1, 2, 3, ... Each belongs to an event that moved the wallet, and has the balance after it.
Those of one stream are in the order of that stream, so no event has two moves. If there are as many moves as events,
none is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby

from msgspec import Struct

from highcardflush.house.audit.books import PIECE, Books, Moment, Wallet
from highcardflush.house.audit.findings import Finding, differs, dollars
from highcardflush.money import MICROS_PER_CENT

WALLET = "wallet/"
GUEST_MICROS = 10_000_000000
"""The highest balance to which a server may fill a guest's wallet."""
MOVES = (
    "SELECT m.n, m.stream, m.seq, m.micros, t.source, t.micros FROM"
    " (SELECT n, stream, seq, micros FROM moves WHERE player = ? AND n > ? AND n <= ?"
    f" ORDER BY n LIMIT {PIECE}) AS m"
    " LEFT JOIN transfers t ON t.stream = m.stream AND t.seq = m.seq AND (t.source = ? OR t.target = ?) ORDER BY m.n"
)

NOTHING = Wallet()


class Before(Struct, frozen=True):
    """The wallets and the last event of each stream at the earlier audit."""

    wallets: dict[str, Wallet] = {}
    ends: dict[str, int] = {}


def check(
    books: Books, moment: Moment, before: Before, balances: Mapping[str, int], moved: Mapping[str, int],
    cage: Mapping[str, tuple[int, int]], progress: Callable[[str, int, int], None],
) -> Iterator[Finding]:  # fmt: skip
    """Compare every wallet with the balances of all streams.

    Since the earlier audit, `moved` events have moved each wallet, and `cage` has what came in and went out there.
    """
    sums = {name.removeprefix(WALLET): micros for name, micros in balances.items() if name.startswith(WALLET)}
    players = {name for name, (role, *_) in moment.people.items() if role == "player"}
    everybody = sorted({*moment.wallets, *moment.moves, *sums, *players})
    for number, player in enumerate(everybody, 1):
        progress("wallets", number, len(everybody))
        where, start, row = f"{WALLET}{player}", before.wallets.get(player, NOTHING), moment.wallets.get(player)
        bought, cashed = cage.get(player, (0, 0))
        expected = Wallet(
            micros=sums.get(player, 0),
            moves=start.moves + moved.get(player, 0),
            bought_cents=start.bought_cents + bought // MICROS_PER_CENT,
            cashed_cents=start.cashed_cents + cashed // MICROS_PER_CENT,
        )
        if player not in players:
            yield Finding(where, "the owner of the wallet", player, "a player of the office")
        yield from _row(where, row, expected)
        if expected.micros < 0:
            yield Finding(where, "its balance", dollars(expected.micros), "zero or more")
        first, top = moment.moves.get(player, (1, 0))
        if first != 1:
            yield Finding(where, "the number of its first move", str(first), "1")
        if top != expected.moves:
            yield Finding(where, "the number of its last move", str(top), str(expected.moves))
        if top > start.moves:
            guest = player in moment.people and moment.people[player][2] == "guest"
            yield from _moves(books, player, start, top, dict(before.ends), guest=guest)


def _row(where: str, row: Wallet | None, expected: Wallet) -> Iterator[Finding]:
    if row is None:
        yield Finding(where, "its row in wallets", "nothing", dollars(expected.micros))
        return
    yield from differs(where, "its row in wallets", row.micros, expected.micros, dollars)
    yield from differs(where, "its number of moves", row.moves, expected.moves)
    yield from differs(where, "its total bought in, in cents", row.bought_cents, expected.bought_cents)
    yield from differs(where, "its total cashed out, in cents", row.cashed_cents, expected.cashed_cents)


def _moves(
    books: Books, player: str, start: Wallet, top: int, ends: dict[str, int], *, guest: bool
) -> Iterator[Finding]:
    """Check new moves. After a wrong row the check continues from what it says, so that one change is one finding."""
    wallet, (balance, last) = f"{WALLET}{player}", (start.micros, start.moves)
    while rows := books.rows(MOVES, player, last, top, wallet, wallet):
        for (n, stream, seq, micros), moved in groupby(rows, lambda row: tuple(row[:4])):
            where, changes = f"move {n} of {player}", list(moved)
            yield from differs(where, "its number", n, last + 1)
            if changes[0][-1] is None:
                yield Finding(where, "its event", f"{stream} {seq}", "one that moved this wallet")
            elif seq <= ends.get(stream, 0):
                yield Finding(where, "its event", f"{stream} {seq}", f"a later one than {stream} {ends[stream]}")
            change = sum(-each if source == wallet else each for *_, source, each in changes if each is not None)
            yield from differs(where, "the balance after it", micros, balance + change, dollars)
            if micros < 0:
                yield Finding(where, "the balance after it", dollars(micros), "zero or more")
            if guest and stream == "cage" and micros > GUEST_MICROS:
                expected = f"at most {dollars(GUEST_MICROS)}"
                yield Finding(f"{stream} {seq}", f"the wallet of {player}, a guest", dollars(micros), expected)
            balance, last, ends[stream] = micros, n, seq
