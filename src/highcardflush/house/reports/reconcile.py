"""A meter reconciled: seed + in - paid, and every other move, = display; to the micro-dollar.

The left side is every transfer of the account since its first day, each sorted by what it was for. The right side is
what the meter shows: the newest count in its stream and what the tables have moved since. They are two ways to one
number, so a transfer that was lost or invented, or a count that was written wrong, shows. A bonus jackpot's display is
no money: its moves are those that its events tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from highcardflush.house.books.accounts import HOUSE
from highcardflush.house.books.event import Event
from highcardflush.house.house import House
from highcardflush.house.meter.count import count
from highcardflush.house.meter.state import MeterState
from highcardflush.house.reports.meters import HitReport, hits_of, notice_of
from highcardflush.house.reports.reading import is_account, read_meter, require_books
from highcardflush.house.store.protocol import Transaction, read_total, total
from highcardflush.money import WHOLE_BP, format_rate

IN = "in: contributions"
UNEXPLAINED = "UNEXPLAINED"
SEED, MADE_GOOD, CORRECTION = "seed", "made good by the house", "corrections"
OVERFLOW = "overflow to the reserve"
OVERFLOW_WAITING = "overflow, moved by the next count"
RETURNED = "returned to its amount"
TAKEN_BACK = "contributions taken back"
ORDER = (
    SEED,
    IN,
    TAKEN_BACK,
    "paid: 100 % wins",
    "paid: percentage wins",
    "reseeds from the reserve",
    "reseeds from the house",
    "100 % wins returned",
    "won",
    "paid to winners",
    "returned to the meter",
    "returned to the house",
    MADE_GOOD,
    CORRECTION,
    "set by the house",
    RETURNED,
    OVERFLOW,
    OVERFLOW_WAITING,
    UNEXPLAINED,
)
"""The lines, as they are read."""


class Item(Struct, frozen=True):
    """One line: all moves of one sort."""

    what: str
    count: int
    micros: int


class Explained(Struct, frozen=True):
    """One move that is no contribution, and what it was for."""

    account: str
    at: int
    stream: str
    seq: int
    actor: str
    what: str
    words: str
    micros: int


class Side(Struct, frozen=True):
    """One account: its lines add up to `sum_micros`, which must be what is shown."""

    account: str
    items: tuple[Item, ...]
    shown_micros: int

    @property
    def sum_micros(self) -> int:
        return sum(item.micros for item in self.items)

    @property
    def agrees(self) -> bool:
        return self.sum_micros == self.shown_micros and all(item.what != UNEXPLAINED for item in self.items)


class Reconciliation(Struct, frozen=True):
    """A meter, its reserve and its pending wins. `seq` is the last event of its stream that was read."""

    meter: str
    seq: int
    bonus: bool
    notice: str
    """What stands beside the amount of a bonus jackpot, word for word."""
    display: Side
    reserve: Side
    pending: Side
    by_table: tuple[Item, ...]
    """The contributions to the meter, table by table."""
    moves: tuple[Explained, ...]

    @property
    def sides(self) -> tuple[Side, ...]:
        return (self.display, self.reserve, self.pending)

    @property
    def agrees(self) -> bool:
        return all(side.agrees for side in self.sides)


def reconcile(house: House, name: str, actor: str) -> Reconciliation:
    require_books(house, actor)
    return house.store.snapshot(lambda tx: _reconcile(tx, name))


def _reconcile(tx: Transaction, name: str) -> Reconciliation:
    state, events = read_meter(tx, name)
    ledger = _Ledger(tx, state, events)
    reading, waiting = count(tx, state), sum(c.win.micros for c in state.cases.values() if c.outcome == "waiting")
    moves = {account: ledger.moves(account) for account in ("meter", "reserve", "pending")}
    if state.parameters.bonus:
        moves["meter"] = _display_moves(state, events)
    fed = {account: ledger.contributions(account) for account in ("meter", "reserve")}
    late = {"meter": -reading.overflow_micros, "reserve": reading.overflow_micros}

    def side(account: str, shown: int) -> Side:
        items = _sorted_items(state, moves[account], fed.get(account, []), late.get(account, 0))
        return Side(f"{account}/{name}", items, shown)

    return Reconciliation(
        meter=name,
        seq=state.head.seq,
        bonus=state.parameters.bonus,
        notice=notice_of(tx, state),
        display=side("meter", reading.display.amount_micros),
        reserve=side("reserve", reading.display.reserve_micros),
        pending=side("pending", waiting),
        by_table=tuple(fed["meter"]),
        moves=tuple(sorted((move for found in moves.values() for move in found), key=lambda move: (move.at, move.seq))),
    )


def _sorted_items(state: MeterState, moves: Sequence[Explained], fed: Sequence[Item], late: int) -> tuple[Item, ...]:
    linked = {f"table/{table}" for table in state.tables}
    found = [Item(move.what, 1, move.micros) for move in moves]
    found += [Item(IN if item.what in linked else UNEXPLAINED, item.count, item.micros) for item in fed]
    found += [Item(OVERFLOW_WAITING, 1, late)] if late else []
    return tuple(
        Item(what, sum(item.count for item in same), sum(item.micros for item in same))
        for what in ORDER
        if (same := [item for item in found if item.what == what])
    )


# --- the ledger ----------------------------------------------------------------------------------


class _Ledger:
    """The transfers of one meter, sorted by what they were for."""

    def __init__(self, tx: Transaction, state: MeterState, events: Sequence[Event]) -> None:
        self._tx = tx
        self._state = state
        self._entries = {event.seq: event for event in events}
        self._hits = {(f"table/{hit.table}", hit.settle_seq): hit for hit in hits_of(state, events)}

    def contributions(self, account: str) -> list[Item]:
        """What the tables fed, table by table, summed by the database: there is one for every round."""
        rows = self._tx.read(
            f"SELECT stream, source, COUNT(*), {total('micros')} FROM transfers"
            f" WHERE {is_account('target', f'{account}/')} GROUP BY stream, source ORDER BY stream",
            f"{account}/{self._state.name}",
        )
        return [Item(stream, int(number), read_total(fed)) for stream, source, number, fed in rows if source == HOUSE]

    def moves(self, side: str) -> list[Explained]:
        """Every transfer of an account but the contributions."""
        account, found = f"{side}/{self._state.name}", []
        fed = HOUSE if side != "pending" else ""
        for mine, other, sign in (("target", "source", 1), ("source", "target", -1)):
            rows = self._tx.read(
                f"SELECT t.stream, t.seq, t.{other}, t.micros, e.at, e.actor FROM transfers t"
                f" LEFT JOIN events e ON e.stream = t.stream AND e.seq = t.seq WHERE {is_account(f't.{mine}', account)}"
                " AND t.source <> ?",
                account, fed,
            )  # fmt: skip
            for stream, seq, counterpart, micros, at, actor in rows:
                what, words = self._explain(side, stream, seq, counterpart, sign)
                found.append(Explained(account, at or 0, stream, seq, actor or "", what, words, sign * int(micros)))
        return found

    def _explain(self, side: str, stream: str, seq: int, other: str, sign: int) -> tuple[str, str]:
        if stream == f"meter/{self._state.name}" and seq in self._entries:
            return self._by_own_event(side, self._entries[seq], other, sign)
        hit = self._hits.get((stream, seq))
        table = stream.partition("/")[2]
        if sign < 0 and other == HOUSE and side in ("meter", "reserve") and table in self._state.tables:
            return TAKEN_BACK, f"a round or a hand at {table} was voided"
        if hit is not None:
            return _by_hit(side, hit, other, sign)
        return UNEXPLAINED, f"{'from' if sign > 0 else 'to'} {other}"

    def _by_own_event(self, side: str, event: Event, other: str, sign: int) -> tuple[str, str]:
        body: dict[str, Any] = msgspec.json.decode(event.body)
        kind = other.partition("/")[0]
        match event.kind, side, kind, sign:
            case "create", "meter", "advances", 1:
                return SEED, "the first amount, from the house"
            case "make-good", "meter", "advances", 1:
                return MADE_GOOD, f"for {body['table']} event {body['seq']}: another table had won what it fed"
            case "approve", "meter" | "reserve", "advances", _:
                correction = self._state.corrections[body["correction"]]
                words = f"correction {correction.number}, proposed by {correction.actor}: {correction.reason}"
                return CORRECTION, words
            case (("checkpoint" | "hit" | "vote" | "approve"), "meter", "reserve", -1):
                return OVERFLOW, "above the limit"
            case (("checkpoint" | "hit" | "vote" | "approve"), "reserve", "meter", 1):
                return OVERFLOW, "above the limit"
            case "vote", "pending", "wallet" | "chips", -1:
                return "paid to winners", f"win {body['win']}, to {other}"
            case "vote", "pending", "house", -1:
                return "returned to the house", f"win {body['win']}: {body['reason']}"
            case "vote", "pending", "meter", -1:
                return "returned to the meter", f"win {body['win']}: {body['reason']}"
            case "vote", "meter", "pending", 1:
                return "100 % wins returned", f"win {body['win']}: {body['reason']}"
            case _:
                return UNEXPLAINED, f"{event.kind}: {'from' if sign > 0 else 'to'} {other}"


def _by_hit(side: str, hit: HitReport, other: str, sign: int) -> tuple[str, str]:
    """What a settlement that hit the meter moved."""
    place, kind = f"round {hit.round} at {hit.table}", other.partition("/")[0]
    match side, kind, sign:
        case ("meter", "pending", -1) | ("pending", "meter", 1):
            return ("paid: 100 % wins" if side == "meter" else "won"), f"{place}, {_wins(hit, pending=True)}"
        case "pending", "house", 1:
            return "won", f"{place}, {_wins(hit, pending=True)}, paid by the house"
        case "meter", "wallet" | "chips", -1:
            return "paid: percentage wins", f"{place}, {_wins(hit, pending=False, account=other)}"
        case ("meter", "reserve", 1) | ("reserve", "meter", -1):
            return "reseeds from the reserve", f"after {place}"
        case "meter", "advances", 1:
            return "reseeds from the house", f"after {place}"
        case _:
            return UNEXPLAINED, f"{place}: {'from' if sign > 0 else 'to'} {other}"


def _wins(hit: HitReport, *, pending: bool, account: str | None = None) -> str:
    wins = [case.win for case in hit.wins if case.win.pending is pending and account in (None, case.win.account)]
    return "; ".join(f"win {win.win}: {format_rate(win.percent_bp)} to {win.account}" for win in wins)


# --- a bonus jackpot -----------------------------------------------------------------------------


def _display_moves(state: MeterState, events: Sequence[Event]) -> list[Explained]:
    """What the events of a bonus jackpot say that its display did."""
    account, stood, found = f"meter/{state.name}", 0, []
    for event in events:
        body: dict[str, Any] = msgspec.json.decode(event.body)
        for what, words, micros in _display_move(state, event.kind, body, stood):
            found.append(Explained(account, event.at, event.stream, event.seq, event.actor, what, words, micros))
            stood += micros
    return found


def _display_move(state: MeterState, kind: str, body: dict[str, Any], stood: int) -> list[tuple[str, str, int]]:
    """The moves of one event; `stood` is what was displayed before it."""
    match kind:
        case "create":
            return [(SEED, "the first amount", state.parameters.seed_micros)]
        case "display":
            return [("set by the house", body["reason"], body["after"] - body["before"])]
        case "hit":
            place = f"round {body['round']} at {body['table']}"
            fell = [_display_pay(place, win) for win in body["wins"]]
            returns = [move["after_micros"] - stood for move in body["moves"] if move["kind"] == "reseed"]
            return [*fell, *((RETURNED, f"after {place}", micros) for micros in returns if micros)]
        case "vote" if body["outcome"] == "returned":
            # Not after it was set anew, nor above its limit.
            again = min(max(0, body["amount_micros"] - stood), state.cases[body["win"]].win.display_micros)
            return [("100 % wins returned", f"win {body['win']}: {body['reason']}", again)]
        case _:
            return []


def _display_pay(place: str, win: dict[str, Any]) -> tuple[str, str, int]:
    what = "paid: 100 % wins" if win["percent_bp"] == WHOLE_BP else "paid: percentage wins"
    words = f"{place}, win {win['win']}: {format_rate(win['percent_bp'])} to {win['account']}"
    return what, words, -win["display_micros"]
