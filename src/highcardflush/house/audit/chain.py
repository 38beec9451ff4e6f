"""The chain: every stream counts 1, 2, 3, ..., and every event's hash follows from the one before it.

Transfers are part of their event's hash. After a wrong hash the check continues from the stored one, so that one change
is one finding. Whoever rewrites all hashes of a stream leaves a good chain, which only exported heads reveal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from highcardflush.house import codec
from highcardflush.house import events as ev
from highcardflush.house.audit.books import Books, Event, Moment, chain_hash, hex_of
from highcardflush.house.audit.findings import Finding, differs, dollars, same_text
from highcardflush.house.audit.follower import Follower
from highcardflush.house.audit.permissions import FOLLOWS, carries_out

FOUNDERS = range(2, 4)
"""The events that add the first people. They follow from the founding of the house, so they have no key."""
STREAM = re.compile("office|cage|(table|meter)/[a-z0-9][a-z0-9-]{0,39}")
NUMBERS: dict[type[ev.Body], str] = {
    **dict.fromkeys((ev.RoundOpened, ev.RoundSettled, ev.RoundVoided), "round"),
    ev.CheckpointWritten: "checkpoint",
    ev.FloorChanged: "floor",
}
"""The fields that are also in the column `number`."""
REQUEST_BYTES = 32
KEYS = 10_000
"""Keys of commands that are read at a time."""


class Chain(Follower):
    check = "chain"

    def begin(self) -> None:
        self.last: Event | None = self.books.event(self.task.stream, self.task.start - 1)
        self.covered["streams"] += 1

    def follow(self, event: Event) -> Iterator[Finding]:
        before, self.last = self.last, event
        last, at, office = (before.seq, before.at, before.office) if before else (0, 0, 0)
        self.covered["events"] += 1
        self.covered["transfers"] += len(event.moves)
        if event.seq != last + 1:
            yield Finding(event.where, "a gap in the stream", f"{event.seq} after {last}", str(last + 1))
        if event.at < at:
            yield Finding(event.where, "its time", str(event.at), f"{at} or later, as the event before")
        if event.stream == "office":
            yield from differs(event.where, "the event of the office before it", event.office, event.seq - 1)
        elif not office <= event.office <= self.house.newest:
            expected = f"{office}, as the event before, to {self.house.newest}, its newest"
            yield Finding(event.where, "the newest event of the office", str(event.office), expected)
        if event.moves:
            yield from _transfers(event)
        what = f"the hash of this {event.kind} does not follow"
        yield from differs(event.where, what, event.hash, chain_hash(before, event))
        if event.request is not None and len(event.request) != REQUEST_BYTES:
            yield Finding(event.where, "request", f"{len(event.request)} bytes", f"{REQUEST_BYTES}")
        if (event.key is None) != (event.request is None):
            yield Finding(event.where, "key and request", f"{event.key}, {hex_of(event.request)}", "both or neither")
        if event.key is None:  # it follows from a command
            added_by_founding = event.stream == "office" and event.kind == "person" and event.seq in FOUNDERS
            follows = event.stream.startswith("meter/") and event.kind in set().union(*FOLLOWS.values())
            if not (added_by_founding or follows or carries_out(event)):
                yield Finding(event.where, f"{event.kind} without a key", "nothing", "an idempotency key")
        # the body is written as the books write it, and the number is that of the body
        body = event.body
        yield from same_text(event.where, f"this {event.kind} as written", event.text, codec.encode(body))
        if not isinstance(body, ev.MeterHit | ev.WinVoted):  # the check of the meters knows their numbers
            number = getattr(body, NUMBERS[type(body)]) if type(body) in NUMBERS else None
            yield from differs(event.where, "the number of the round", event.number, number)


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


def check_rows(moment: Moment, strays: Iterable[tuple[str, int, int]]) -> Iterator[Finding]:
    """Find transfers without an event, streams of no known kind, and rows of `streams` that do not fit the events."""
    for stream, seq, n in sorted({*strays, *moment.strays}):
        yield Finding(f"{stream} {seq}", f"transfer {n} without an event", "a transfer", "none")
    for name in sorted(name for name in {*moment.heads, *moment.streams} if not STREAM.fullmatch(name)):
        yield Finding(name, "a stream of no known kind", name, "one of docs/books.md")
    for name in sorted(moment.heads.keys() - moment.streams.keys()):
        yield Finding(name, "no row in streams", "nothing", "a row to be locked")
    for name in sorted(moment.streams.keys() - moment.heads.keys() - {"cage"}):
        yield Finding(name, "a stream without any event", "a row in streams", "its events")


def check_keys(books: Books, progress: Callable[[int], None]) -> Iterator[Finding]:
    """Find keys that were used twice, reading a piece of their index at a time."""
    sql = (
        "SELECT actor, key, COUNT(*) FROM events WHERE key IS NOT NULL AND (actor, key) > (?, ?)"
        f" GROUP BY actor, key ORDER BY actor, key LIMIT {KEYS}"
    )
    last, read = ("", ""), 0
    while rows := books.rows(sql, *last):
        for actor, key, times in rows:
            if times > 1:
                yield Finding(f"key {key!r} of {actor}", "its events", str(times), "one")
        last, read = (rows[-1][0], rows[-1][1]), read + len(rows)
        progress(read)
