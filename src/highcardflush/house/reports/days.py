"""Gaming days, by which reports are ordered. A gaming day begins at a set hour in the house's time zone.

Times never decrease within a stream, so a binary search by an index finds the events of a gaming day.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from msgspec import Struct

from highcardflush.errors import TextError
from highcardflush.house.books.reader import OFFICE
from highcardflush.house.floor_settings import FloorSettings, find_zone
from highcardflush.house.office.commands import read_floor
from highcardflush.house.store.protocol import Transaction
from highcardflush.words import refuse

MICROS = 1_000_000
ONE = timedelta(days=1)
LAST = date(9000, 1, 1)


class Day(Struct, frozen=True):
    """A gaming day, from its start up to that of the next, in microseconds since 1970."""

    day: str
    start: int
    end: int


def day_of(settings: FloorSettings, date_: date) -> Day:
    """Return the gaming day that begins on a date. When clocks change its length is not 24 hours."""
    zone, at = find_zone(settings.zone), time.fromisoformat(settings.day_starts)
    start, end = (int(datetime.combine(each, at, zone).timestamp()) * MICROS for each in (date_, date_ + ONE))
    return Day(date_.isoformat(), start, end)


def day_at(settings: FloorSettings, now: float) -> Day:
    """Return the gaming day of a time in seconds since 1970."""
    day = day_of(settings, datetime.fromtimestamp(now, find_zone(settings.zone)).date())
    return day if day.start <= now * MICROS else day_of(settings, date.fromisoformat(day.day) - ONE)


def read_day(settings: FloorSettings, text: str | None, now: float) -> Day:
    """Return the gaming day of a date, or today's without one."""
    if text is None:
        return day_at(settings, now)
    try:
        begins = date.fromisoformat(text)
    except ValueError:
        begins = LAST
    if not 1970 < begins.year < LAST.year:
        raise TextError("day", read=repr(text)[:40], expected="a date such as 2026-11-17")
    return day_of(settings, begins)


def read_own_day(tx: Transaction, text: str | None, now: float) -> Day:
    """Return the gaming day of a date, or today's without one. Refuse days that these books do not have."""
    settings = read_floor(tx)
    day = read_day(settings, text, now)
    first, last = day_at(settings, time_of(tx, OFFICE, 1) / MICROS), day_at(settings, now)
    if text is not None and not first.start <= day.start <= last.start:
        raise refuse("no-such-day", first=first.day, last=last.day)
    return day


def first_since(tx: Transaction, stream: str, at: int) -> int:
    """Return the number of the first event of a stream at or after a time, or that of the next event to come."""
    rows = tx.read("SELECT COALESCE(MAX(seq), 0) FROM events WHERE stream = ?", stream)
    end = int(rows[0][0]) + 1
    start, step = end, 1
    while start > 1 and time_of(tx, stream, start - 1) >= at:  # most queries are about recent days
        end = start - 1
        start, step = max(1, start - step), step * 2
    while start < end:
        middle = (start + end) // 2
        if time_of(tx, stream, middle) >= at:
            end = middle
        else:
            start = middle + 1
    return end


def time_of(tx: Transaction, stream: str, seq: int) -> int:
    ((at,),) = tx.read("SELECT at FROM events WHERE stream = ? AND seq = ?", stream, seq)
    return int(at)
