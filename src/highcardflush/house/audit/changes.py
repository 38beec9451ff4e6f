"""Changes that take two administrators, and alerts that were acknowledged, as the office tells them.

A change is proposed by one and decided by another. If it was approved, one event of its stream carries it out, which
says what the proposal said; where the house requires approval, nothing was changed in any other way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import inf
from typing import Any

from msgspec import Struct

from highcardflush.house.audit.books import Event
from highcardflush.house.audit.findings import Finding, differs, reasoned, say
from highcardflush.house.audit.moment import Moment

OFFICE = ("propose-change", "decide-change", "require-approval", "acknowledge")
"""The office's events that are read here."""
FOLLOW = ("link", "unlink")
"""What a change of a table brings about in its meters' streams."""


def _same(*keys: str, **others: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """The fields of a command by those of its event, of which some have another name there."""
    return lambda body: {key: body[others.get(key, key)] for key in (*keys, *others)}


SAYS: dict[tuple[str, str], tuple[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    ("table", "create"): ("CreateTable", lambda body: {**body["config"], "dealers": body["dealers"]}),
    ("table", "change"): ("ChangeTable", lambda body: body["config"]),
    ("meter", "create"): ("CreateMeter", lambda body: body["parameters"]),
    ("meter", "change"): ("ChangeMeter", _same("key", "reason", value="after")),
    ("office", "person"): ("AddPerson", _same("name", "role", "kind")),
    ("office", "role"): ("ChangeRole", _same("name", "reason", role="after")),
    ("office", "disable"): ("Disable", _same("name", "reason")),
    ("office", "enable"): ("Enable", _same("name", "reason")),
    ("office", "require-approval"): ("RequireApproval", _same("on", "reason")),
    ("office", "floor"): ("SetFloor", _same("changes", "reason")),
}
"""What carries out which command, by the kind of stream and of event, and what it says of it."""
CHOSEN = ("reseed_micros", "hits")
"""Fields that the house fills in where the command leaves them open."""


MISSING = object()
"""What a row says that is not there."""


class Change(Struct):
    stream: str
    command: dict[str, Any]
    proposer: str
    decided: int | None = None
    """The event of the office that did."""
    approver: str | None = None
    done: bool = False


class Changes(Struct):
    known: dict[int, Change] = {}
    """By the number of the proposal in the office."""
    required: list[tuple[int, bool]] = []
    """From which event of the office on changes took two, or no longer did; not before the first."""
    alerts: dict[str, int] = {}
    """What was acknowledged, and with which event."""

    def required_at(self, office: float) -> bool:
        return next((on for seq, on in reversed(self.required) if seq <= office), False)


def follow_office(changes: Changes, event: Event) -> Iterator[Finding]:
    """Take in one event of the office, if it is one of those above."""
    if event.kind not in OFFICE:
        return
    body = event.body
    if event.kind == "acknowledge":
        if body["alert"] in changes.alerts:
            yield Finding(event.where, f"alert {body['alert']}", "acknowledged a second time", "once")
        changes.alerts[body["alert"]] = event.seq
    elif event.kind == "propose-change":
        yield from reasoned(event)
        changes.known[event.seq] = Change(body["stream"], body["command"], event.actor)
    elif event.kind == "require-approval":
        yield from reasoned(event)
        if body["on"] == changes.required_at(event.seq):
            yield Finding(event.where, "whether changes take two", str(body["on"]), "the other")
        changes.required.append((event.seq, body["on"]))
    else:
        yield from _decided(changes, event)


def _decided(changes: Changes, event: Event) -> Iterator[Finding]:
    number, approve = event.body["change"], event.body["approve"]
    change, what = changes.known.get(number), f"the decision on change {number}"
    if change is None or change.decided is not None:
        read = "no change that was proposed" if change is None else f"decided with office {change.decided}"
        yield Finding(event.where, what, read, "a change that waits")
        return
    if change.proposer == event.actor:
        yield Finding(event.where, what, f"by {event.actor}, who proposed it", "another")
    if not approve:
        yield from reasoned(event)
    change.decided, change.approver = event.seq, event.actor if approve else None


def check_rows(changes: Changes, moment: Moment) -> Iterator[Finding]:
    """The rows that follow from the office against its events."""
    decided = {number: change.decided for number, change in changes.known.items()}
    tables: tuple[tuple[str, Mapping[Any, int | None], Mapping[Any, int | None]], ...] = (
        ("changes", moment.changes, decided),
        ("acknowledged", moment.alerts, changes.alerts),
    )
    for table, read, expected in tables:
        for key in sorted(read.keys() | expected.keys()):
            if read.get(key, MISSING) != expected.get(key, MISSING):
                said = (say(rows[key]) if key in rows else "no row" for rows in (read, expected))
                yield Finding(f"{table} {key}", "its row", *said)
    for *_, approval in moment.house:
        yield from differs("house", "whether changes take two", bool(approval), changes.required_at(inf))


def carries_out(event: Event) -> bool:
    """Whether it is what a change asked for, and has no key for that."""
    return (event.stream.partition("/")[0], event.kind) in SAYS and "carries_out" in event.body


def follow(changes: Changes, event: Event) -> Iterator[Finding]:
    """Hold an event of any stream against what was proposed and approved."""
    kind = event.stream.partition("/")[0]
    says = SAYS.get((kind, event.kind))
    if says is None and event.kind not in FOLLOW:
        return
    number = event.body.get("carries_out")
    if number is None:
        if says is not None and event.role == "administrator" and changes.required_at(event.office):
            yield Finding(event.where, f"this {event.kind}", f"by {event.actor} alone", "a change that two agreed on")
        return
    change = changes.known.get(number)
    if change is None or change.approver is None:
        yield Finding(event.where, f"this {event.kind}, of change {number}", "not approved", "an approved change")
        return
    yield from differs(event.where, f"who carries out change {number}", event.actor, change.approver)
    yield from differs(event.where, f"the office when change {number} is carried out", event.office, change.decided)
    if says is not None:
        yield from _carried_out(change, event, f"change {number}", *says)


def _carried_out(
    change: Change, event: Event, what: str, command: str, said: Callable[[dict[str, Any]], dict[str, Any]]
) -> Iterator[Finding]:
    yield from differs(event.where, f"the stream of {what}", event.stream, change.stream)
    if event.stream == change.stream:  # other streams may be read by another process
        if change.done:
            yield Finding(event.where, what, "carried out a second time", "once")
        change.done = True
    yield from differs(event.where, f"the command of {what}", command, change.command["type"])
    if command != change.command["type"]:
        return
    stands = said(event.body)
    for key, proposed in change.command.items():
        if key == "type" or (key in CHOSEN and proposed is None):
            continue
        expected = sorted(set(proposed)) if key == "dealers" else proposed
        yield from differs(event.where, f"{key} of {what}", stands[key], expected)


def undone(changes: Changes, stream: str, after: int = 0) -> Iterator[Finding]:
    """What was approved for a stream, after an event of the office, and no event has carried out."""
    for number, change in changes.known.items():
        waits = change.approver is not None and not change.done and (change.decided or 0) > after
        if waits and change.stream == stream:
            yield Finding(f"office {change.decided}", f"change {number}", "not carried out", f"an event of {stream}")
