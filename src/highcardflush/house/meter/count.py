"""What a meter holds: the newest count in its stream, and what linked tables have moved since that count's *cut*.

Contributions are rows of the tables and wait for nobody; whoever must know exactly (a hit, a correction) locks the
meter's stream, counts, and writes what it saw with the new cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from highcardflush.house.books.event import Event, Transfer
from highcardflush.house.books.postings import to_transfers
from highcardflush.house.books.writer import Writer
from highcardflush.house.meter.state import MeterState
from highcardflush.house.store.protocol import Transaction, of_meters, read_total, total
from highcardflush.jackpot import Meter


class Reading(Struct, frozen=True):
    """What a meter holds: display and reserve, what of the count is above the limit, and what was counted."""

    display: Meter
    overflow_micros: int
    cut: dict[str, int]
    """Where each linked table's stream ended."""
    events: int
    """How many events of tables came since the count that the meter's stream has."""

    @property
    def raw(self) -> Meter:
        return self.display.plus(Meter(self.overflow_micros, -self.overflow_micros))


def count(tx: Transaction, state: MeterState, known: Reading | None = None) -> Reading:
    """What the meter holds now. Exact under the lock of its stream; without it, as of this moment.

    `known` is an earlier count of the same state: it goes on from there.
    """
    counted, cut = (known.raw, known.cut) if known is not None else (state.count, state.cut)
    events = known.events if known is not None else 0
    if state.tables and not state.parameters.bonus:
        for stream, end, moved in _since(tx, state, cut):
            counted = counted.plus(moved)
            events += end - cut.get(stream, 0)
            cut = {**cut, stream: end}
    limit = state.parameters.limit_micros
    overflow = max(0, counted.amount_micros - limit) if limit is not None and not state.parameters.bonus else 0
    return Reading(counted.plus(Meter(-overflow, overflow)), overflow, cut, events)


def _since(tx: Transaction, state: MeterState, cut: dict[str, int]) -> Iterator[tuple[str, int, Meter]]:
    """Each linked table's stream, where it ends, and what came from it after a cut: all in one snapshot."""
    ends = {stream: cut.get(stream, 0) for stream in (f"table/{table}" for table in state.tables)}
    newest = "(SELECT MAX(seq) FROM events e WHERE e.stream = c.stream)"
    found = "WHERE t.stream = c.stream AND t.seq > c.seq"
    for stream, end, *sums in _sum(tx, state, ends, f"SELECT stream, {newest}, {{sums}} FROM c", found):
        yield stream, int(end), _held(sums)


def ledger(tx: Transaction, state: MeterState, cut: dict[str, int]) -> Meter:
    """What the meter holds by all of its transfers, those of linked tables up to a cut: nothing that commits now."""
    ends = {state.stream: state.head.seq, **{f"table/{table}": 0 for table in state.tables}, **cut}
    found = "LEFT JOIN c ON c.stream = t.stream WHERE (c.seq IS NULL OR t.seq <= c.seq)"
    (sums,) = _sum(tx, state, ends, "SELECT {sums}", found)
    return _held(sums)


def _sum(tx: Transaction, state: MeterState, ends: dict[str, int], select: str, found: str) -> list[tuple[Any, ...]]:
    """Rows of a query on `c`, which has these ends of streams: `sums` in it are of the transfers `t` that are found.

    Sub-selects, for a join PostgreSQL may do from the other side: it then reads all that a meter has ever taken.
    """
    values = ", ".join("(CAST(? AS TEXT), CAST(? AS BIGINT))" for _ in ends)
    sums = ", ".join(
        f"(SELECT {total('t.micros')} FROM transfers t {found} AND t.{column} = ? AND {of_meters(f't.{column}')})"
        for column in ("target", "source", "target", "source")
    )
    accounts = [f"{side}/{state.name}" for side in ("meter", "meter", "reserve", "reserve")]
    sql = f"WITH c(stream, seq) AS (VALUES {values}) {select.format(sums=sums)}"
    return tx.read(sql, *(part for end in ends.items() for part in end), *accounts)


def _held(sums: Sequence[str]) -> Meter:
    fed, paid, saved, spent = map(read_total, sums)
    return Meter(fed - paid, saved - spent)


def append_count(
    writer: Writer,
    state: MeterState,
    reading: Reading,
    kind: str,
    body: dict[str, Any],
    stands: Meter | None = None,
    transfers: tuple[Transfer, ...] = (),
) -> Event:
    """Append an event that says what stands after it in a locked meter; what was above the limit is moved with it."""
    stands = stands or reading.display
    counted = {"amount_micros": stands.amount_micros, "reserve_micros": stands.reserve_micros, "cut": reading.cut}
    overflow = to_transfers([(state.stream, f"reserve/{state.name}", reading.overflow_micros)])
    return writer.append(state.head, state.stream, kind, {**body, **counted}, transfers=(*overflow, *transfers))
