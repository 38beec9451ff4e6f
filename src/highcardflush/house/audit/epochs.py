"""Epochs: where the house stands against its office; rounds that were opened before an epoch; commitments.

After a restore, or where books have lost what was acknowledged, a live round may be known to its last card. So from
that event of the office on nothing of it is played: it is void, and every wager goes back. A seed that is committed to
twice is known before the second round.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise

from msgspec import Struct, field

from highcardflush.house.audit.books import Books, Event
from highcardflush.house.audit.findings import Finding, differs, dollars, guarded
from highcardflush.house.audit.moment import Moment

HARMLESS = ("sit", "leave", "warn", "consent", "assign", "unassign", "switch")
"""What may happen at a table whose round is not played on."""
CAUSES = {"restore": "administrator", "loss": "house"}
"""Why an epoch begins, and who says so: a role, or the house itself."""


class Office(Struct):
    """What the office's stream says of the house: where epochs begin, its keys, and which of them were lost."""

    epochs: list[int] = field(default_factory=lambda: [1])
    keys: list[str] = []
    losses: list[int] = []


class Table(Struct):
    """A table as far as its stream has been read."""

    epochs: Sequence[int]
    opened: Event | None = None
    staked: Counter[str] = field(default_factory=Counter)
    commitments: array[int] = field(default_factory=partial(array, "Q"))
    """A short digest of each: there may be very many."""


def follow(table: Table, event: Event) -> Iterator[Finding]:
    if event.kind == "open":
        table.opened, table.staked = event, Counter()
        if event.body["commitment"] is not None:
            table.commitments.append(_short(event.body["commitment"]))
    if table.opened is None:
        return
    _count(table.staked, event)
    if began := next((epoch for epoch in table.epochs if table.opened.office < epoch <= event.office), None):
        yield from _after(event, began, table.staked)
    if event.kind in ("settle", "void"):
        table.opened = None


def check_standing(moment: Moment, office: Office) -> Iterator[Finding]:
    """The one row that every command asks, against the office's events."""
    last = moment.end("office")
    expected = [(office.epochs[-1], last)] if last else []
    read = [tuple(row[:2]) for row in moment.house]
    yield from differs("house", "epoch and newest event of the office", read, expected)
    revisions = [(row[3],) for row in moment.house]
    yield from differs("house", "revision of the schema", revisions, moment.revisions if last else [])
    yield from differs("house", "house key", [row[2] for row in moment.house], office.keys[-1:])


def follow_office(office: Office, event: Event) -> Iterator[Finding]:
    if event.kind in ("found", "new-key", "epoch"):
        yield from _office(office, event)


def _office(office: Office, event: Event) -> Iterator[Finding]:
    if event.kind != "epoch":
        office.keys.append(event.body["key_id"])
        if event.body.get("lost") is True:
            office.losses.append(event.seq)
        return
    office.epochs.append(event.seq)
    body = event.body
    expected = CAUSES.get(body["cause"])
    read = event.actor if expected == "house" else event.role
    yield from differs(event.where, f"who begins an epoch after a {body['cause']}", read, expected)
    if (body["lost"] is None) != (body["cause"] == "restore"):
        yield Finding(event.where, "what was lost", str(body["lost"]), "of a loss its stream and numbers, else nothing")


def check_commitments(books: Books, moment: Moment, digests: Iterable[int]) -> Iterator[Finding]:
    """If two digests are the same, all openings are read again: each commitment is in one of them."""
    ordered = sorted(digests)
    if all(one != other for one, other in pairwise(ordered)):
        return
    known: dict[str, str] = {}
    for stream in moment.names("table/"):
        for event in books.events(stream, end=moment.end(stream)):
            if event.kind == "open":
                yield from guarded(event, _commitment(known, event))


def _commitment(known: dict[str, str], event: Event) -> Iterator[Finding]:
    commitment = event.body["commitment"]
    if commitment is None:
        return
    if commitment in known:
        yield Finding(event.where, "commitment", f"that of {known[commitment]}", "a seed of its own")
    known.setdefault(commitment, event.where)


def _short(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def _count(staked: Counter[str], event: Event) -> None:
    """What each wallet, and the chips, have in the round."""
    for source, target, micros in event.transfers():
        for account, sign in ((source, 1), (target, -1)):
            if account.startswith(("wallet/", "chips/")):
                staked[account] += sign * micros


def _after(event: Event, epoch: int, staked: Counter[str]) -> Iterator[Finding]:
    """An event of a round that was opened before an epoch, and is after it."""
    if event.kind not in (*HARMLESS, "void"):
        what = f"a round opened before epoch {epoch}, which is office {epoch}"
        yield Finding(event.where, what, event.kind, "a void: its cards may be known")
    if event.kind == "void":
        for account in sorted(staked):
            yield from differs(event.where, f"what {account} has in a void round", staked[account], 0, dollars)
