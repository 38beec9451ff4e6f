"""Checks permissions: each actor's role must allow the event, and two people must have approved whatever needs two.

The tables of roles are written independently of the main code, from docs/books.md. Players act for their own seats, and
others may act for them only at a physical table. Seating another player requires that player's consent. Dealers act
only at tables to which they are assigned.
"""

from collections.abc import Iterator
from typing import assert_never, cast

from msgspec.structs import asdict

from highcardflush.house import commands as c
from highcardflush.house import events as ev
from highcardflush.house.audit.books import Event
from highcardflush.house.audit.findings import Finding, differs, reasoned
from highcardflush.house.audit.folds import TableFold
from highcardflush.house.audit.follower import Follower
from highcardflush.house.audit.office import Change, undone

_SEAT = {"sit", "leave", "leaving", "wagers", "clear", "fold", "raise"}
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
        "player": _SEAT | _SEEDS | {"consent", "skip"},
        "dealer": _SEAT | _DEALER,
        "supervisor": _SEAT | _DEALER | _SUPERVISOR | _ASSIGNS,
        "administrator": {"create", "change"} | _ASSIGNS,
        "server": _RUNS | {"create", "leave", "leaving"},
    },
    "meter": {"supervisor": _METER, "administrator": {"create", "change"}, "server": {"vote"}},
    "cage": {"cashier": {"buy-in", "cash-out"}, "server": {"buy-in"}},
    "office": {
        "administrator": _OFFICE | _SHIFTS,
        "supervisor": {"acknowledge", "audited"} | _SHIFTS,
        "dealer": {"epoch"} | _SHIFTS,  # The house itself begins an epoch after a loss.
        "cashier": _SHIFTS,
        "auditor": {"audited"} | _SHIFTS,
        "server": {"person"},
    },
}
"""The kinds of events that each role may cause, for each kind of stream."""
_MAKES = {"hit", "make-good", "checkpoint"}
FOLLOWS: dict[str, set[str]] = {
    **dict.fromkeys(("dealer", "supervisor"), _MAKES),
    "administrator": {"link", "unlink", "checkpoint"},
    "server": _MAKES | {"link"},
}
"""The kinds of events without a key that a table command may cause in a meter's stream, keyed by role."""
COMMANDS: dict[type[ev.Body], type[c.Command]] = {
    ev.TableCreated: c.CreateTable,
    ev.TableChanged: c.ChangeTable,
    ev.MeterCreated: c.CreateMeter,
    ev.ParameterChanged: c.ChangeMeter,
    ev.PersonAdded: c.AddPerson,
    ev.RoleChanged: c.ChangeRole,
    ev.PersonDisabled: c.Disable,
    ev.PersonEnabled: c.Enable,
    ev.ApprovalRequired: c.RequireApproval,
    ev.FloorChanged: c.SetFloor,
}
"""The administrators' commands that may require two people, keyed by the event that carries them out."""
CHOSEN = ("reseed_micros", "hits")
"""Fields that the house fills in if a command leaves them empty."""


class Permissions(Follower):
    check = "approvals"

    def follow(self, event: Event) -> Iterator[Finding]:
        self.covered["commands"] += event.key is not None
        yield from self._actor(event)
        yield from self._change(event)
        if self.task.kind == "cage":
            yield from self._served(event)

    def end(self) -> Iterator[Finding]:
        """Find changes to this stream that were approved after the first event to be read, but not carried out."""
        first = self.books.event(self.task.stream, self.task.start) if self.task.start > 1 else None
        yield from undone(self.house.office, self.task.stream, first.office if first else 0)

    def _actor(self, event: Event) -> Iterator[Finding]:
        person, who = self.house.office.people.get(event.actor), f"{event.actor} as {event.role}"
        if person is None:
            yield Finding(event.where, f"the actor of this {event.kind}", who, "a person known to the office")
        elif not person.was(event.role, event.office):
            what = f"the role of {event.actor} for this {event.kind}"
            yield Finding(event.where, what, f"{event.role} at office {event.office}", str(person))
        follows = self.task.kind == "meter" and event.key is None and not carries_out(event)
        may = FOLLOWS if follows else MAY.get(self.task.kind, {})
        if event.kind not in may.get(event.role, ()):
            holders = [role for role, kinds in may.items() if event.kind in kinds]
            yield Finding(event.where, f"the permission for this {event.kind}", who, " or ".join(holders) or "nobody")

    def _served(self, event: Event) -> Iterator[Finding]:
        """Require that cashiers serve their own kind and servers serve guests. `ledger.py` checks the amounts."""
        people, name = self.house.office.people, cast(ev.CageEvent, event.body).player
        player, cashier = people.get(name), people.get(event.actor)
        serves = "guest" if event.role == "server" else cashier.kind if cashier else None
        if player is not None and cashier is not None and serves != player.kind:
            read = f"{event.actor} as {event.role}, who serves a {serves}"
            expected = f"somebody who serves a {player.kind}"
            yield Finding(event.where, f"the cashier of {name}, a {player.kind}", read, expected)

    def _change(self, event: Event) -> Iterator[Finding]:
        """Compare the event with the approved change that it carries out."""
        body, office = event.body, self.house.office
        command, number = COMMANDS.get(type(body)), body.carries_out
        if number is None:
            if command is not None and event.role == "administrator" and office.requires_two(event.office):
                read, expected = f"a change by {event.actor} alone", "a change that two people approved"
                yield Finding(event.where, f"this {event.kind}", read, expected)
            return
        change, what = office.changes.get(number), f"change {number}"
        if change is None or change.approver is None:
            carried_out = f"{what}, which this {event.kind} carries out"
            yield Finding(event.where, carried_out, "not approved", "an approved change")
            return
        yield from differs(event.where, f"the actor of {what}", event.actor, change.approver)
        newest = f"the office's newest event when {what} is carried out"
        yield from differs(event.where, newest, event.office, change.decided)
        if command is not None:  # Without a command, this is a meter's event that a change to a table caused.
            yield from _as_proposed(event, change, command, what)


