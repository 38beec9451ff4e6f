"""Counting: every count of a meter is made again from the transfers up to its cut.

An event that counts names the newest counted event of each table. What the tables moved between two cuts is added up,
an amount above the limit goes to the reserve, and the sum must be what the event says.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator

from highcardflush.house import events as ev
from highcardflush.house.audit.books import Event, Move
from highcardflush.house.audit.findings import Finding, differs, dollars, say
from highcardflush.house.audit.flows import flows_of
from highcardflush.house.audit.follower import NOTHING, Follower
from highcardflush.house.audit.postings import moved
from highcardflush.jackpot import Meter


class Counting(Follower):
    check = "meters"

    def begin(self) -> None:
        self.counted = {table: inflow.counted for table, inflow in self.task.inflows.items()}
        """By table, the sum that it had moved into the meter at its cut."""

    def account(self, kind: str) -> str:
        return f"{kind}/{self.task.name}"

    @property
    def is_bonus(self) -> bool:
        return self.meter.state is not None and self.meter.state.parameters.bonus

    def moved_by(self, event: Event) -> Meter:
        return flows_of(event.transfers()).get(self.task.name, NOTHING)

    def cut_of(self, table: str) -> tuple[int, Meter]:
        """Return the last counted event of a table, and what it had moved into the meter by then."""
        cut = self.meter.state.cut.get(table, 0) if self.meter.state else 0
        return cut, self.counted.get(table, NOTHING)

    def count(
        self, event: Event, body: ev.Counted, own: Meter = NOTHING
    ) -> Generator[Finding, None, tuple[Meter, Move]]:
        """Count again; return the meter after the overflow, and the move of the overflow.

        `own` is what the event's own settlement moved, which was not there yet.
        """
        count = count_of(body)
        self.covered["counts"] += 1
        raw, flowed, facts = self.meter.stands.minus(own), self.meter.flowed, self.meter.facts
        for table, cut in sorted(count.cut.items()):
            before = facts.cut.get(table, 0)
            if cut <= before:
                yield Finding(event.where, f"the cut of {table}", str(cut), f"later than {before}")
            elif table.removeprefix("table/") not in facts.tables:
                yield Finding(event.where, f"the cut of {table}", "a table never linked", "linked tables")
            inflow = self.task.inflows.get(table)
            counted = inflow.at_cuts.get(cut, NOTHING) if inflow else NOTHING
            came = counted.minus(self.counted.get(table, NOTHING))
            raw, flowed, self.counted[table] = raw.plus(came), flowed.plus(came), counted
        yield from differs(event.where, "the sum that tables have moved", count.flowed, flowed)
        limit = facts.parameters.limit_micros
        above = max(0, raw.amount_micros - limit) if limit is not None and not self.is_bonus else 0
        return raw.plus(Meter(-above, above)), (self.account("meter"), self.account("reserve"), above)

    def after(self, event: Event, body: ev.Counted, moves: Iterable[Move], expected: Meter) -> Iterator[Finding]:
        """Compare what an event moves, what it says about that, and the meter after it."""
        moves, count = list(moves), count_of(body)
        yield from moved(event, moves)
        advances, overflow = self.account("advances"), (self.account("meter"), self.account("reserve"))
        above = sum(micros for *ends, micros in moves if tuple(ends) == overflow)
        given = sum(micros * ((source == advances) - (target == advances)) for source, target, micros in moves)
        yield from differs(event.where, "overflow_micros", count.overflow_micros, above, dollars)
        yield from differs(event.where, "advances_micros", count.advances_micros, given, dollars)
        yield from differs(event.where, f"the meter after this {event.kind}", count.after, expected)
        if count.after.amount_micros < 0:
            what = f"the meter after this {event.kind}"
            yield Finding(event.where, what, say(count.after), "a meter not below zero")


def count_of(body: ev.Counted) -> ev.Count:
    if body.count is None:
        raise ValueError("an event without a count")
    return body.count
