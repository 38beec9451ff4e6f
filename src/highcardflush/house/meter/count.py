"""What a meter holds: the newest count in its stream, and what linked tables have moved since that count's *cut*.

Contributions are rows of the tables and wait for nobody; whoever must know exactly (a hit, a correction) locks the
meter's stream, counts, and writes what it saw with the new cut.
"""

from __future__ import annotations

from collections.abc import Iterator
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
    """Each linked table's stream, where it ends, and what came from it after a cut: all in one snapshot.

    Sub-selects, for a join PostgreSQL may do from the other side: it then reads all that a meter has ever taken.
    """
    values = ", ".join("(CAST(? AS TEXT), CAST(? AS BIGINT))" for _ in state.tables)
    cuts = [part for table in state.tables for part in (f"table/{table}", cut.get(f"table/{table}", 0))]
    sums = [
        f"(SELECT {total('micros')} FROM transfers t WHERE {column} = ? AND {of_meters(column)}"
        " AND t.stream = c.stream AND t.seq > c.seq)"
        for column in ("target", "source", "target", "source")
    ]
    accounts = [f"{side}/{state.name}" for side in ("meter", "meter", "reserve", "reserve")]
    rows = tx.read(
        f"WITH c(stream, seq) AS (VALUES {values})"
        f" SELECT stream, (SELECT MAX(seq) FROM events e WHERE e.stream = c.stream), {', '.join(sums)} FROM c",
        *cuts, *accounts,
    )  # fmt: skip
    for stream, end, *texts in rows:
        fed, paid, saved, spent = map(read_total, texts)
        yield stream, int(end), Meter(fed - paid, saved - spent)


def ledger(tx: Transaction, state: MeterState, cut: dict[str, int]) -> Meter:
    """What the meter holds by all of its transfers, those of linked tables up to a cut: nothing that commits now."""
    ends = {f"meter/{state.name}": state.head.seq, **{f"table/{table}": 0 for table in state.tables}, **cut}
    values = ", ".join("(CAST(? AS TEXT), CAST(? AS BIGINT))" for _ in ends)
    sums = []
    for account in (f"meter/{state.name}", f"reserve/{state.name}"):
        held = 0
        for column, sign in (("target", 1), ("source", -1)):
            sql = (
                f"WITH cut(stream, seq) AS (VALUES {values}) SELECT {total('t.micros')}"
                " FROM transfers t LEFT JOIN cut c ON c.stream = t.stream"
                f" WHERE t.{column} = ? AND {of_meters(f't.{column}')} AND (c.seq IS NULL OR t.seq <= c.seq)"
            )
            held += sign * read_total(tx.read(sql, *(part for end in ends.items() for part in end), account)[0][0])
        sums.append(held)
    return Meter(*sums)


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