def _as_proposed(event: Event, change: Change, command: type[c.Command], what: str) -> Iterator[Finding]:
    """Require that the event carries out the change as proposed, and only once."""
    yield from differs(event.where, f"the stream of {what}", event.stream, change.stream)
    if event.stream == change.stream:  # Another worker may read the other stream.
        if change.done:
            yield Finding(event.where, what, "carried out a second time", "carried out once")
        change.done = True
    yield from differs(event.where, f"the command of {what}", command.__name__, type(change.command).__name__)
    if not isinstance(change.command, command):
        return
    fields = asdict(event.body)
    for part in ("config", "parameters"):
        fields |= asdict(fields[part]) if part in fields else {}
    fields = {"value": fields.get("after"), "role": fields.get("after"), **fields}
    for key, value in asdict(change.command).items():
        if key not in CHOSEN or value is not None:
            sorted_value = tuple(sorted(set(value))) if key == "dealers" else value
            yield from differs(event.where, f"{key} of {what}", fields[key], sorted_value)


def carries_out(event: Event) -> bool:
    """Return True if the event carries out a change. Such an event has no key."""
    return event.body.carries_out is not None and type(event.body) in COMMANDS


SHUT = {"paused": ("open", "wagers"), "closed": ("open", "wagers", "sit")}
"""The kinds of events that a table refuses in each state."""
FREES = {(kind, role) for kind in ("leave", "leaving") for role in ("supervisor", "server")}
"""The events that free an abandoned seat at a virtual table, with each role that may cause them."""
OwnSeat = (
    ev.SeatTaken | ev.SeatLeft | ev.SeatLeaving | ev.PauseSkipped | ev.WagersPlaced | ev.WagersCleared | ev.Folded
    | ev.Raised | ev.SeedNamed | ev.SeedCommitted | ev.SeedRevealed
)  # fmt: skip
"""The events that concern one seat and that its player may cause."""
ByStaff = (
    ev.WagersLocked | ev.DiceRolled | ev.DynamicDrawn | ev.CardsDealt
    | ev.HandKeyedIn | ev.HandTakenBack | ev.TimedOut | ev.HandVoided | ev.RoundSettled | ev.RoundVoided
)  # fmt: skip
"""The events that only staff and the house cause, and for which they need nothing but their role."""


