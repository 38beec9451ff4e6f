"""What a stream moved, summed while it is read: every account, how often each wallet, and what went into meters.

A meter is counted by its own stream, in *cuts*: up to an event of each table. So what a table has moved into a meter
is kept for the events at which it was cut, and no others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import partial

from msgspec import Struct, field

from highcardflush.house.audit.books import MOST, Books, Event, Move
from highcardflush.house.audit.findings import dollars


class Stands(Struct, frozen=True):
    """A meter and its reserve."""

    amount: int = 0
    reserve: int = 0

    def plus(self, amount: int, reserve: int = 0) -> Stands:
        return Stands(self.amount + amount, self.reserve + reserve)

    def minus(self, other: Stands) -> Stands:
        return Stands(self.amount - other.amount, self.reserve - other.reserve)

    def __str__(self) -> str:
        return f"{dollars(self.amount)} and {dollars(self.reserve)} in reserve"


NOTHING = Stands()


class Flow(Struct, frozen=True):
    """What a table has ever moved into a meter and its reserve, and the event that did it last."""

    seq: int = 0
    sums: Stands = NOTHING

    def __str__(self) -> str:
        return f"{self.sums}, by event {self.seq}"


NO_FLOW = Flow()


class Sums(Struct):
    """Of one stream. What was moved up to the event `after` stood before, and is in `flows` alone."""

    after: int = 0
    cuts: dict[str, list[int]] = {}
    """By meter the events at which the stream is cut and that were not reached yet, the next one last."""
    flows: dict[str, Flow] = {}
    """By meter."""
    cut: dict[str, dict[int, Stands]] = field(default_factory=partial(defaultdict, dict))
    """What had flowed into each meter at each of its cuts."""
    balances: Counter[str] = field(default_factory=Counter)
    """Of every account: what came in less what went out."""
    wallets: Counter[str] = field(default_factory=Counter)
    """How many events moved each."""
    counter: dict[str, tuple[int, int]] = {}
    """What each player has bought in, and cashed out."""


def flows_of(transfers: Iterable[Move]) -> dict[str, Stands]:
    """What transfers move into each meter and its reserve."""
    found: dict[str, Stands] = {}
    for source, target, micros in transfers:
        for account, moved in ((source, -micros), (target, micros)):
            kind, _, name = account.partition("/")
            if kind == "meter":
                found[name] = found.get(name, NOTHING).plus(moved)
            elif kind == "reserve":
                found[name] = found.get(name, NOTHING).plus(0, moved)
    return found


def follow(sums: Sums, event: Event) -> None:
    """One more event."""
    if event.seq <= sums.after or not event.moves:
        return
    balances, meters, wallets = sums.balances, False, set()
    for _, source, target, micros in event.moves:
        balances[source] -= micros
        balances[target] += micros
        for account in (source, target):
            if account.startswith("wallet/"):
                wallets.add(account[7:])
            elif account.startswith(("meter/", "reserve/")):
                meters = True
    sums.wallets.update(wallets)
    if event.stream == "cage":
        _count(sums, event)
    if meters and event.stream.startswith("table/"):
        for meter, moved in flows_of(event.transfers()).items():
            flow = sums.flows.get(meter, NO_FLOW)
            _cut(sums, meter, flow, event.seq)
            sums.flows[meter] = Flow(event.seq, flow.sums.plus(moved.amount, moved.reserve))


def _count(sums: Sums, event: Event) -> None:
    """What went over the counter."""
    for source, target, micros in event.transfers():
        for account, bought, cashed in ((source, 0, micros), (target, micros, 0)):
            if account.startswith("wallet/"):
                before = sums.counter.get(account[7:], (0, 0))
                sums.counter[account[7:]] = before[0] + bought, before[1] + cashed


def begin(sums: Sums, books: Books, stream: str) -> None:
    """What had flowed at cuts before the event `after`: what had by then, less what was moved between."""
    for meter, flow in sums.flows.items():
        cuts = sums.cuts.get(meter, [])
        while cuts and cuts[-1] < sums.after:
            at = cuts.pop()
            since = flows_of(books.moved(stream, at, sums.after)) if at < flow.seq else {}
            sums.cut[meter][at] = flow.sums.minus(since.get(meter, NOTHING))


def end(sums: Sums) -> None:
    """Nothing moves after this."""
    for meter in sums.cuts:
        _cut(sums, meter, sums.flows.get(meter, NO_FLOW), MOST + 1)


def _cut(sums: Sums, meter: str, flow: Flow, before: int) -> None:
    """What has flowed so far is what had flowed at the cuts before an event."""
    cuts = sums.cuts.get(meter, [])
    while cuts and cuts[-1] < before:
        sums.cut[meter][cuts.pop()] = flow.sums
