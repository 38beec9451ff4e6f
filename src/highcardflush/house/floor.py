"""The settings of the floor: its clocks and hours, who may play there, and when a gaming day begins.

A change is a command to the office and an event of its stream, which has the whole of them after it: the newest says
what is in force. They are numbered 1, 2, 3, ... and found by that. Before the first the defaults hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict, fields

from highcardflush import structs
from highcardflush.errors import HouseError
from highcardflush.house import codec
from highcardflush.house import commands as c
from highcardflush.house.books.event import Event, Head
from highcardflush.house.books.standing import OFFICE
from highcardflush.house.books.writer import Writer
from highcardflush.house.parse import PATTERNS
from highcardflush.house.store.protocol import Transaction
from highcardflush.house.table.due import Times

UTC_NAME = "UTC"


class FloorSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What an administrator sets for the whole floor, while it runs."""

    betting_s: Annotated[int, Meta(ge=5, le=600, description="Seconds to bet, from a round's first wager on")] = 20
    pause_s: Annotated[int, Meta(ge=0, le=600, description="Seconds between two rounds")] = 5
    grace_s: Annotated[
        int, Meta(ge=10, le=3600, description="Seconds for which a player who has dropped keeps the seat")
    ] = 60
    guests: Annotated[bool, Meta(description="Whether guests may play, with play money")] = True
    most_guests: Annotated[int, Meta(ge=0, le=1_000_000, description="How many guests there are at the most")] = 20_000
    guest_hours: Annotated[int, Meta(ge=1, le=8_760, description="Hours after which a guest is over")] = 24
    house_players: Annotated[int, Meta(ge=0, le=6, description="House players at a table, at the most")] = 3
    hours: Annotated[
        Annotated[str, Meta(pattern=c.HOURS)] | None,
        Meta(description="When rounds are opened, such as 10:00-02:00; always, if none"),
    ] = None
    zone: Annotated[str, Meta(max_length=60, description="The time zone of hours and gaming days")] = UTC_NAME
    day_starts: Annotated[str, Meta(pattern=c.TIME, description="When a gaming day begins")] = "06:00"
    coach: Annotated[bool, Meta(description="Whether the coach helps at live tables")] = True
    coach_except: Annotated[
        tuple[c.Name, ...], Meta(max_length=1_000, description="Tables at which it is the other way")
    ] = ()

    @property
    def times(self) -> Times:
        """The clocks of a virtual table that are not its rulebook's."""
        return Times(self.betting_s, self.pause_s)

    def coaches(self, table: str) -> bool:
        """Whether the coach helps at a table."""
        return self.coach != (table in self.coach_except)

    def is_open(self, now: float) -> bool:
        """Whether rounds are opened at a moment, in seconds since 1970."""
        if self.hours is None:
            return True
        opens, closes = self.hours.split("-")
        local = datetime.fromtimestamp(now, find_zone(self.zone)).strftime("%H:%M")
        return opens <= local < closes if opens < closes else not closes <= local < opens


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


def find_zone(name: str) -> tzinfo:
    """A time zone by its name."""
    if name == UTC_NAME:  # known without any list
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError):
        expected = "a time zone by its name, such as Europe/Vienna or America/Los_Angeles"
        raise HouseError("zone", read=repr(name), expected=expected) from None


def meanings() -> dict[str, str]:
    """What each setting is for, and which numbers it may be."""
    metas: dict[str, Meta] = {each.name: each.type.__metadata__[-1] for each in fields(FloorSettings)}
    return {
        key: f"{meta.description}" + (f" ({meta.ge:,} to {meta.le:,})" if meta.ge is not None else "")
        for key, meta in metas.items()
    }
