"""Checks the chain: the events of every stream are numbered 1, 2, 3, ..., and each hash follows from the previous one.

The hash of an event covers its transfers. After a wrong hash the check continues from the stored hash, so one change
causes only one finding. If all hashes of a stream are rewritten, only exported heads reveal the change.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from highcardflush.house import codec
from highcardflush.house import events as ev
from highcardflush.house.audit.books import Books, Event, Moment, chain_hash
from highcardflush.house.audit.findings import Finding, differs, dollars, same_text
from highcardflush.house.audit.follower import Follower
from highcardflush.house.audit.permissions import FOLLOWS, carries_out

FOUNDERS = range(2, 4)
"""Numbers of the events that add the first people. No command causes these events, so they have no key."""
STREAM = re.compile("office|cage|(table|meter)/[a-z0-9][a-z0-9-]{0,39}")
NUMBERS: dict[type[ev.Body], str] = {
    **dict.fromkeys((ev.RoundOpened, ev.RoundSettled, ev.RoundVoided), "round"),
    ev.CheckpointWritten: "checkpoint",
    ev.FloorChanged: "floor",
}
"""The body field that the column `number` repeats, for each kind of event that has such a field."""
REQUEST_BYTES = 32
KEYS = 10_000
"""Number of command keys read at a time."""


class Chain(Follower):
    check = "chain"

    def begin(self) -> None:
        self.last: Event | None = self.books.event(self.task.stream, self.task.start - 1)
        self.covered["streams"] += 1

    def follow(self, event: Event) -> Iterator[Finding]:
        before, self.last = self.last, event
        self.covered["events"] += 1
        self.covered["transfers"] += len(event.moves)
        yield from self._order(before, event)
        if event.moves:
            yield from _transfers(event)
        yield from differs(event.where, f"the hash of this {event.kind}", event.hash, chain_hash(before, event))
        yield from _request(event)
        yield from _body(event)

    def _order(self, before: Event | None, event: Event) -> Iterator[Finding]:
        last, at, office = (before.seq, before.at, before.office) if before else (0, 0, 0)
        if event.seq != last + 1:
            yield Finding(event.where, "a gap in the stream", f"{event.seq} after {last}", str(last + 1))
        if event.at < at:
            expected = f"{at} or later, as in the previous event"
            yield Finding(event.where, "the time of the event", str(event.at), expected)
        if event.stream == "office":
            yield from differs(event.where, "the number of the previous office event", event.office, event.seq - 1)
        elif not office <= event.office <= self.house.newest:
            expected = f"{office} (as in the previous event) to {self.house.newest} (the newest)"
            yield Finding(event.where, "the number of the office's newest event", str(event.office), expected)


def _transfers(event: Event) -> Iterator[Finding]:
    numbers = [n for n, *_ in event.moves]
    if numbers != list(range(1, len(numbers) + 1)):
        yield Finding(event.where, "the numbers of its transfers", str(numbers), "1, 2, 3, ... without gaps")
    for n, source, target, micros in event.moves:
        if micros <= 0 or source == target:
            read = f"{source} to {target}, {dollars(micros)}"
            yield Finding(event.where, f"transfer {n}", read, "two different accounts and an amount above zero")
    if len({(source, target) for _, source, target, _ in event.moves}) < len(event.moves):
        read = "; ".join(f"{source} to {target}, {dollars(micros)}" for source, target, micros in event.transfers())
        yield Finding(event.where, "two transfers between the same accounts", read, "one transfer of their sum")


def _request(event: Event) -> Iterator[Finding]:
    if event.request is not None and len(event.request) != REQUEST_BYTES:
        yield Finding(event.where, "the request digest", f"{len(event.request)} bytes", f"{REQUEST_BYTES} bytes")
    if (event.key is None) != (event.request is None):
        read = "only a key" if event.request is None else "only a request digest"
        yield Finding(event.where, "key and request digest", read, "both or neither")
    if event.key is None:  # An event without a key must have been caused by another event.
        added_by_founding = event.stream == "office" and event.kind == "person" and event.seq in FOUNDERS
        follows = event.stream.startswith("meter/") and event.kind in set().union(*FOLLOWS.values())
        if not (added_by_founding or follows or carries_out(event)):
            yield Finding(event.where, f"the key of this {event.kind}", "nothing", "an idempotency key")


def _body(event: Event) -> Iterator[Finding]:
    """Require that the body is in canonical form, and that the column `number` repeats the body's number."""
    body = event.body
    yield from same_text(event.where, f"the text of this {event.kind}", event.text, codec.encode(body))
    if not isinstance(body, ev.MeterHit | ev.WinVoted):  # The check `meters` compares these numbers.
        number = getattr(body, NUMBERS[type(body)]) if type(body) in NUMBERS else None
        yield from differs(event.where, "the column `number`", event.number, number)


def check_rows(moment: Moment, strays: Iterable[tuple[str, int, int]]) -> Iterator[Finding]:
    """Find transfers without an event, streams of unknown kinds, and rows of `streams` that do not match the events."""
    for stream, seq, n in sorted({*strays, *moment.strays}):
        yield Finding(f"{stream} {seq}", f"the event of transfer {n}", "nothing", "an event")
    for name in sorted(name for name in {*moment.heads, *moment.streams} if not STREAM.fullmatch(name)):
        yield Finding(name, "the kind of this stream", name, "a kind in docs/books.md")
    for name in sorted(moment.heads.keys() - moment.streams.keys()):
        yield Finding(name, "its row in the table `streams`", "nothing", "a row")
    for name in sorted(moment.streams.keys() - moment.heads.keys() - {"cage"}):
        yield Finding(name, "the events of this stream", "only a row in the table `streams`", "events")


def check_keys(books: Books, progress: Callable[[int], None]) -> Iterator[Finding]:
    """Find command keys that were used twice. The index of the keys is read in pieces."""
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
