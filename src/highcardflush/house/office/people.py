"""The people of the house and their roles. The table `people` is derived from the office's locked stream.

The books identify people by a permanent id (`name`). Display names are stored with the credentials and can be erased.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import astuple

from highcardflush.errors import NotFound, NotPermitted
from highcardflush.house import commands as c
from highcardflush.house import events as ev
from highcardflush.house.books.event import CAGE, Event, Head
from highcardflush.house.books.reader import OFFICE, STANDING_COLUMNS, Standing, read_standing
from highcardflush.house.books.seal import Seal
from highcardflush.house.books.writer import Envelope, Writer
from highcardflush.house.commands import ROLES, Kind, Role
from highcardflush.house.office import changes
from highcardflush.house.permissions import ADMINISTRATOR, DEALER, Person, find_person
from highcardflush.house.store.protocol import FORMAT, REVISION, Transaction
from highcardflush.words import refuse

KINDS: dict[Kind, tuple[Role, ...]] = {"person": ROLES, "bot": ("player", "cashier"), "guest": ("player",)}
FIXED_ROLES: tuple[Role, ...] = ("player", "server")
"""Roles that nobody gains or loses. A player has a wallet that must be paid out, and a server is a program."""
FOUNDERS: tuple[tuple[str, Role], ...] = ((ADMINISTRATOR, "administrator"), (DEALER, "dealer"))
"""Names and roles of the first people: the administrator who adds the others, and the dealer of virtual tables."""


class OnDuty(Struct, frozen=True):
    """A person on duty. `began` is the number of the office event that started the shift, and `at` is its time."""

    name: str
    role: Role
    began: int
    at: int


def found(tx: Transaction, seal: Seal, clock: Callable[[], float]) -> None:
    """Found a house: record the id of the house key and the first people in the office."""
    if read_standing(tx) is not None:
        return  # Another process was faster.
    actor, role = FOUNDERS[0]
    standing = Standing(epoch=1, key_id=seal.key_id, revision=REVISION, office=0)
    writer = Writer(tx, seal, Envelope(OFFICE, actor, "found", seal.digests("found")[0]), role, standing, clock)
    for stream in (CAGE, OFFICE):
        writer.add_stream(stream)
    sql = f"INSERT INTO house (one, approval, {STANDING_COLUMNS}) VALUES (1, ?, ?, ?, ?, ?)"
    tx.write(sql, False, *astuple(standing))
    head = writer.append(Head(), OFFICE, ev.HouseFounded(seal.key_id, FORMAT)).head
    for name, role in FOUNDERS:
        head = _add(writer, head, name, role).head
    writer.finish()


def add_person(writer: Writer, head: Head, command: c.AddPerson) -> Event:
    if find_person(writer.tx, command.name) is not None:
        raise refuse("name-taken", what="person", name=command.name)
    if command.role not in KINDS[command.kind]:
        raise refuse("wrong-kind", kind=command.kind, roles=" or ".join(KINDS[command.kind]))
    if writer.role == "server" and (command.role != "player" or command.kind == "bot"):
        raise refuse("server-adds", NotPermitted)
    return _add(writer, head, command.name, command.role, command.kind)


def _add(writer: Writer, head: Head, name: str, role: Role, kind: Kind = "person") -> Event:
    event = writer.append(head, OFFICE, ev.PersonAdded(name, role, kind))
    writer.tx.write("INSERT INTO people (name, role, active, kind) VALUES (?, ?, ?, ?)", name, role, True, kind)
    if role == "player":
        writer.tx.write("INSERT INTO wallets (player, micros) VALUES (?, 0)", name)
    return event


def change_role(writer: Writer, head: Head, command: c.ChangeRole) -> Event:
    person = _require_person(writer, command.name)
    if command.name == writer.actor:
        raise refuse("own-account", NotPermitted)
    for role in FIXED_ROLES:
        if role in (person.role, command.role):
            raise refuse("fixed-role", role=person.role, other=command.role)
    if person.kind != "person":
        raise refuse("fixed-kind", name=command.name, kind=person.kind)
    if command.role != "administrator":
        changes.keep_two(writer.tx, command.name)
    event = writer.append(head, OFFICE, ev.RoleChanged(command.name, person.role, command.role, command.reason))
    writer.tx.write("UPDATE people SET role = ? WHERE name = ?", command.role, command.name)
    return event


def switch(writer: Writer, head: Head, command: c.Disable | c.Enable) -> Event:
    _require_person(writer, command.name)
    if command.name == writer.actor:
        raise refuse("own-account", NotPermitted)
    active = isinstance(command, c.Enable)
    if not active:
        changes.keep_two(writer.tx, command.name)
    body = (ev.PersonEnabled if active else ev.PersonDisabled)(command.name, command.reason)
    event = writer.append(head, OFFICE, body)
    also = "" if active else ", shift = NULL"  # A disabled person is off duty.
    writer.tx.write(f"UPDATE people SET active = ?{also} WHERE name = ?", active, command.name)
    return event


def _require_person(writer: Writer, name: str) -> Person:
    person = find_person(writer.tx, name)
    if person is None:
        raise refuse("no-person", NotFound, name=name)
    return person


def change_shift(writer: Writer, head: Head, command: c.StartShift | c.EndShift) -> Event:
    began, starts = _require_person(writer, writer.actor).shift, isinstance(command, c.StartShift)
    if starts and began is not None:
        raise refuse("on-duty", event=began)
    if not starts and began is None:
        raise refuse("off-duty")
    event = writer.append(head, OFFICE, ev.ShiftStarted() if began is None else ev.ShiftEnded(began))
    writer.tx.write("UPDATE people SET shift = ? WHERE name = ?", event.seq if starts else None, writer.actor)
    return event


def on_duty(tx: Transaction) -> list[OnDuty]:
    """Read the people on duty, in the order in which their shifts began."""
    rows = tx.read(
        # The database must join the tables in this order.
        "SELECT p.name, p.role, p.shift, e.at FROM people p CROSS JOIN events e"
        " WHERE e.stream = ? AND e.seq = p.shift AND p.shift IS NOT NULL ORDER BY p.shift",
        OFFICE,
    )
    return [OnDuty(*row) for row in rows]
