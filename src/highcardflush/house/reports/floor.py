"""The floor: its tables and players now, and the takings of each table in a gaming day.

People, guests and bots are counted apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from highcardflush.house.books.accounts import TABLE
from highcardflush.house.commands import TableState
from highcardflush.house.reports.day_report import DayQuery, day_report
from highcardflush.house.reports.days import MICROS, Day, first_since
from highcardflush.house.reports.overview import TableRow, read_row
from highcardflush.house.reports.reading import names
from highcardflush.house.reports.takings import NAMES, Takings, groups, read_kinds
from highcardflush.house.store.protocol import Transaction

HOUR = 3600 * MICROS


class Seated(Struct, frozen=True):
    """The number of players at a table, by kind."""

    people: int
    guests: int
    bots: int


class FloorRow(Struct, frozen=True):
    """The present state of a table, and its gaming day so far."""

    table: str
    state: TableState
    physical: bool
    rulebook: str
    phase: str | None
    stale: str | None
    """The reason why its round can only be voided."""
    seats: int
    seated: Seated
    rounds: int
    voids: int
    rounds_an_hour: int
    """Rounds that were settled within the last 60 minutes."""
    all: Takings
    people: Takings
    guests: Takings
    bots: Takings


class HoldRow(Struct, frozen=True):
    """The takings of one wager of one table, from everybody or from one kind of players."""

    table: str
    of: str
    wager: str
    bets: int
    stakes_cents: int
    held_cents: int
    expected_cents: int
    z: float
    judged: bool


@day_report
def floor_view(tx: Transaction, query: DayQuery, day: Day) -> Iterator[FloorRow]:
    """Yield the tables, by name."""
    for name in names(tx, "table", query.after, query.first):
        yield _floor_row(tx, name, query, day)


def _floor_row(tx: Transaction, name: str, query: DayQuery, day: Day) -> FloorRow:
    row, since = read_row(tx, name), int(query.now * MICROS) - HOUR
    play = query.memo.read(tx, name, day.start, day.end)
    return FloorRow(
        table=name,
        state=row.state,
        physical=row.physical,
        rulebook=row.rulebook,
        phase=row.phase,
        stale=row.stale,
        seats=row.seats,
        seated=_seated(tx, row),
        rounds=len(play.ended),
        voids=play.voids,
        rounds_an_hour=sum(at >= since for at in play.ended)
        if day.start <= since < day.end
        else _ended_since(tx, name, since),
        **{word: group.takings() for word, group in groups(play).items()},
    )


def _ended_since(tx: Transaction, name: str, at: int) -> int:
    sql = "SELECT COUNT(*) FROM events WHERE stream = ? AND kind = 'settle' AND seq >= ?"
    ((ended,),) = tx.read(sql, TABLE + name, first_since(tx, TABLE + name, at))
    return int(ended)


def _seated(tx: Transaction, row: TableRow) -> Seated:
    kinds = read_kinds(tx, (player for player in row.players.values() if player is not None))
    counts = Counter(kinds.get(player or "", "person") for player in row.players.values())
    return Seated(**{word: counts[kind] for kind, word in NAMES.items()})


@day_report
def day_holds(tx: Transaction, query: DayQuery, day: Day) -> Iterator[HoldRow]:
    """Compare the takings of every wager at every table with its odds."""
    for name in names(tx, "table", query.after, query.first):
        for word, group in groups(query.memo.read(tx, name, day.start, day.end)).items():
            for wager in group.takings().wagers:
                yield HoldRow(name, word, *msgspec.structs.astuple(wager))
