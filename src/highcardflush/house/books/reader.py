"""Reads events and the standing of the house from the books."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar, get_args

from msgspec import Struct

from highcardflush.errors import SealError
from highcardflush.house import events as ev
from highcardflush.house.books.event import Event, Head
from highcardflush.house.books.seal import Seal
from highcardflush.house.store.protocol import REVISION, Transaction, wrong_revision
from highcardflush.words import refuse

OFFICE = "office"
OPENING = "SELECT seq FROM events WHERE stream = ? AND kind = 'open' AND number = ?"
"""Query for the event that opened a round of a table."""
COLUMNS = ", ".join(Event.__struct_fields__)
BATCH = 500
"""Maximum number of values in one statement."""
T = TypeVar("T")


def of_kinds(*bodies: type[ev.Body]) -> str:
    """Return an SQL condition that selects the events of these kinds."""
    names = ", ".join(f"'{body.event_kind.name}'" for body in bodies)
    return f"kind IN ({names})"


ENDED = of_kinds(*get_args(ev.End))
"""SQL condition that selects the events that ended a round."""


def in_batches(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """Split values into batches, because a statement may have only a limited number of parameters."""
    return (values[start : start + BATCH] for start in range(0, len(values), BATCH))


def read_in(tx: Transaction, sql: str, values: Sequence[object]) -> list[Any]:
    """Return the rows of a query whose SQL ends with `IN`, for these values."""
    batches = ((some, ", ".join("?" * len(some))) for some in in_batches(values))
    return [row for some, marks in batches for row in tx.read(f"{sql} ({marks})", *some)]


def read_opening(tx: Transaction, stream: str) -> int:
    """Return the number of the event that last opened a round at a table, or 0 if there is none."""
    newest = "stream = ? AND kind = 'open' AND number IS NOT NULL ORDER BY number DESC LIMIT 1"
    rows = tx.read(f"SELECT seq FROM events WHERE {newest}", stream)
    return int(rows[0][0]) if rows else 0


def read_head(tx: Transaction, stream: str) -> Head:
    """Read the head of a stream. Unless the stream is locked, its head may advance at any time."""
    rows = tx.read("SELECT seq, hash, at FROM events WHERE stream = ? ORDER BY seq DESC LIMIT 1", stream)
    return Head(*rows[0]) if rows else Head()


def read_newest_at(tx: Transaction, stream: str, kind: str, after: int) -> int | None:
    """Return the time of the newest event of this kind after event `after`, or `None` if there is no such event."""
    ((at,),) = tx.read("SELECT MAX(at) FROM events WHERE stream = ? AND kind = ? AND seq > ?", stream, kind, after)
    return int(at) if at is not None else None


def read_event(tx: Transaction, stream: str, seq: int) -> Event | None:
    rows = tx.read(f"SELECT {COLUMNS} FROM events WHERE stream = ? AND seq = ?", stream, seq)
    return Event(*rows[0]) if rows else None


def read_config(tx: Transaction, stream: str, seq: int) -> ev.Config:
    ((kind, body),) = tx.read("SELECT kind, body FROM events WHERE stream = ? AND seq = ?", stream, seq)
    setup = ev.decode(stream, kind, body)
    assert isinstance(setup, (ev.TableCreated, ev.TableChanged))
    return setup.config


def read_events(tx: Transaction, stream: str, after: int = 0, most: int = 2**31 - 1) -> list[Event]:
    sql = f"SELECT {COLUMNS} FROM events WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ?"
    return [Event(*row) for row in tx.read(sql, stream, after, most)]


def read_after(tx: Transaction, starts: Mapping[str, int]) -> dict[str, list[Event]]:
    """Read the events of several streams in order, starting at the event number that is given for each stream."""
    events: dict[str, list[Event]] = {stream: [] for stream in starts}
    marks = ", ".join(["(CAST(? AS TEXT), CAST(? AS BIGINT))"] * len(starts))
    sql = f"SELECT {COLUMNS} FROM (VALUES {marks}) k JOIN events ON stream = k.column1 AND seq >= k.column2"
    for row in tx.read(f"{sql} ORDER BY stream, seq", *chain(*starts.items())) if starts else ():
        events[row[0]].append(Event(*row))
    return events


def read_wallet(tx: Transaction, player: str) -> int | None:
    """Return the balance of a player's wallet in micro-dollars, or `None` if the player has no wallet."""
    rows = tx.read("SELECT micros FROM wallets WHERE player = ?", player)
    return int(rows[0][0]) if rows else None


def who_dealt(tx: Transaction, stream: str, number: int, end: int) -> set[str]:
    """Return the people who keyed in or took back a round's hands or settled the round, up to event `end`."""
    rows = tx.read(
        f"SELECT DISTINCT actor FROM events WHERE stream = ? AND seq > ({OPENING}) AND seq <= ?"
        f" AND {of_kinds(ev.HandKeyedIn, ev.HandTakenBack, ev.RoundSettled)}",
        stream, stream, number, end,
    )  # fmt: skip
    return {str(actor) for (actor,) in rows}


class Standing(Struct, frozen=True, gc=False):
    """The only row of the table `house`. Every command's guard checks this row, so an outdated process cannot write.
    Every event contains `office`, the number of the office's newest event, which orders events of different streams.
    New epochs and house keys are office events, so a process with the newest number has the newest epoch and key."""

    epoch: int
    """Number of the office event that began the epoch. Rounds that were opened before it can only be voided."""
    key_id: str
    """Id of the current house key."""
    revision: str
    """Revision of the current schema."""
    office: int


STANDING_COLUMNS = ", ".join(Standing.__struct_fields__)


def read_standing(tx: Transaction) -> Standing | None:
    """Return the standing, or `None` if the house has not been founded."""
    rows = tx.read(f"SELECT {STANDING_COLUMNS} FROM house")
    return Standing(*rows[0]) if rows else None


def require_own(standing: Standing, seal: Seal) -> None:
    """Refuse to write if the house now has a different key or schema from this process."""
    if standing.revision != REVISION:
        raise wrong_revision(standing.revision, "the books")
    if standing.key_id != seal.key_id:
        raise refuse("wrong-key", SealError, key=seal.key_id, right=standing.key_id)