class Seats(Follower):
    check = "approvals"

    def follow(self, event: Event) -> Iterator[Finding]:
        body, table = cast(ev.TableEvent, event.body), self.table
        if event.role == "server" and table.physical:
            what = f"the table at which a server causes this {event.kind}"
            yield Finding(event.where, what, "a physical table", "a virtual table")
        may_deal = event.actor in table.dealers or (event.actor == "house" and not table.physical)
        if event.role == "dealer" and not may_deal:
            expected = f"an assigned dealer: {', '.join(sorted(table.dealers)) or 'nobody'}"
            yield Finding(event.where, f"the dealer of this {event.kind}", event.actor, expected)
        if event.kind in SHUT.get(table.state, ()):
            yield Finding(event.where, f"the state of the table at this {event.kind}", table.state, "open")
        match body:
            case ev.TableCreated(config=config) | ev.TableChanged(config=config):
                yield from _for_one(event, config)
            case ev.TableSwitched():
                yield from reasoned(event, body.reason)
                if body.state == table.state:
                    yield Finding(event.where, "the new state of the table", body.state, "another state")
            case ev.PlayerWarned():
                yield from reasoned(event, body.reason)
                if body.seat not in table.seats:
                    yield Finding(event.where, "the warned seat", "an empty seat", "a taken seat")
            case ev.DealerAssigned() | ev.DealerUnassigned():
                if (body.dealer in table.dealers) == isinstance(body, ev.DealerAssigned):
                    yield Finding(event.where, f"the dealer of this {event.kind}", body.dealer, "another dealer")
            case ev.ConsentGiven():
                yield from differs(event.where, "the player of this consent", body.player, event.actor)
            case ev.RoundOpened():
                yield from differs(event.where, "the dealers of the table", list(body.dealers), sorted(table.dealers))
                yield from differs(event.where, "the unused consents", body.consents, table.consents)
                yield from differs(event.where, "the seats that are still leaving", sorted(table.leaving), [])
            case other if isinstance(other, OwnSeat):
                yield from self._seat(event, other)
            case other if not isinstance(other, OwnSeat | ByStaff):
                assert_never(other)

    def _seat(self, event: Event, body: OwnSeat) -> Iterator[Finding]:
        """Judge an event that concerns one seat."""
        seats = self.table.seats
        seat = body.action.seat if isinstance(body, ev.WagersPlaced | ev.WagersCleared) else body.seat
        owner = body.player if isinstance(body, ev.SeatTaken) else seats.get(seat)
        if event.role == "player":
            yield from differs(event.where, f"the actor for seat {seat}", event.actor, owner)
        elif not (self.table.physical or (event.kind, event.role) in FREES or _has_left(event, self.table)):
            yield Finding(event.where, f"the actor for seat {seat}", f"{event.actor} as {event.role}", "the player")
        if isinstance(body, ev.SeatTaken | ev.WagersPlaced) and owner is not None:
            person = self.house.office.people.get(owner)
            if person is None or not person.was("player", event.office):
                yield Finding(event.where, f"the player of this {event.kind}", owner, "an active player")
        if isinstance(body, ev.SeatTaken):  # Players sit down themselves, or somebody uses the token of their consent.
            consent = None
            if event.role != "player" and owner is not None:
                consent = self.table.consents.get(owner)
                if consent is None:
                    read = f"by {event.actor} without consent"
                    yield Finding(event.where, f"the seating of {owner}", read, "the player's consent")
            yield from differs(event.where, f"the consent of {owner}", body.consent, consent)
            if seat in seats:
                yield Finding(event.where, f"seat {seat}", "a taken seat", "an empty seat")
        elif seat not in seats:
            yield Finding(event.where, f"seat {seat}", "an empty seat", "a taken seat")
        elif isinstance(body, ev.SeatLeft):
            if seat in self.table.wagers:
                yield Finding(event.where, f"seat {seat}, which its player leaves", "wagers in play", "no wagers")
            yield from differs(event.where, f"the player who leaves seat {seat}", body.player, seats[seat])
            if body.code is not None:
                yield from differs(event.where, "the role that frees an abandoned seat", event.role, "server")
        elif isinstance(body, ev.SeatLeaving) and (
            self.table.physical or seat not in self.table.wagers.keys() - self.table.leaving
        ):
            read = "at a physical table" if self.table.physical else "without a wager, or a second time"
            yield Finding(event.where, f"the request to leave seat {seat}", read, "one with a wager in play")
        elif isinstance(body, ev.PauseSkipped):
            others = {player for number, player in seats.items() if number != seat}
            people = [name or "chips" for name in others if not self._is_bot(name)]
            yield from differs(event.where, "the other people at the table", sorted(people), [])
            if self.table.round:
                yield Finding(event.where, "the pause that is skipped", "a live round", "a pause between rounds")

    def _is_bot(self, name: str | None) -> bool:
        person = self.house.office.people.get(name or "")
        return person is not None and person.kind == "bot"


def _for_one(event: Event, config: ev.Config) -> Iterator[Finding]:
    """Require that a table for one is virtual and has one seat, and that a server creates no other tables."""
    if config.alone:
        yield from differs(event.where, "the seats of a table for one", config.rulebook.settings.seats, 1)
        yield from differs(
            event.where, "the kind of a table for one", "physical" if config.physical else "virtual", "virtual"
        )
    elif event.role == "server":
        yield Finding(event.where, "the table that a server creates", "a shared table", "a table for one")


def _has_left(event: Event, table: TableFold) -> bool:
    """Return True if the event frees a seat whose player asked for it while the round was live."""
    return isinstance(event.body, ev.SeatLeft) and event.body.seat in table.leaving
