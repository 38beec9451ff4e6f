"""A meter reconciled: seed + in - paid, and every other move, = display; to the micro-dollar.

The left side is every transfer of the account since its first day, each sorted by what it was for. The right side is
what the meter shows: the newest count in its stream and what the tables have moved since. They are two ways to one
number, so a transfer that was lost or invented, or a count that was written wrong, shows. A bonus jackpot's display is
no money: its moves are those that its events tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import msgspec
from msgspec import Struct

from highcardflush.house.books.accounts import HOUSE
from highcardflush.house.books.event import Event
from highcardflush.house.house import House
from highcardflush.house.meter.count import count
from highcardflush.house.meter.state import MeterState
from highcardflush.house.reports.meters import notice_of
from highcardflush.house.reports.reading import is_account, read_books, read_meter
from highcardflush.house.store.protocol import Transaction, read_total, total
from highcardflush.money import WHOLE_BP, format_rate

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
    return read_books(house, actor, lambda tx: _reconcile(tx, name))


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
        moves=tuple(sorted(chain(*moves.values()), key=lambda move: (move.office, move.at, move.stream, move.seq))),
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
        self._bodies: dict[tuple[str, int], dict[str, Any]] = {}
        """What is said of an event: by the meter's own, and of a settlement by the hit that it made."""
        for event in events:
            body = self._bodies[event.stream, event.seq] = msgspec.json.decode(event.body)
            if event.kind == "hit":
                self._bodies[f"table/{body['table']}", body["seq"]] = body

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
                f"SELECT t.stream, t.seq, t.{other}, t.micros, e.office, e.at, e.actor, e.kind FROM transfers t"
                f" LEFT JOIN events e ON e.stream = t.stream AND e.seq = t.seq WHERE {is_account(f't.{mine}', account)}"
                " AND t.source <> ?",
                account, fed,
            )  # fmt: skip
            for stream, seq, counterpart, micros, office, at, actor, kind in rows:
                what, words = self._explain(side, (stream, seq), kind, counterpart, sign)
                event = (account, office or 0, at or 0, stream, seq, actor or "")
                found.append(Explained(*event, what, words, sign * int(micros)))
        return found

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
