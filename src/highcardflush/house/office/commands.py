"""Handlers for office commands. `record` writes office events that are not caused by a command."""

import sys
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from highcardflush import structs
from highcardflush.errors import HouseError
from highcardflush.house import codec
from highcardflush.house import commands as c
from highcardflush.house import events as ev
from highcardflush.house.books.event import Event, Head
from highcardflush.house.books.reader import OFFICE
from highcardflush.house.books.writer import Writer
from highcardflush.house.events import Body
from highcardflush.house.floor_settings import FloorSettings, find_zone
from highcardflush.house.office import changes, people
from highcardflush.house.parse import PATTERNS
from highcardflush.house.store.protocol import Transaction
from highcardflush.words import refuse


def handle(writer: Writer, command: Any) -> Event:
    """Append the event of a command, and return it. The caller must hold the lock on the office's stream."""
    event: Event = c.find_handler(_HANDLERS, command, f"the {OFFICE}")(writer, writer.head(OFFICE), command)
    return event


def record(writer: Writer, body: Body) -> Event:
    """Write an event that is not caused by a command."""
    event = writer.append(writer.head(OFFICE), OFFICE, body)
    writer.finish()
    return event


def checked_reason(reason: str) -> str:
    """Return a reason without surrounding spaces. Refuse it if commands would not accept it."""
    try:
        reason = structs.convert(reason.strip(), c.Reason)
        reason.encode()
    except (msgspec.ValidationError, UnicodeEncodeError):
        expected = "1 to 500 characters without control characters"
        raise HouseError("reason", read=repr(reason)[:60], expected=expected) from None
    return reason


class Acknowledged(Struct, frozen=True):
    """An alert with the event that acknowledged it."""

    alert: str
    seq: int
    at: int
    actor: str
    note: str


def acknowledge(writer: Writer, head: Head, command: c.Acknowledge) -> Event:
    if (seq := acknowledged_with(writer.tx, command.alert)) is not None:
        raise refuse("alert-acknowledged", alert=command.alert, event=seq)
    event = writer.append(head, OFFICE, ev.AlertAcknowledged(command.alert, command.note))
    writer.tx.write("INSERT INTO acknowledged (alert, seq) VALUES (?, ?)", command.alert, event.seq)
    return event


def record_audit(writer: Writer, head: Head, command: c.Audited) -> Event:
    return writer.append(head, OFFICE, ev.AuditRecorded(command.heads, command.since, command.findings))


def acknowledged_with(tx: Transaction, alert: str) -> int | None:
    rows = tx.read("SELECT seq FROM acknowledged WHERE alert = ?", alert)
    return rows[0][0] if rows else None


def acknowledged(tx: Transaction, last: int = 100) -> list[Acknowledged]:
    """Read the most recently acknowledged alerts, newest first."""
    rows = tx.read(
        "SELECT a.alert, a.seq, e.at, e.actor, e.body FROM acknowledged a"
        " CROSS JOIN events e WHERE e.stream = ? AND e.seq = a.seq ORDER BY a.seq DESC LIMIT ?",
        OFFICE, last,
    )  # fmt: skip
    return [
        Acknowledged(alert, seq, at, actor, codec.decode(body, ev.AlertAcknowledged).note)
        for alert, seq, at, actor, body in rows
    ]


def read_floor(tx: Transaction) -> FloorSettings:
    return _newest(tx)[1]


def _newest(tx: Transaction) -> tuple[int, FloorSettings]:
    """Return the number of the newest change and its settings. Changes are numbered 1, 2, 3, ..., and each `floor`
    event contains all settings after the change."""
    sql = "SELECT body FROM events WHERE stream = ? AND kind = 'floor' AND number IS NOT NULL"
    rows = tx.read(f"{sql} ORDER BY number DESC LIMIT 1", OFFICE)
    if not rows:
        return 0, FloorSettings()
    newest = codec.decode(rows[0][0], ev.FloorChanged)
    return newest.floor, newest.settings


def set_floor(writer: Writer, head: Head, command: c.SetFloor) -> Event:
    newest, before = _newest(writer.tx)
    data = {**asdict(before), **command.changes}
    try:
        settings = structs.convert(data, FloorSettings)
    except msgspec.ValidationError as error:
        problem = structs.explain(str(error), data, FloorSettings, patterns=PATTERNS)
        raise HouseError(problem.dotted, read=problem.read, expected=problem.expected) from None
    find_zone(settings.zone)
    if settings.hours is not None and len(set(settings.hours.split("-"))) == 1:
        raise refuse("empty-hours")
    if settings == before:
        raise refuse("floor-unchanged")
    body = ev.FloorChanged(newest + 1, command.changes, settings, command.reason)
    return writer.append(head, OFFICE, body, number=body.floor)


_HANDLERS = c.handlers(sys.modules[__name__], changes, people)
