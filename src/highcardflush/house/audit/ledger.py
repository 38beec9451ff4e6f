"""The ledger: what each event of tables, cage and office must have moved, against what it moved, to the micro-dollar.

A table is followed from event to event: who sits, what lies in play, which round is open. What a sealed event moved
can be judged when its round is over and it lies open; of a live round only the way of a Raise is known, not yet its
amount. Then the balances: wallets as their rows say, nothing in play but the wagers of live rounds, all of it
adding up to zero. (What moves in a meter's own stream is judged with the meter.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from highcardflush.house.audit.books import Books, Event, Move, joined, sums_of
from highcardflush.house.audit.findings import Covered, Finding, dollars, guarded
from highcardflush.house.audit.postings import MICROS, Accounts, told_moves, totals

SEALED = ("hand", "fold", "raise", "time-out", "void-hand")
ACCOUNTS = ("wallet", "chips", "play", "meter", "reserve", "advances", "pending")
"""Accounts with a name after the stroke; `house` and `cage` have none."""


class Live(Struct):
    """The open round of a table."""

    accounts: Accounts
    locked: bool = False
    placed: dict[int, int] = {}
    """Cents before the cards, by seat."""
    sealed: dict[int, Event] = {}


class Table(Struct):
    """A table as far as its stream has been read."""

    name: str
    seats: dict[int, str | None] = {}
    live: Live | None = None


def check(books: Books, covered: Covered) -> Iterator[Finding]:
    in_play: dict[str, int] = {}
    for stream in books.streams():
        kind, _, name = stream.partition("/")
        if kind == "table":
            table = Table(name)
            for event in books.events(stream):
                covered["events"] += 1
                yield from guarded(event, _table_event(table, event))
            in_play[f"play/{name}"] = _in_play(table)
            yield from _live(table)
        elif kind != "meter":
            for event in books.events(stream):
                covered["events"] += 1
                yield from guarded(event, _cage_event(event))
    yield from _balances(books, covered, in_play)


def _compare(event: Event, expected: Iterable[Move]) -> Iterator[Finding]:
    """Every transfer of an event, against what must have moved."""
    read, wanted = totals(event.transfers()), totals(expected)
    for way in sorted({**read, **wanted}):
        if read.get(way, 0) != wanted.get(way, 0):
            what = f"{event.kind}: {way[0]} to {way[1]}"
            yield Finding(event.where, what, dollars(read.get(way, 0)), dollars(wanted.get(way, 0)))


def _cage_event(event: Event) -> Iterator[Finding]:
    """Money comes to the cage and goes; nothing moves in the office."""
    moves: list[Move] = []
    if event.kind in ("buy-in", "cash-out"):
        body = event.body()
        way = ("cage", f"wallet/{body['player']}")
        moves = [(*(way if event.kind == "buy-in" else way[::-1]), body["micros"])]
    yield from _compare(event, moves)


# --- a table -------------------------------------------------------------------------------------


def _table_event(table: Table, event: Event) -> Iterator[Finding]:
    if event.kind in ("sit", "leave"):
        yield from _compare(event, ())
        _seat(table, event)
    elif event.kind == "open":
        yield from _compare(event, ())
        yield from _open(table, event)
    elif event.kind in ("wagers", "clear"):
        yield from _compare(event, _wager_moves(_round(table), event))
    elif event.kind == "lock":
        live = _round(table)
        live.locked = True
        yield from _compare(event, told_moves(live.accounts, event.body()["told"]))
    elif event.kind in SEALED:
        _round(table).sealed[event.seq] = event
    elif event.kind in ("settle", "void"):
        yield from _over(table, event)
    else:
        yield from _compare(event, ())


def _round(table: Table) -> Live:
    if table.live is None:
        raise ValueError("no round is open")
    return table.live


def _seat(table: Table, event: Event) -> None:
    body = event.body()
    seat = int(body["seat"])
    if event.kind == "leave":
        table.seats.pop(seat, None)
        return
    table.seats[seat] = body["player"]
    if table.live and not table.live.locked:
        table.live.accounts.seats[seat] = body["player"]


def _open(table: Table, event: Event) -> Iterator[Finding]:
    body = event.body()
    seats = {int(seat): player for seat, player in body["seats"].items()}
    if seats != table.seats:
        yield Finding(event.where, "who sits", str(seats), str(table.seats))
    if table.live:
        yield Finding(event.where, "a round is opened", "a second one", "the one before to be over")
    meters = {level: shown["meter"] for level, shown in body["meters"].items()}
    table.live = Live(Accounts(table.name, dict(seats), meters))


def _wager_moves(live: Live, event: Event) -> list[Move]:
    """The difference to what the seat had placed before."""
    action = event.body()["action"]
    seat = action["seat"]
    after = sum(action["wagers"].values()) if event.kind == "wagers" else 0
    before, live.placed[seat] = live.placed.get(seat, 0), after
    return [(live.accounts.seat(seat), live.accounts.play, (after - before) * MICROS)]


def _over(table: Table, event: Event) -> Iterator[Finding]:
    """The end of a round: what was sealed lies open, the results are paid, and nothing stays in play."""
    live, body = _round(table), event.body()
    table.live = None
    if body.get("lost"):
        yield from _lost(live, event, body)
        return
    in_play = sum(live.placed.values()) * MICROS
    unsealed = {part["seq"]: part["told"] for part in body["unsealed"]}
    for seq, sealed in live.sealed.items():
        moves = told_moves(live.accounts, unsealed.get(seq, ()))
        in_play += sum(micros for _, _, micros in moves)
        yield from _compare(sealed, moves)
    expected = told_moves(live.accounts, body["told"])
    yield from _compare(event, expected)
    cleared = sum(micros for source, _, micros in expected if source == live.accounts.play)
    if cleared != in_play:
        yield Finding(event.where, "what was in play", f"{dollars(cleared)} settled", dollars(in_play))


def _lost(live: Live, event: Event, body: dict[str, Any]) -> Iterator[Finding]:
    """A round whose key was lost cannot be opened: all that lies in play goes back to where it came from."""
    accounts = live.accounts
    told = [move for move in told_moves(accounts, body["told"]) if accounts.play not in move]
    placed = [(accounts.play, accounts.seat(seat), cents * MICROS) for seat, cents in live.placed.items()]
    raised = [(target, source, micros) for each in live.sealed.values() for source, target, micros in each.transfers()]
    for sealed in live.sealed.values():
        yield from guarded(sealed, _live_event(accounts, sealed))
    yield from _compare(event, [*told, *placed, *raised])


def _live(table: Table) -> Iterator[Finding]:
    """A round that is not over: a Raise went from its seat into play, with a win paid at once before it or for it."""
    for event in table.live.sealed.values() if table.live else ():
        yield from guarded(event, _live_event(_round(table).accounts, event))


def _live_event(accounts: Accounts, event: Event) -> Iterator[Finding]:
    raises = event.kind in ("raise", "time-out")
    allowed = [("house", accounts.play), (accounts.seat(event.body()["seat"]), accounts.play)] if raises else []
    read = [(source, target) for source, target, _ in event.transfers()]
    if read not in (allowed, allowed[:1], allowed[1:]) and not (event.kind == "time-out" and not read):
        yield Finding(event.where, f"{event.kind} of a live round", str(read), str(allowed))


def _in_play(table: Table) -> int:
    live = table.live
    if live is None:
        return 0
    raised = sum(micros for event in live.sealed.values() for _, _, micros in event.transfers())
    return sum(live.placed.values()) * MICROS + raised


# --- balances ------------------------------------------------------------------------------------


def _balances(books: Books, covered: Covered, in_play: dict[str, int]) -> Iterator[Finding]:
    balances: Counter[str] = Counter()
    for sign, column in ((1, "target"), (-1, "source")):
        for account, *sums in books.rows(f"SELECT {column}, {sums_of('micros')} FROM transfers GROUP BY {column}"):
            balances[account] += sign * joined(*sums)
    covered["accounts"] += len(balances)
    yield from _names(balances)
    for account, micros in sorted({**{name: 0 for name in balances if name.startswith("play/")}, **in_play}.items()):
        if balances[account] != micros:
            yield Finding(account, "what lies in play", dollars(balances[account]), dollars(micros))
    yield from _wallets(books, covered, balances)


def _names(balances: Iterable[str]) -> Iterator[Finding]:
    for account in sorted(balances):
        kind, _, name = account.partition("/")
        if account not in ("house", "cage") and (kind not in ACCOUNTS or not name):
            yield Finding(account, "an account of no known kind", account, "one of docs/books.md")


def _wallets(books: Books, covered: Covered, balances: dict[str, int]) -> Iterator[Finding]:
    rows: dict[str, Any] = dict(books.rows("SELECT player, micros FROM wallets"))
    covered["wallets"] += len(rows)
    held = {name.removeprefix("wallet/"): micros for name, micros in balances.items() if name.startswith("wallet/")}
    players = {name for (name,) in books.rows("SELECT name FROM people WHERE role = ?", "player")}
    for player in sorted({*rows, *held, *players}):
        where = f"wallet/{player}"
        if player not in players:
            yield Finding(where, "whose wallet", player, "a player of the office")
        if player not in rows:
            yield Finding(where, "its row in wallets", "nothing", dollars(held.get(player, 0)))
        elif rows[player] != held.get(player, 0):
            yield Finding(where, "its row in wallets", dollars(rows[player]), dollars(held.get(player, 0)))
        if held.get(player, 0) < 0:
            yield Finding(where, "its balance", dollars(held[player]), "zero or more")
