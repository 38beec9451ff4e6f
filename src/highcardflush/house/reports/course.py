"""How a round went, beyond its record: who had which seat, and in which order the seats decided."""

from __future__ import annotations

from msgspec import Struct

from highcardflush.errors import NotFound
from highcardflush.house import codec
from highcardflush.house.events import RoundOpened
from highcardflush.house.reports.rounds import read_end, read_sits
from highcardflush.house.store.protocol import Transaction
from highcardflush.words import refuse


class Course(Struct, frozen=True):
    """Of a round that is over."""

    owners: dict[int, str | None]
    """By seat; None is somebody with chips."""
    decided: dict[int, bool]
    """The seats in the order of their decisions, and whether the clock decided."""


class _Decided(Struct, frozen=True):
    seat: int


def read_course(tx: Transaction, name: str, number: int) -> Course:
    stream = f"table/{name}"
    opened = tx.read("SELECT seq, body FROM events WHERE stream = ? AND kind = 'open' AND number = ?", stream, number)
    over = read_end(tx, stream, number)
    if not opened or over is None:
        raise refuse("no-finished-round", NotFound, table=name, number=number)
    begin, body = opened[0]
    sql = "SELECT kind, body FROM events WHERE stream = ? AND seq > ? AND seq < ?"
    decisions = tx.read(f"{sql} AND kind IN ('fold', 'raise', 'time-out') ORDER BY seq", stream, begin, over.seq)
    return Course(
        owners=codec.decode(body, RoundOpened).seats | read_sits(tx, stream, begin, over.seq),
        decided={codec.decode(said, _Decided).seat: kind == "time-out" for kind, said in decisions},
    )
