"""Computes a meter's amounts from the newest count in its stream and the amounts that linked tables have moved since.

Each table updates its own rows of `flows`, so contributions never wait for each other. A hit or a correction locks the
meter's stream, adds up the rows, and records the sum with its *cut*, which is the number of each table's last counted
event. Checkpoints, hits and the votes that decide wins are numbered, so that one lookup finds each of them.
"""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.house.books.event import Event, Transfer
from highcardflush.house.books.postings import to_transfers
from highcardflush.house.books.reader import read_events
from highcardflush.house.books.writer import Writer
from highcardflush.house.events import Body, CheckpointWritten, Count, Counted, MeterHit, WinVoted
from highcardflush.house.meter.state import MeterState, add_count, apply_body
from highcardflush.house.store.protocol import Transaction, read_total, total
from highcardflush.jackpot import Meter

CHECKPOINT_EVENTS = 500
NEWEST = "kind = 'checkpoint' AND number IS NOT NULL ORDER BY number DESC LIMIT 1"
Appended = tuple[MeterState, Event]


class Reading(Struct, frozen=True):
    """The amounts of a meter at one moment, after any overflow above its limit has been moved to the reserve."""

    display: Meter
    overflow_micros: int
    flowed: Meter
    """Total that all tables have ever moved into the meter and its reserve."""
    cut: dict[str, int] = {}
    """For each table that has moved money since the last count: number of its newest such event, keyed by stream."""

    @property
    def raw(self) -> Meter:
        return self.display.plus(Meter(self.overflow_micros, -self.overflow_micros))


def show(tx: Transaction, state: MeterState) -> Reading:
    sums = f"SELECT {total('meter_micros')}, {total('reserve_micros')} FROM flows WHERE meter = ?"
    return _reading(state, Meter(*map(read_total, tx.read(sums, state.name)[0])), {})


def count(tx: Transaction, state: MeterState) -> Reading:
    """Read the exact amounts of a meter, and the cut up to which they count. The meter's stream must be locked."""
    rows = tx.read("SELECT stream, seq, meter_micros, reserve_micros FROM flows WHERE meter = ?", state.name)
    flowed = Meter(sum(row[2] for row in rows), sum(row[3] for row in rows))
    return _reading(state, flowed, {row[0]: row[1] for row in rows if row[1] > state.cut.get(row[0], 0)})


def _reading(state: MeterState, flowed: Meter, cut: dict[str, int]) -> Reading:
    raw = state.count.plus(flowed.minus(state.flowed))
    limit = state.parameters.limit_micros
    above = max(0, raw.amount_micros - limit) if limit is not None and not state.parameters.bonus else 0
    return Reading(raw.plus(Meter(-above, above)), above, flowed, cut)


def append_count(
    writer: Writer, state: MeterState, reading: Reading, body: Counted, after: Meter | None = None,
    transfers: tuple[Transfer, ...] = (),
) -> Appended:  # fmt: skip
    """Append an event with the count of a locked meter, and move the overflow. `after` has the amounts after it."""
    advances_micros = advanced(state.name, transfers)
    exact = Count(after or reading.display, reading.flowed, reading.cut, reading.overflow_micros, advances_micros)
    return append(writer, state, body.with_count(exact), (*_overflow(state, reading), *transfers))


def append_checkpoint(writer: Writer, state: MeterState) -> Appended:
    reading = count(writer.tx, state)
    exact = Count(reading.display, reading.flowed, reading.cut, reading.overflow_micros)
    return _write_checkpoint(writer, state, exact, _overflow(state, reading))


def _overflow(state: MeterState, reading: Reading) -> tuple[Transfer, ...]:
    return to_transfers([(state.stream, f"reserve/{state.name}", reading.overflow_micros)])


def advanced(meter: str, transfers: Iterable[Transfer]) -> int:
    """Return the net amount that the house advances to a meter with these transfers."""
    account = f"advances/{meter}"
    return sum(move.micros * ((move.source == account) - (move.target == account)) for move in transfers)


def append(writer: Writer, state: MeterState, body: Body, transfers: tuple[Transfer, ...] = ()) -> Appended:
    """Append an event to a locked meter, and a checkpoint if one is due."""
    number = None
    match body:
        case CheckpointWritten(checkpoint=checkpoint):
            number = checkpoint
        case MeterHit():
            number = state.hits + 1
        case WinVoted(win=win, outcome=outcome) if outcome != "waiting":
            number = win
    event = writer.append(state.head, state.stream, body, number=number, transfers=transfers)
    state = apply_body(state, event, body)
    if event.seq - state.since >= CHECKPOINT_EVENTS:
        state, _ = _write_checkpoint(writer, state, Count(state.count, state.flowed, {}))
    return state, event


def _write_checkpoint(writer: Writer, state: MeterState, count: Count, moves: tuple[Transfer, ...] = ()) -> Appended:
    sums = add_count(state.sums, count.overflow_micros, 0)
    new_state = replace(state, cut={**state.cut, **count.cut}, sums=sums)
    return append(writer, state, CheckpointWritten(state.checkpoint + 1, new_state.facts).with_count(count), moves)


def read_from_checkpoint(tx: Transaction, name: str) -> list[Event]:
    """Read the events from which to build a meter's state, beginning with its newest checkpoint or its creation."""
    stream = f"meter/{name}"
    rows = tx.read(f"SELECT seq FROM events WHERE stream = ? AND {NEWEST}", stream)
    return read_events(tx, stream, rows[0][0] - 1 if rows else 0)
