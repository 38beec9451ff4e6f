"""A meter reconciled: seed + in - paid, and every other move, = display; to the micro-dollar.

The left side is every transfer of the account since its first day, each sorted by what it was for. The right side is
what the meter shows: the newest count in its stream and what the tables have moved since. They are two ways to one
number, so a transfer that was lost or invented, or a count that was written wrong, shows. A bonus jackpot's display is
no money: its moves are those that its events tell.

It is a proof, and reads the whole ledger; nothing in it changes, so what stood at one moment is read up to there, each
stream in pieces, and no reader stays long.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any

import msgspec
from msgspec import Struct

from highcardflush.errors import NotFound
from highcardflush.house.books.accounts import HOUSE
from highcardflush.house.books.event import Event
from highcardflush.house.books.reader import read_events
from highcardflush.house.house import House
from highcardflush.house.meter.count import Reading, show
from highcardflush.house.meter.state import MeterState, follow
from highcardflush.house.reports.meters import notice_of
from highcardflush.house.reports.reading import HEAD, read_books
from highcardflush.house.store.protocol import Transaction, read_total, total
from highcardflush.money import WHOLE_BP, format_rate
from highcardflush.words import refuse

PIECE = 20_000
"""How many events of a stream are read at a time."""
SIDES = ("meter", "reserve", "pending")
"""The accounts of a meter that are reconciled; what comes into the first two from the house was fed."""
SEED, IN, TAKEN_BACK = "seed", "in: contributions", "contributions taken back"
PAID_WHOLE, PAID_PART = "paid: 100 % wins", "paid: percentage wins"
FROM_RESERVE, FROM_HOUSE, REPAID = "reseeds from the reserve", "reseeds from the house", "reseeds repaid to the house"
WINS_RETURNED, WON, PAID_OUT = "100 % wins returned", "won", "paid to winners"
TO_METER, TO_HOUSE = "returned to the meter", "returned to the house"
MADE_GOOD, CORRECTION = "made good by the house", "corrections"
SET, RETURNED = "set by the house", "returned to its amount"
OVERFLOW, OVERFLOW_WAITING = "overflow to the reserve", "overflow, moved by the next count"
UNEXPLAINED = "UNEXPLAINED"
ORDER = (
    *(SEED, IN, TAKEN_BACK, PAID_WHOLE, PAID_PART, FROM_RESERVE, FROM_HOUSE, REPAID, WINS_RETURNED, WON, PAID_OUT),
    *(TO_METER, TO_HOUSE, MADE_GOOD, CORRECTION, SET, RETURNED, OVERFLOW, OVERFLOW_WAITING, UNEXPLAINED),
)
"""The lines, as they are read."""

SORTS: dict[tuple[str, str, str], str] = {
    ("create", "advances", "meter"): SEED,
    ("make-good", "advances", "meter"): MADE_GOOD,
    **{(kind, side, HOUSE): TAKEN_BACK for kind in ("settle", "void") for side in ("meter", "reserve")},
    ("settle", "meter", "pending"): PAID_WHOLE,
    ("settle", HOUSE, "pending"): WON,
    **{("settle", "meter", winner): PAID_PART for winner in ("wallet", "chips")},
    ("settle", "reserve", "meter"): FROM_RESERVE,
    ("settle", "advances", "meter"): FROM_HOUSE,
    ("hit", "reserve", "advances"): REPAID,
    ("hit", "reserve", "meter"): FROM_RESERVE,
    **{("vote", "pending", winner): PAID_OUT for winner in ("wallet", "chips")},
    ("vote", "pending", "meter"): TO_METER,
    ("vote", "pending", HOUSE): TO_HOUSE,
    **{("approve", "advances", side): CORRECTION for side in ("meter", "reserve")},
    **{("approve", side, "advances"): CORRECTION for side in ("meter", "reserve")},
    **{
        (kind, "meter", "reserve"): OVERFLOW for kind in ("change", "checkpoint", "hit", "vote", "approve", "make-good")
    },
}
"""Every move of a meter, its reserve and its pending wins but the contributions: the kind of event, from, to."""
OTHER_SIDE = {("pending", PAID_WHOLE): WON, ("meter", TO_METER): WINS_RETURNED}
"""What goes by another name at the other end of it."""
WORDS = {
    SEED: "the first amount, from the house",
    MADE_GOOD: "for {table} event {seq}: another table had won what it fed",
    **dict.fromkeys((PAID_WHOLE, PAID_PART), "round {round} at {table}, {wins}"),
    WON: "round {round} at {table}, {wins}, paid by the house",
    **dict.fromkeys((FROM_RESERVE, FROM_HOUSE), "after round {round} at {table}"),
    REPAID: "by what came above the limit, after round {round} at {table}",
    PAID_OUT: "win {win}, to {other}",
    **dict.fromkeys((TO_METER, TO_HOUSE), "win {win}: {reason}"),
    CORRECTION: "correction {made.number}, proposed by {made.actor}: {made.reason}",
    OVERFLOW: "above the limit",
}
"""What is said of a move, with what its event says."""


class Item(Struct, frozen=True):
    """One line: all moves of one sort."""

    what: str
    count: int
    micros: int


class Explained(Struct, frozen=True):
    """One move that is no contribution, and what it was for."""

    account: str
    office: int
    """By this number moves of several streams are in order, and by their time where it is the same."""
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
    stood = read_books(house, actor, lambda tx: _read(tx, name))
    state, ledger = stood.state, _Ledger(stood)
    for stream, head in stood.heads.items():
        for start in range(0, head, PIECE):
            ledger.add(stream, *house.store.snapshot(partial(ledger.read, stream, start, min(start + PIECE, head))))
    waiting = sum(case.win.micros for case in state.cases.values() if case.outcome == "waiting")
    if state.parameters.bonus:
        ledger.moves["meter"] = _display_moves(state, stood.events)
    late = {"meter": -stood.reading.overflow_micros, "reserve": stood.reading.overflow_micros}

    def side(account: str, shown: int) -> Side:
        items = _sorted_items(state, ledger.moves[account], ledger.fed[account], late.get(account, 0))
        return Side(f"{account}/{name}", items, shown)

    found = sorted(chain(*ledger.moves.values()), key=lambda move: (move.office, move.at, move.stream, move.seq))
    return Reconciliation(
        meter=name,
        seq=state.head.seq,
        bonus=state.parameters.bonus,
        notice=stood.notice,
        display=side("meter", stood.reading.display.amount_micros),
        reserve=side("reserve", stood.reading.display.reserve_micros),
        pending=side("pending", waiting),
        by_table=tuple(ledger.fed["meter"]),
        moves=tuple(found),
    )


class _Stood(Struct, frozen=True):
    """A meter at one moment, all its events, and where every stream ended then."""

    state: MeterState
    events: list[Event]
    reading: Reading
    notice: str
    heads: dict[str, int]


def _read(tx: Transaction, name: str) -> _Stood:
    state, events = None, read_events(tx, f"meter/{name}")
    for event in events:
        state = follow(state, event, event.decode())
    if state is None:
        raise refuse("no-meter", NotFound, name=name)
    heads = dict(tx.read(f"SELECT name, ({HEAD}) FROM streams s ORDER BY name"))
    return _Stood(state, events, show(tx, state), notice_of(tx, state), heads)


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


Rows = list[tuple[Any, ...]]


class _Ledger:
    """The transfers of one meter, sorted by what they were for, as far as they have been read."""

    def __init__(self, stood: _Stood) -> None:
        self._state = stood.state
        self.moves: dict[str, list[Explained]] = {side: [] for side in SIDES}
        """Every transfer of each account but the contributions."""
        self.fed: dict[str, list[Item]] = {side: [] for side in SIDES}
        """What the tables fed, table by table, summed by the database: there is one for every round."""
        self._bodies: dict[tuple[str, int], dict[str, Any]] = {}
        """What is said of an event: by the meter's own, and of a settlement by the hit that it made."""
        for event in stood.events:
            body = self._bodies[event.stream, event.seq] = msgspec.json.decode(event.body)
            if event.kind == "hit":
                self._bodies[f"table/{body['table']}", body["seq"]] = body

    def read(self, stream: str, after: int, to: int, tx: Transaction) -> tuple[Rows, Rows]:
        """The transfers of a stream after one event, up to another: contributions, and all others."""
        accounts, piece = [self.account(side) for side in SIDES], (stream, after, to)
        lies, feeds = "t.stream = ? AND t.seq > ? AND t.seq <= ?", "t.source = ? AND t.target IN (?, ?)"
        fed = tx.read(
            f"SELECT t.target, COUNT(*), {total('t.micros')} FROM transfers t WHERE {lies} AND {feeds}"
            " GROUP BY t.target",
            *piece, HOUSE, *accounts[:2],
        )  # fmt: skip
        moved = tx.read(
            "SELECT t.seq, t.source, t.target, t.micros, e.office, e.at, e.actor, e.kind FROM transfers t"
            f" LEFT JOIN events e ON e.stream = t.stream AND e.seq = t.seq WHERE {lies}"
            f" AND (t.source IN (?, ?, ?) OR t.target IN (?, ?, ?)) AND NOT ({feeds})",
            *piece, *accounts, *accounts, HOUSE, *accounts[:2],
        )  # fmt: skip
        return fed, moved

    def account(self, side: str) -> str:
        return f"{side}/{self._state.name}"

    def add(self, stream: str, fed: Rows, moved: Rows) -> None:
        for account, number, micros in fed:
            self._feed(account.partition("/")[0], Item(stream, int(number), read_total(micros)))
        for seq, source, target, micros, office, at, actor, kind in moved:
            for mine, other, sign in ((target, source, 1), (source, target, -1)):
                side = mine.partition("/")[0]
                if side in SIDES and mine == self.account(side):
                    what, words = self._explain(side, (stream, seq), kind, other, sign)
                    place = (mine, office or 0, at or 0, stream, seq, actor or "")
                    self.moves[side].append(Explained(*place, what, words, sign * int(micros)))

    def _feed(self, side: str, item: Item) -> None:
        known = self.fed[side]
        if known and known[-1].what == item.what:
            last = known.pop()
            item = Item(item.what, last.count + item.count, last.micros + item.micros)
        known.append(item)

    def _explain(self, side: str, event: tuple[str, int], kind: str, other: str, sign: int) -> tuple[str, str]:
        ends = (self._sort(other), side) if sign > 0 else (side, self._sort(other))
        what, table = SORTS.get((kind, *ends)), event[0].removeprefix("table/")
        if what == TAKEN_BACK and table in self._state.tables:
            return what, f"a round or a hand at {table} was voided"
        if what is None or what == TAKEN_BACK or event not in self._bodies:
            return UNEXPLAINED, f"{kind}: {'from' if sign > 0 else 'to'} {other}"
        return OTHER_SIDE.get((side, what), what), self._words(what, self._bodies[event], other)

    def _sort(self, account: str) -> str:
        """What an account is: `reserve`, `wallet`. Those of another meter are nothing to this one."""
        sort, _, owner = account.partition("/")
        return sort if sort in ("wallet", "chips") or owner in ("", self._state.name) else account

    def _words(self, what: str, body: dict[str, Any], other: str) -> str:
        part = what == PAID_PART
        wins = [
            win for win in body.get("wins", ()) if win["pending"] is not part and (other == win["account"] or not part)
        ]
        made = self._state.corrections.get(body.get("correction", 0))
        return WORDS[what].format_map({**body, "other": other, "made": made, "wins": "; ".join(map(_win_words, wins))})


