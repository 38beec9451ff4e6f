"""Adds up a stream: the balance of every account, the number of moves of each wallet, and the flows into meters.

In an incremental audit the sums begin at the earlier heads. A meter's count includes each table up to a certain event,
which is called the table's *cut*. `Counting` repeats every count from the transfers between two cuts.
"""

from collections.abc import Generator, Iterable, Iterator

from highcardflush.house import events as ev
from highcardflush.house.audit.books import Books, Event, Move
from highcardflush.house.audit.findings import Finding, differs, dollars, say
from highcardflush.house.audit.follower import NOTHING, Flow, Follower, Stream
from highcardflush.house.audit.postings import check_moves
from highcardflush.jackpot import Meter


def flows_of(transfers: Iterable[Move]) -> dict[str, Meter]:
    flows: dict[str, Meter] = {}
    for source, target, micros in transfers:
        for account, change in ((source, -micros), (target, micros)):
            kind, _, name = account.partition("/")
            if kind in ("meter", "reserve"):
                flows[name] = flows.get(name, NOTHING).plus(Meter(change) if kind == "meter" else Meter(0, change))
    return flows


def flowed(books: Books, meter: str, table: str, after: int, to: int) -> Meter:
    """Return the amount that a table moved into a meter and its reserve after event `after` and up to event `to`."""
    return flows_of(books.moves(table, after, to, f"meter/{meter}", f"reserve/{meter}")).get(meter, NOTHING)


class Flows(Follower):
    check = "ledger"

    def begin(self) -> None:
        self.part.flows = dict(self.task.flows)

    def follow(self, event: Event) -> Iterator[Finding]:
        yield from ()
        if event.seq <= self.task.judged or not event.moves:
            return
        balances, wallets = self.part.balances, set()
        for _, source, target, micros in event.moves:
            balances[source] -= micros
            balances[target] += micros
            for account, bought, cashed in ((source, 0, micros), (target, micros, 0)):
                if account.startswith("wallet/"):
                    wallets.add(account[7:])
                    if event.stream == "cage":
                        before = self.part.cage.get(account[7:], (0, 0))
                        self.part.cage[account[7:]] = before[0] + bought, before[1] + cashed
        self.part.wallets.update(wallets)
        if self.task.kind == "table":
            for meter, change in flows_of(event.transfers()).items():
                sums = self.part.flows[meter].sums if meter in self.part.flows else NOTHING
                self.part.flows[meter] = Flow(event.seq, sums.plus(change))

    def end(self) -> Iterator[Finding]:
        self.part.house_micros += self.part.balances["house"]
        self.part.strays = self.books.strays
        return iter(())


class Counting:
    """Recomputes the amounts that each count of a meter recorded."""

    def __init__(self, stream: Stream) -> None:
        self.books, self.rulebooks = stream.books, stream.rulebooks
        self.name, self.meter = stream.task.name, stream.meter
        self.covered = stream.part.checks["meters"].covered

    def account(self, kind: str) -> str:
        return f"{kind}/{self.name}"

    @property
    def is_bonus(self) -> bool:
        return self.meter.state is not None and self.meter.state.parameters.bonus

    def moved_by(self, event: Event) -> Meter:
        return flows_of(event.transfers()).get(self.name, NOTHING)

    def count(
        self, event: Event, body: ev.Counted, own: Meter = NOTHING
    ) -> Generator[Finding, None, tuple[Meter, Move]]:
        """Recompute the meter's amount at a count, excluding `own`, which the round's own settlement moved. Return the
        meter after any overflow, and the overflow move."""
        count = count_of(body)
        self.covered["counts"] += 1
        raw, sums, facts = self.meter.balance.minus(own), self.meter.flowed, self.meter.facts
        for table, cut in sorted(count.cut.items()):
            before = facts.cut.get(table, 0)
            if cut <= before:
                yield Finding(event.where, f"the cut of {table}", str(cut), f"a number above {before}")
            elif table.removeprefix("table/") not in facts.tables:
                yield Finding(event.where, f"the cut of {table}", "a table that was never linked", "a linked table")
            inflow = flowed(self.books, self.name, table, before, cut)
            raw, sums = raw.plus(inflow), sums.plus(inflow)
        yield from differs(event.where, "the total that tables have moved", count.flowed, sums)
        limit = facts.parameters.limit_micros
        above = max(0, raw.amount_micros - limit) if limit is not None and not self.is_bonus else 0
        return raw.plus(Meter(-above, above)), (self.account("meter"), self.account("reserve"), above)

    def after(self, event: Event, body: ev.Counted, moves: Iterable[Move], expected: Meter) -> Iterator[Finding]:
        """Check the transfers of an event, the amounts in its body, and the meter after it."""
        moves, count, what = list(moves), count_of(body), f"the meter after this {event.kind}"
        yield from check_moves(event, moves)
        advances, overflow = self.account("advances"), (self.account("meter"), self.account("reserve"))
        above = sum(micros for *ends, micros in moves if tuple(ends) == overflow)
        advance_micros = sum(micros * ((source == advances) - (target == advances)) for source, target, micros in moves)
        yield from differs(event.where, "overflow_micros", count.overflow_micros, above, dollars)
        yield from differs(event.where, "advances_micros", count.advances_micros, advance_micros, dollars)
        yield from differs(event.where, what, count.after, expected)
        if count.after.amount_micros < 0:
            yield Finding(event.where, what, say(count.after), "a meter at zero or above")


def count_of(body: ev.Counted) -> ev.Count:
    if body.count is None:
        raise ValueError("an event without a count")
    return body.count
