"""What is appended to a meter's stream, and the checkpoint that follows when many events have come since the last.

A checkpoint says the whole state, so nobody reads a meter from its first event. Checkpoints have numbers, as rounds do,
and so have hits and the votes that decide a win: each is one lookup.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import asdict, replace

from highcardflush.house.books.event import Event, Transfer
from highcardflush.house.books.reader import read_events
from highcardflush.house.books.writer import Writer
from highcardflush.house.meter.state import MeterState, apply
from highcardflush.house.meter.sums import add_count
from highcardflush.house.store.protocol import Transaction

CHECKPOINT_EVENTS = 500
"""How many events come between two checkpoints at the most."""
NEWEST = "kind = 'checkpoint' AND number IS NOT NULL ORDER BY number DESC LIMIT 1"
Appended = tuple[MeterState, Event]
"""The meter after what was appended, and the event that was asked for."""


def append(
    writer: Writer, state: MeterState, kind: str, body: Mapping[str, Any], transfers: tuple[Transfer, ...] = ()
) -> Appended:
    """Append an event to a locked meter, and a checkpoint if one is due."""
    number = _number(state, kind, body)
    if kind == "checkpoint":
        sums = add_count(state.sums, body.get("overflow_micros", 0), 0)
        counted = replace(state, cut={**state.cut, **body["cut"]}, sums=sums)
        body = {"checkpoint": number, **body, "state": counted.facts}
    event = writer.append(state.head, state.stream, kind, body, number=number, transfers=transfers)
    state = apply(state, event)
    if event.seq - state.since >= CHECKPOINT_EVENTS:
        stands = {**asdict(state.count), "flowed": state.flowed, "cut": {}}
        state, _ = append(writer, state, "checkpoint", stands)
    return state, event


def _number(state: MeterState, kind: str, body: Mapping[str, Any]) -> int | None:
    match kind:
        case "checkpoint":
            return state.checkpoint + 1
        case "hit":
            return state.hits + 1
        case "vote" if body["outcome"] != "waiting":
            win: int = body["win"]
            return win
        case _:
            return None


def read_from_checkpoint(tx: Transaction, name: str) -> list[Event]:
    """The events of a meter that its state is made from: the newest checkpoint, or its creation, and all since."""
    stream = f"meter/{name}"
    rows = tx.read(f"SELECT seq FROM events WHERE stream = ? AND {NEWEST}", stream)
    return read_events(tx, stream, rows[0][0] - 1 if rows else 0)
