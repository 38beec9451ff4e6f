"""The ledger: what each event of tables, cage and office must have moved, against what it moved, to the micro-dollar.

A table is followed from event to event: who sits, what lies in play, which round is open. What a sealed event moved
can be judged when its round is over and it lies open; of a live round only the way of a Raise is known, not yet its
amount. Then the balances: wallets as their rows say, nothing in play but the wagers of live rounds, all of it
adding up to zero. (What moves in a meter's own stream is judged with the meter.)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from highcardflush.house.audit.books import Books, Event, Move
from highcardflush.house.audit.findings import Finding, differs, dollars, guarded
from highcardflush.house.audit.postings import SEALED, Accounts, accounts_of, moved, told_moves
from highcardflush.money import MICROS_PER_CENT

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

    seats: dict[int, str | None] = {}
    live: Live | None = None


def check(books: Books) -> Iterator[Finding]:
    in_play: dict[str, int] = {}
    for stream in books.streams():
        kind, table = stream.partition("/")[0], Table()
        if kind == "meter":
            continue
        for event in books.events(stream):
            books.covered["events"] += 1
            yield from guarded(event, _table_event(table, event) if kind == "table" else _cage_event(event))
        if table.live:
            in_play[table.live.accounts.play] = _in_play(table.live)
            yield from _unopened(table.live)
    yield from _balances(books, in_play)


def _cage_event(event: Event) -> Iterator[Finding]:
    """Money comes to the cage and goes; nothing moves in the office."""
    moves: list[Move] = []
    if event.kind in ("buy-in", "cash-out"):
        way = ("cage", f"wallet/{event.body['player']}")
        moves = [(*(way if event.kind == "buy-in" else way[::-1]), event.body["micros"])]
    yield from moved(event, moves)


# --- a table -------------------------------------------------------------------------------------


def _table_event(table: Table, event: Event) -> Iterator[Finding]:
    if event.kind in ("wagers", "clear"):
        yield from moved(event, _wager_moves(_round(table), event))
    elif event.kind == "lock":
        live = _round(table)
        live.locked = True
        yield from moved(event, told_moves(live.accounts, event.body["told"]))
    elif event.kind in SEALED:
        _round(table).sealed[event.seq] = event
    elif event.kind in ("settle", "void"):
        yield from _over(table, event)
    else:
        yield from moved(event, ())
        if event.kind in ("sit", "leave"):
            _seat(table, event)
        elif event.kind == "open":
            yield from _open(table, event)


def _round(table: Table) -> Live:
    if table.live is None:
        raise ValueError("no round is open")
    return table.live


def _seat(table: Table, event: Event) -> None:
    seat = int(event.body["seat"])
    if event.kind == "leave":
        table.seats.pop(seat, None)
        return
    table.seats[seat] = event.body["player"]
    if table.live and not table.live.locked:
        table.live.accounts.seats[seat] = event.body["player"]


def _open(table: Table, event: Event) -> Iterator[Finding]:
    accounts = accounts_of(event)
    yield from differs(event.where, "who sits", accounts.seats, table.seats)
    if table.live:
        yield Finding(event.where, "a round is opened", "a second one", "the one before to be over")
    table.live = Live(accounts)


def _wager_moves(live: Live, event: Event) -> list[Move]:
    """The difference to what the seat had placed before."""
    action = event.body["action"]
    seat = action["seat"]
    after = sum(action["wagers"].values()) if event.kind == "wagers" else 0
    before, live.placed[seat] = live.placed.get(seat, 0), after
    return [(live.accounts.seat(seat), live.accounts.play, (after - before) * MICROS_PER_CENT)]


def _over(table: Table, event: Event) -> Iterator[Finding]:
    """The end of a round: what was sealed lies open, the results are paid, and nothing stays in play."""
    live, body = _round(table), event.body
    table.live = None
    if body.get("lost"):
        yield from _lost(live, event)
        return
    in_play = sum(live.placed.values()) * MICROS_PER_CENT
    unsealed = {part["seq"]: part["told"] for part in body["unsealed"]}
    for seq, sealed in live.sealed.items():
        moves = told_moves(live.accounts, unsealed.get(seq, ()))
        in_play += sum(micros for _, _, micros in moves)
        yield from moved(sealed, moves)
    expected = told_moves(live.accounts, body["told"])
    yield from moved(event, expected)
    cleared = sum(micros for source, _, micros in expected if source == live.accounts.play)
    if cleared != in_play:
        yield Finding(event.where, "what was in play", f"{dollars(cleared)} settled", dollars(in_play))


def _lost(live: Live, event: Event) -> Iterator[Finding]:
    """A round whose key was lost cannot be opened: all that lies in play goes back to where it came from."""
    accounts = live.accounts
    told = [move for move in told_moves(accounts, event.body["told"]) if accounts.play not in move]
    placed = [(accounts.play, accounts.seat(seat), cents * MICROS_PER_CENT) for seat, cents in live.placed.items()]
    raised = [(target, source, micros) for each in live.sealed.values() for source, target, micros in each.transfers()]
    yield from _unopened(live)
    yield from moved(event, [*told, *placed, *raised])


def _unopened(live: Live) -> Iterator[Finding]:
    for event in live.sealed.values():
        yield from guarded(event, _still_sealed(live.accounts, event))


def _still_sealed(accounts: Accounts, event: Event) -> Iterator[Finding]:
    """Of a round that is not opened: a Raise went from its seat into play, with a win paid at once before or for it."""
    raises = event.kind in ("raise", "time-out")
    allowed = [("house", accounts.play), (accounts.seat(event.body["seat"]), accounts.play)] if raises else []
    read = [(source, target) for source, target, _ in event.transfers()]
    if read not in (allowed, allowed[:1], allowed[1:]) and not (event.kind == "time-out" and not read):
        yield Finding(event.where, f"{event.kind} of a live round", str(read), str(allowed))


def _in_play(live: Live) -> int:
    raised = sum(micros for event in live.sealed.values() for _, _, micros in event.transfers())
    return sum(live.placed.values()) * MICROS_PER_CENT + raised


# --- balances ------------------------------------------------------------------------------------


def _balances(books: Books, in_play: dict[str, int]) -> Iterator[Finding]:
    balances = books.balances()
    books.covered["accounts"] += len(balances)
    for account in sorted(balances):
        kind, _, name = account.partition("/")
        if account not in ("house", "cage") and (kind not in ACCOUNTS or not name):
            yield Finding(account, "an account of no known kind", account, "one of docs/books.md")
    for account in sorted({*in_play, *(name for name in balances if name.startswith("play/"))}):
        yield from differs(account, "what lies in play", balances[account], in_play.get(account, 0), dollars)
    yield from _wallets(books, balances)


def _wallets(books: Books, balances: dict[str, int]) -> Iterator[Finding]:
    rows: dict[str, Any] = dict(books.rows("SELECT player, micros FROM wallets"))
    books.covered["wallets"] += len(rows)
    held = {name.removeprefix("wallet/"): micros for name, micros in balances.items() if name.startswith("wallet/")}
    players = {name for (name,) in books.rows("SELECT name FROM people WHERE role = ?", "player")}
    for player in sorted({*rows, *held, *players}):
        where, micros = f"wallet/{player}", held.get(player, 0)
        if player not in players:
            yield Finding(where, "whose wallet", player, "a player of the office")
        yield from differs(where, "its row in wallets", rows.get(player), micros, dollars)
        if micros < 0:
            yield Finding(where, "its balance", dollars(micros), "zero or more")
