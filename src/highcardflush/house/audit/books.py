"""Reads the database for the auditor: first the mutable rows in one short snapshot, then the events in small pieces.

The events are append-only, so reading them in pieces misses nothing. One long snapshot would keep SQLite from emptying
its log. The auditor needs no house key, so sealed events stay sealed.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from highcardflush.house import events as ev

B = TypeVar("B", bound=ev.Body)
T = TypeVar("T")
PIECE = 1_000
"""Number of rows fetched at a time."""
Move = tuple[str, str, int]
"""A transfer as a tuple of source, target and amount in micro-dollars."""
COLUMNS = "stream, seq, at, office, actor, role, kind, number, key, request, body, sealed, hash"
ENCODE = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
LEAST, MOST = -(2**63), 2**63 - 1
"""The lowest and the highest event number that the database can store. A forger can write no other numbers."""


class Reader(Protocol):
    """A transaction in which all reads see the same books. `?` stands for a parameter."""

    def read(self, sql: str, *params: Any) -> list[Any]: ...


class Source(Protocol):
    """Access to the books. `snapshot` runs a job with a reader that sees the books as of one moment."""

    def snapshot(self, job: Callable[[Any], T]) -> T: ...

    def close(self) -> None: ...


class Event(Struct, frozen=True, dict=True):
    """A row of `events` with its transfers."""

    stream: str
    seq: int
    at: int
    office: int
    """Number of the office's newest event when this event was written."""
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
    """The event's transfers, each with its number, source, target and amount in micro-dollars."""

    @property
    def where(self) -> str:
        return f"{self.stream} {self.seq}"

    @cached_property
    def body(self) -> ev.Body:
        """Return the decoded body. Raise ValueError if it is malformed."""
        return ev.decode(self.stream, self.kind, self.text)

    def transfers(self) -> list[Move]:
        return [(source, target, micros) for _, source, target, micros in self.moves]


def body_of(event: Event | None, kind: type[B]) -> B:
    if event is None or not isinstance(event.body, kind):
        raise LookupError(f"{event.where if event else 'a missing event'} is not of kind {kind.event_kind.name}")
    return event.body


def config_of(event: Event | None) -> ev.Config:
    if event is None or not isinstance(event.body, ev.TableCreated | ev.TableChanged):
        raise LookupError(f"{event.where if event else 'a missing event'} does not configure a table")
    return event.body.config


def chain_hash(before: Event | None, event: Event) -> bytes:
    parts = [
        event.stream, event.seq, event.at, event.office, event.actor, event.role, event.kind, event.number, event.key,
        hex_of(event.request), event.text, hex_of(event.sealed), event.transfers(),
    ]  # fmt: skip
    return hashlib.sha256((before.hash if before else bytes(32)) + ENCODE(parts).encode()).digest()


def hex_of(value: bytes | None) -> str | None:
    return value.hex() if value is not None else None


class Books:
    def __init__(self, source: Source) -> None:
        self._source = source
        self.strays: list[tuple[str, int, int]] = []
        """Transfers without an event that were found so far, each given as stream, event number and transfer number."""

    def rows(self, sql: str, *params: Any) -> list[Any]:
        return self._source.snapshot(lambda tx: tx.read(sql, *params))

    def events(self, stream: str, start: int = LEAST, end: int = MOST) -> Iterator[Event]:
        """Yield the events of a stream in order, each with its transfers."""
        while True:
            events = self._piece(stream, start, end, f"ORDER BY seq LIMIT {PIECE}")
            yield from events
            if len(events) < PIECE:
                return
            start = events[-1].seq + 1

    def event(self, stream: str, seq: int) -> Event | None:
        return next(iter(self._piece(stream, seq, seq, "")), None)

    def last(self, stream: str, kind: str, before: int) -> Event:
        sql = "SELECT seq FROM events WHERE stream = ? AND kind = ? AND seq < ? ORDER BY seq DESC LIMIT 1"
        for (seq,) in self.rows(sql, stream, kind, before):
            if event := self.event(stream, seq):
                return event
        raise LookupError(f"no {kind} before {stream} {before}")

    def moves(self, stream: str, after: int, to: int, *accounts: str) -> Iterator[Move]:
        """Yield a stream's transfers from and to the given accounts, after event `after` and up to event `to`."""
        last, marks = (after, MOST), ", ".join("?" * len(accounts))
        sql = (
            "SELECT seq, n, source, target, micros FROM transfers WHERE stream = ? AND (seq, n) > (?, ?) AND seq <= ?"
            f" AND (source IN ({marks}) OR target IN ({marks})) ORDER BY seq, n LIMIT {PIECE}"
        )
        while rows := self.rows(sql, stream, *last, to, *accounts, *accounts):
            yield from ((source, target, micros) for _, _, source, target, micros in rows)
            last = rows[-1][0], rows[-1][1]

    def _piece(self, stream: str, start: int, end: int, rest: str) -> list[Event]:
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
        self.strays += ((stream, seq, move[0]) for seq, strays in moves.items() for move in strays)
        return events


