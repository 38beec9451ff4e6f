"""What the reports share: who may read, and how tables and meters are read.

A report is read in one snapshot and so holds together, however many tables play on meanwhile. It reads no sealed
part: nothing of a live round can get into it. It reads rows that are kept and what an index finds, never all that was
ever written; a list has an end, and begins after what is named.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from highcardflush.errors import NotFound
from highcardflush.house import permissions
from highcardflush.house.books.event import Event
from highcardflush.house.books.reader import COLUMNS, read_opening
from highcardflush.house.cache import config_of
from highcardflush.house.house import House
from highcardflush.house.meter import state as meters
from highcardflush.house.meter.checkpoint import read_from_checkpoint
from highcardflush.house.meter.state import MeterState
from highcardflush.house.store.protocol import REPORT_SECONDS, Transaction
from highcardflush.house.table.apply import apply
from highcardflush.house.table.state import Table
from highcardflush.words import refuse

BOOKS = "the books"
FIRST = 100
"""How long a list is, if nothing else is said."""
ALL = 2**31 - 1
"""As many as any database counts."""
HEAD = "SELECT COALESCE(MAX(seq), 0) FROM events WHERE stream = s.name"
"""The number of the newest event of a stream `s`."""
STANDING = ("create", "change", "open", "sit", "leave", "warn", "switch", "assign", "unassign")
"""The events of a table that say how it stands: all but what happens in a round."""
T = TypeVar("T")


def read_books(house: House, actor: str, read: Callable[[Transaction], T]) -> T:
    """A report from one snapshot; refused to somebody who may not read everything."""
    permissions.require_read(house.role(actor), BOOKS)
    return house.store.snapshot(read, REPORT_SECONDS)


def read_body(tx: Transaction, stream: str, seq: int) -> dict[str, Any]:
    """What an event says."""
    ((body,),) = tx.read("SELECT body FROM events WHERE stream = ? AND seq = ?", stream, seq)
    said: dict[str, Any] = msgspec.json.decode(body)
    return said


def read_table(tx: Transaction, name: str) -> tuple[Table, dict[str, int]]:
    """A table by its events in the clear, from the last opening on, and the newest of each kind."""
    stream = f"table/{name}"
    opened = read_opening(tx, stream)
    where = "FROM events WHERE stream = ? AND seq >= ?"
    newest = dict(tx.read(f"SELECT kind, MAX(seq) {where} GROUP BY kind", stream, opened))
    if not newest:
        raise refuse("no-table", NotFound, name=name)
    marks = ", ".join("?" * len(STANDING))
    rows = tx.read(f"SELECT {COLUMNS} {where} AND kind IN ({marks}) ORDER BY seq", stream, opened, *STANDING)
    events = [replace(Event(*row), sealed=None) for row in rows]
    table, config = None, config_of(tx, events[0]) if opened else None
    for event in events:
        table = apply(table, event, config=config)
    assert table is not None
    return replace(table, round=None) if newest.keys() & {"settle", "void"} else table, newest


def read_meter(tx: Transaction, name: str) -> MeterState:
    """A meter as it stands."""
    state = None
    for event in read_from_checkpoint(tx, name):
        state = meters.apply(state, event)
    if state is None:
        raise refuse("no-meter", NotFound, name=name)
    return state


def names(tx: Transaction, kind: str, after: str = "", first: int = FIRST) -> list[str]:
    """The first so many tables, or meters, in the order of their names, after one."""
    sql = "SELECT name FROM streams WHERE name > ? AND name < ? ORDER BY name LIMIT ?"
    begin, end = f"{kind}/", f"{kind}0"  # 0 comes after /
    return [str(name).removeprefix(begin) for (name,) in tx.read(sql, begin + after, end, first)]
