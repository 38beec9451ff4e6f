"""The idempotency keys: every command that was accepted has its answer, and every answer its event.

A refusal has no event; it is sealed, and no chain holds it. So a refusal that was taken out cannot be told from one
that never was: it moved nothing. What can be said of it is that its key was not used for an event as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from highcardflush.house.audit.books import Books
from highcardflush.house.audit.findings import Finding, say

SEAL_BYTES = 12 + 16
"""Nonce and tag: no seal is shorter."""
REQUEST_BYTES = 32


def check(books: Books) -> Iterator[Finding]:
    ((accepted, refused),) = books.rows("SELECT COUNT(seq), COUNT(*) - COUNT(seq) FROM answers")
    books.covered["answers"] += int(accepted)
    books.covered["refusals"] += int(refused)
    yield from _without_answer(books)
    yield from _without_event(books)
    yield from _shapes(books)


def _without_answer(books: Books) -> Iterator[Finding]:
    rows = books.rows(
        "SELECT e.stream, e.seq, e.actor, e.key, e.request, a.actor, a.request, a.stream, a.seq FROM events e"
        " LEFT JOIN answers a ON a.actor = e.actor AND a.key = e.key WHERE e.key IS NOT NULL"
        " AND (a.actor IS NULL OR a.seq IS NULL OR a.seq <> e.seq OR a.stream <> e.stream OR a.request <> e.request)"
        " ORDER BY e.stream, e.seq"
    )
    for stream, seq, actor, key, request, found, answered, to_stream, to_seq in rows:
        where, what = f"{stream} {seq}", f"the answer under key {key!r} of {actor}"
        if found is None:
            yield Finding(where, what, "nothing", "this event")
        elif (to_stream, to_seq) != (stream, seq):
            read = "a refusal" if to_seq is None else f"{to_stream} {to_seq}"
            yield Finding(where, what, read, "this event")
        else:
            yield Finding(where, f"{what}: request", say(answered), say(request))


def _without_event(books: Books) -> Iterator[Finding]:
    rows = books.rows(
        "SELECT a.actor, a.key, a.stream, a.seq, e.actor, e.key FROM answers a"
        " LEFT JOIN events e ON e.stream = a.stream AND e.seq = a.seq WHERE a.seq IS NOT NULL"
        " AND (e.seq IS NULL OR e.actor <> a.actor OR e.key IS NULL OR e.key <> a.key) ORDER BY a.actor, a.key"
    )
    for actor, key, stream, seq, other, used in rows:
        read = "no event" if other is None else f"one of {other} under {used!r}"
        yield Finding(f"{stream} {seq}", f"the event that {actor} was answered under key {key!r}", read, "its event")


def _shapes(books: Books) -> Iterator[Finding]:
    rows = books.rows(
        "SELECT actor, key, request, stream, seq, refusal FROM answers WHERE request IS NULL"
        f" OR LENGTH(request) <> {REQUEST_BYTES} OR stream IS NULL OR (seq IS NULL) = (refusal IS NULL)"
        f" OR LENGTH(refusal) < {SEAL_BYTES} ORDER BY actor, key"
    )
    for actor, key, request, stream, seq, refusal in rows:
        read = f"request {say(request)}, stream {say(stream)}, seq {say(seq)}, refusal {say(refusal)}"
        yield Finding(f"answer {actor} {key!r}", "an answer of no known form", read, "an event or a sealed refusal")
