"""Alerts: events and conditions that need attention until somebody acknowledges them.

Each alert has a permanent name that includes the number of its event, such as `meter/mega closed 41`, so the next
occurrence is a new alert. An alert about an event ends after a week. Other alerts end when their condition ends.
"""

from collections.abc import Iterator
from itertools import chain

from msgspec import Struct

from highcardflush.house.books.event import TABLE
from highcardflush.house.books.reader import ENDED, OFFICE, of_kinds, read_standing
from highcardflush.house.events import AuditRecorded, EpochBegun, KeyReplaced, MeterFailed, MeterPaused
from highcardflush.house.office.changes import waiting
from highcardflush.house.office.commands import acknowledged_with
from highcardflush.house.reports.day_report import DayQuery, day_report
from highcardflush.house.reports.reading import ALL, MICROSECONDS, Day, first_since, names, read_entries, read_meter
from highcardflush.house.store.protocol import Transaction
from highcardflush.money import say_cents, say_micros

WEEK = 7 * 24 * 3600 * MICROSECONDS


class AlertRow(Struct, frozen=True):
    alert: str
    """Name of the alert."""
    at: int | None
    stands: bool
    """True while the alert's condition lasts. It is false for alerts about events."""
    text: str


@day_report
def open_alerts(tx: Transaction, query: DayQuery, day: Day) -> Iterator[AlertRow]:
    """Yield the alerts that nobody has acknowledged."""
    since = int(query.now * MICROSECONDS) - WEEK
    alerts = chain(_office(tx, since), _meters(tx, since), _tables(tx, query, day))
    yield from (row for row in alerts if acknowledged_with(tx, row.alert) is None)


def _office(tx: Transaction, since: int) -> Iterator[AlertRow]:
    where = f"stream = ? AND seq >= ? AND {of_kinds(AuditRecorded, EpochBegun, KeyReplaced)} ORDER BY seq"
    for entry in read_entries(tx, where, OFFICE, first_since(tx, OFFICE, since)):
        match entry.decode():
            case EpochBegun(cause=cause, reason=reason):
                text = f"a new epoch began after a {cause}: {reason}"
            case AuditRecorded(findings=findings) if findings:
                text = f"audit findings: {findings}"
            case KeyReplaced(lost=True, reason=reason):
                text = f"the house key was lost: {reason}"
            case _:
                continue
        yield AlertRow(f"office {entry.kind} {entry.seq}", entry.at, False, text)
    for change in waiting(tx):
        command = type(change.proposed.command).__name__
        text = f"{change.actor} has proposed {command} for {change.proposed.stream}: {change.proposed.reason}"
        yield AlertRow(f"office change {change.change}", change.at, True, text)


def _meters(tx: Transaction, since: int) -> Iterator[AlertRow]:
    """Yield alerts about recent and waiting wins, pending corrections, and meters that were closed within a week. If a
    meter is closed now, its last closing is always included."""
    where = f"stream = ? AND seq >= ? AND {of_kinds(MeterPaused, MeterFailed)} ORDER BY seq"
    for name in names(tx, "meter", first=ALL):
        state = read_meter(tx, name)
        entries = read_entries(tx, where, state.stream, first_since(tx, state.stream, since))
        if state.closed is not None and not entries:
            entries = read_entries(tx, f"{where} DESC LIMIT 1", state.stream, 1)
        for n, entry in enumerate(entries, 1):
            body = entry.decode()
            assert isinstance(body, (MeterPaused, MeterFailed))
            failed = isinstance(body, MeterFailed)
            text = f"the meter was closed, because {body.reason}" if failed else f"the meter was paused: {body.reason}"
            stands = state.closed is not None and n == len(entries)
            yield AlertRow(f"{state.stream} closed {entry.seq}", entry.at, stands, text)
        for number, case in sorted(state.cases.items()):
            if case.win.pending and (case.outcome == "waiting" or case.at >= since):
                text = f"{say_micros(case.win.micros)} won at table {case.table}, seat {case.win.seat}: {case.outcome}"
                yield AlertRow(f"{state.stream} win {number}", case.at, case.outcome == "waiting", text)
        for number, correction in sorted(state.corrections.items()):
            text = f"{correction.actor} has proposed a correction: {correction.reason}"
            yield AlertRow(f"{state.stream} correction {number}", None, True, text)


def _tables(tx: Transaction, query: DayQuery, day: Day) -> Iterator[AlertRow]:
    """Yield alerts about live rounds of earlier epochs, which must be voided, and about takings far from the odds."""
    standing = read_standing(tx)
    assert standing is not None
    newest = "SELECT at, office, number FROM events WHERE stream = ? AND kind = 'open' AND number IS NOT NULL"
    over = f"SELECT 1 FROM events WHERE stream = ? AND {ENDED} AND number = ?"
    for name in names(tx, "table", first=ALL):
        for at, office, number in tx.read(f"{newest} ORDER BY number DESC LIMIT 1", TABLE + name):
            if office < standing.epoch and not tx.read(over, TABLE + name, number):
                text = f"round {number} was opened before the current epoch, so it can only be voided"
                yield AlertRow(f"{TABLE}{name} stale {number}", at, True, text)
    for name in names(tx, "table", first=ALL):
        for row in query.memo.read(tx, name, day.start, day.end).groups["all"].rows.values():
            if row.is_far_off:
                held, expected = say_cents(row.held_cents), say_cents(round(row.expected_cents))
                text = f"{row.wager}: the house held {held}, and the odds predict about {expected} (z {row.z:+.1f})"
                yield AlertRow(f"{TABLE}{name} hold {day.day} {row.wager}", None, True, text)
