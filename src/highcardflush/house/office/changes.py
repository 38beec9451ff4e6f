"""Two-person approval: one administrator proposes a change, and another approves or rejects it.

A proposal is an event in the office's stream, and its number identifies the change. The database table `changes` has a
row for each change, with the number of the event that decided it. An approval carries out the command in the same
transaction, with the approver as its actor, and the command's event contains the number of the change. If the house
requires approval, administrators can make changes in no other way.
"""

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from highcardflush.errors import NotFound, NotPermitted
from highcardflush.game.actions import Action
from highcardflush.house import codec
from highcardflush.house import commands as c
from highcardflush.house import events as ev
from highcardflush.house.books.event import Event, Head
from highcardflush.house.books.reader import OFFICE, read_event
from highcardflush.house.books.writer import Writer
from highcardflush.house.commands import Command
from highcardflush.house.permissions import find_person
from highcardflush.house.store.protocol import Transaction
from highcardflush.words import refuse

MOST_LISTED = 1_000
"""Maximum number of changes in the list. In practice, far fewer changes wait for a decision."""


class Proposed(Struct, frozen=True):
    stream: str
    command: c.AnyChange
    reason: str


class Waiting(Struct, frozen=True):
    change: int
    at: int
    actor: str
    proposed: Proposed


def keep_two(tx: Transaction, but: str) -> None:
    """Refuse to leave fewer than two administrators while two-person approval is on."""
    if is_required(tx):
        _require_two(tx, but)


def _require_two(tx: Transaction, but: str = "") -> None:
    sql = "SELECT COUNT(*) FROM people WHERE role = 'administrator' AND active AND name <> ?"
    if tx.read(sql, but)[0][0] < 2:
        raise refuse("two-administrators")


def is_required(tx: Transaction) -> bool:
    return bool(tx.read("SELECT approval FROM house")[0][0])


def set_required(writer: Writer, head: Head, command: c.RequireApproval) -> Event:
    if command.on == is_required(writer.tx):
        raise refuse("approval-unchanged", state="on" if command.on else "off")
    if command.on:
        _require_two(writer.tx)
    event = writer.append(head, OFFICE, ev.ApprovalRequired(command.on, command.reason))
    writer.tx.write("UPDATE house SET approval = ?", command.on)
    return event


def propose(writer: Writer, head: Head, command: c.ProposeChange) -> Event:
    command_json = codec.encode({"type": type(command.command).__name__, **asdict(command.command)})
    body = ev.ChangeProposed(command.stream, msgspec.Raw(command_json), command.reason)
    event = writer.append(head, OFFICE, body)
    writer.tx.write("INSERT INTO changes (change, decided) VALUES (?, NULL)", event.seq)
    return event


def decide(writer: Writer, head: Head, command: c.DecideChange) -> Event:
    number = command.change
    rows = writer.tx.read("SELECT decided FROM changes WHERE change = ?", number)
    proposal = read_event(writer.tx, OFFICE, number) if rows else None
    if proposal is None:
        raise refuse("no-change", NotFound, number=number)
    if rows[0][0] is not None:
        raise refuse("already-decided", what="change", number=number)
    if proposal.actor == writer.actor:
        raise refuse("own-proposal", NotPermitted, role="administrator")
    proposer = find_person(writer.tx, proposal.actor)
    if command.approve and (proposer is None or not proposer.active or proposer.role != "administrator"):
        raise refuse("proposer-gone", NotPermitted, proposer=proposal.actor)
    if not command.approve and not command.reason.strip():
        raise refuse("no-reason")
    event = writer.append(head, OFFICE, ev.ChangeDecided(number, command.approve, command.reason))
    writer.tx.write("UPDATE changes SET decided = ? WHERE change = ?", event.seq, number)
    return event


def approved(writer: Writer, command: Command | Action) -> Proposed | None:
    """Return the change that a command approves, or `None`. The writer's next events will contain its number."""
    if not isinstance(command, c.DecideChange) or not command.approve:
        return None
    writer.carries_out = command.change
    proposal = read_event(writer.tx, OFFICE, command.change)
    assert proposal is not None
    return _read(proposal.body)


def waiting(tx: Transaction) -> list[Waiting]:
    """Read the undecided changes, oldest first."""
    rows = tx.read(
        # The database must join the tables in this order.
        "SELECT e.seq, e.at, e.actor, e.body FROM changes c CROSS JOIN events e"
        f" WHERE e.stream = ? AND e.seq = c.change AND c.decided IS NULL ORDER BY c.change LIMIT {MOST_LISTED}",
        OFFICE,
    )
    return [Waiting(seq, at, actor, _read(body)) for seq, at, actor, body in rows]


def _read(body: str) -> Proposed:
    proposal = codec.decode(body, ev.ChangeProposed)
    return Proposed(proposal.stream, proposal.change, proposal.reason)
