"""What the reports share: who may read, and how a table and a meter are read.

A report is read in one snapshot and so holds together, however many tables play on meanwhile. It reads no sealed
part: nothing of a live round can get into it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from highcardflush.errors import NotFound
from highcardflush.house import codec, permissions
from highcardflush.house.books.event import Event
from highcardflush.house.books.reader import read_events
from highcardflush.house.house import House
from highcardflush.house.meter import state as meters
from highcardflush.house.meter.state import MeterState
from highcardflush.house.store.protocol import Transaction, of_meters
from highcardflush.house.table.state import Config, Configured

BOOKS = "the books"
T = TypeVar("T")


def read_books(house: House, actor: str, read: Callable[[Transaction], T]) -> T:
    """A report from one snapshot; refused to somebody who may not read everything."""
    permissions.require_read(actor, house.role(actor), BOOKS)
    return house.store.snapshot(read)


def read_body(tx: Transaction, stream: str, seq: int) -> dict[str, Any]:
    """What an event says."""
    ((body,),) = tx.read("SELECT body FROM events WHERE stream = ? AND seq = ?", stream, seq)
    said: dict[str, Any] = msgspec.json.decode(body)
    return said


def read_config(tx: Transaction, table: str) -> Config:
    """How a table plays now."""
    sql = "SELECT body FROM events WHERE stream = ? AND kind IN ('create', 'change') ORDER BY seq DESC LIMIT 1"
    ((body,),) = tx.read(sql, f"table/{table}")
    return codec.decode(body, Configured).config


def read_meter(tx: Transaction, name: str) -> tuple[MeterState, list[Event]]:
    """A meter and every event of its stream."""
    events = read_events(tx, f"meter/{name}")
    if not events:
        raise NotFound("meter", read=name, expected="a meter that was created")
    state = None
    for event in events:
        state = meters.apply(state, event)
    assert state is not None
    return state, events


def names(tx: Transaction, kind: str) -> list[str]:
    """The tables, or the meters, by name."""
    rows = tx.read("SELECT name FROM streams WHERE name LIKE ? ORDER BY name", f"{kind}/%")
    return [str(name).partition("/")[2] for (name,) in rows]


def is_account(column: str, account: str) -> str:
    """The condition that a column is this account; of a meter in the words that its index needs."""
    return f"{column} = ? AND {of_meters(column)}" if account.startswith(("meter/", "reserve/")) else f"{column} = ?"
