"""Who was what when, as the office tells it; and who may do what, written anew from docs/books.md.

A person's life is a list of spans. When is a number of the office: every event of the books says which event of the
office was the newest, and so who was what for it, whatever clocks said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from highcardflush.house.audit.books import Event
from highcardflush.house.audit.changes import OFFICE
from highcardflush.house.audit.findings import Finding, differs, reasoned

FOUNDER = 2
"""The event that adds who founds the house, and is in force from the start."""
ROLES = ("player", "dealer", "supervisor", "cashier", "auditor", "administrator", "server")
KINDS = {"person": ROLES, "bot": ("player", "cashier"), "guest": ("player",)}
"""What each kind of people can be."""
STAY = {"player", "server"}
"""Roles that nobody comes to or leaves."""

_SEAT = {"sit", "leave", "wagers", "clear", "fold", "raise"}
_SEEDS = {"seed", "commit-seed", "reveal-seed"}
_RUNS = {"open", "lock", "dice", "dynamic", "deal", "time-out", "settle"}
_DEALER = _RUNS | {"hand"}
_SUPERVISOR = {"void", "void-hand", "take-back", "warn"}
_ASSIGNS = {"assign", "unassign", "switch"}
_SHIFTS = {"start-shift", "end-shift"}
_OFFICE = {"found", "new-key", "epoch", "person", "role", "disable", "enable", "audited", "floor", *OFFICE}
_METER = {"vote", "propose", "approve", "reject", "pause", "fail", "resume", "checkpoint", "display"}
MAY: dict[str, dict[str, set[str]]] = {
    "table": {
        "player": _SEAT | _SEEDS | {"consent"},
        "dealer": _SEAT | _DEALER,
        "supervisor": _SEAT | _DEALER | _SUPERVISOR | _ASSIGNS,
        "administrator": {"create", "change"} | _ASSIGNS,
        "server": _RUNS | {"leave"},
    },
    "meter": {"supervisor": _METER, "administrator": {"create", "change"}, "server": {"vote"}},
    "cage": {"cashier": {"buy-in", "cash-out"}, "server": {"buy-in"}},
    "office": {
        "administrator": _OFFICE | _SHIFTS,
        "supervisor": {"acknowledge", "audited"} | _SHIFTS,
        "dealer": {"epoch"} | _SHIFTS,  # the house itself, after a loss
        "cashier": _SHIFTS,
        "auditor": {"audited"} | _SHIFTS,
        "server": {"person"},
    },
}
"""What each role may do in each kind of stream, by the kind of event."""
FOLLOWS: dict[str, set[str]] = {
    "dealer": {"hit", "make-good", "checkpoint"},
    "supervisor": {"hit", "make-good", "checkpoint"},
    "server": {"hit", "make-good", "checkpoint"},
    "administrator": {"link", "unlink", "checkpoint"},
}
"""What a command to a table may bring about in a meter's stream: events without a key."""
OWN = _SEAT | _SEEDS
"""What a player does for the own seat only, and others only at a physical table."""


class Span(Struct):
    """From which event of the office on somebody had a role, and with which it ended. The last one has no end."""

    role: str
    start: int
    end: int | None = None

    def __str__(self) -> str:
        return f"{self.role} from office {self.start}" + (f" until {self.end}" if self.end is not None else "")


class Person(Struct):
    role: str
    kind: str
    spans: list[Span] = []
    shift: int | None = None
    """The event of the office since which they are on duty."""

    @property
    def active(self) -> bool:
        return self.spans[-1].end is None

    def begin(self, seq: int) -> None:
        self.stop(seq)
        self.spans.append(Span(self.role, seq))

    def stop(self, seq: int) -> None:
        if self.spans and self.active:
            self.spans[-1].end = seq

    def was(self, role: str, office: int) -> bool:
        """Whether this was the role once the office had come to this event."""
        return any(
            span.role == role and span.start <= office and (span.end is None or office < span.end)
            for span in self.spans
        )


People = dict[str, Person]


def check_rows(people: People, rows: Mapping[str, tuple[str, bool, str, int | None]]) -> Iterator[Finding]:
    """The rows of `people` against the office's stream."""
    for name in sorted({**rows, **people}):
        person = people.get(name)
        stands = (person.role, person.active, person.kind, person.shift) if person is not None else None
        yield from differs(f"people {name}", "its row", rows.get(name), stands)


def follow_office(people: People, event: Event) -> Iterator[Finding]:
    """Fill in everybody; what the office cannot have done is found on the way."""
    if event.kind == "found":
        yield from differs(event.where, "the founding of the house", event.seq, 1)
        return
    if event.seq == 1:
        yield Finding(event.where, "the first event of the office", event.kind, "found")
    if event.kind in (*OFFICE, "floor"):
        return  # of no matter to who is what
    if event.kind in ("new-key", "epoch"):
        yield from reasoned(event)
        if event.kind == "new-key" and not isinstance(event.body["lost"], bool):
            yield Finding(event.where, "whether the old key was lost", str(event.body["lost"]), "true or false")
    elif event.kind == "audited":
        if event.body["findings"] < 0:
            yield Finding(event.where, "how much was wrong", str(event.body["findings"]), "none or more")
    else:
        yield from _PEOPLE[event.kind](people, event)


def _added(people: People, event: Event) -> Iterator[Finding]:
    name, role, kind = (event.body[key] for key in ("name", "role", "kind"))
    if name in people:
        yield Finding(event.where, "a person is added", f"{name}, who is there", "a new name")
    people[name] = person = Person(role, kind)
    person.begin(event.seq if event.seq > FOUNDER else 0)
    if role not in KINDS[kind] and kind != "person":
        yield Finding(event.where, f"{name}, a {kind}", role, " or ".join(KINDS[kind]))
    if event.role == "server" and (role != "player" or kind == "bot"):
        read = f"{name}, a {kind} as {role}"
        yield Finding(event.where, f"whom {event.actor}, a server, adds", read, "a player who is a guest or a person")
    yield from _known_role(event, role)


def _changed(people: People, event: Event) -> Iterator[Finding]:
    """Another role, or none for a while."""
    body = event.body
    person = people[body["name"]]
    yield from reasoned(event)
    if event.kind == "disable":
        person.stop(event.seq)
        person.shift = None
        return
    if event.kind == "role":
        yield from differs(event.where, f"the role of {body['name']} before", body["before"], person.role)
        yield from _known_role(event, body["after"])
        if STAY & {person.role, body["after"]} or person.kind != "person":
            read = f"{person.role} to {body['after']}, of a {person.kind}"
            yield Finding(event.where, f"the role of {body['name']}", read, "players and servers stay what they are")
        person.role = body["after"]
    if person.active == (event.kind == "role"):
        person.begin(event.seq)


def _shift(people: People, event: Event) -> Iterator[Finding]:
    person, starts = people[event.actor], event.kind == "start-shift"
    if starts:
        yield from differs(event.where, f"the shift of {event.actor} before", person.shift, None)
    else:
        yield from differs(event.where, f"the shift of {event.actor} that ends", event.body["began"], person.shift or 0)
    person.shift = event.seq if starts else None


_PEOPLE = {
    "person": _added,
    "role": _changed,
    "disable": _changed,
    "enable": _changed,
    "start-shift": _shift,
    "end-shift": _shift,
}


def _known_role(event: Event, role: str) -> Iterator[Finding]:
    if role not in ROLES:
        yield Finding(event.where, "a role", role, "one of " + ", ".join(ROLES))
