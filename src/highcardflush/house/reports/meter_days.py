"""The moves of each meter in a gaming day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from highcardflush.house import codec
from highcardflush.house.books.event import CHIPS, HOUSE, METER, RESERVE, TABLE, WALLET
from highcardflush.house.commands import Kind
from highcardflush.house.events import MeterHit, Win
from highcardflush.house.meter.count import show
from highcardflush.house.meter.state import MeterState
from highcardflush.house.reports.day_report import DayQuery, day_report
from highcardflush.house.reports.days import Day, first_since
from highcardflush.house.reports.meters import notice_of
from highcardflush.house.reports.reading import names, read_entries, read_meter
from highcardflush.house.reports.takings import NAMES, read_kinds
from highcardflush.house.store.protocol import Transaction, read_total, total


class Won(Struct, frozen=True):
    """The winnings of each kind of players from a meter."""

    people_micros: int
    guests_micros: int
    bots_micros: int


class MeterRow(Struct, frozen=True):
    """A meter now, and its moves in a gaming day. Contributions that a void returned are subtracted."""

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
    """The 100 % wins among them."""
    won: Won
    """Winnings as settled; a 100 % win may still wait, or be returned."""
    paid_micros: int
    """The 100 % wins that were paid."""
    returned_micros: int
    corrected_micros: int
    """The sum of the corrections of the meter."""


@day_report
def day_meters(tx: Transaction, query: DayQuery, day: Day) -> Iterator[MeterRow]:
    for name in names(tx, "meter", query.after, query.first):
        yield _meter_row(tx, read_meter(tx, name), day)


def _meter_row(tx: Transaction, state: MeterState, day: Day) -> MeterRow:
    first, end = (first_since(tx, state.stream, at) for at in (day.start, day.end))
    hits = read_entries(tx, "stream = ? AND seq >= ? AND seq < ? AND kind = 'hit'", state.stream, first, end)
    wins = [win for hit in hits for win in codec.decode(hit.body, MeterHit).wins]
    display, moved = show(tx, state).display, _moved(tx, state, first, end)
    return MeterRow(
        meter=state.name,
        bonus=state.parameters.bonus,
        notice=notice_of(tx, state),
        closed=state.closed,
        display_micros=display.amount_micros,
        reserve_micros=display.reserve_micros,
        fed_micros=_fed(tx, state, METER + state.name, day),
        reserve_fed_micros=_fed(tx, state, RESERVE + state.name, day),
        hits=len(hits),
        wins=sum(win.pending for win in wins),
        won=_won(tx, wins),
        paid_micros=moved["paid"],
        returned_micros=moved["returned"],
        corrected_micros=moved["corrected"],
    )


def _fed(tx: Transaction, state: MeterState, account: str, day: Day) -> int:
    """Return the net amount that tables moved from the house to a meter or its reserve."""
    sql = f"SELECT {total('micros')} FROM transfers WHERE stream = ? AND seq >= ? AND seq < ?"
    sql += " AND source = ? AND target = ?"
    net = 0
    for table in state.tables:
        stream = TABLE + table
        span = [first_since(tx, stream, at) for at in (day.start, day.end)]
        came, went = (
            read_total(tx.read(sql, stream, *span, *way)[0][0]) for way in ((HOUSE, account), (account, HOUSE))
        )
        net += came - went
    return net


def _won(tx: Transaction, wins: Sequence[Win]) -> Won:
    owners = [win.account.removeprefix(WALLET) for win in wins]
    kinds, sums = read_kinds(tx, owners), Counter[Kind]()
    for owner, win in zip(owners, wins, strict=True):
        sums[kinds.get(owner, "person")] += win.micros
    return Won(**{f"{word}_micros": sums[kind] for kind, word in NAMES.items()})


def _moved(tx: Transaction, state: MeterState, first: int, end: int) -> Counter[str]:
    """Return the moves of the meter's own events: 100 % wins paid or returned, and corrections."""
    rows = tx.read(
        "SELECT e.kind, t.source, t.target, t.micros FROM events e JOIN transfers t ON t.stream = e.stream"
        " AND t.seq = e.seq WHERE e.stream = ? AND e.seq >= ? AND e.seq < ? AND e.kind IN ('vote', 'approve')",
        state.stream, first, end,
    )  # fmt: skip
    sums = Counter[str]()
    for kind, source, target, micros in rows:
        if kind == "vote":
            sums["paid" if target.startswith((WALLET, CHIPS)) else "returned"] += int(micros)
        elif state.stream in (source, target):
            sums["corrected"] += int(micros) if target == state.stream else -int(micros)
    return sums
