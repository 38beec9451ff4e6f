"""Reading events back from the books."""

from __future__ import annotations

from typing import Any

from highcardflush.house.books.event import Event, Head
from highcardflush.house.store.protocol import Transaction

COLUMNS = "stream, seq, at, office, actor, role, kind, key, request, body, sealed, hash"


def read_head(tx: Transaction, stream: str) -> Head:
    """Where a stream ends; final only under its lock."""
    found = tx.read("SELECT seq, hash, at FROM events WHERE stream = ? ORDER BY seq DESC LIMIT 1", stream)
    return Head(found[0][0], bytes(found[0][1]), found[0][2]) if found else Head()


def read_event(tx: Transaction, stream: str, seq: int) -> Event | None:
    rows = tx.read(f"SELECT {COLUMNS} FROM events WHERE stream = ? AND seq = ?", stream, seq)
    return to_event(rows[0]) if rows else None


def read_events(tx: Transaction, stream: str, after: int = 0) -> list[Event]:
    """The events of a stream after a number, in order."""
    rows = tx.read(f"SELECT {COLUMNS} FROM events WHERE stream = ? AND seq > ? ORDER BY seq", stream, after)
    return [to_event(row) for row in rows]


def who_dealt(tx: Transaction, stream: str, end: int) -> set[str]:
    """Who keyed in a hand of the round that an event of its table belongs to, took one back or settled it."""
    opened = "SELECT MAX(seq) FROM events WHERE stream = ? AND kind = 'open' AND seq < ?"
    rows = tx.read(
        f"SELECT DISTINCT actor FROM events WHERE stream = ? AND seq > ({opened}) AND seq <= ?"
        " AND kind IN ('hand', 'take-back', 'settle')",
        stream, stream, end, end,
    )  # fmt: skip
    return {str(actor) for (actor,) in rows}


def to_event(row: tuple[Any, ...]) -> Event:
    stream, seq, at, office, actor, role, kind, key, request, body, sealed, digest = row
    return Event(
        stream, seq, at, office, actor, role, kind, key,
        bytes(request) if request is not None else None, body,
        bytes(sealed) if sealed is not None else None, bytes(digest),
    )  # fmt: skip
