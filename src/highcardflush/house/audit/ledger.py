"""The ledger: what each event of tables, cage and office must have moved, against what it moved, to the micro-dollar.

A table is followed from event to event: who sits, what lies in play, which round is open. What a sealed event moved
can be judged when its round is over and it lies open; of a live round only the way of a Raise is known, not yet its
amount. In the end nothing lies in play but the wagers of live rounds. (What moves in a meter's own stream is judged
with the meter, what wallets hold in `wallets.py`.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from highcardflush.house.audit.books import Event, Move
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


def end(table: Table) -> Iterator[Finding]:
    """What is still sealed when the stream ends."""
    if table.live:
        yield from _unopened(table.live)


def follow_other(event: Event) -> Iterator[Finding]:
    """Money comes to the cage and goes; nothing moves in the office."""
    moves: list[Move] = []
    if event.kind in ("buy-in", "cash-out"):
        way = ("cage", f"wallet/{event.body['player']}")
        moves = [(*(way if event.kind == "buy-in" else way[::-1]), event.body["micros"])]
    yield from moved(event, moves)


# --- a table -------------------------------------------------------------------------------------


def follow(table: Table, event: Event) -> Iterator[Finding]:
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


def in_play(table: Table) -> dict[str, int]:
    """The account of the open round, and what lies there."""
    live = table.live
    if live is None:
        return {}
    raised = sum(micros for event in live.sealed.values() for _, _, micros in event.transfers())
    return {live.accounts.play: sum(live.placed.values()) * MICROS_PER_CENT + raised}


def check_streams(
    rows: Mapping[str, tuple[int, int]], moved: Mapping[str, int], balances: Mapping[str, int]
) -> Iterator[Finding]:
    """What each stream has moved to the house, and the chips at a table, as its row says."""
    for stream, (house, chips) in sorted(rows.items()):
        yield from differs(stream, "what its row says of the house", house, moved.get(stream, 0), dollars)
        kind, _, name = stream.partition("/")
        held = balances.get(f"chips/{name}", 0) if kind == "table" else 0
        yield from differs(stream, "what its row says of chips", chips, held, dollars)


def check_accounts(balances: Mapping[str, int], in_play: Mapping[str, int]) -> Iterator[Finding]:
    """Accounts are of a known kind; nothing lies in play but the wagers of live rounds."""
    for account in sorted(balances):
        kind, _, name = account.partition("/")
        if account not in ("house", "cage") and (kind not in ACCOUNTS or not name):
            yield Finding(account, "an account of no known kind", account, "one of docs/books.md")
    for account in sorted({*in_play, *(name for name in balances if name.startswith("play/"))}):
        yield from differs(account, "what lies in play", balances.get(account, 0), in_play.get(account, 0), dollars)
