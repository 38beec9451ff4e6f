"""Acknowledged alerts. The program that watches the house decides what an alert is and names it.

The office stream has who acknowledged an alert and when; the table `acknowledged` has a row for each, by its name.
"""

from __future__ import annotations

from msgspec import Struct

from highcardflush.house import codec
from highcardflush.house import commands as c
from highcardflush.house.books.event import Event, Head
from highcardflush.house.books.reader import OFFICE
from highcardflush.house.books.writer import Writer
from highcardflush.house.events import AlertAcknowledged, AuditRecorded
from highcardflush.house.store.protocol import Transaction
from highcardflush.words import refuse


class Acknowledged(Struct, frozen=True):
    alert: str
    seq: int
    at: int
    actor: str
    note: str


def acknowledge(writer: Writer, head: Head, command: c.Acknowledge) -> Event:
    if (seq := acknowledged_with(writer.tx, command.alert)) is not None:
        raise refuse("alert-acknowledged", alert=command.alert, event=seq)
    event = writer.append(head, OFFICE, AlertAcknowledged(command.alert, command.note))
    writer.tx.write("INSERT INTO acknowledged (alert, seq) VALUES (?, ?)", command.alert, event.seq)
    return event


def record_audit(writer: Writer, head: Head, command: c.Audited) -> Event:
    return writer.append(head, OFFICE, AuditRecorded(command.heads, command.since, command.findings))


def acknowledged_with(tx: Transaction, alert: str) -> int | None:
    rows = tx.read("SELECT seq FROM acknowledged WHERE alert = ?", alert)
    return rows[0][0] if rows else None


def acknowledged(tx: Transaction, last: int = 100) -> list[Acknowledged]:
    """Read the newest acknowledged alerts, newest first."""
    rows = tx.read(
        "SELECT a.alert, a.seq, e.at, e.actor, e.body FROM acknowledged a"
        " CROSS JOIN events e WHERE e.stream = ? AND e.seq = a.seq ORDER BY a.seq DESC LIMIT ?",
        OFFICE, last,
    )  # fmt: skip
    return [
        Acknowledged(alert, seq, at, actor, codec.decode(body, AlertAcknowledged).note)
        for alert, seq, at, actor, body in rows
    ]
