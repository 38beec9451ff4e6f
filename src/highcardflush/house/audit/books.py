"""The database as an auditor reads it: rows, in the order of each stream, a piece at a time.

The books are append-only, so nothing is lost by reading them in pieces, and a long snapshot would keep SQLite from
ever emptying its log: what changes is read in one short snapshot (`moment.py`), then each stream up to where it ended
then, every piece in a snapshot of its own.

Nothing here knows what an event means. Bodies are decoded when they are asked for, with no house key: what is
sealed stays so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Struct

T = TypeVar("T")
PIECE = 1_000
"""Rows fetched at a time."""
Move = tuple[str, str, int]
"""A transfer: source, target, micro-dollars."""
COLUMNS = "stream, seq, at, office, actor, role, kind, number, key, request, body, sealed, hash"
LEAST, MOST = -(2**63), 2**63 - 1
"""No number is lower or higher, whatever a forger has written."""


class Reader(Protocol):
    """A transaction in which all reads see the same books. `?` stands for a parameter."""

    def read(self, sql: str, *params: Any) -> list[Any]: ...


class Source(Protocol):
    """Where the books are: runs a job with a reader, everything as of one moment."""

    def snapshot(self, job: Callable[[Any], T]) -> T: ...


class Event(Struct, frozen=True, dict=True):
    """A row of `events` with its transfers."""

    stream: str
    seq: int
    at: int
    office: int
    """The office's newest event when this one was written."""
    actor: str
    role: str
    kind: str
    number: int | None
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

    @cached_property
    def body(self) -> dict[str, Any]:
        """The body as data; raises ValueError or TypeError if it is none."""
        found = msgspec.json.decode(self.text)
        if not isinstance(found, dict):
            raise TypeError(f"body is a {type(found).__name__}")
        return found

    def transfers(self) -> list[Move]:
        return [(source, target, micros) for _, source, target, micros in self.moves]


class Books:
    """What the database holds of its streams."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.strays: list[tuple[str, int, int]] = []
        """Transfers without an event that were met: stream, number of the event, number of the transfer."""

    def rows(self, sql: str, *params: Any) -> list[Any]:
        return self._source.snapshot(lambda tx: tx.read(sql, *params))

    def events(self, stream: str, start: int = LEAST, end: int = MOST) -> Iterator[Event]:
        """The events of a stream in order, each with its transfers."""
        while True:
            found = self._piece(stream, start, end, f"ORDER BY seq LIMIT {PIECE}")
            yield from found
            if len(found) < PIECE:
                return
            start = found[-1].seq + 1

    def event(self, stream: str, seq: int) -> Event | None:
        """One event."""
        return next(iter(self._piece(stream, seq, seq, "")), None)

    def last(self, stream: str, kind: str, before: int) -> Event:
        """The newest event of a kind before another."""
        sql = "SELECT seq FROM events WHERE stream = ? AND kind = ? AND seq < ? ORDER BY seq DESC LIMIT 1"
        for (seq,) in self.rows(sql, stream, kind, before):
            if event := self.event(stream, seq):
                return event
        raise LookupError(f"no {kind} before {stream} {before}")

    def hash_before(self, stream: str, seq: int) -> bytes:
        """The hash that the event before this one has; none: it is the first."""
        rows = self.rows("SELECT hash FROM events WHERE stream = ? AND seq = ?", stream, seq - 1)
        return bytes(rows[0][0]) if rows else bytes(32)

    def moved(self, stream: str, after: int, to: int) -> list[Move]:
        """What a stream moved after one event, up to another."""
        sql = "SELECT source, target, micros FROM transfers WHERE stream = ? AND seq > ? AND seq <= ?"
        return [tuple(row) for row in self.rows(sql, stream, after, to)]

    def _piece(self, stream: str, start: int, end: int, rest: str) -> list[Event]:
        """Events of a stream that lie together, each with its transfers."""
        sql = f"SELECT {COLUMNS} FROM events WHERE stream = ? AND seq >= ? AND seq <= ? {rest}"
        moves_sql = "SELECT seq, n, source, target, micros FROM transfers WHERE stream = ? AND seq >= ? AND seq <= ?"

        def read(tx: Reader) -> tuple[list[Any], list[Any]]:
            rows = tx.read(sql, stream, start, end)
            last = rows[-1][1] if len(rows) == PIECE else end
            return rows, tx.read(f"{moves_sql} ORDER BY seq, n", stream, start, last)

        rows, transfers = self._source.snapshot(read)
        moves = defaultdict[int, list[Any]](list)
        for seq, *move in transfers:
            moves[seq].append(tuple(move))
        events = [Event(*(*row, tuple(moves.pop(row[1], ())))) for row in rows]
        self.strays += ((stream, seq, move[0]) for seq, found in moves.items() for move in found)
        return events
