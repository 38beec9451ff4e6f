"""The database as an auditor reads it: rows, in the order of each stream, a piece at a time.

Nothing here knows what an event means. Bodies are decoded when they are asked for, with no house key: what is
sealed stays so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, Protocol

import msgspec
from msgspec import Struct

PIECE = 1_000
"""Events fetched at a time."""
Move = tuple[str, str, int]
"""A transfer: source, target, micro-dollars."""
Moves = dict[int, tuple[tuple[int, str, str, int], ...]]
COLUMNS = "stream, seq, at, office, actor, role, kind, key, request, body, sealed, hash"
Progress = Callable[[str, int], None]
"""Told a stream, and the number up to which it has been read."""


HALF = 2**32


def sums_of(amount: str) -> str:
    """The sum of an amount as two columns, of its high and its low halves: neither outgrows 64 bits."""
    halves = (f"{amount} / {HALF}", f"{amount} - {amount} / {HALF} * {HALF}")
    return ", ".join(f"COALESCE(SUM({half}), 0)" for half in halves)


def joined(high: Any, low: Any) -> int:
    """The sum of which `sums_of` gave the halves."""
    return int(high) * HALF + int(low)


class Reader(Protocol):
    """A transaction in which all reads see the same books. `?` stands for a parameter."""

    def read(self, sql: str, *params: Any) -> list[Any]: ...


class Event(Struct, frozen=True):
    """A row of `events` with its transfers."""

    stream: str
    seq: int
    at: int
    office: int
    """The office's newest event when this one was written."""
    actor: str
    role: str
    kind: str
    key: str | None
    request: bytes | None
    text: str
    sealed: bytes | None
    hash: bytes
    moves: tuple[tuple[int, str, str, int], ...]
    """Its transfers: number, source, target, micro-dollars."""

    @property
    def where(self) -> str:
        return f"{self.stream} {self.seq}"

    def body(self) -> dict[str, Any]:
        """The body as data; raises ValueError or TypeError if it is none."""
        found = msgspec.json.decode(self.text)
        if not isinstance(found, dict):
            raise TypeError(f"body is a {type(found).__name__}")
        return found

    def transfers(self) -> list[Move]:
        return [(source, target, micros) for _, source, target, micros in self.moves]


class Books:
    """All that the database holds, as of one moment."""

    def __init__(self, reader: Reader, progress: Progress | None = None) -> None:
        self._reader = reader
        self._progress = progress

    def rows(self, sql: str, *params: Any) -> list[tuple[Any, ...]]:
        """Rows of a query; bytes are bytes whatever the driver makes of them."""
        return [tuple(map(_plain, row)) for row in self._reader.read(sql, *params)]

    def streams(self, prefix: str = "") -> list[str]:
        """The streams that have events, whose names begin so."""
        names = (name for (name,) in self.rows("SELECT DISTINCT stream FROM events"))
        return sorted(name for name in names if name.startswith(prefix))

    def events(self, stream: str, *kinds: str) -> Iterator[Event]:
        """The events of a stream in order, of these kinds or of all, each with its transfers."""
        wanted = f" AND kind IN ({', '.join('?' * len(kinds))})" if kinds else ""
        seq: int | None = None
        while True:
            after = (" AND seq > ?", (seq,)) if seq is not None else ("", ())
            rows = self.rows(
                f"SELECT {COLUMNS} FROM events WHERE stream = ?{after[0]}{wanted} ORDER BY seq LIMIT {PIECE}",
                stream,
                *after[1],
                *kinds,
            )
            if not rows:
                return
            moves = self._moves(stream, rows[0][1], rows[-1][1])
            for row in rows:
                yield _event(row, moves)
            seq = rows[-1][1]
            if self._progress:
                self._progress(stream, seq)
            if len(rows) < PIECE:
                return

    def event(self, stream: str, seq: int) -> Event | None:
        """One event."""
        rows = self.rows(f"SELECT {COLUMNS} FROM events WHERE stream = ? AND seq = ?", stream, seq)
        return _event(rows[0], self._moves(stream, seq, seq)) if rows else None

    def last(self, stream: str, kind: str, before: int) -> Event:
        """The newest event of a kind before another."""
        ((seq,),) = self.rows(
            "SELECT MAX(seq) FROM events WHERE stream = ? AND kind = ? AND seq < ?", stream, kind, before
        )
        event = self.event(stream, seq)
        if event is None:
            raise LookupError(f"no {kind} before {stream} {before}")
        return event

    def _moves(self, stream: str, first: int, last: int) -> Moves:
        rows = self.rows(
            "SELECT seq, n, source, target, micros FROM transfers"
            " WHERE stream = ? AND seq >= ? AND seq <= ? ORDER BY seq, n",
            stream,
            first,
            last,
        )
        return {
            seq: tuple((n, source, target, micros) for _, n, source, target, micros in group)
            for seq, group in groupby(rows, lambda row: row[0])
        }


def _event(row: tuple[Any, ...], moves: Moves) -> Event:
    stream, seq, at, office, actor, role, kind, key, request, body, sealed, digest = row
    return Event(stream, seq, at, office, actor, role, kind, key, request, body, sealed, digest, moves.get(seq, ()))


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, (memoryview, bytearray)) else value
