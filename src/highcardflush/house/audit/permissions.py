"""Permissions: who does something has a role that may do it, and what takes two administrators was done by two.

The tables of roles are a second reading of docs/books.md. An approved change is carried out by one event of its
stream, which says what the proposal said and has no key. While the house requires approval, nothing else may do what
takes two administrators.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import asdict

from highcardflush.house import commands as c
from highcardflush.house import events as ev
from highcardflush.house.audit.books import Event
from highcardflush.house.audit.findings import Finding, differs
from highcardflush.house.audit.follower import Follower
from highcardflush.house.audit.office import undone

_SEAT = {"sit", "leave", "wagers", "clear", "fold", "raise"}
_SEEDS = {"seed", "commit-seed", "reveal-seed"}
_RUNS = {"open", "lock", "dice", "dynamic", "deal", "time-out", "settle"}
_DEALER = _RUNS | {"hand"}
_SUPERVISOR = {"void", "void-hand", "take-back", "warn"}
_ASSIGNS = {"assign", "unassign", "switch"}
_SHIFTS = {"start-shift", "end-shift"}
_CHANGES = {"propose-change", "decide-change", "require-approval", "acknowledge"}
_OFFICE = {"found", "new-key", "epoch", "person", "role", "disable", "enable", "audited", "floor"} | _CHANGES
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
"""The kinds of events that each role may cause, by the kind of stream."""
FOLLOWS: dict[str, set[str]] = {
    "dealer": {"hit", "make-good", "checkpoint"},
    "supervisor": {"hit", "make-good", "checkpoint"},
    "server": {"hit", "make-good", "checkpoint"},
    "administrator": {"link", "unlink", "checkpoint"},
}
"""The events without a key that a command to a table may cause in a meter's stream, by role."""
CHOSEN = ("reseed_micros", "hits")
"""Fields that the house fills in where a command leaves them open."""


class Permissions(Follower):
    check = "approvals"

    def follow(self, event: Event) -> Iterator[Finding]:
        self.covered["commands"] += event.key is not None
        yield from self._actor(event)
        yield from self._change(event)
        if self.task.kind == "cage":
            yield from self._served(event)

    def end(self) -> Iterator[Finding]:
        """Find approved changes of this stream that were not carried out, from the first event that was read."""
        first = self.books.event(self.task.stream, self.task.start) if self.task.start > 1 else None
        yield from undone(self.house.office, self.task.stream, first.office if first else 0)

    def _actor(self, event: Event) -> Iterator[Finding]:
        person, who = self.house.office.people.get(event.actor), f"{event.actor} as {event.role}"
        if person is None:
            yield Finding(event.where, f"the actor of this {event.kind}", who, "a person of the office")
        elif not person.was(event.role, event.office):
            read = f"{event.role} at office {event.office}"
            what = f"the role of {event.actor} for this {event.kind}"
            yield Finding(event.where, what, read, str(person))
        follows = self.task.kind == "meter" and event.key is None and not carries_out(event)
        may = FOLLOWS if follows else MAY.get(self.task.kind, {})
        if event.kind not in may.get(event.role, ()):
            holders = [role for role, kinds in may.items() if event.kind in kinds]
            yield Finding(event.where, f"the permission for this {event.kind}", who, " or ".join(holders) or "nobody")

    def _served(self, event: Event) -> Iterator[Finding]:
        """Require that cashiers serve players of their own kind, and servers serve guests.

        (`wallets.py` checks how much a server may give.)
        """
        if not isinstance(event.body, ev.BoughtIn | ev.CashedOut):
            return
        people, name = self.house.office.people, event.body.player
        player, cashier = people.get(name), people.get(event.actor)
        if player is None or cashier is None:
            return
        serves = "guest" if event.role == "server" else cashier.kind
        if serves != player.kind:
            read = f"{event.actor} as {event.role}, who serves a {serves}"
            yield Finding(
                event.where, f"the cashier of {name}, a {player.kind}", read, f"one who serves a {player.kind}"
            )

    # --- changes that take two

    def _change(self, event: Event) -> Iterator[Finding]:
        """Compare the event with the change that it carries out."""
        body, office = event.body, self.house.office
        command = command_of(body)
        if body.carries_out is None:
            if command is not None and event.role == "administrator" and office.requires_two(event.office):
                yield Finding(
                    event.where, f"this {event.kind}", f"by {event.actor} alone", "a change that two people approved"
                )
            return
        number = body.carries_out
        change, what = office.changes.get(number), f"change {number}"
        if change is None or change.approver is None:
            yield Finding(event.where, f"this {event.kind}, of {what}", "not approved", "an approved change")
            return
        yield from differs(event.where, f"the actor of {what}", event.actor, change.approver)
        yield from differs(event.where, f"the office when {what} is carried out", event.office, change.decided)
        if command is None:  # it follows in the stream of a meter
            return
        yield from differs(event.where, f"the stream of {what}", event.stream, change.stream)
        if event.stream == change.stream:  # another worker may read the other stream
            if change.done:
                yield Finding(event.where, what, "carried out a second time", "once")
            change.done = True
        yield from _as_proposed(event, what, change.command, *command)


def carries_out(event: Event) -> bool:
    """Return True if a change asked for the event, which therefore has no key."""
    return event.body.carries_out is not None and command_of(event.body) is not None


def command_of(body: ev.Body) -> tuple[type[c.Command], dict[str, Any]] | None:
    """Return the administrator's command that an event carries out, and its fields; None if it takes no two people."""
    match body:
        case ev.TableCreated():
            return c.CreateTable, {**asdict(body.config), "dealers": body.dealers}
        case ev.TableChanged():
            return c.ChangeTable, asdict(body.config)
        case ev.MeterCreated():
            return c.CreateMeter, asdict(body.parameters)
        case ev.ParameterChanged():
            return c.ChangeMeter, {"key": body.key, "value": body.after, "reason": body.reason}
        case ev.PersonAdded():
            return c.AddPerson, {"name": body.name, "role": body.role, "kind": body.kind}
        case ev.RoleChanged():
            return c.ChangeRole, {"name": body.name, "role": body.after, "reason": body.reason}
        case ev.PersonDisabled():
            return c.Disable, {"name": body.name, "reason": body.reason}
        case ev.PersonEnabled():
            return c.Enable, {"name": body.name, "reason": body.reason}
        case ev.ApprovalRequired():
            return c.RequireApproval, {"on": body.on, "reason": body.reason}
        case ev.FloorChanged():
            return c.SetFloor, {"changes": body.changes, "reason": body.reason}
    return None


def _as_proposed(
    event: Event, what: str, proposed: c.AnyChange, command: type[c.Command], fields: dict[str, Any]
) -> Iterator[Finding]:
    """Require that an event says what the proposed command said."""
    yield from differs(event.where, f"the command of {what}", command.__name__, type(proposed).__name__)
    if not isinstance(proposed, command):
        return
    for key, value in asdict(proposed).items():
        if key not in CHOSEN or value is not None:
            expected = tuple(sorted(set(value))) if key == "dealers" else value
            yield from differs(event.where, f"{key} of {what}", fields[key], expected)
