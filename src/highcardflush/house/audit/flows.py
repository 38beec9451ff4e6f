"""The sums of a stream: the balance of every account, how often each wallet was moved, and what went into meters.

A meter counts its tables in *cuts*, each up to an event of the table. So the sum that a table has moved into a meter is
kept for the events at which it was cut, and no others. `Counting` makes every count of a meter again from these sums.
In an incremental audit they begin at the earlier heads.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator

from highcardflush.house import events as ev
from highcardflush.house.audit.books import MOST, Event, Move
from highcardflush.house.audit.findings import Finding, differs, dollars, say
from highcardflush.house.audit.follower import NOTHING, Flow, Follower
from highcardflush.house.audit.postings import moved
from highcardflush.jackpot import Meter

NO_FLOW = Flow()


def flows_of(transfers: Iterable[Move]) -> dict[str, Meter]:
    flows: dict[str, Meter] = {}
    for source, target, micros in transfers:
        for account, change in ((source, -micros), (target, micros)):
            kind, _, name = account.partition("/")
            if kind in ("meter", "reserve"):
                flows[name] = flows.get(name, NOTHING).plus(Meter(change) if kind == "meter" else Meter(0, change))
    return flows


class Flows(Follower):
    check = "ledger"

    def begin(self) -> None:
        """Find the flows at cuts before the earlier heads: the flow at the heads, less what was moved in between."""
        self.after, self.part.flows = self.task.judged, dict(self.task.flows)
        for meter, flow in self.part.flows.items():
            cuts = self.task.cuts.get(meter, [])
            while cuts and cuts[-1] < self.after:
                at = cuts.pop()
                since = flows_of(self.books.moved(self.task.stream, at, self.after)) if at < flow.seq else {}
                self.part.cut[meter][at] = flow.sums.minus(since.get(meter, NOTHING))

    def follow(self, event: Event) -> Iterator[Finding]:
        if event.seq > self.after and event.moves:
            self._add(event)
        return iter(())

    def _add(self, event: Event) -> None:
        balances, meters, wallets = self.part.balances, False, set()
        for _, source, target, micros in event.moves:
            balances[source] -= micros
            balances[target] += micros
            for account, bought, cashed in ((source, 0, micros), (target, micros, 0)):
                if account.startswith("wallet/"):
                    wallets.add(account[7:])
                    if event.stream == "cage":
                        before = self.part.cage.get(account[7:], (0, 0))
                        self.part.cage[account[7:]] = before[0] + bought, before[1] + cashed
                elif account.startswith(("meter/", "reserve/")):
                    meters = True
        self.part.wallets.update(wallets)
        if meters and self.task.kind == "table":
            for meter, change in flows_of(event.transfers()).items():
                flow = self.part.flows.get(meter, NO_FLOW)
                self._cut(meter, flow, event.seq)
                self.part.flows[meter] = Flow(event.seq, flow.sums.plus(change))

    def end(self) -> Iterator[Finding]:
        for meter in self.task.cuts:
            self._cut(meter, self.part.flows.get(meter, NO_FLOW), MOST + 1)
        self.part.house_micros += self.part.balances["house"]
        self.part.strays = self.books.strays
        return iter(())

    def _cut(self, meter: str, flow: Flow, before: int) -> None:
        """Keep the flow for all cuts before an event."""
        cuts = self.task.cuts.get(meter, [])
        while cuts and cuts[-1] < before:
            self.part.cut[meter][cuts.pop()] = flow.sums


# --- counts --------------------------------------------------------------------------------------


class Counting(Follower):
    """Makes the counts of a meter again. What tables moved between two cuts is added up, and what is above the limit
    goes to the reserve."""

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
        moves, count, what = list(moves), count_of(body), f"the meter after this {event.kind}"
        yield from moved(event, moves)
        advances, overflow = self.account("advances"), (self.account("meter"), self.account("reserve"))
        above = sum(micros for *ends, micros in moves if tuple(ends) == overflow)
        given = sum(micros * ((source == advances) - (target == advances)) for source, target, micros in moves)
        yield from differs(event.where, "overflow_micros", count.overflow_micros, above, dollars)
        yield from differs(event.where, "advances_micros", count.advances_micros, given, dollars)
        yield from differs(event.where, what, count.after, expected)
        if count.after.amount_micros < 0:
            yield Finding(event.where, what, say(count.after), "a meter not below zero")


def count_of(body: ev.Counted) -> ev.Count:
    if body.count is None:
        raise ValueError("an event without a count")
    return body.count
