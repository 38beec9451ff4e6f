"""What a meter holds: the newest count in its stream, and what linked tables have moved since.

What a table moves is a row of its own (`flows`), so contributions wait for nobody; whoever must know exactly (a hit,
a correction) locks the meter's stream, sums the rows, and writes what it saw with the *cut*, up to where it was seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from highcardflush.house.books.event import Transfer
from highcardflush.house.books.postings import to_transfers
from highcardflush.house.books.writer import Writer
from highcardflush.house.meter.checkpoint import Appended, append
from highcardflush.house.meter.state import MeterState
from highcardflush.house.store.protocol import Transaction, read_total, total
from highcardflush.jackpot import Meter


class Reading(Struct, frozen=True):
    """What a meter holds: display and reserve, what of the count is above the limit, and what was counted."""

    display: Meter
    overflow_micros: int
    flowed: Meter
    """What all tables together have ever moved into it."""
    cut: dict[str, int] = {}
    """The newest event of each table that moved it since the last count."""

    @property
    def raw(self) -> Meter:
        return self.display.plus(Meter(self.overflow_micros, -self.overflow_micros))


def show(tx: Transaction, state: MeterState) -> Reading:
    """What the meter holds at this moment, to be shown."""
    sums = f"SELECT {total('meter_micros')}, {total('reserve_micros')} FROM flows WHERE meter = ?"
    return _reading(state, Meter(*map(read_total, tx.read(sums, state.name)[0])), {})


def count(tx: Transaction, state: MeterState) -> Reading:
    """The same with its cut: exact under the lock of its stream."""
    rows = tx.read("SELECT stream, seq, meter_micros, reserve_micros FROM flows WHERE meter = ?", state.name)
    flowed = Meter(sum(row[2] for row in rows), sum(row[3] for row in rows))
    return _reading(state, flowed, {row[0]: row[1] for row in rows if row[1] > state.cut.get(row[0], 0)})


def _reading(state: MeterState, flowed: Meter, cut: dict[str, int]) -> Reading:
    raw = state.count.plus(flowed.minus(state.flowed))
    limit = state.parameters.limit_micros
    above = max(0, raw.amount_micros - limit) if limit is not None and not state.parameters.bonus else 0
    return Reading(raw.plus(Meter(-above, above)), above, flowed, cut)


def disagreement(tx: Transaction, state: MeterState, reading: Reading) -> Iterator[tuple[int, int]]:
    """What tables have moved into a meter, and into its reserve, since it was last counted: by the rows, and by their
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
    kind: str,
    body: dict[str, Any],
    stands: Meter | None = None,
    transfers: tuple[Transfer, ...] = (),
) -> Appended:
    """Append an event that says what stands after it in a locked meter; what was above the limit is moved with it."""
    stands = stands or reading.display
    counted = {**asdict(stands), "flowed": reading.flowed, "cut": reading.cut}
    overflow = to_transfers([(state.stream, f"reserve/{state.name}", reading.overflow_micros)])
    moved = {"overflow_micros": reading.overflow_micros, "advances_micros": advanced(state.name, transfers)}
    counted |= {key: micros for key, micros in moved.items() if micros}
    return append(writer, state, kind, {**body, **counted}, (*overflow, *transfers))


def advanced(meter: str, transfers: Iterable[Transfer]) -> int:
    """What the house gives to a meter with these transfers, less what it gets back."""
    account = f"advances/{meter}"
    return sum(move.micros * ((move.source == account) - (move.target == account)) for move in transfers)
