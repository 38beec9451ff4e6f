"""Appends events to a meter's stream, and a checkpoint after many events.

A checkpoint has the whole state, so that nobody reads a meter from its first event. Checkpoints are numbered, and so
are hits and the votes that decide a win, so that each is found by one lookup.
"""

from __future__ import annotations

from msgspec.structs import replace

from highcardflush.house.books.event import Event, Transfer
from highcardflush.house.books.reader import read_events
from highcardflush.house.books.writer import Writer
from highcardflush.house.events import Body, CheckpointWritten, Count, MeterHit, WinVoted
from highcardflush.house.meter.state import MeterState, apply_body
from highcardflush.house.meter.sums import add_count
from highcardflush.house.store.protocol import Transaction

CHECKPOINT_EVENTS = 500
"""The most events between two checkpoints."""
NEWEST = "kind = 'checkpoint' AND number IS NOT NULL ORDER BY number DESC LIMIT 1"
Appended = tuple[MeterState, Event]


def append(writer: Writer, state: MeterState, body: Body, transfers: tuple[Transfer, ...] = ()) -> Appended:
    """Append an event to a locked meter, and a checkpoint if one is due."""
    event = writer.append(state.head, state.stream, body, number=_number(state, body), transfers=transfers)
    state = apply_body(state, event, body)
    if event.seq - state.since >= CHECKPOINT_EVENTS:
        state, _ = append_checkpoint(writer, state, Count(state.count, state.flowed, {}))
    return state, event


def append_checkpoint(
    writer: Writer, state: MeterState, count: Count, transfers: tuple[Transfer, ...] = ()
) -> Appended:
    sums = add_count(state.sums, count.overflow_micros, 0)
    counted = replace(state, cut={**state.cut, **count.cut}, sums=sums)
    return append(writer, state, CheckpointWritten(state.checkpoint + 1, counted.facts).with_count(count), transfers)


def _number(state: MeterState, body: Body) -> int | None:
    match body:
        case CheckpointWritten(checkpoint=number):
            return number
        case MeterHit():
            return state.hits + 1
        case WinVoted(win=win, outcome=outcome) if outcome != "waiting":
            return win
        case _:
            return None


def read_from_checkpoint(tx: Transaction, name: str) -> list[Event]:
    """Read the events from which the state of a meter is made: from the newest checkpoint or its creation on."""
    stream = f"meter/{name}"
    rows = tx.read(f"SELECT seq FROM events WHERE stream = ? AND {NEWEST}", stream)
    return read_events(tx, stream, rows[0][0] - 1 if rows else 0)
