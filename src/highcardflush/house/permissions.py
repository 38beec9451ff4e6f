"""The permission table. Every front end uses it, so all of them apply the same permissions."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from highcardflush.errors import NotFound, NotPermitted
from highcardflush.game import actions as a
from highcardflush.game.actions import Action
from highcardflush.house.commands import ROLES, Command, Kind, Role
from highcardflush.house.events import KINDS
from highcardflush.house.store.protocol import Transaction
from highcardflush.words import refuse

ADMINISTRATOR, DEALER = "admin", "house"
"""Names of the first people of a house: the administrator who adds the others, and the dealer of virtual tables."""
SERVER = "server"
"""Name of the program that serves live tables."""
MAY: dict[Role, tuple[type, ...]] = {
    # A server runs virtual tables, adds guests and their play money, and empties abandoned seats. It also approves
    # wins whose proof it has checked, if their meter allows that.
    role: tuple(
        command
        for body in KINDS.values()
        if role in body.event_kind.roles
        for command in body.event_kind.commands or (body.event_kind.records,)
        if command is not None and not (role == "server" and command in (a.RollDice, a.DrawDynamic))
    )
    for role in ROLES
}
"""Types of the commands that each role may submit, derived from the roles and commands of each kind of event."""
READS: dict[str, tuple[Role, ...]] = {
    "any wallet": ("supervisor", "cashier", "auditor", "administrator"),
    "the books": ("supervisor", "auditor", "administrator"),
}
"""Roles that may read each kind of restricted data."""


class Person(Struct, frozen=True):
    """A person as recorded in the books, without a display name."""

    role: Role
    active: bool
    kind: Kind
    shift: int | None
    """Number of the office event that started the person's shift; None if the person is off duty."""


PERSON = ", ".join(Person.__struct_fields__)


def find_person(tx: Transaction, name: str) -> Person | None:
    rows = tx.read(f"SELECT {PERSON} FROM people WHERE name = ?", name)
    return Person(*rows[0]) if rows else None


def require_player(tx: Transaction, name: str) -> Person:
    """Return a player. Refuse anybody else, because only players have wallets."""
    person = find_person(tx, name)
    if person is None or person.role != "player":
        raise refuse("no-player", NotFound, name=name)
    return person


def require(role: Role, command: Command | Action) -> None:
    kind = type(command)
    if kind not in MAY[role]:
        raise wrong_role(kind.__name__, role, [name for name, kinds in MAY.items() if kind in kinds])


def require_read(role: Role, what: str) -> None:
    if role not in READS[what]:
        raise wrong_role(what, role, READS[what])


def require_administrator(tx: Transaction, actor: str, what: str) -> None:
    """Refuse an operation that is not a command, unless the actor is an administrator."""
    if (role := read_role(tx, actor)) != "administrator":
        raise wrong_role(what, role, ["administrator"])


def wrong_role(what: str, role: Role, holders: Sequence[Role]) -> NotPermitted:
    if not holders:
        return refuse("house-only", NotPermitted, what=what)
    return refuse("wrong-role", NotPermitted, role=_a(role), what=what, holders=" or ".join(map(_a, holders)))


def read_role(tx: Transaction, actor: str) -> Role:
    """Return the role of a person. Refuse an unknown or disabled person."""
    role: Role
    role, active = require_known(actor, tx.read("SELECT role, active FROM people WHERE name = ?", actor))
    require_active(actor, active=active)
    return role


def require_known(actor: str, rows: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    if not rows:
        raise refuse("unknown-actor", NotPermitted, actor=actor)
    return rows[0]


def require_active(actor: str, *, active: bool) -> None:
    if not active:
        raise refuse("actor-disabled", NotPermitted, actor=actor)


def _a(role: Role) -> str:
    return f"{'an' if role[0] in 'aeiou' else 'a'} {role}"
