"""Reconciles a meter to the micro-dollar (`hcf house meter reconcile`): seed + in - paid + all other moves = display.

The left side is the sum of all transfers of the account since it was created, grouped by purpose. The right side is the
meter's display, which comes from its newest count and the tables' moves since. The two sides are calculated
independently. The display of a bonus jackpot holds no money, so its moves come from the meter's events. The ledger is
append-only, so several short snapshots can read each stream up to the same moment.
"""

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from highcardflush.errors import NotFound
from highcardflush.house import events as ev
from highcardflush.house.books.event import HOUSE, TABLE, Event
from highcardflush.house.books.reader import read_events
from highcardflush.house.house import House
from highcardflush.house.meter.count import Reading, show
from highcardflush.house.meter.state import MeterState, follow
from highcardflush.house.reports.meters import notice_of
from highcardflush.house.reports.reading import HEAD, read_books
from highcardflush.house.store.protocol import Transaction, read_total, total
from highcardflush.money import WHOLE_BP
from highcardflush.words import refuse

PIECE = 20_000
"""Maximum number of events of a stream that one snapshot reads."""
SIDES = ("meter", "reserve", "pending")
"""The reconciled accounts of a meter. Money from the house to `meter` or `reserve` is a contribution."""
ORDER = (
    SEED, IN, TAKEN_BACK, PAID_WHOLE, PAID_PART, FROM_RESERVE, FROM_HOUSE, WINS_RETURNED, WON, PAID_OUT,
    TO_METER, TO_HOUSE, MADE_GOOD, CORRECTION, SET, RETURNED, OVERFLOW, OVERFLOW_WAITING, UNEXPLAINED,
) = (
    "seed", "contributions", "taken-back", "paid-whole-wins", "paid-percentage-wins", "reseed-from-reserve",
    "reseed-from-house", "wins-returned", "won", "paid-out", "returned-to-meter", "returned-to-house",
    "made-good", "correction", "set", "reset-after-win", "overflow", "overflow-waiting", "unexplained",
)  # fmt: skip
"""Codes of the lines, in the order of the report."""
PURPOSES: dict[tuple[type[ev.Body], str, str], str] = {
    (ev.MeterCreated, "advances", "meter"): SEED,
    (ev.ShortfallMadeGood, "advances", "meter"): MADE_GOOD,
    **{(end, side, HOUSE): TAKEN_BACK for end in (ev.RoundSettled, ev.RoundVoided) for side in ("meter", "reserve")},
    (ev.RoundSettled, "meter", "pending"): PAID_WHOLE,
    (ev.RoundSettled, HOUSE, "pending"): WON,
    **{(ev.RoundSettled, "meter", winner): PAID_PART for winner in ("wallet", "chips")},
    (ev.RoundSettled, "reserve", "meter"): FROM_RESERVE,
    (ev.RoundSettled, "advances", "meter"): FROM_HOUSE,
    **{(ev.WinVoted, "pending", winner): PAID_OUT for winner in ("wallet", "chips")},
    (ev.WinVoted, "pending", "meter"): TO_METER,
    (ev.WinVoted, "pending", HOUSE): TO_HOUSE,
    **{(ev.CorrectionApproved, "advances", side): CORRECTION for side in ("meter", "reserve")},
    **{(ev.CorrectionApproved, side, "advances"): CORRECTION for side in ("meter", "reserve")},
    **{
        (body, "meter", "reserve"): OVERFLOW
        for body in ev.Counted.__subclasses__() if body not in (ev.MeterCreated, ev.DisplaySet)
    },
}  # fmt: skip
"""Code of each move, keyed by its kind of event, its source and its target. Contributions are not included."""
OTHER_SIDE = {("pending", PAID_WHOLE): WON, ("meter", TO_METER): WINS_RETURNED}
"""Code of a move for the account at its other end, if it differs, keyed by that account and the code in `PURPOSES`."""
Values = dict[str, int | str | tuple[ev.Win, ...]]


class Item(Struct, frozen=True):
    """One line: all moves with the same code."""

    what: str
    count: int
    micros: int


class Explained(Struct, frozen=True):
    """One move that is not a contribution, and its purpose."""

    account: str
    office: int
    """Number of the newest office event at that time. Moves are sorted by this number, then by time."""
    at: int
    stream: str
    seq: int
    actor: str
    what: str
    values: Values
    """Facts about the event, such as its table, its round, its wins or its reason."""
    micros: int


