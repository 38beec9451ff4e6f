"""The settings of the floor: its clocks and hours, who may play there, and when a gaming day begins.

A change is a command to the office and an event of its stream, which has the whole of them after it: the newest says
what is in force. They are numbered 1, 2, 3, ... and found by that. Before the first the defaults hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from highcardflush import structs
from highcardflush.errors import HouseError
from highcardflush.house import codec
from highcardflush.house import commands as c
from highcardflush.house.books.event import Event, Head
from highcardflush.house.books.standing import OFFICE
from highcardflush.house.books.writer import Writer
from highcardflush.house.floor_settings import FloorSettings, find_zone
from highcardflush.house.parse import PATTERNS
from highcardflush.house.store.protocol import Transaction


class _Set(Struct, frozen=True):
    """What an event of the floor says."""

    floor: int
    settings: FloorSettings


def read_floor(tx: Transaction) -> FloorSettings:
    """The settings that are in force."""
    return _newest(tx).settings


def _newest(tx: Transaction) -> _Set:
    sql = "SELECT body FROM events WHERE stream = ? AND kind = 'floor' AND number IS NOT NULL"
    rows = tx.read(f"{sql} ORDER BY number DESC LIMIT 1", OFFICE)
    return codec.decode(rows[0][0], _Set) if rows else _Set(0, FloorSettings())


def set_floor(writer: Writer, head: Head, command: c.SetFloor) -> Event:
    before = _newest(writer.tx)
    settings = laid_over(before.settings, command.changes)
    if settings == before.settings:
        raise HouseError("SetFloor", read="what is in force", expected="another value of a setting")
    number = before.floor + 1
    body = {"floor": number, "changes": command.changes, "settings": settings, "reason": command.reason}
    return writer.append(head, OFFICE, "floor", body, number=number)


def laid_over(settings: FloorSettings, changes: Mapping[str, Any]) -> FloorSettings:
    """The settings with some of them changed; refused if one of these is not good."""
    data = {**asdict(settings), **changes}
    try:
        changed = structs.convert(data, FloorSettings)
    except msgspec.ValidationError as error:
        problem = structs.explain(str(error), data, FloorSettings, patterns=PATTERNS)
        raise HouseError(problem.dotted, read=problem.read, expected=problem.expected) from None
    find_zone(changed.zone)
    if changed.hours is not None and len(set(changed.hours.split("-"))) == 1:
        raise HouseError("hours", read=changed.hours, expected="two times that differ, or none: always open")
    return changed
