"""What a meter holds: the newest count in its stream, and what linked tables have moved since that count's *cut*.

Contributions are rows of the tables and wait for nobody; whoever must know exactly (a hit, a correction) locks the
meter's stream, counts, and writes what it saw with the new cut.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import Struct

from highcardflush.house.books.event import Event, Transfer
from highcardflush.house.books.postings import to_transfers
from highcardflush.house.books.writer import Writer
from highcardflush.house.meter.state import MeterState
from highcardflush.house.store.protocol import Transaction, of_meters, read_total, total
from highcardflush.jackpot import Meter

NOTHING = Meter(0)


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
        return Meter(
            self.display.amount_micros + self.overflow_micros, self.display.reserve_micros - self.overflow_micros
        )


def count(tx: Transaction, state: MeterState, known: Reading | None = None) -> Reading:
    """What the meter holds now. Exact under the lock of its stream; without it, as of this moment.

    `known` is an earlier count of the same state: it goes on from there.
    """
    counted, cut = (known.raw, known.cut) if known is not None else (state.count, state.cut)
    amount, reserve, events = counted.amount_micros, counted.reserve_micros, known.events if known is not None else 0
    if state.tables and not state.parameters.bonus:
        found = _since(tx, state, cut)
        amount += sum(row.meter for row in found)
        reserve += sum(row.reserve for row in found)
        events += sum(row.end - cut.get(row.stream, 0) for row in found)
        cut = {**cut, **{row.stream: row.end for row in found}}
    limit = state.parameters.limit_micros
    overflow = max(0, amount - limit) if limit is not None and not state.parameters.bonus else 0
    return Reading(Meter(amount - overflow, reserve + overflow), overflow, cut, events)


class _Flow(NamedTuple):
    """What a table has moved since a cut, and where its stream ends now."""

    stream: str
    end: int
    meter: int
    reserve: int


def _since(tx: Transaction, state: MeterState, cut: dict[str, int]) -> list[_Flow]:
    """What each linked table has moved after a cut: in one statement, and so in one snapshot.

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
    flows = ((stream, int(end), [read_total(text) for text in texts]) for stream, end, *texts in rows)
    return [_Flow(stream, end, sums[0] - sums[1], sums[2] - sums[3]) for stream, end, sums in flows]


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


def overflow(state: MeterState, reading: Reading) -> tuple[Transfer, ...]:
    return to_transfers([(f"meter/{state.name}", f"reserve/{state.name}", reading.overflow_micros)])


def append_count(
    writer: Writer,
    state: MeterState,
    reading: Reading,
    kind: str,
    body: dict[str, Any],
    change: Meter = NOTHING,
    transfers: tuple[Transfer, ...] = (),
) -> Event:
    """Append an event that says what a locked meter holds after it; what was above the limit is moved with it."""
    stands = reading.display.plus(change)
    counted = {"amount_micros": stands.amount_micros, "reserve_micros": stands.reserve_micros, "cut": reading.cut}
    moved = (*overflow(state, reading), *transfers)
    return writer.append(state.head, state.stream, kind, {**body, **counted}, transfers=moved)
