"""Who was what when, as the office tells it; and who may do what, written anew from docs/books.md.

A person's life is a list of spans. When is a number of the office: every event of the books says which event of the
office was the newest, and so who was what for it, whatever clocks said.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from highcardflush.house.audit.books import Books, Event
from highcardflush.house.audit.findings import Finding, differs, guarded, reasoned

FOUNDER = 2
"""The event that adds who founds the house, and is in force from the start."""
ROLES = ("player", "dealer", "supervisor", "cashier", "auditor", "administrator")

_SEAT = {"sit", "leave", "wagers", "clear", "fold", "raise"}
_SEEDS = {"seed", "commit-seed", "reveal-seed"}
_DEALER = {"open", "lock", "dice", "dynamic", "deal", "hand", "time-out", "settle"}
_SUPERVISOR = {"void", "void-hand", "take-back", "warn"}
_ASSIGNS = {"assign", "unassign"}
_METER = {"vote", "propose", "approve", "reject", "pause", "fail", "resume", "checkpoint", "display"}
MAY: dict[str, dict[str, set[str]]] = {
    "table": {
        "player": _SEAT | _SEEDS | {"consent"},
        "dealer": _SEAT | _DEALER,
        "supervisor": _SEAT | _DEALER | _SUPERVISOR | _ASSIGNS,
        "administrator": {"create", "change"} | _ASSIGNS,
    },
    "meter": {"supervisor": _METER, "administrator": {"create", "change"}},
    "cage": {"cashier": {"buy-in", "cash-out"}},
    "office": {
        "administrator": {"found", "new-key", "epoch", "person", "role", "disable", "enable"},
        "dealer": {"epoch"},  # the house itself, after a loss
    },
}
"""What each role may do in each kind of stream, by the kind of event."""
FOLLOWS: dict[str, set[str]] = {
    "dealer": {"hit", "make-good", "checkpoint"},
    "supervisor": {"hit", "make-good", "checkpoint"},
    "administrator": {"link", "unlink"},
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
    bot: bool
    spans: list[Span] = []

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


def read_people(books: Books, people: People) -> Iterator[Finding]:
    """Fill in everybody; what the office cannot have done is found on the way."""
    for event in books.events("office"):
        yield from guarded(event, _office(people, event))
    books.covered["people"] += len(people)
    found = books.rows("SELECT name, role, active, bot FROM people")
    rows = {name: (role, bool(active), bool(bot)) for name, role, active, bot in found}
    for name in sorted({**rows, **people}):
        stands = (people[name].role, people[name].active, people[name].bot) if name in people else None
        yield from differs(f"people {name}", "its row", rows.get(name), stands)


def _office(people: People, event: Event) -> Iterator[Finding]:
    if event.kind == "found":
        yield from differs(event.where, "the founding of the house", event.seq, 1)
        return
    if event.seq == 1:
        yield Finding(event.where, "the first event of the office", event.kind, "found")
    if event.kind in ("new-key", "epoch"):
        yield from reasoned(event)
        if event.kind == "new-key" and not isinstance(event.body["lost"], bool):
            yield Finding(event.where, "whether the old key was lost", str(event.body["lost"]), "true or false")
    else:
        yield from _PEOPLE[event.kind](people, event)


def _added(people: People, event: Event) -> Iterator[Finding]:
    name, role, bot = (event.body[key] for key in ("name", "role", "bot"))
    if name in people:
        yield Finding(event.where, "a person is added", f"{name}, who is there", "a new name")
    people[name] = person = Person(role, bot)
    person.begin(event.seq if event.seq > FOUNDER else 0)
    if bot and role not in ("player", "cashier"):
        yield Finding(event.where, f"{name}, a bot", role, "a player or a cashier")
    yield from _known_role(event, role)


def _changed(people: People, event: Event) -> Iterator[Finding]:
    """Another role, or none for a while."""
    body = event.body
    person = people[body["name"]]
    yield from reasoned(event)
    if event.kind == "disable":
        person.stop(event.seq)
        return
    if event.kind == "role":
        yield from differs(event.where, f"the role of {body['name']} before", body["before"], person.role)
        yield from _known_role(event, body["after"])
        person.role = body["after"]
    if person.active == (event.kind == "role"):
        person.begin(event.seq)


_PEOPLE = {"person": _added, "role": _changed, "disable": _changed, "enable": _changed}


def _known_role(event: Event, role: str) -> Iterator[Finding]:
    if role not in ROLES:
        yield Finding(event.where, "a role", role, "one of " + ", ".join(ROLES))
