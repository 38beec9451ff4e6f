"""A meter while an auditor reads its stream: what it holds, counted anew from the transfers up to each cut.

An event that counts says up to where it counted every table. What the tables moved between two cuts is summed here,
what is above the limit belongs to the reserve, and what stands after the event must be what the event says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from highcardflush.house.audit.books import Books, Event, Move, joined, sums_of
from highcardflush.house.audit.findings import Covered, Finding, differs, dollars
from highcardflush.house.audit.postings import totals
from highcardflush.house.audit.rules import Rulebooks
from highcardflush.house.audit.terms import MeterTimes


class Stands(Struct, frozen=True):
    """A meter and its reserve."""

    amount: int = 0
    reserve: int = 0

    def plus(self, amount: int, reserve: int = 0) -> Stands:
        return Stands(self.amount + amount, self.reserve + reserve)

    def __str__(self) -> str:
        return f"{dollars(self.amount)} and {dollars(self.reserve)} in reserve"


class Counted(Struct, frozen=True):
    """A count, rebuilt: what was there above the limit, and what stood once that was moved."""

    display: Stands
    overflow: int


NOTHING = Stands()


class Win(Struct):
    account: str
    micros: int
    from_house: int
    fell: int
    """By how much the display fell for it."""
    seq: int
    """Its hit."""
    waits: bool


class Meter(Struct):
    """A meter as far as its stream has been read."""

    name: str
    parameters: dict[str, Any] = {}
    waiting: dict[str, Any] = {}
    stands: Stands = Stands()
    cut: dict[str, int] = {}
    linked: dict[str, bool] = {}
    """Every table that was ever linked, and whether it still is."""
    wins: list[Win] = []
    reset: int = 0
    """The newest event that set the display of a bonus jackpot."""
    corrections: dict[int, tuple[int, int]] = {}
    times: MeterTimes = msgspec.field(default_factory=MeterTimes)

    @property
    def bonus(self) -> bool:
        return bool(self.parameters["bonus"])

    def account(self, kind: str) -> str:
        return f"{kind}/{self.name}"


class Context(Struct, frozen=True):
    """What judging an event needs beside it."""

    books: Books
    rulebooks: Rulebooks
    covered: Covered


def moved(event: Event, expected: list[Move]) -> Iterator[Finding]:
    read, wanted = totals(event.transfers()), totals(expected)
    for way in sorted({**read, **wanted}):
        if read.get(way, 0) != wanted.get(way, 0):
            what = f"{event.kind}: {way[0]} to {way[1]}"
            yield Finding(event.where, what, dollars(read.get(way, 0)), dollars(wanted.get(way, 0)))


def flow(ctx: Context, meter: Meter, table: str, after: int, to: int | None) -> Stands:
    """What a table moved into the meter and its reserve after one event, up to another."""
    columns, params = [], []
    for kind in ("meter", "reserve"):
        columns.append(f"CASE WHEN target = ? THEN micros WHEN source = ? THEN -micros ELSE 0 END AS {kind}")
        params += [meter.account(kind)] * 2
    last = (" AND seq <= ?", (to,)) if to is not None else ("", ())
    rows = f"SELECT {', '.join(columns)} FROM transfers WHERE stream = ? AND seq > ?{last[0]}"
    sql = f"SELECT {sums_of('meter')}, {sums_of('reserve')} FROM ({rows}) AS moved"
    (found,) = ctx.books.rows(sql, *params, table, after, *last[1])
    return Stands(joined(*found[:2]), joined(*found[2:]))


def count(
    ctx: Context, meter: Meter, event: Event, body: dict[str, Any], without: Stands = NOTHING
) -> tuple[Counted, list[Finding]]:
    """Count again what this event counted. `without` is what its own settlement moved, which was not there yet."""
    findings: list[Finding] = []
    cut: dict[str, int] = body["cut"]
    raw = meter.stands
    ctx.covered["counts"] += 1
    if not meter.bonus:
        for table in sorted({*meter.cut, *cut}):
            before, now = meter.cut.get(table, 0), cut.get(table, 0)
            if now < before:
                findings.append(Finding(event.where, f"the cut of {table} goes back", str(now), f"{before} or later"))
            elif table.removeprefix("table/") not in meter.linked:
                findings.append(Finding(event.where, f"the cut of {table}", "a table never linked", "linked tables"))
            moved_in = flow(ctx, meter, table, before, now)
            raw = raw.plus(moved_in.amount, moved_in.reserve)
    raw = raw.plus(-without.amount, -without.reserve)
    limit = meter.parameters["limit_micros"]
    overflow = max(0, raw.amount - limit) if limit is not None and not meter.bonus else 0
    meter.cut = cut
    return Counted(raw.plus(-overflow, overflow), overflow), findings


def after(meter: Meter, event: Event, body: dict[str, Any], stands: Stands) -> Iterator[Finding]:
    """What the event says that stands after it."""
    read = Stands(body["amount_micros"], body["reserve_micros"])
    yield from differs(event.where, f"what stands after this {event.kind}", str(read), str(stands))
    if read.amount < 0:
        yield Finding(event.where, f"what stands after this {event.kind}", str(read), "a meter not below zero")
    meter.stands = read


def overflow(meter: Meter, counted: Counted) -> Move:
    return meter.account("meter"), meter.account("reserve"), counted.overflow


def saw(event: Event, body: dict[str, Any], display: Stands) -> Iterator[Finding]:
    read = Stands(body["before"]["amount_micros"], body["before"]["reserve_micros"])
    yield from differs(event.where, f"what this {event.kind} saw", str(read), str(display))
