"""Reports of a gaming day (`hcf house report`): the query, the report, and its rows as CSV.

`reports.DAY_REPORTS` lists the reports. Their columns are the fields of the rows: `FloorRow`, `HoldRow`, `TotalsRow`
and `PlayerRow` in `floor.py`, and `MeterRow` in `meters.py`. The day's events are found by index, in one snapshot.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any

import msgspec
from msgspec import Struct, field

from highcardflush.house.house import House
from highcardflush.house.reports.reading import FIRST, Day, read_books, read_recorded_day
from highcardflush.house.reports.takings import Memo
from highcardflush.house.store.protocol import Transaction

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters that make a spreadsheet treat a value as a formula. An apostrophe is put before such a value."""


class DayQuery(Struct, frozen=True):
    now: float
    """Current time, in seconds since 1970."""
    day: str | None = None
    """Date on which the gaming day begins, or `None` for the current gaming day."""
    after: str = ""
    """Name after which the list begins."""
    first: int = FIRST
    """Maximum length of the list."""
    memo: Memo = field(default_factory=Memo)


class DayRows(Struct, frozen=True):
    day: Day
    rows: tuple[Any, ...]


Report = Callable[[House, str, DayQuery], DayRows]


def day_report(rows: Callable[[Transaction, DayQuery, Day], Iterable[Any]]) -> Report:
    """Make a report from a function that yields its rows. All rows are read from one snapshot."""

    @wraps(rows)
    def report(house: House, actor: str, query: DayQuery) -> DayRows:
        def read(tx: Transaction) -> DayRows:
            day = read_recorded_day(tx, query.day, query.now)
            return DayRows(day, tuple(rows(tx, query, day)))

        with query.memo.lock:
            return read_books(house, actor, read)

    return report


def csv_text(rows: Iterable[Struct]) -> str:
    """Return rows as CSV with a header. Fields that are lists are omitted."""
    flat = [dict(_flat(msgspec.to_builtins(row))) for row in rows]
    out = io.StringIO()
    writer = csv.DictWriter(out, list(flat[0]) if flat else [], lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(flat)
    return out.getvalue()


def _flat(data: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{key}_")
        elif isinstance(value, bool):
            yield before + key, str(value).lower()
        elif not isinstance(value, (list, tuple)):
            yield before + key, f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