def _win_words(win: dict[str, Any]) -> str:
    return f"win {win['win']}: {format_rate(win['percent_bp'])} to {win['account']}"


# --- a bonus jackpot -----------------------------------------------------------------------------


def _display_moves(state: MeterState, events: Sequence[Event]) -> list[Explained]:
    """What the events of a bonus jackpot say that its display did."""
    account, stood, found = f"meter/{state.name}", 0, []
    for event in events:
        body: dict[str, Any] = msgspec.json.decode(event.body)
        for what, words, micros in _display_move(state, event.kind, body, stood):
            place = (account, event.office, event.at, event.stream, event.seq, event.actor)
            found.append(Explained(*place, what, words, micros))
            stood += micros
    return found


def _display_move(state: MeterState, kind: str, body: dict[str, Any], stood: int) -> list[tuple[str, str, int]]:
    """The moves of one event; `stood` is what was displayed before it."""
    match kind:
        case "create":
            return [(SEED, "the first amount", state.parameters.seed_micros)]
        case "display":
            return [(SET, body["reason"], body["after"] - body["before"])]
        case "hit":
            place = f"round {body['round']} at {body['table']}"
            fell = [_display_pay(place, win) for win in body["wins"]]
            returns = [move["after_micros"] - stood for move in body["moves"] if move["kind"] == "reseed"]
            return [*fell, *((RETURNED, f"after {place}", micros) for micros in returns if micros)]
        case "vote" if body["outcome"] == "returned":
            # Not after it was set anew, nor above its limit.
            again = min(max(0, body["amount_micros"] - stood), state.cases[body["win"]].win.display_micros)
            return [(WINS_RETURNED, f"win {body['win']}: {body['reason']}", again)]
        case _:
            return []


def _display_pay(place: str, win: dict[str, Any]) -> tuple[str, str, int]:
    what = PAID_WHOLE if win["percent_bp"] == WHOLE_BP else PAID_PART
    return what, f"{place}, {_win_words(win)}", -win["display_micros"]
