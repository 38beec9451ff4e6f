"""The database as an auditor reads it: rows, in the order of each stream, a piece at a time.

Nothing here knows what an event means. Bodies are decoded when they are asked for, with no house key: what is
sealed stays so.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Protocol

import msgspec
from msgspec import Struct

PIECE = 1_000
"""Events fetched at a time."""
Move = tuple[str, str, int]
"""A transfer: source, target, micro-dollars."""
COLUMNS = "stream, seq, at, office, actor, role, kind, key, request, body, sealed, hash"
Progress = Callable[[str, int], None]
"""Told a stream, and the number up to which it has been read."""
LEAST = -(2**63)
"""No number is lower, whatever a forger has written."""
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
    """All that the database holds, as of one moment."""

    def __init__(self, reader: Reader, progress: Progress | None = None) -> None:
        self._reader = reader
        self._progress = progress
        self.covered: Counter[str] = Counter()
        """What a check has looked at, by kind: it is counted while it goes."""

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
        start = LEAST
        while found := self._read(stream, f"seq >= ?{wanted} ORDER BY seq LIMIT {PIECE}", start, *kinds):
            yield from found
            if self._progress:
                self._progress(stream, found[-1].seq)
            if len(found) < PIECE:
                return
            start = found[-1].seq + 1

    def event(self, stream: str, seq: int) -> Event | None:
        """One event."""
        return next(iter(self._read(stream, "seq = ?", seq)), None)

    def last(self, stream: str, kind: str, before: int) -> Event:
        """The newest event of a kind before another."""
        for event in self._read(stream, "kind = ? AND seq < ? ORDER BY seq DESC LIMIT 1", kind, before):
            return event
        raise LookupError(f"no {kind} before {stream} {before}")

    def balances(self) -> Counter[str]:
        """Every account that ever moved: what came in less what went out."""
        found: Counter[str] = Counter()
        for sign, side in ((1, "target"), (-1, "source")):
            for account, *sums in self.rows(f"SELECT {side}, {sums_of('micros')} FROM transfers GROUP BY {side}"):
                found[account] += sign * joined(*sums)
        return found

    def _read(self, stream: str, where: str, *params: object) -> list[Event]:
        """Events of a stream that lie together, each with its transfers."""
        rows = self.rows(f"SELECT {COLUMNS} FROM events WHERE stream = ? AND {where}", stream, *params)
        moves = defaultdict[int, list[Any]](list)
        if rows:
            sql = "SELECT seq, n, source, target, micros FROM transfers WHERE stream = ? AND seq >= ? AND seq <= ?"
            for seq, *move in self.rows(f"{sql} ORDER BY seq, n", stream, rows[0][1], rows[-1][1]):
                moves[seq].append(tuple(move))
        return [Event(*(*row, tuple(moves[row[1]]))) for row in rows]


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, (memoryview, bytearray)) else value
