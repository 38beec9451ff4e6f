"""The floor: its tables and who plays there now, and what a gaming day has brought, people, guests and bots apart.

Each report reads the day's events of each table by an index, in one snapshot. `csv_text` writes the rows of any of them
as lines.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct, field

from highcardflush.house.books.accounts import CAGE, CHIPS, HOUSE, METER, RESERVE, TABLE, WALLET
from highcardflush.house.commands import Kind, TableState
from highcardflush.house.house import House
from highcardflush.house.meter.count import show
from highcardflush.house.meter.state import MeterState
from highcardflush.house.reports.days import MICROS, Day, first_since, read_own_day
from highcardflush.house.reports.meters import notice_of
from highcardflush.house.reports.overview import TableRow, read_row
from highcardflush.house.reports.reading import ALL, FIRST, names, read_books, read_meter
from highcardflush.house.reports.takings import NAMES, Group, Memo, Played, TablePlay, Takings, read_kinds
from highcardflush.house.store.protocol import Transaction, read_total, total
from highcardflush.money import MICROS_PER_CENT

HOUR = 3600 * MICROS
SUSPECT = ("=", "+", "-", "@", "\t", "\r")
"""What begins a text that a program for tables may take for a formula."""


class Seated(Struct, frozen=True):
    """How many sit at a table, by kind."""

    people: int
    guests: int
    bots: int


class FloorRow(Struct, frozen=True):
    """A table now, and its gaming day up to now."""

    table: str
    state: TableState
    physical: bool
    rulebook: str
    phase: str | None
    stale: str | None
    """Why its round can only be voided."""
    seats: int
    seated: Seated
    rounds: int
    voids: int
    rounds_an_hour: int
    """Those that were settled within the last 60 minutes."""
    all: Takings
    people: Takings
    guests: Takings
    bots: Takings


class HoldRow(Struct, frozen=True):
    """One wager of one table, of everybody or of one kind of players."""

    table: str
    of: str
    wager: str
    bets: int
    stakes_cents: int
    held_cents: int
    expected_cents: int
    z: float
    judged: bool


class DayRow(Struct, frozen=True):
    """What a gaming day came to, of everybody or of one kind of players."""

    of: str
    players: int
    bought_in_cents: int
    cashed_out_cents: int
    takings: Takings


class PlayerRow(Struct, frozen=True):
    """One player's gaming day: what was staked, gained or lost, and what went over the counter.

    A 100 % win is in it from its settlement on, though it may wait.
    """

    player: str
    kind: Kind
    rounds: int
    handle_cents: int
    net_cents: int
    bought_in_cents: int
    cashed_out_cents: int


class Won(Struct, frozen=True):
    """What players of each kind have won from a meter."""

    people_micros: int
    guests_micros: int
    bots_micros: int


class MeterRow(Struct, frozen=True):
    """A meter now, and what a gaming day has moved. What was fed is less what was taken back with a void round."""

    meter: str
    bonus: bool
    notice: str
    closed: str | None
    display_micros: int
    reserve_micros: int
    fed_micros: int
    reserve_fed_micros: int
    hits: int
    wins: int
    """100 % wins among them."""
    won: Won
    """As it was settled: a 100 % win may wait, or be returned."""
    paid_micros: int
    """100 % wins that were paid."""
    returned_micros: int
    corrected_micros: int
    """What corrections have added to the meter."""


class OfDay(Struct, frozen=True):
    """A report: of which gaming day, and its rows."""

    day: Day
    rows: tuple[Any, ...]


# --- reports --------------------------------------------------------------------------------------


class Asked(Struct, frozen=True):
    """A report that is asked for: at which moment, in seconds since 1970; of which gaming day, by its date, that of
    the moment if None; of a list the first so many after a name. `memo` has what was counted before."""

    now: float
    day: str | None = None
    after: str = ""
    first: int = FIRST
    memo: Memo = field(default_factory=Memo)


def report(house: House, actor: str, asked: Asked, rows: Callable[[Transaction, Asked, Day], Iterable[Any]]) -> OfDay:
    """The rows of a report, from one snapshot."""

    def read(tx: Transaction) -> OfDay:
        day = read_own_day(tx, asked.day, asked.now)
        return OfDay(day, tuple(rows(tx, asked, day)))

    with asked.memo.lock:
        return read_books(house, actor, read)


def floor_view(house: House, actor: str, asked: Asked) -> OfDay:
    """Tables, by their names."""
    return report(house, actor, asked, _floor_rows)


def _floor_rows(tx: Transaction, asked: Asked, day: Day) -> Iterator[FloorRow]:
    for name in names(tx, "table", asked.after, asked.first):
        yield _floor_row(tx, name, asked, day)


def _floor_row(tx: Transaction, name: str, asked: Asked, day: Day) -> FloorRow:
    row, since = read_row(tx, name), int(asked.now * MICROS) - HOUR
    play = asked.memo.read(tx, name, day.start, day.end)
    groups = {NAMES[kind]: group.takings() for kind, group in play.kinds.items()}
    return FloorRow(
        table=name,
        state=row.state,
        physical=row.physical,
        rulebook=row.rulebook,
        phase=row.phase,
        stale=row.stale,
        seats=row.seats,
        seated=_seated(tx, row),
        rounds=len(play.ended),
        voids=play.voids,
        rounds_an_hour=sum(at >= since for at in play.ended)
        if day.start <= since < day.end
        else _ended_since(tx, name, since),
        all=play.whole.takings(),
        **groups,
    )


def _ended_since(tx: Transaction, name: str, at: int) -> int:
    sql = "SELECT COUNT(*) FROM events WHERE stream = ? AND kind = 'settle' AND seq >= ?"
    ((ended,),) = tx.read(sql, TABLE + name, first_since(tx, TABLE + name, at))
    return int(ended)


def _seated(tx: Transaction, row: TableRow) -> Seated:
    kinds = read_kinds(tx, (player for player in row.players.values() if player is not None))
    counts = Counter(kinds.get(player or "", "person") for player in row.players.values())
    return Seated(**{word: counts[kind] for kind, word in NAMES.items()})


def day_holds(house: House, actor: str, asked: Asked) -> OfDay:
    """Every wager of every table against its odds."""
    return report(house, actor, asked, _hold_rows)


def _hold_rows(tx: Transaction, asked: Asked, day: Day) -> Iterator[HoldRow]:
    for name in names(tx, "table", asked.after, asked.first):
        for word, group in _groups(asked.memo.read(tx, name, day.start, day.end)).items():
            for wager in group.takings().wagers:
                yield HoldRow(name, word, *msgspec.structs.astuple(wager))


def _groups(play: TablePlay) -> dict[str, Group]:
    return {"all": play.whole, **{NAMES[kind]: group for kind, group in play.kinds.items()}}


def day_totals(house: House, actor: str, asked: Asked) -> OfDay:
    """What a gaming day came to, over all tables and the cage."""
    return report(house, actor, asked, _total_rows)


def _total_rows(tx: Transaction, asked: Asked, day: Day) -> Iterator[DayRow]:
    play, counter = _whole_play(tx, asked, day), _counter(tx, day)
    kinds = {name: played.kind for name, played in play.players.items()}
    kinds |= read_kinds(tx, (name for name in counter if name not in kinds))
    for word, group in _groups(play).items():
        yield _day_row(word, group, play, counter, kinds)


def _day_row(
    word: str, group: Group, play: TablePlay, counter: dict[str, Counter[str]], kinds: dict[str, Kind]
) -> DayRow:
    mine = {name for name, kind in kinds.items() if word in ("all", NAMES[kind])}
    bought, cashed = (sum(counter[name][way] for name in counter.keys() & mine) for way in ("buy-in", "cash-out"))
    return DayRow(word, len(play.players.keys() & mine), bought, cashed, group.takings())


def _whole_play(tx: Transaction, asked: Asked, day: Day) -> TablePlay:
    whole = TablePlay()
    for name in names(tx, "table", first=ALL):
        whole.join(asked.memo.read(tx, name, day.start, day.end))
    return whole


def _counter(tx: Transaction, day: Day) -> dict[str, Counter[str]]:
    """What each player has brought to the cage and taken from it, in cents."""
    first, end = (first_since(tx, CAGE, at) for at in (day.start, day.end))
    found: dict[str, Counter[str]] = {}
    sql = "SELECT kind, body FROM events WHERE stream = ? AND seq >= ? AND seq < ?"
    for kind, body in tx.read(sql, CAGE, first, end):
        said = msgspec.json.decode(body)
        found.setdefault(said["player"], Counter())[kind] += said["micros"] // MICROS_PER_CENT
    return found


def day_players(house: House, actor: str, asked: Asked) -> OfDay:
    """The players of a gaming day, by their names."""
    return report(house, actor, asked, _player_rows)


def _player_rows(tx: Transaction, asked: Asked, day: Day) -> Iterator[PlayerRow]:
    play, counter = _whole_play(tx, asked, day), _counter(tx, day)
    kinds = read_kinds(tx, {*play.players, *counter})
    for name in sorted(name for name in kinds if name > asked.after)[: asked.first]:
        yield _player_row(name, kinds[name], play, counter)


def _player_row(name: str, kind: Kind, play: TablePlay, counter: dict[str, Counter[str]]) -> PlayerRow:
    played, money = play.players.get(name) or Played(kind), counter.get(name, Counter[str]())
    figures = (played.rounds, played.handle_cents, played.net_cents)
    return PlayerRow(name, kind, *figures, money["buy-in"], money["cash-out"])


def day_meters(house: House, actor: str, asked: Asked) -> OfDay:
    """Meters by their names, and what a gaming day has moved."""
    return report(house, actor, asked, _meter_rows)


def _meter_rows(tx: Transaction, asked: Asked, day: Day) -> Iterator[MeterRow]:
    for name in names(tx, "meter", asked.after, asked.first):
        yield _meter_row(tx, read_meter(tx, name), day)


def _meter_row(tx: Transaction, state: MeterState, day: Day) -> MeterRow:
    first, end = (first_since(tx, state.stream, at) for at in (day.start, day.end))
    sql = "SELECT body FROM events WHERE stream = ? AND seq >= ? AND seq < ? AND kind = 'hit'"
    hits = [msgspec.json.decode(body) for (body,) in tx.read(sql, state.stream, first, end)]
    wins = [win for hit in hits for win in hit["wins"]]
    shown, moved = show(tx, state).display, _moved(tx, state, first, end)
    return MeterRow(
        meter=state.name,
        bonus=state.parameters.bonus,
        notice=notice_of(tx, state),
        closed=state.closed,
        display_micros=shown.amount_micros,
        reserve_micros=shown.reserve_micros,
        fed_micros=_fed(tx, state, METER + state.name, day),
        reserve_fed_micros=_fed(tx, state, RESERVE + state.name, day),
        hits=len(hits),
        wins=sum(win["pending"] for win in wins),
        won=_won(tx, wins),
        paid_micros=moved["paid"],
        returned_micros=moved["returned"],
        corrected_micros=moved["corrected"],
    )


def _fed(tx: Transaction, state: MeterState, account: str, day: Day) -> int:
    """What tables have moved from the house to a meter or its reserve, and back."""
    sql = f"SELECT {total('micros')} FROM transfers WHERE stream = ? AND seq >= ? AND seq < ?"
    sql += " AND source = ? AND target = ?"
    fed = 0
    for table in state.tables:
        stream = TABLE + table
        span = [first_since(tx, stream, at) for at in (day.start, day.end)]
        came, went = (
            read_total(tx.read(sql, stream, *span, *way)[0][0]) for way in ((HOUSE, account), (account, HOUSE))
        )
        fed += came - went
    return fed


def _won(tx: Transaction, wins: list[dict[str, Any]]) -> Won:
    owners = [win["account"].removeprefix(WALLET) for win in wins]
    kinds, sums = read_kinds(tx, owners), Counter[Kind]()
    for owner, win in zip(owners, wins, strict=True):
        sums[kinds.get(owner, "person")] += win["micros"]
    return Won(**{f"{word}_micros": sums[kind] for kind, word in NAMES.items()})


def _moved(tx: Transaction, state: MeterState, first: int, end: int) -> Counter[str]:
    """What events of the meter itself have moved: 100 % wins to players or back, corrections."""
    rows = tx.read(
        "SELECT e.kind, t.source, t.target, t.micros FROM events e JOIN transfers t ON t.stream = e.stream"
        " AND t.seq = e.seq WHERE e.stream = ? AND e.seq >= ? AND e.seq < ? AND e.kind IN ('vote', 'approve')",
        state.stream, first, end,
    )  # fmt: skip
    found = Counter[str]()
    for kind, source, target, micros in rows:
        if kind == "vote":
            found["paid" if target.startswith((WALLET, CHIPS)) else "returned"] += int(micros)
        elif state.stream in (source, target):
            found["corrected"] += int(micros) if target == state.stream else -int(micros)
    return found


BY_DAY: dict[str, Callable[[House, str, Asked], OfDay]] = {
    "floor": floor_view,
    "holds": day_holds,
    "totals": day_totals,
    "players": day_players,
    "meters": day_meters,
}
"""The reports of a gaming day, by their names."""


# --- as lines -------------------------------------------------------------------------------------


def csv_text(rows: Iterable[Struct]) -> str:
    """Rows as lines with their names first; a list within a row is left out."""
    flat = [dict(_flat(msgspec.to_builtins(row))) for row in rows]
    out = io.StringIO()
    writer = csv.DictWriter(out, list(flat[0]) if flat else [], lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({key: _safe(value) for key, value in row.items()} for row in flat)
    return out.getvalue()


def _flat(data: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{key}_")
        elif not isinstance(value, (list, tuple)):
            yield before + key, str(value).lower() if isinstance(value, bool) else value


def _safe(value: Any) -> Any:
    """Text that no program takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(SUSPECT) else value
