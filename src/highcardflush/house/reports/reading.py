"""Shared by all reports: the permission to read, and reading events, tables and meters.

A report reads one snapshot, so it is consistent although tables play on meanwhile. It never reads the sealed part of an
event, so nothing of a live round can get into it. It reads current rows and what an index finds, never whole streams.
A list has a bounded length and begins after a given name.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.errors import NotFound
from highcardflush.house import events, permissions
from highcardflush.house.books.event import Event
from highcardflush.house.books.reader import COLUMNS, read_opening
from highcardflush.house.cache import config_of
from highcardflush.house.events import Body
from highcardflush.house.house import House
from highcardflush.house.meter import state as meters
from highcardflush.house.meter.count import read_from_checkpoint
from highcardflush.house.meter.state import MeterState
from highcardflush.house.store.protocol import REPORT_SECONDS, Transaction
from highcardflush.house.table.apply import apply
from highcardflush.house.table.state import Table
from highcardflush.words import refuse

BOOKS = "the books"
FIRST = 100
"""Default length of a list."""
ALL = 2**31 - 1
"""A number above that of any event."""
HEAD = "SELECT COALESCE(MAX(seq), 0) FROM events WHERE stream = s.name"
"""Selects the number of the newest event of a stream `s`."""
STANDING = ("create", "change", "open", "sit", "leave", "warn", "switch", "assign", "unassign")
"""The kinds of events that change a table outside its rounds."""
P = ParamSpec("P")
T = TypeVar("T")


def read_books(house: House, actor: str, read: Callable[[Transaction], T]) -> T:
    """Read a report from one snapshot; refuse people who may not read the books."""
    permissions.require_read(house.role(actor), BOOKS)
    return house.store.snapshot(read, REPORT_SECONDS)


def report(read: Callable[Concatenate[Transaction, P], T]) -> Callable[Concatenate[House, str, P], T]:
    """Make a report of the books from a function that reads them. Its first arguments are the house and the actor."""

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
    """The number of the newest event of the office when this event was written."""
    kind: str
    actor: str
    body: str

    def decode(self) -> Body:
        return events.decode(self.stream, self.kind, self.body)


ENTRY = ", ".join(Entry.__struct_fields__)


def read_entries(tx: Transaction, where: str, *params: object) -> list[Entry]:
    """Return the events that a condition selects."""
    return [Entry(*row) for row in tx.read(f"SELECT {ENTRY} FROM events WHERE {where}", *params)]


def read_entry(tx: Transaction, stream: str, seq: int) -> Entry:
    """Return one event."""
    (entry,) = read_entries(tx, "stream = ? AND seq = ?", stream, seq)
    return entry


def read_table(tx: Transaction, name: str) -> tuple[Table, dict[str, int]]:
    """Return a table from the unsealed parts of its events, and the number of the newest event of each kind."""
    stream = f"table/{name}"
    opened = read_opening(tx, stream)
    where = "FROM events WHERE stream = ? AND seq >= ?"
    newest = dict(tx.read(f"SELECT kind, MAX(seq) {where} GROUP BY kind", stream, opened))
    if not newest:
        raise refuse("no-table", NotFound, name=name)
    marks = ", ".join("?" * len(STANDING))
    rows = tx.read(f"SELECT {COLUMNS} {where} AND kind IN ({marks}) ORDER BY seq", stream, opened, *STANDING)
    unsealed = [replace(Event(*row), sealed=None) for row in rows]
    table, config = None, config_of(tx, unsealed[0]) if opened else None
    for event in unsealed:
        table = apply(table, event, config=config)
    assert table is not None
    return replace(table, round=None) if newest.keys() & {"settle", "void"} else table, newest


def read_meter(tx: Transaction, name: str) -> MeterState:
    state = None
    for event in read_from_checkpoint(tx, name):
        state = meters.apply(state, event)
    if state is None:
        raise refuse("no-meter", NotFound, name=name)
    return state


def names(tx: Transaction, kind: str, after: str = "", first: int = FIRST) -> list[str]:
    """Return up to `first` names of tables or meters after `after`, sorted."""
    sql = "SELECT name FROM streams WHERE name > ? AND name < ? ORDER BY name LIMIT ?"
    begin, end = f"{kind}/", f"{kind}0"  # 0 comes after /
    return [str(name).removeprefix(begin) for (name,) in tx.read(sql, begin + after, end, first)]
