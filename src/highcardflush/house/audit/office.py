"""Checks the office: people and their roles, changes that require two people, alerts, and the floor settings.

Each role applies from one office event on. Every event in the books records the number of the office's newest event at
that time, so its actor's role does not depend on a clock. One administrator proposes a change, and another decides.
"""

from collections.abc import Iterator, Mapping
from math import inf
from typing import Any, assert_never, cast

import msgspec
from msgspec import Struct, field
from msgspec.structs import asdict

from highcardflush.house import commands as c
from highcardflush.house import events as ev
from highcardflush.house.audit.books import Event, Moment
from highcardflush.house.audit.findings import Finding, differs, reasoned, say
from highcardflush.house.floor_settings import FloorSettings

FOUNDER = 2
"""Number of the event that adds the founder, whose role applies from the start."""
KINDS: dict[str, tuple[str, ...]] = {"person": c.ROLES, "bot": ("player", "cashier"), "guest": ("player",)}
"""The roles that each kind of person may have."""
STAY = {"player", "server"}
"""Roles that a role change can neither give nor take away."""
NO_ROW = "no row"


class Person(Struct):
    role: str
    kind: str
    roles: list[tuple[int, str | None]] = []
    """The person's roles, each with the number of the office event from which it applies. `None` means no role."""
    shift: int | None = None
    """Number of the office event that started the current shift, if there is one."""

    @property
    def active(self) -> bool:
        return self.roles[-1][1] is not None

    def was(self, role: str, office: int) -> bool:
        """Return True if the person had this role after the office event `office`."""
        return next((each for seq, each in reversed(self.roles) if seq <= office), None) == role

    def __str__(self) -> str:
        return "; ".join(f"{role or 'no role'} from office {seq}" for seq, role in self.roles)


class Change(Struct):
    stream: str
    command: c.AnyChange
    proposer: str
    decided: int | None = None
    approver: str | None = None
    done: bool = False
    """True once an event of the stream has carried out the change."""


class Office(Struct):
    people: dict[str, Person] = {}
    changes: dict[int, Change] = {}
    """The proposed changes, keyed by the number of the event that proposed them."""
    required: list[tuple[int, bool]] = []
    """Numbers of the events that switched two-person approval on or off, with the new state."""
    alerts: dict[str, int] = {}
    floors: int = 0
    """Number of changes to the floor settings."""
    floor: FloorSettings = field(default_factory=FloorSettings)
    epochs: list[int] = field(default_factory=lambda: [1])
    keys: list[str] = []
    losses: list[int] = []
    """Numbers of the events that replaced a lost key."""

    def requires_two(self, office: float) -> bool:
        """Return True if changes required two people after the office event `office`."""
        return next((on for seq, on in reversed(self.required) if seq <= office), False)


def follow(office: Office, event: Event) -> Iterator[Finding]:
    """Judge an office event according to the events before it, and add it to the state of the office."""
    body = cast(ev.OfficeEvent, event.body)
    if isinstance(body, ev.HouseFounded) != (event.seq == 1):
        yield Finding(event.where, "the first event of the office", event.kind, "`found` as event 1 and nowhere else")
    if hasattr(body, "reason") and not (isinstance(body, ev.ChangeDecided) and body.approve):
        yield from reasoned(event, body.reason)
    match body:
        case ev.PersonAdded():
            yield from _added(office, event, body)
        case ev.RoleChanged() | ev.PersonDisabled() | ev.PersonEnabled():
            yield from _judge_change(office.people[body.name], event, body)
        case ev.ShiftStarted():
            shift, office.people[event.actor].shift = office.people[event.actor].shift, event.seq
            yield from differs(event.where, f"the shift of {event.actor} before this one", shift, None)
        case ev.ShiftEnded():
            shift, office.people[event.actor].shift = office.people[event.actor].shift, None
            yield from differs(event.where, f"the shift of {event.actor} that ends", body.began, shift or 0)
        case ev.AlertAcknowledged():
            if body.alert in office.alerts:
                yield Finding(event.where, f"alert {body.alert}", "acknowledged a second time", "acknowledged once")
            office.alerts[body.alert] = event.seq
        case ev.ChangeProposed():
            office.changes[event.seq] = Change(body.stream, body.change, event.actor)
        case ev.ChangeDecided():
            yield from _decided(office, event, body)
        case ev.ApprovalRequired():
            if body.on == office.requires_two(event.seq):
                yield Finding(event.where, "two-person approval", str(body.on), str(not body.on))
            office.required.append((event.seq, body.on))
        case ev.FloorChanged():
            yield from _floor(office, event, body)
        case ev.AuditRecorded():
            if body.findings < 0:
                yield Finding(event.where, "the number of findings", str(body.findings), "zero or more")
        case ev.HouseFounded() | ev.KeyReplaced() | ev.EpochBegun():
            pass  # `epochs.follow_office` judges them.
        case other:
            assert_never(other)


