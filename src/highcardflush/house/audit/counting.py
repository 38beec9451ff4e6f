"""A meter while an auditor reads its stream: what it holds, counted anew from the transfers up to each cut.

An event that counts says up to where it counted every table. What the tables moved between two cuts is summed here,
what is above the limit belongs to the reserve, and what stands after the event must be what the event says.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from highcardflush.house.audit.books import Books, Event, Move, joined, sums_of
from highcardflush.house.audit.findings import Finding, differs, dollars
from highcardflush.house.audit.postings import moved
from highcardflush.house.audit.terms import Terms
from highcardflush.house.audit.wire import Rulebooks


class Stands(Struct, frozen=True):
    """A meter and its reserve."""

    amount: int = 0
    reserve: int = 0

    def plus(self, amount: int, reserve: int = 0) -> Stands:
        return Stands(self.amount + amount, self.reserve + reserve)

    def __str__(self) -> str:
        return f"{dollars(self.amount)} and {dollars(self.reserve)} in reserve"


NOTHING = Stands()


def read_stands(data: Mapping[str, int]) -> Stands:
    return Stands(data["amount_micros"], data["reserve_micros"])


class Win(Struct):
    """A pay of a meter, as a hit tells it."""

    win: int
    seat: int
    account: str
    percent_bp: int
    micros: int
    from_house_micros: int
    display_micros: int
    """By how much the display fell for it; of a bonus jackpot nothing once it was set anew."""
    pending: bool


class Meter(Struct):
    """A meter as far as its stream has been read, and what it is judged by."""

    name: str
    books: Books
    rulebooks: Rulebooks
    parameters: dict[str, Any] = {}
    waiting: dict[str, Any] = {}
    stands: Stands = NOTHING
    cut: dict[str, int] = {}
    links: dict[str, list[str]] = {}
    """What each table was, in order: linked and unlinked."""
    wins: list[Win] = []
    corrections: dict[int, tuple[int, int]] = {}
    office: list[int] = []
    """What each event says of the office, from the first on."""
    terms: dict[int, Terms] = {}
    """What governed it from each event on that changed them."""
    closed: dict[int, bool] = {}
    """Whether its side bet was closed, from each event on that changed it."""

    @property
    def bonus(self) -> bool:
        return bool(self.parameters.get("bonus"))

    def terms_at(self, seq: int) -> Terms:
        """The terms once its stream had come to this event."""
        return self.terms[max(start for start in self.terms if start <= seq)]

    def was_closed(self, seq: int) -> bool:
        return self.closed[max(start for start in self.closed if start <= seq)]

    def account(self, kind: str) -> str:
        return f"{kind}/{self.name}"

    def change(self, event: Event, parameters: Mapping[str, Any]) -> None:
        """Parameters that come into force with an event."""
        self.parameters = {**self.parameters, **parameters}
        self.terms[event.seq] = Terms(*(self.parameters[field] for field in Terms.__struct_fields__))

    def flow(self, table: str, after: int, to: int | None) -> Stands:
        """What a table moved into the meter and its reserve after one event, up to another."""
        columns, params = [], []
        for kind in ("meter", "reserve"):
            columns.append(f"CASE WHEN target = ? THEN micros WHEN source = ? THEN -micros ELSE 0 END AS {kind}")
            params += [self.account(kind)] * 2
        last = (" AND seq <= ?", (to,)) if to is not None else ("", ())
        rows = f"SELECT {', '.join(columns)} FROM transfers WHERE stream = ? AND seq > ?{last[0]}"
        sql = f"SELECT {sums_of('meter')}, {sums_of('reserve')} FROM ({rows}) AS moved"
        (found,) = self.books.rows(sql, *params, table, after, *last[1])
        return Stands(joined(*found[:2]), joined(*found[2:]))


def count(meter: Meter, event: Event, own: Stands = NOTHING) -> Generator[Finding, None, tuple[Stands, Move]]:
    """Count again: what stood once what was above the limit was moved, and that move.

    `own` is what the event's own settlement moved, which was not there yet.
    """
    cut: dict[str, int] = event.body["cut"]
    meter.books.covered["counts"] += 1
    raw = meter.stands.plus(-own.amount, -own.reserve)
    for table in sorted({*meter.cut, *cut}) if not meter.bonus else ():
        before, now = meter.cut.get(table, 0), cut.get(table, 0)
        if now < before:
            yield Finding(event.where, f"the cut of {table} goes back", str(now), f"{before} or later")
        elif table.removeprefix("table/") not in meter.links:
            yield Finding(event.where, f"the cut of {table}", "a table never linked", "linked tables")
        came = meter.flow(table, before, now)
        raw = raw.plus(came.amount, came.reserve)
    limit = meter.parameters["limit_micros"]
    above = max(0, raw.amount - limit) if limit is not None and not meter.bonus else 0
    meter.cut = cut
    return raw.plus(-above, above), (meter.account("meter"), meter.account("reserve"), above)


def after(meter: Meter, event: Event, moves: Iterable[Move], stands: Stands) -> Iterator[Finding]:
    """What an event moves, and what stands after it."""
    yield from moved(event, moves)
    read = read_stands(event.body)
    yield from differs(event.where, f"what stands after this {event.kind}", read, stands)
    if read.amount < 0:
        yield Finding(event.where, f"what stands after this {event.kind}", str(read), "a meter not below zero")
    meter.stands = read


def saw(event: Event, display: Stands) -> Iterator[Finding]:
    yield from differs(event.where, f"what this {event.kind} saw", read_stands(event.body["before"]), display)
