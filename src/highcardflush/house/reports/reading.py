"""Functions that all reports share: they check permissions, read events, tables and meters, and calculate gaming days.

A report reads from one snapshot, so it is consistent even during play. It never reads the sealed part of an
event, so it cannot reveal anything about a live round. It reads current rows and events found through an index, never
whole streams. Each list has a maximum length and begins after a given name.
"""

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.errors import NotFound, TextError
from highcardflush.house import events, permissions
from highcardflush.house.books.event import Event
from highcardflush.house.books.reader import COLUMNS, OFFICE, read_opening
from highcardflush.house.cache import config_of
from highcardflush.house.events import ENDS, KINDS, Body
from highcardflush.house.floor_settings import FloorSettings, find_zone
from highcardflush.house.house import House
from highcardflush.house.meter import state as meters
from highcardflush.house.meter.count import read_from_checkpoint
from highcardflush.house.meter.state import MeterState
from highcardflush.house.office.commands import read_floor
from highcardflush.house.store.protocol import REPORT_SECONDS, Transaction
from highcardflush.house.table.apply import apply
from highcardflush.house.table.state import Table
from highcardflush.words import refuse

BOOKS = "the books"
FIRST = 100
"""Default maximum length of a list."""
ALL = 2**31 - 1
"""Number greater than any event number."""
HEAD = "SELECT COALESCE(MAX(seq), 0) FROM events WHERE stream = s.name"
"""Subquery for the number of the newest event in a stream `s`."""
TABLE_EVENTS = [name for (_, name), body in KINDS.items() if body.event_kind.changes_setup]
"""Kinds of events that change a table outside its rounds."""
P = ParamSpec("P")
T = TypeVar("T")


def read_books(house: House, actor: str, read: Callable[[Transaction], T]) -> T:
    """Read a report from one snapshot. Refuse people who may not read the books."""
    permissions.require_read(house.role(actor), BOOKS)
    return house.store.snapshot(read, REPORT_SECONDS)


def report(read: Callable[Concatenate[Transaction, P], T]) -> Callable[Concatenate[House, str, P], T]:
    """Turn a function that reads the books into a report, whose first arguments are the house and the actor."""

    @wraps(read)
    def ask(house: House, actor: str, /, *args: P.args, **options: P.kwargs) -> T:
        return read_books(house, actor, lambda tx: read(tx, *args, **options))

    return ask


class Entry(Struct, frozen=True):
    """An event without its sealed part."""

    stream: str
    seq: int
    at: int
    office: int
    """Number of the newest office event when this event was written."""
    kind: str
    actor: str
    body: str

    def decode(self) -> Body:
        return events.decode(self.stream, self.kind, self.body)


ENTRY = ", ".join(Entry.__struct_fields__)


def read_entries(tx: Transaction, where: str, *params: object) -> list[Entry]:
    """Return the events that satisfy an SQL condition."""
    return [Entry(*row) for row in tx.read(f"SELECT {ENTRY} FROM events WHERE {where}", *params)]


def read_entry(tx: Transaction, stream: str, seq: int) -> Entry:
    (entry,) = read_entries(tx, "stream = ? AND seq = ?", stream, seq)
    return entry


def read_table(tx: Transaction, name: str) -> tuple[Table, dict[str, int]]:
    """Return a table, built from the unsealed parts of its events, and the number of its newest event of each kind."""
    stream = f"table/{name}"
    opening = read_opening(tx, stream)
    where = "FROM events WHERE stream = ? AND seq >= ?"
    newest = dict(tx.read(f"SELECT kind, MAX(seq) {where} GROUP BY kind", stream, opening))
    if not newest:
        raise refuse("no-table", NotFound, name=name)
    marks = ", ".join("?" * len(TABLE_EVENTS))
    rows = tx.read(f"SELECT {COLUMNS} {where} AND kind IN ({marks}) ORDER BY seq", stream, opening, *TABLE_EVENTS)
    unsealed = [replace(Event(*row), sealed=None) for row in rows]
    table, config = None, config_of(tx, unsealed[0]) if opening else None
    for event in unsealed:
        table = apply(table, event, config=config)
    assert table is not None
    return replace(table, round=None) if newest.keys() & ENDS.keys() else table, newest


