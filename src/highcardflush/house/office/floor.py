"""Changes of the floor settings.

A change is an event of the office with all settings after it, so the newest event has those in force. Changes are
numbered 1, 2, 3, ... and found by their number. Before the first the defaults apply.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import asdict

from highcardflush import structs
from highcardflush.errors import HouseError
from highcardflush.house import codec
from highcardflush.house import commands as c
from highcardflush.house.books.event import Event, Head
from highcardflush.house.books.reader import OFFICE
from highcardflush.house.books.writer import Writer
from highcardflush.house.events import FloorChanged
from highcardflush.house.floor_settings import FloorSettings, find_zone
from highcardflush.house.parse import PATTERNS
from highcardflush.house.store.protocol import Transaction
from highcardflush.words import refuse


def read_floor(tx: Transaction) -> FloorSettings:
    return _newest(tx)[1]


def _newest(tx: Transaction) -> tuple[int, FloorSettings]:
    sql = "SELECT body FROM events WHERE stream = ? AND kind = 'floor' AND number IS NOT NULL"
    rows = tx.read(f"{sql} ORDER BY number DESC LIMIT 1", OFFICE)
    if not rows:
        return 0, FloorSettings()
    newest = codec.decode(rows[0][0], FloorChanged)
    return newest.floor, newest.settings


def set_floor(writer: Writer, head: Head, command: c.SetFloor) -> Event:
    newest, before = _newest(writer.tx)
    settings = laid_over(before, command.changes)
    if settings == before:
        raise refuse("floor-unchanged")
    body = FloorChanged(newest + 1, command.changes, settings, command.reason)
    return writer.append(head, OFFICE, body, number=body.floor)


def laid_over(settings: FloorSettings, changes: Mapping[str, Any]) -> FloorSettings:
    """Return the settings with some of them changed; refuse values that are out of range."""
    data = {**asdict(settings), **changes}
    try:
        changed = structs.convert(data, FloorSettings)
    except msgspec.ValidationError as error:
        problem = structs.explain(str(error), data, FloorSettings, patterns=PATTERNS)
        raise HouseError(problem.dotted, read=problem.read, expected=problem.expected) from None
    find_zone(changed.zone)
    if changed.hours is not None and len(set(changed.hours.split("-"))) == 1:
        raise refuse("empty-hours")
    return changed
