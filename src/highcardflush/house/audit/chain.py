"""The chain: every stream counts 1, 2, 3, ..., and every event's hash follows from the one before it.

Neither time nor the number of the office runs backwards in a stream.

An event that was changed does not fit its own hash, one that was taken out or put in leaves a gap or a hash that does
not follow, and a transfer is part of its event's hash. After a wrong hash the stored one is taken as it stands, so that
one change is one finding. Who rewrites a stream to its end leaves a good chain: that is what exported heads are for.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

from highcardflush.house.audit.books import Books, Event
from highcardflush.house.audit.findings import Finding, differs, dollars, guarded
from highcardflush.house.audit.people import FOLLOWS

FIRST = bytes(32)
"""What the first event of a stream is chained to."""
FOUNDERS = range(2, 4)
"""The first people, who come with the house: their events in the office follow from its founding."""


def check(books: Books) -> Iterator[Finding]:
    ((newest,),) = books.rows("SELECT COALESCE(MAX(seq), 0) FROM events WHERE stream = 'office'")
    for stream in books.streams():
        books.covered["streams"] += 1
        last, before = 0, FIRST
        at, office = 0, 0
        for event in books.events(stream):
            books.covered["events"] += 1
            books.covered["transfers"] += len(event.moves)
            if event.seq != last + 1:
                yield Finding(event.where, "a gap in the stream", f"{event.seq} after {last}", str(last + 1))
            yield from guarded(event, _event(event, before))
            yield from guarded(event, _order(event, at, office, newest))
            last, before, at, office = event.seq, event.hash, event.at, event.office
    yield from _rows(books)


def chain_hash(before: bytes, event: Event) -> bytes:
    """The hash that an event must have."""
    parts = [event.stream, event.seq, event.at, event.office, event.actor, event.role, event.kind, event.key]
    parts += [
        _hex(event.request),
        event.text,
        _hex(event.sealed),
        [[source, target, micros] for _, source, target, micros in event.moves],
    ]
    message = json.dumps(parts, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(before + message.encode()).digest()


def _hex(value: bytes | None) -> str | None:
    return value.hex() if value is not None else None


def _event(event: Event, before: bytes) -> Iterator[Finding]:
    expected = chain_hash(before, event)
    if event.hash != expected:
        yield Finding(event.where, f"the hash of this {event.kind} does not follow", event.hash.hex(), expected.hex())
    numbers = [n for n, *_ in event.moves]
    if numbers != list(range(1, len(numbers) + 1)):
        yield Finding(event.where, "its transfers do not count 1, 2, 3", str(numbers), "each number once, from 1")
    for n, source, target, micros in event.moves:
        if micros <= 0 or source == target:
            read = f"{source} to {target}, {dollars(micros)}"
            yield Finding(event.where, f"transfer {n}", read, "two accounts, above zero")
    if len({(source, target) for _, source, target, _ in event.moves}) < len(event.moves):
        read = "; ".join(f"{source} to {target}, {dollars(micros)}" for source, target, micros in event.transfers())
        yield Finding(event.where, "two transfers between the same accounts", read, "one sum")
    if (event.key is None) != (event.request is None):
        yield Finding(event.where, "key and request", f"{event.key}, {_hex(event.request)}", "both or neither")
    if event.key is None and not _follows(event):
        yield Finding(event.where, f"{event.kind} without a key", "nothing", "an idempotency key")


def _order(event: Event, at: int, office: int, newest: int) -> Iterator[Finding]:
    """Not before the event before it, by time and by the office's number; the office counts itself."""
    if event.at < at:
        yield Finding(event.where, "its time", str(event.at), f"{at} or later, as the event before")
    if event.stream == "office":
        yield from differs(event.where, "the event of the office before it", event.office, event.seq - 1)
    elif not office <= event.office <= newest:
        expected = f"{office}, as the event before, to {newest}, its newest"
        yield Finding(event.where, "the office's event then", str(event.office), expected)


def _follows(event: Event) -> bool:
    """Whether it may follow from a command, and then has no key."""
    if event.stream == "office":
        return event.kind == "person" and event.seq in FOUNDERS
    return event.stream.startswith("meter/") and event.kind in set().union(*FOLLOWS.values())


def _rows(books: Books) -> Iterator[Finding]:
    """What belongs to no event, and streams without a row or the other way round."""
    for stream, seq, n in books.rows(
        "SELECT t.stream, t.seq, t.n FROM transfers t LEFT JOIN events e ON e.stream = t.stream AND e.seq = t.seq"
        " WHERE e.seq IS NULL ORDER BY t.stream, t.seq, t.n"
    ):
        yield Finding(f"{stream} {seq}", f"transfer {n} without an event", "a transfer", "none")
    known = {name for (name,) in books.rows("SELECT name FROM streams")}
    used = set(books.streams())
    for name in sorted(used - known):
        yield Finding(name, "no row in streams", "nothing", "a row to be locked")
    for name in sorted(known - used - {"cage"}):
        yield Finding(name, "a stream without any event", "a row in streams", "its events")
