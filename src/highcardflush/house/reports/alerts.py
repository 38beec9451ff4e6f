"""What calls for somebody: each has a name that stays, and is told until it is acknowledged under that name.

A name has the number of what happened in it (`meter/mega closed 41`), so the next time it is another alert. What
happened is told for a week; what still stands, for as long as it does.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from highcardflush.house.books.accounts import TABLE
from highcardflush.house.books.standing import OFFICE, read_standing
from highcardflush.house.house import House
from highcardflush.house.meter.state import MeterState
from highcardflush.house.office.alerts import acknowledged_with
from highcardflush.house.office.changes import waiting
from highcardflush.house.reports.days import MICROS, Day, first_since
from highcardflush.house.reports.floor import Asked, OfDay, report
from highcardflush.house.reports.reading import ALL, names, read_meter
from highcardflush.house.store.protocol import Transaction
from highcardflush.money import say_cents, say_micros
from highcardflush.odds.hold import TOO_FAR

WEEK = 7 * 24 * 3600 * MICROS
_AFTER = "SELECT seq, at, kind, body FROM events WHERE stream = ? AND seq >= ? AND kind IN"


class AlertRow(Struct, frozen=True):
    """`stands`: whether it is still so."""

    alert: str
    at: int | None
    stands: bool
    text: str


def open_alerts(house: House, actor: str, asked: Asked) -> OfDay:
    """What nobody has acknowledged."""
    return report(house, actor, asked, _unseen)


def _unseen(tx: Transaction, asked: Asked, day: Day) -> Iterator[AlertRow]:
    since = int(asked.now * MICROS) - WEEK
    for found in (_office(tx, since), _meters(tx, since), _stale(tx), _holds(tx, asked, day)):
        yield from (row for row in found if acknowledged_with(tx, row.alert) is None)


def _office(tx: Transaction, since: int) -> Iterator[AlertRow]:
    rows = tx.read(f"{_AFTER} ('audited', 'epoch', 'new-key') ORDER BY seq", OFFICE, first_since(tx, OFFICE, since))
    for seq, at, kind, body in rows:
        said = msgspec.json.decode(body)
        if kind == "epoch":
            yield AlertRow(f"office epoch {seq}", at, False, f"a new epoch after a {said['cause']}: {said['reason']}")
        elif kind == "audited" and said["findings"]:
            yield AlertRow(f"office audited {seq}", at, False, f"an audit has found {said['findings']} things wrong")
        elif kind == "new-key" and said["lost"]:
            yield AlertRow(f"office new-key {seq}", at, False, f"the house key was lost: {said['reason']}")
    for change in waiting(tx):
        command = type(change.proposed.command).__name__
        text = f"{change.actor} has proposed {command} for {change.proposed.stream}: {change.proposed.reason}"
        yield AlertRow(f"office change {change.change}", change.at, True, text)


def _meters(tx: Transaction, since: int) -> Iterator[AlertRow]:
    for name in names(tx, "meter", first=ALL):
        state = read_meter(tx, name)
        yield from _closed(tx, state, since)
        for number, case in sorted(state.cases.items()):
            if case.win.pending and (case.outcome == "waiting" or case.at >= since):
                text = f"{say_micros(case.win.micros)} won at table {case.table}, seat {case.win.seat}: {case.outcome}"
                yield AlertRow(f"{state.stream} win {number}", case.at, case.outcome == "waiting", text)
        for number, made in sorted(state.corrections.items()):
            text = f"{made.actor} has proposed a correction: {made.reason}"
            yield AlertRow(f"{state.stream} correction {number}", None, True, text)


def _closed(tx: Transaction, state: MeterState, since: int) -> Iterator[AlertRow]:
    """Each time that its bet was closed in a week; and the last time, if it is closed now."""
    rows = tx.read(f"{_AFTER} ('pause', 'fail') ORDER BY seq", state.stream, first_since(tx, state.stream, since))
    if state.closed is not None and not rows:
        rows = tx.read(f"{_AFTER} ('pause', 'fail') ORDER BY seq DESC LIMIT 1", state.stream, 1)
    for n, (seq, at, kind, body) in enumerate(rows, 1):
        why = "its check failed" if kind == "fail" else "it was paused"
        text = f"{why}: {msgspec.json.decode(body)['reason']}"
        yield AlertRow(f"{state.stream} closed {seq}", at, state.closed is not None and n == len(rows), text)


def _stale(tx: Transaction) -> Iterator[AlertRow]:
    """Live rounds of an epoch that is over: a supervisor voids them."""
    standing = read_standing(tx)
    assert standing is not None
    newest = "SELECT at, office, number FROM events WHERE stream = ? AND kind = 'open' AND number IS NOT NULL"
    over = "SELECT 1 FROM events WHERE stream = ? AND kind IN ('settle', 'void') AND number = ?"
    for name in names(tx, "table", first=ALL):
        for at, office, number in tx.read(f"{newest} ORDER BY number DESC LIMIT 1", TABLE + name):
            if office < standing.epoch and not tx.read(over, TABLE + name, number):
                text = f"round {number} was opened before a new epoch: it can only be voided"
                yield AlertRow(f"{TABLE}{name} stale {number}", at, True, text)


def _holds(tx: Transaction, asked: Asked, day: Day) -> Iterator[AlertRow]:
    """Wagers that are far from their odds today."""
    for name in names(tx, "table", first=ALL):
        for row in asked.memo.read(tx, name, day.start, day.end).whole.takings().wagers:
            if row.judged and abs(row.z) > TOO_FAR:
                held, expected = say_cents(row.held_cents), say_cents(row.expected_cents)
                text = f"{row.wager}: {held} held, by the odds about {expected}: z {row.z:+.1f}"
                yield AlertRow(f"{TABLE}{name} hold {day.day} {row.wager}", None, True, text)
