"""Epochs: where the house stands against its office; rounds that were opened before an epoch; commitments.

After a restore, or where books have lost what was acknowledged, a live round may be known to its last card. So from
that event of the office on nothing of it is played: it is void, and every wager goes back. A seed that is committed to
twice is known before the second round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from highcardflush.house.audit.books import Books, Event
from highcardflush.house.audit.findings import Finding, differs, dollars, guarded

HARMLESS = ("sit", "leave", "warn", "consent", "assign", "unassign")
"""What may happen at a table whose round is not played on."""
CAUSES = {"restore": "administrator", "loss": "house"}
"""Why an epoch begins, and who says so: a role, or the house itself."""


def check(books: Books) -> Iterator[Finding]:
    commitments: dict[str, str] = {}
    epochs, keys = [1], list[str]()
    for event in books.events("office", "found", "new-key", "epoch"):
        yield from guarded(event, _office(epochs, keys, event))
    if len(epochs) > 1:
        books.covered["epochs"] += len(epochs) - 1
    yield from _standing(books, epochs[-1], keys)
    for stream in books.streams("table/"):
        opened: Event | None = None
        staked: Counter[str] = Counter()
        for event in books.events(stream):
            if event.kind == "open":
                opened, staked = event, Counter()
                yield from guarded(event, _commitment(commitments, event))
            if opened is None:
                continue
            _count(staked, event)
            if began := next((epoch for epoch in epochs if opened.office < epoch <= event.office), None):
                yield from _after(event, began, staked)
            if event.kind in ("settle", "void"):
                opened = None


def _standing(books: Books, epoch: int, keys: list[str]) -> Iterator[Finding]:
    """The one row that every command asks, against the office's events."""
    read = books.rows("SELECT epoch, office FROM house")
    ((last,),) = books.rows("SELECT MAX(seq) FROM events WHERE stream = 'office'")
    books.covered["standings"] += len(read)
    yield from differs("house", "epoch and newest event of the office", read, [(epoch, last)] if last else [])
    revisions = books.rows("SELECT version_num FROM alembic_version") if last else []
    yield from differs("house", "revision of the schema", books.rows("SELECT revision FROM house"), revisions)
    yield from differs("house", "house key", [key for (key,) in books.rows("SELECT key_id FROM house")], keys[-1:])


def _office(epochs: list[int], keys: list[str], event: Event) -> Iterator[Finding]:
    if event.kind != "epoch":
        keys.append(event.body["key_id"])
        return
    epochs.append(event.seq)
    body = event.body
    expected = CAUSES.get(body["cause"])
    read = event.actor if expected == "house" else event.role
    yield from differs(event.where, f"who begins an epoch after a {body['cause']}", read, expected)
    if (body["lost"] is None) != (body["cause"] == "restore"):
        yield Finding(event.where, "what was lost", str(body["lost"]), "of a loss its stream and numbers, else nothing")


def _commitment(commitments: dict[str, str], event: Event) -> Iterator[Finding]:
    commitment = event.body["commitment"]
    if commitment is None:
        return
    if commitment in commitments:
        yield Finding(event.where, "commitment", f"that of {commitments[commitment]}", "a seed of its own")
    commitments.setdefault(commitment, event.where)


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
