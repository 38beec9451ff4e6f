"""A meter while an auditor reads its stream: what it holds, counted anew from the transfers up to each cut.

An event that counts says up to where it counted every table. What the tables moved between two cuts is summed here,
what is above the limit belongs to the reserve, and what stands after the event must be what the event says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from msgspec import Struct, field

from highcardflush.house.audit.books import Books, Event, Move
from highcardflush.house.audit.facts import Facts
from highcardflush.house.audit.findings import Finding, differs, dollars
from highcardflush.house.audit.postings import moved
from highcardflush.house.audit.sums import NOTHING, Flow, Stands, flows_of
from highcardflush.house.audit.terms import Terms
from highcardflush.house.audit.wire import Rulebooks

T = TypeVar("T")


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


class Outline(Struct):
    """What tables are held against: what a meter was from each of its events on."""

    terms: dict[int, Terms] = {}
    """What governed it from each event on that changed them."""
    closed: dict[int, bool] = {}
    """Whether its side bet was closed, from each event on that changed it."""
    office: list[int] = []
    """What each event says of the office, from the first on."""
    hits: dict[int, str] = {}
    """The end of the round, table and number, that each hit tells."""

    def terms_at(self, seq: int) -> Terms:
        """The terms once its stream had come to this event."""
        return _at(self.terms, seq)

    def was_closed(self, seq: int) -> bool:
        return _at(self.closed, seq)


def _at(known: dict[int, T], seq: int) -> T:
    """What holds from the newest start on; starts are in order."""
    for start in reversed(known):
        if start <= seq:
            return known[start]
    raise LookupError(f"nothing known at {seq}")


class Meter(Struct):
    """A meter as far as its stream has been read, and what it is judged by."""

    name: str
    books: Books
    rulebooks: Rulebooks
    covered: Counter[str]
    since: int = 0
    """What its stream says up to this event stood when the audit began."""
    flows: dict[str, Flow] = {}
    """What each table has moved into it in all."""
    flowed_at: dict[str, dict[int, Stands]] = {}
    """And what it had at each of its cuts."""
    parameters: dict[str, Any] = {}
    waiting: dict[str, Any] = {}
    stands: Stands = NOTHING
    flowed: Stands = NOTHING
    """What tables had moved into it at its last count."""
    cut: dict[str, int] = {}
    counted: dict[str, Stands] = {}
    """What each table had moved into it at its cut."""
    links: dict[str, list[tuple[int, str]]] = {}
    """What each table was, in order: by which event linked and unlinked."""
    wins: list[Win] = []
    corrections: dict[int, tuple[int, int]] = {}
    outline: Outline = field(default_factory=Outline)
    facts: Facts = field(default_factory=Facts)

    @property
    def bonus(self) -> bool:
        return bool(self.parameters.get("bonus"))

    def account(self, kind: str) -> str:
        return f"{kind}/{self.name}"

    def change(self, event: Event, parameters: Mapping[str, Any]) -> None:
        """Parameters that come into force with an event."""
        self.parameters = {**self.parameters, **parameters}
        self.outline.terms[event.seq] = Terms(*(self.parameters[field] for field in Terms.__struct_fields__))

    def moved_by(self, event: Event) -> Stands:
        """What an event of a table moved into it and its reserve."""
        return flows_of(event.transfers()).get(self.name, NOTHING)


def count(meter: Meter, event: Event, own: Stands = NOTHING) -> Generator[Finding, None, tuple[Stands, Move]]:
    """Count again: what stood once what was above the limit was moved, and that move.

    `own` is what the event's own settlement moved, which was not there yet.
    """
    cut: dict[str, int] = event.body["cut"]
    meter.covered["counts"] += 1
    raw, flowed = meter.stands.minus(own), meter.flowed
    for table, now in sorted(cut.items()):
        before = meter.cut.get(table, 0)
        if now <= before:
            yield Finding(event.where, f"the cut of {table}", str(now), f"later than {before}")
        elif table.removeprefix("table/") not in meter.links:
            yield Finding(event.where, f"the cut of {table}", "a table never linked", "linked tables")
        counted = meter.flowed_at.get(table, {}).get(now, NOTHING)
        came = counted.minus(meter.counted.get(table, NOTHING))
        raw, flowed = raw.plus(came.amount, came.reserve), flowed.plus(came.amount, came.reserve)
        meter.counted[table] = counted
    yield from differs(event.where, "what tables have moved", read_stands(event.body["flowed"]), flowed)
    limit = meter.parameters["limit_micros"]
    above = max(0, raw.amount - limit) if limit is not None and not meter.bonus else 0
    return raw.plus(-above, above), (meter.account("meter"), meter.account("reserve"), above)


def after(event: Event, moves: Iterable[Move], stands: Stands) -> Iterator[Finding]:
    """What an event moves, what it says of that, and what stands after it."""
    moves, name = list(moves), event.stream.removeprefix("meter/")
    yield from moved(event, moves)
    advances, overflow = f"advances/{name}", (f"meter/{name}", f"reserve/{name}")
    above = sum(micros for *ends, micros in moves if tuple(ends) == overflow)
    given = sum(micros * ((source == advances) - (target == advances)) for source, target, micros in moves)
    for key, micros in (("overflow_micros", above), ("advances_micros", given)):
        yield from differs(event.where, key, event.body.get(key, 0), micros, dollars)
    read = read_stands(event.body)
    yield from differs(event.where, f"what stands after this {event.kind}", read, stands)
    if read.amount < 0:
        yield Finding(event.where, f"what stands after this {event.kind}", str(read), "a meter not below zero")


def saw(event: Event, display: Stands) -> Iterator[Finding]:
    yield from differs(event.where, f"what this {event.kind} saw", read_stands(event.body["before"]), display)
