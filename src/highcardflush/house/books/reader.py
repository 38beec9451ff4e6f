"""Reads events and the standing of the house back from the books."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from msgspec import Struct

from highcardflush.errors import SealError
from highcardflush.house.books.event import Event, Head
from highcardflush.house.books.seal import Seal
from highcardflush.house.events import Config, TableChanged, TableCreated, decode
from highcardflush.house.store.protocol import REVISION, Transaction, wrong_revision
from highcardflush.words import refuse

OFFICE = "office"
OPENING = "SELECT seq FROM events WHERE stream = ? AND kind = 'open' AND number = ?"
"""Finds the opening of a round of a table."""
COLUMNS = ", ".join(Event.__struct_fields__)


def read_opening(tx: Transaction, stream: str) -> int:
    """Return the number of the newest opening of a table, or 0."""
    newest = "stream = ? AND kind = 'open' AND number IS NOT NULL ORDER BY number DESC LIMIT 1"
    rows = tx.read(f"SELECT seq FROM events WHERE {newest}", stream)
    return int(rows[0][0]) if rows else 0


def read_head(tx: Transaction, stream: str) -> Head:
    """Read the end of a stream; final only under its lock."""
    found = tx.read("SELECT seq, hash, at FROM events WHERE stream = ? ORDER BY seq DESC LIMIT 1", stream)
    return Head(*found[0]) if found else Head()


def read_event(tx: Transaction, stream: str, seq: int) -> Event | None:
    rows = tx.read(f"SELECT {COLUMNS} FROM events WHERE stream = ? AND seq = ?", stream, seq)
    return Event(*rows[0]) if rows else None


def read_config(tx: Transaction, stream: str, seq: int) -> Config:
    ((kind, body),) = tx.read("SELECT kind, body FROM events WHERE stream = ? AND seq = ?", stream, seq)
    setup = decode(stream, kind, body)
    assert isinstance(setup, (TableCreated, TableChanged))
    return setup.config


def read_events(tx: Transaction, stream: str, after: int = 0, most: int = 2**31 - 1) -> list[Event]:
    sql = f"SELECT {COLUMNS} FROM events WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ?"
    return [Event(*row) for row in tx.read(sql, stream, after, most)]


def read_after(tx: Transaction, starts: Mapping[str, int]) -> dict[str, list[Event]]:
    """Read the events of several streams, each from a number on, in order."""
    found: dict[str, list[Event]] = {stream: [] for stream in starts}
    marks = ", ".join(["(CAST(? AS TEXT), CAST(? AS BIGINT))"] * len(starts))
    sql = f"SELECT {COLUMNS} FROM (VALUES {marks}) k JOIN events ON stream = k.column1 AND seq >= k.column2"
    for row in tx.read(f"{sql} ORDER BY stream, seq", *chain(*starts.items())) if starts else ():
        found[row[0]].append(Event(*row))
    return found


def read_wallet(tx: Transaction, player: str) -> int | None:
    """Read the balance of a player's wallet in micro-dollars, or None if there is none."""
    rows = tx.read("SELECT micros FROM wallets WHERE player = ?", player)
    return int(rows[0][0]) if rows else None


def who_dealt(tx: Transaction, stream: str, number: int, end: int) -> set[str]:
    """Read who keyed in, took back or settled hands of a round, up to an event of its table."""
    rows = tx.read(
        f"SELECT DISTINCT actor FROM events WHERE stream = ? AND seq > ({OPENING}) AND seq <= ?"
        " AND kind IN ('hand', 'take-back', 'settle')",
        stream, stream, number, end,
    )  # fmt: skip
    return {str(actor) for (actor,) in rows}


class Standing(Struct, frozen=True, gc=False):
    """The one row of the house, which the guard of every command checks, so that an outdated process cannot write.
    Every event carries `office`, the number of the office's newest event, which orders the events of different streams.
    New epochs and house keys are events of the office, so a process that has this number right has them right too."""

    epoch: int
    """The event of the office that began the epoch. Rounds that were opened before it can only be voided."""
    key_id: str
    """The house key in force."""
    revision: str
    """The schema in force."""
    office: int


STANDING_COLUMNS = ", ".join(Standing.__struct_fields__)


def read_standing(tx: Transaction) -> Standing | None:
    """Read the standing, or None before the house is founded."""
    rows = tx.read(f"SELECT {STANDING_COLUMNS} FROM house")
    return Standing(*rows[0]) if rows else None


def require_own(standing: Standing, seal: Seal) -> None:
    """Refuse to write for a house that has another key or another schema by now."""
    if standing.revision != REVISION:
        raise wrong_revision(standing.revision, "the books")
    if standing.key_id != seal.key_id:
        raise refuse("wrong-key", SealError, key=seal.key_id, right=standing.key_id)