class Side(Struct, frozen=True):
    """One account. Its lines must add up to the displayed amount."""

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
    """Reconciliation of a meter, its reserve and its pending wins."""

    meter: str
    seq: int
    """Number of the last event of the meter's stream that was read."""
    bonus: bool
    notice: str
    """Exact text displayed next to the amount of a bonus jackpot."""
    display: Side
    reserve: Side
    pending: Side
    by_table: tuple[Item, ...]
    """Contributions to the meter from each table."""
    moves: tuple[Explained, ...]

    @property
    def sides(self) -> tuple[Side, ...]:
        return (self.display, self.reserve, self.pending)

    @property
    def agrees(self) -> bool:
        return all(side.agrees for side in self.sides)


def reconcile(house: House, name: str, actor: str) -> Reconciliation:
    def read(tx: Transaction) -> tuple[MeterState, list[Event], Reading, str, dict[str, int]]:
        state, events = None, read_events(tx, f"meter/{name}")
        for event in events:
            state = follow(state, event, event.decode())
        if state is None:
            raise refuse("no-meter", NotFound, name=name)
        heads = dict(tx.read(f"SELECT name, ({HEAD}) FROM streams s ORDER BY name"))
        return state, events, show(tx, state), notice_of(tx, state), heads

    state, events, reading, notice, heads = read_books(house, actor, read)
    ledger = _Ledger(state, events)
    for stream, head in heads.items():
        for start in range(0, head, PIECE):
            ledger.add(stream, *house.store.snapshot(partial(ledger.read, stream, start, min(start + PIECE, head))))
    waiting = sum(case.win.micros for case in state.cases.values() if case.outcome == "waiting")
    if state.parameters.bonus:
        display, ledger.moves["meter"] = 0, []
        for event in events:
            for what, values, micros in _display_moves(state, event.decode(), display):
                place = (state.stream, event.office, event.at, event.stream, event.seq, event.actor)
                ledger.moves["meter"].append(Explained(*place, what, values, micros))
                display += micros
    moves = sorted(chain(*ledger.moves.values()), key=lambda move: (move.office, move.at, move.stream, move.seq))
    return Reconciliation(
        meter=name,
        seq=state.head.seq,
        bonus=state.parameters.bonus,
        notice=notice,
        display=ledger.side("meter", reading.display.amount_micros, -reading.overflow_micros),
        reserve=ledger.side("reserve", reading.display.reserve_micros, reading.overflow_micros),
        pending=ledger.side("pending", waiting),
        by_table=tuple(ledger.fed["meter"]),
        moves=tuple(moves),
    )


Rows = list[tuple[Any, ...]]