def read_meter(tx: Transaction, name: str) -> MeterState:
    state = None
    for event in read_from_checkpoint(tx, name):
        state = meters.apply(state, event)
    if state is None:
        raise refuse("no-meter", NotFound, name=name)
    return state


def names(tx: Transaction, kind: str, after: str = "", first: int = FIRST) -> list[str]:
    """Return up to `first` names of tables or meters in alphabetical order, beginning after the name `after`."""
    sql = "SELECT name FROM streams WHERE name > ? AND name < ? ORDER BY name LIMIT ?"
    begin, end = f"{kind}/", f"{kind}0"  # In ASCII, 0 comes directly after /.
    return [str(name).removeprefix(begin) for (name,) in tx.read(sql, begin + after, end, first)]


# --- gaming days ---------------------------------------------------------------------------------
#
# A gaming day begins at a set hour in the house's time zone. Times never decrease within a stream, so a binary search
# finds the events of a gaming day.

MICROSECONDS = 1_000_000
"""Microseconds in a second."""
ONE_DAY = timedelta(days=1)
LAST_DATE = date(9000, 1, 1)


class Day(Struct, frozen=True):
    """A gaming day. It ends when the next gaming day begins. Times are in microseconds since 1970."""

    day: str
    """Date on which the gaming day begins."""
    start: int
    end: int


def day_of(settings: FloorSettings, date_: date) -> Day:
    """Return the gaming day that begins on a date. If the clocks change, it is longer or shorter than 24 hours."""
    zone, at = find_zone(settings.zone), time.fromisoformat(settings.day_starts)
    start, end = (int(datetime.combine(each, at, zone).timestamp()) * MICROSECONDS for each in (date_, date_ + ONE_DAY))
    return Day(date_.isoformat(), start, end)


def day_at(settings: FloorSettings, now: float) -> Day:
    """Return the gaming day that includes a time in seconds since 1970."""
    day = day_of(settings, datetime.fromtimestamp(now, find_zone(settings.zone)).date())
    return day if day.start <= now * MICROSECONDS else day_of(settings, date.fromisoformat(day.day) - ONE_DAY)


def read_day(settings: FloorSettings, text: str | None, now: float) -> Day:
    """Parse a date and return the gaming day that begins on it. If `text` is `None`, return the current one."""
    if text is None:
        return day_at(settings, now)
    try:
        begins = date.fromisoformat(text)
    except ValueError:
        begins = LAST_DATE
    if not 1970 < begins.year < LAST_DATE.year:
        raise TextError("day", read=repr(text)[:40], expected="a date such as 2026-11-17")
    return day_of(settings, begins)


def read_recorded_day(tx: Transaction, text: str | None, now: float) -> Day:
    """Parse a date as `read_day` does. Refuse gaming days before the books began and future gaming days."""
    settings = read_floor(tx)
    day = read_day(settings, text, now)
    first, last = day_at(settings, time_of(tx, OFFICE, 1) / MICROSECONDS), day_at(settings, now)
    if text is not None and not first.start <= day.start <= last.start:
        raise refuse("no-such-day", first=first.day, last=last.day)
    return day


def first_since(tx: Transaction, stream: str, at: int) -> int:
    """Return the number of a stream's first event at or after a time. If there is none, return the next number."""
    rows = tx.read("SELECT COALESCE(MAX(seq), 0) FROM events WHERE stream = ?", stream)
    end = int(rows[0][0]) + 1
    start, step = end, 1
    # Search backwards in growing steps first, because most queries are about recent days.
    while start > 1 and time_of(tx, stream, start - 1) >= at:
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