def _added(office: Office, event: Event, body: ev.PersonAdded) -> Iterator[Finding]:
    name, role, kind = body.name, body.role, body.kind
    if name in office.people:
        yield Finding(event.where, "the name of the added person", f"{name}, which is taken", "a new name")
    office.people[name] = Person(role, kind, [(event.seq if event.seq > FOUNDER else 0, role)])
    if role not in KINDS[kind]:
        yield Finding(event.where, f"the role of {name}, a {kind}", role, " or ".join(KINDS[kind]))
    if event.role == "server" and (role != "player" or kind == "bot"):
        what, read = f"the person added by {event.actor}, a server", f"{name}, a {kind} as {role}"
        yield Finding(event.where, what, read, "a player who is a guest or a person")


def _judge_change(
    person: Person, event: Event, body: ev.RoleChanged | ev.PersonDisabled | ev.PersonEnabled
) -> Iterator[Finding]:
    """Judge an event that changes a person's role, or that disables or enables a person."""
    if isinstance(body, ev.PersonDisabled):
        person.roles.append((event.seq, None))
        person.shift = None
        return
    if isinstance(body, ev.RoleChanged):
        yield from differs(event.where, f"the role of {body.name} before the change", body.before, person.role)
        if STAY & {person.role, body.after} or person.kind != "person":
            read = f"from {person.role} to {body.after} for a {person.kind}"
            yield Finding(event.where, f"the role of {body.name}", read, "a change between staff roles")
        person.role = body.after
    if person.active == isinstance(body, ev.RoleChanged):
        person.roles.append((event.seq, person.role))


def _decided(office: Office, event: Event, body: ev.ChangeDecided) -> Iterator[Finding]:
    change, what = office.changes.get(body.change), f"the decision on change {body.change}"
    if change is None or change.decided is not None:
        read = "no proposed change" if change is None else f"a change decided by office {change.decided}"
        yield Finding(event.where, what, read, "a pending change")
        return
    if change.proposer == event.actor:
        yield Finding(
            event.where,
            f"the actor who decided change {body.change}",
            f"{event.actor}, who proposed it",
            "another administrator",
        )
    change.decided, change.approver = event.seq, event.actor if body.approve else None


def _floor(office: Office, event: Event, body: ev.FloorChanged) -> Iterator[Finding]:
    """Judge a change to the floor settings. The new settings must be the earlier settings with the changes applied."""
    office.floors += 1
    yield from differs(event.where, "the number of this floor change", body.floor, office.floors)
    try:
        expected = msgspec.convert({**asdict(office.floor), **body.changes}, FloorSettings)
        yield from differs(event.where, "the floor's settings", body.settings, expected)
    except msgspec.ValidationError:
        expected_values = "settings with valid values"
        yield Finding(event.where, "the floor's changes", say(body.changes), expected_values)
    office.floor = body.settings


def check_rows(office: Office, moment: Moment) -> Iterator[Finding]:
    """Compare the rows of people, changes, alerts and the house with the office's events."""
    people = {name: (each.role, each.active, each.kind, each.shift) for name, each in office.people.items()}
    decided = {number: change.decided for number, change in office.changes.items()}
    tables: tuple[tuple[str, Mapping[Any, object], Mapping[Any, object]], ...] = (
        ("people", moment.people, people),
        ("changes", moment.changes, decided),
        ("acknowledged", moment.alerts, office.alerts),
    )
    for table, read, expected in tables:
        for key in sorted(read.keys() | expected.keys()):
            yield from differs(f"{table} {key}", "its row", read.get(key, NO_ROW), expected.get(key, NO_ROW))
    for *_, approval in moment.house:
        yield from differs("house", "two-person approval", bool(approval), office.requires_two(inf))


def undone(office: Office, stream: str, after: int = 0) -> Iterator[Finding]:
    """Find changes to a stream that were approved after the office event `after` but never carried out."""
    for number, change in office.changes.items():
        waits = change.approver is not None and not change.done and (change.decided or 0) > after
        if waits and change.stream == stream:
            expected = f"an event in {stream} that carries it out"
            yield Finding(f"office {change.decided}", f"change {number}", "not carried out", expected)