class _Ledger:
    """The transfers of one meter that have been read so far, grouped by purpose."""

    def __init__(self, state: MeterState, events: Sequence[Event]) -> None:
        self._state = state
        self.moves: dict[str, list[Explained]] = {side: [] for side in SIDES}
        """All transfers of each account except contributions."""
        self.fed: dict[str, list[Item]] = {side: [] for side in SIDES}
        """Contributions from each table to each account. The database adds them up, because every round has some."""
        self._bodies: dict[tuple[str, int], ev.Body] = {}
        """Bodies of the meter's events, keyed by stream and number. For a settlement with a hit, it is the hit's."""
        for event in events:
            body = self._bodies[event.stream, event.seq] = event.decode()
            if isinstance(body, ev.MeterHit):
                self._bodies[f"table/{body.table}", body.seq] = body

    def read(self, stream: str, after: int, to: int, tx: Transaction) -> tuple[Rows, Rows]:
        """Return the contributions and the other transfers in a stream after event `after`, up to event `to`."""
        accounts, piece = [self.account(side) for side in SIDES], (stream, after, to)
        lies, feeds = "t.stream = ? AND t.seq > ? AND t.seq <= ?", "t.source = ? AND t.target IN (?, ?)"
        fed = tx.read(
            f"SELECT t.target, COUNT(*), {total('t.micros')} FROM transfers t WHERE {lies} AND {feeds}"
            " GROUP BY t.target",
            *piece, HOUSE, *accounts[:2],
        )  # fmt: skip
        moves = tx.read(
            "SELECT t.seq, t.source, t.target, t.micros, e.office, e.at, e.actor, e.kind FROM transfers t"
            f" LEFT JOIN events e ON e.stream = t.stream AND e.seq = t.seq WHERE {lies}"
            f" AND (t.source IN (?, ?, ?) OR t.target IN (?, ?, ?)) AND NOT ({feeds})",
            *piece, *accounts, *accounts, HOUSE, *accounts[:2],
        )  # fmt: skip
        return fed, moves

    def account(self, side: str) -> str:
        return f"{side}/{self._state.name}"

    def add(self, stream: str, fed: Rows, moves: Rows) -> None:
        for account, number, micros in fed:
            items, item = self.fed[account.partition("/")[0]], Item(stream, int(number), read_total(micros))
            if items and items[-1].what == stream:
                last = items.pop()
                item = Item(stream, last.count + item.count, last.micros + item.micros)
            items.append(item)
        for seq, source, target, micros, office, at, actor, kind in moves:
            for mine, other, sign in ((target, source, 1), (source, target, -1)):
                side = mine.partition("/")[0]
                if side in SIDES and mine == self.account(side):
                    what, values = self._explain(side, (stream, seq), kind, other, sign)
                    place = (mine, office or 0, at or 0, stream, seq, actor or "")
                    self.moves[side].append(Explained(*place, what, values, sign * int(micros)))

    def side(self, side: str, shown_micros: int, late: int = 0) -> Side:
        """Return the reconciliation of one account. `late` is the overflow that the next count will move."""
        linked = {f"table/{table}" for table in self._state.tables}
        items = [Item(move.what, 1, move.micros) for move in self.moves[side]]
        items += [Item(IN if item.what in linked else UNEXPLAINED, item.count, item.micros) for item in self.fed[side]]
        items += [Item(OVERFLOW_WAITING, 1, late)] if late else []
        lines = (
            Item(what, sum(item.count for item in same), sum(item.micros for item in same))
            for what in ORDER
            if (same := [item for item in items if item.what == what])
        )
        return Side(self.account(side), tuple(lines), shown_micros)

    def _explain(self, side: str, event: tuple[str, int], kind: str, other: str, sign: int) -> tuple[str, Values]:
        ends = (self._sort(other), side) if sign > 0 else (side, self._sort(other))
        body, table = ev.KINDS.get((event[0].partition("/")[0], kind)), event[0].removeprefix(TABLE)
        what = PURPOSES.get((body, *ends)) if body is not None else None
        if what == TAKEN_BACK and table in self._state.tables:
            return what, {"table": table}
        if what is None or what == TAKEN_BACK or event not in self._bodies:
            return UNEXPLAINED, {"kind": kind, "other": other}
        return OTHER_SIDE.get((side, what), what), self._values(what, self._bodies[event], other)

    def _sort(self, account: str) -> str:
        """Return the kind of an account, such as `reserve` or `wallet`. Return another meter's account unchanged."""
        sort, _, owner = account.partition("/")
        return sort if sort in ("wallet", "chips") or owner in ("", self._state.name) else account

    def _values(self, what: str, body: ev.Body, other: str) -> Values:
        values: Values = {key: value for key, value in asdict(body).items() if type(value) in (int, str)}
        if isinstance(body, ev.MeterHit):
            part = what == PAID_PART
            wins = (win for win in body.wins if win.pending is not part and (other == win.account or not part))
            values["wins"] = tuple(wins)
        if isinstance(body, ev.CorrectionApproved):
            proposal = self._state.corrections[body.correction]
            values |= {"proposed_by": proposal.actor, "reason": proposal.reason}
        return values | {"other": other}


def _display_moves(state: MeterState, body: ev.Body, display: int) -> list[tuple[str, Values, int]]:
    """Return an event's changes of a bonus jackpot's display (code, values and amount). `display` is its old amount."""
    match body:
        case ev.MeterCreated():
            return [(SEED, {}, state.parameters.seed_micros)]
        case ev.DisplaySet():
            return [(SET, {"reason": body.reason}, body.after - body.before)]
        case ev.MeterHit():
            place: Values = {"round": body.round, "table": body.table}
            sorts = [PAID_WHOLE if win.percent_bp == WHOLE_BP else PAID_PART for win in body.wins]
            pays = zip(
                sorts,
                ({**place, "wins": (win,)} for win in body.wins),
                (-win.display_micros for win in body.wins),
                strict=True,
            )
            returns = [move.after_micros - display for move in body.moves if move.kind == "reseed"]
            return [*pays, *((RETURNED, place, micros) for micros in returns if micros)]
        case ev.WinVoted(outcome="returned", amount_micros=int(amount_micros)):
            # The display does not rise if it was set again in the meantime, and it never rises above its limit.
            rise = min(max(0, amount_micros - display), state.cases[body.win].win.display_micros)
            return [(WINS_RETURNED, {"win": body.win, "reason": body.reason}, rise)]
        case _:
            return []
