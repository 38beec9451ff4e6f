"""Shifts: who is on duty. The office's stream says when each came and went; `people.shift` who works now."""

from __future__ import annotations

from msgspec import Struct

from highcardflush.errors import HouseError
from highcardflush.house import commands as c
from highcardflush.house.books.event import Event, Head
from highcardflush.house.books.standing import OFFICE
from highcardflush.house.books.writer import Writer
from highcardflush.house.commands import Role
from highcardflush.house.events import ShiftEnded, ShiftStarted
from highcardflush.house.permissions import find_person
from highcardflush.house.store.protocol import Transaction


class OnDuty(Struct, frozen=True):
    """Somebody who works now: since which event of the office, and its moment."""

    name: str
    role: Role
    began: int
    at: int


def start(writer: Writer, head: Head, command: c.StartShift) -> Event:
    if (began := _began(writer)) is not None:
        raise HouseError("StartShift", read=f"on duty since office {began}", expected="EndShift first")
    event = writer.append(head, OFFICE, ShiftStarted())
    writer.tx.write("UPDATE people SET shift = ? WHERE name = ?", event.seq, writer.actor)
    return event


def end(writer: Writer, head: Head, command: c.EndShift) -> Event:
    if (began := _began(writer)) is None:
        raise HouseError("EndShift", read=f"{writer.actor}, who is not on duty", expected="StartShift first")
    event = writer.append(head, OFFICE, ShiftEnded(began))
    writer.tx.write("UPDATE people SET shift = NULL WHERE name = ?", writer.actor)
    return event


def _began(writer: Writer) -> int | None:
    person = find_person(writer.tx, writer.actor)
    return person.shift if person is not None else None


def on_duty(tx: Transaction) -> list[OnDuty]:
    """Who works now, in the order in which they came."""
    rows = tx.read(
        "SELECT p.name, p.role, p.shift, e.at FROM people p CROSS JOIN events e"  # in this order
        " WHERE e.stream = ? AND e.seq = p.shift AND p.shift IS NOT NULL ORDER BY p.shift",
        OFFICE,
    )
    return [OnDuty(*row) for row in rows]