class Wallet(Struct, frozen=True):
    """A row of `wallets`: the balance, the number of moves, and the totals bought in and cashed out at the cage."""

    micros: int = 0
    moves: int = 0
    bought_cents: int = 0
    cashed_cents: int = 0


class Moment(Struct, frozen=True):
    """The last event of every stream, and all mutable rows, as of one moment."""

    heads: dict[str, tuple[int, bytes]]
    """Number and hash of each stream's last event, ordered by stream."""
    streams: dict[str, tuple[int, int]]
    """The rows of `streams`: the amount moved to the house, and the chips at a table, in micro-dollars."""
    wallets: dict[str, Wallet]
    moves: dict[str, tuple[int, int]]
    """The lowest and the highest number of each wallet's moves."""
    people: dict[str, tuple[str, bool, str, int | None]]
    """The rows of `people`: role, active, kind, and the event that started the current shift."""
    changes: dict[int, int | None]
    """Number of the event that decided each proposed change, or `None` if it is undecided."""
    alerts: dict[str, int]
    """Number of the event that acknowledged each alert."""
    flows: dict[tuple[str, str], tuple[int, int, int]]
    """The rows of `flows`, keyed by meter and stream: the number of the stream's last event that moved the meter, and
    the micro-dollars moved into meter and reserve."""
    house: list[tuple[Any, ...]]
    """The row of `house`: epoch, newest office event, key id, revision, and True if changes need a second approver."""
    revisions: list[tuple[Any, ...]]
    strays: list[tuple[str, int, int]]
    """Transfers whose event number is greater than that of the last event in their stream."""

    def end(self, stream: str) -> int:
        """Return the number of a stream's last event, or 0 if it has none."""
        return self.heads[stream][0] if stream in self.heads else 0

    def names(self, prefix: str) -> list[str]:
        return [stream for stream in self.heads if stream.startswith(prefix)]


def read_moment(tx: Reader) -> Moment:
    last = "(SELECT MAX(seq) FROM events WHERE stream = name)"
    heads = _each(tx, "events", "stream", f"name, seq, hash FROM named JOIN events ON stream = name AND seq = {last}")
    strays = f"stream, seq, n FROM named JOIN transfers ON stream = name AND seq > COALESCE({last}, {LEAST + 1})"
    ends = ", ".join(f"(SELECT {end}(n) FROM moves WHERE player = name)" for end in ("MIN", "MAX"))
    moves = _each(tx, "moves", "player", f"name, {ends} FROM named")
    wallets = tx.read("SELECT player, micros, moves, bought_cents, cashed_cents FROM wallets")
    flows = tx.read("SELECT meter, stream, seq, meter_micros, reserve_micros FROM flows")
    people = tx.read("SELECT name, role, active, kind, shift FROM people")
    return Moment(
        heads={stream: (seq, bytes(digest)) for stream, seq, digest in sorted(heads)},
        streams={name: tuple(sums) for name, *sums in tx.read("SELECT name, house_micros, chips_micros FROM streams")},
        wallets={player: Wallet(*row) for player, *row in wallets},
        moves={player: (first, last) for player, first, last in moves},
        people={name: (role, bool(active), kind, shift) for name, role, active, kind, shift in people},
        changes=dict(tx.read("SELECT change, decided FROM changes")),
        alerts=dict(tx.read("SELECT alert, seq FROM acknowledged")),
        flows={(meter, stream): tuple(sums) for meter, stream, *sums in flows},
        house=[tuple(row) for row in tx.read("SELECT epoch, office, key_id, revision, approval FROM house")],
        revisions=[tuple(row) for row in tx.read("SELECT version_num FROM alembic_version")],
        strays=[tuple(row) for row in _each(tx, "transfers", "stream", strays)],
    )


def _each(tx: Reader, table: str, column: str, select: str) -> list[Any]:
    """Run a query for each distinct value in the first column of an index, without reading every row."""
    following = f"(SELECT MIN({column}) FROM {table} WHERE {column} > name)"
    return tx.read(
        f"WITH RECURSIVE names(name) AS (SELECT MIN({column}) FROM {table} UNION ALL"
        f" SELECT {following} FROM names WHERE name IS NOT NULL),"
        f" named AS (SELECT name FROM names WHERE name IS NOT NULL) SELECT {select}"
    )
