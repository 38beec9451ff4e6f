"""The chain: every stream counts 1, 2, 3, ..., and every event's hash follows from the one before it.

Neither time nor the number of the office runs backwards in a stream.

An event that was changed does not fit its own hash, one that was taken out or put in leaves a gap or a hash that does
not follow, and a transfer is part of its event's hash. After a wrong hash the stored one is taken as it stands, so that
one change is one finding. Who rewrites a stream to its end leaves a good chain: that is what exported heads are for.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from highcardflush.house.audit.books import Books, Event
from highcardflush.house.audit.changes import carries_out
from highcardflush.house.audit.findings import Finding, differs, dollars, guarded
from highcardflush.house.audit.moment import Moment
from highcardflush.house.audit.people import FOLLOWS

FIRST = bytes(32)
"""What the first event of a stream is chained to."""
FOUNDERS = range(2, 4)
"""The first people, who come with the house: their events in the office follow from its founding."""


ROUNDS = ("open", "settle", "void")
"""What begins and ends a round, and has its number."""
COUNTED = ("checkpoint", "floor")
"""What has its number in its body, under its own name."""
NUMBERED = (("meter", "hit"), ("meter", "vote"))
"""What has a number of its own, which the meters' check knows."""
STREAM = re.compile("office|cage|(table|meter)/[a-z0-9][a-z0-9-]{0,39}")
REQUEST_BYTES = 32
KEYS = 10_000
"""Keys of commands that are read at a time."""
ENCODE = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


class Chain(Struct):
    """A stream as far as it has been read, and the office's newest event."""

    covered: Counter[str]
    newest: int
    last: int = 0
    before: bytes = FIRST
    at: int = 0
    office: int = 0


def follow(chain: Chain, event: Event) -> Iterator[Finding]:
    chain.covered["events"] += 1
    chain.covered["transfers"] += len(event.moves)
    if event.seq != chain.last + 1:
        yield Finding(event.where, "a gap in the stream", f"{event.seq} after {chain.last}", str(chain.last + 1))
    yield from guarded(event, _event(event, chain.before))
    yield from guarded(event, _order(event, chain.at, chain.office, chain.newest))
    chain.last, chain.before, chain.at, chain.office = event.seq, event.hash, event.at, event.office


def chain_hash(before: bytes, event: Event) -> bytes:
    """The hash that an event must have."""
    parts = [event.stream, event.seq, event.at, event.office, event.actor, event.role, event.kind]
    parts += [
        event.number,
        event.key,
        _hex(event.request),
        event.text,
        _hex(event.sealed),
        [[source, target, micros] for _, source, target, micros in event.moves],
    ]
    return hashlib.sha256(before + ENCODE(parts).encode()).digest()


def _hex(value: bytes | None) -> str | None:
    return value.hex() if value is not None else None


def _event(event: Event, before: bytes) -> Iterator[Finding]:
    expected = chain_hash(before, event)
    if event.hash != expected:
        yield Finding(event.where, f"the hash of this {event.kind} does not follow", event.hash.hex(), expected.hex())
    if event.moves:
        yield from _transfers(event)
    if (event.stream.partition("/")[0], event.kind) not in NUMBERED:
        number = event.body["round"] if event.kind in ROUNDS and event.stream.startswith("table/") else None
        number = event.body[event.kind] if event.kind in COUNTED else number
        yield from differs(event.where, "the number of the round", event.number, number)
    if event.request is not None and len(event.request) != REQUEST_BYTES:
        yield Finding(event.where, "request", f"{len(event.request)} bytes", f"{REQUEST_BYTES}")
    if (event.key is None) != (event.request is None):
        yield Finding(event.where, "key and request", f"{event.key}, {_hex(event.request)}", "both or neither")
    if event.key is None and not _follows(event):
        yield Finding(event.where, f"{event.kind} without a key", "nothing", "an idempotency key")


def _transfers(event: Event) -> Iterator[Finding]:
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
    if carries_out(event):
        return True  # the approvals hold it against the change
    if event.stream == "office":
        return event.kind == "person" and event.seq in FOUNDERS
    return event.stream.startswith("meter/") and event.kind in set().union(*FOLLOWS.values())


def check_rows(moment: Moment, strays: Iterable[tuple[str, int, int]]) -> Iterator[Finding]:
    """Transfers that belong to no event, and streams without a row or the other way round."""
    for stream, seq, n in sorted({*strays, *moment.strays}):
        yield Finding(f"{stream} {seq}", f"transfer {n} without an event", "a transfer", "none")
    for name in sorted(name for name in {*moment.heads, *moment.streams} if not STREAM.fullmatch(name)):
        yield Finding(name, "a stream of no known kind", name, "one of docs/books.md")
    for name in sorted(moment.heads.keys() - moment.streams.keys()):
        yield Finding(name, "no row in streams", "nothing", "a row to be locked")
    for name in sorted(moment.streams.keys() - moment.heads.keys() - {"cage"}):
        yield Finding(name, "a stream without any event", "a row in streams", "its events")


def check_keys(books: Books, tell: Callable[[int], None]) -> Iterator[Finding]:
    """Keys that were used twice, in the order of their index, a piece at a time."""
    sql = (
        "SELECT actor, key, COUNT(*) FROM events WHERE key IS NOT NULL AND (actor, key) > (?, ?)"
        f" GROUP BY actor, key ORDER BY actor, key LIMIT {KEYS}"
    )
    last, seen = ("", ""), 0
    while rows := books.rows(sql, *last):
        for actor, key, times in rows:
            if times > 1:
                yield Finding(f"key {key!r} of {actor}", "its events", str(times), "one")
        last, seen = (rows[-1][0], rows[-1][1]), seen + len(rows)
        tell(seen)
