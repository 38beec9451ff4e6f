"""The amounts of a meter: the newest count in its stream, and what linked tables have moved since.

What a table moves is a row of its own (`flows`), so contributions never wait for each other. A hit or a correction,
which must be exact, locks the meter's stream, sums the rows, and writes the sum with its *cut*: the newest event that
was counted of each table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from highcardflush.house.books.event import Transfer
from highcardflush.house.books.postings import to_transfers
from highcardflush.house.books.writer import Writer
from highcardflush.house.events import Count, Counted
from highcardflush.house.meter import checkpoint
from highcardflush.house.meter.checkpoint import Appended, append
from highcardflush.house.meter.state import MeterState
from highcardflush.house.store.protocol import Transaction, read_total, total
from highcardflush.jackpot import Meter


class Reading(Struct, frozen=True):
    """The amounts of a meter: display and reserve, the overflow above the limit, and the sums that were counted."""

    display: Meter
    overflow_micros: int
    flowed: Meter
    """The sum of what all tables have ever moved into it."""
    cut: dict[str, int] = {}
    """The newest event of each table that moved it since the last count."""

    @property
    def raw(self) -> Meter:
        return self.display.plus(Meter(self.overflow_micros, -self.overflow_micros))


def show(tx: Transaction, state: MeterState) -> Reading:
    """Read the current display of a meter."""
    sums = f"SELECT {total('meter_micros')}, {total('reserve_micros')} FROM flows WHERE meter = ?"
    return _reading(state, Meter(*map(read_total, tx.read(sums, state.name)[0])), {})


def count(tx: Transaction, state: MeterState) -> Reading:
    """Read the exact amounts of a meter with their cut, under the lock of its stream."""
    rows = tx.read("SELECT stream, seq, meter_micros, reserve_micros FROM flows WHERE meter = ?", state.name)
    flowed = Meter(sum(row[2] for row in rows), sum(row[3] for row in rows))
    return _reading(state, flowed, {row[0]: row[1] for row in rows if row[1] > state.cut.get(row[0], 0)})


def _reading(state: MeterState, flowed: Meter, cut: dict[str, int]) -> Reading:
    raw = state.count.plus(flowed.minus(state.flowed))
    limit = state.parameters.limit_micros
    above = max(0, raw.amount_micros - limit) if limit is not None and not state.parameters.bonus else 0
    return Reading(raw.plus(Meter(-above, above)), above, flowed, cut)


def disagreement(tx: Transaction, state: MeterState, reading: Reading) -> Iterator[tuple[int, int]]:
    """Return what tables have moved into a meter and into its reserve since the last count, by the rows and by their
    transfers."""
    moved = Counter[str]()
    sql = "SELECT source, target, micros FROM transfers WHERE stream = ? AND seq > ? AND seq <= ?"
    for stream, end in reading.cut.items():
        for source, target, micros in tx.read(sql, stream, state.cut.get(stream, 0), end):
            moved[source] -= micros
            moved[target] += micros
    flowed = reading.flowed.minus(state.flowed)
    yield flowed.amount_micros, moved[state.stream]
    yield flowed.reserve_micros, moved[f"reserve/{state.name}"]


def append_count(
    writer: Writer,
    state: MeterState,
    reading: Reading,
    body: Counted,
    after: Meter | None = None,
    transfers: tuple[Transfer, ...] = (),
) -> Appended:
    """Append an event with the count of a locked meter, which holds `after` then. It moves the overflow too."""
    return append(
        writer,
        state,
        body.with_count(_count(state, reading, after, transfers)),
        _with_overflow(state, reading, transfers),
    )


def append_checkpoint(writer: Writer, state: MeterState) -> Appended:
    """Count a locked meter and write its whole state down."""
    reading = count(writer.tx, state)
    return checkpoint.append_checkpoint(writer, state, _count(state, reading), _with_overflow(state, reading))


def _count(
    state: MeterState, reading: Reading, after: Meter | None = None, transfers: tuple[Transfer, ...] = ()
) -> Count:
    advances_micros = advanced(state.name, transfers)
    return Count(after or reading.display, reading.flowed, reading.cut, reading.overflow_micros, advances_micros)


def _with_overflow(state: MeterState, reading: Reading, transfers: tuple[Transfer, ...] = ()) -> tuple[Transfer, ...]:
    overflow = to_transfers([(state.stream, f"reserve/{state.name}", reading.overflow_micros)])
    return (*overflow, *transfers)


def advanced(meter: str, transfers: Iterable[Transfer]) -> int:
    """Return what the house gives to a meter with these transfers, less what it gets back."""
    account = f"advances/{meter}"
    return sum(move.micros * ((move.source == account) - (move.target == account)) for move in transfers)
