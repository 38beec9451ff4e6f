"""The sums of a stream: the balance of every account, how often each wallet was moved, and what went into meters.

A meter counts its tables in *cuts*, each up to an event of the table. So the sum that a table has moved into a meter is
kept for the events at which it was cut, and no others. In an incremental audit the sums begin at the earlier heads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from highcardflush.house.audit.books import MOST, Event, Move
from highcardflush.house.audit.findings import Finding
from highcardflush.house.audit.follower import NOTHING, Flow, Follower
from highcardflush.jackpot import Meter

NO_FLOW = Flow()


def flows_of(transfers: Iterable[Move]) -> dict[str, Meter]:
    flows: dict[str, Meter] = {}
    for source, target, micros in transfers:
        for account, moved in ((source, -micros), (target, micros)):
            kind, _, name = account.partition("/")
            if kind == "meter":
                flows[name] = flows.get(name, NOTHING).plus(Meter(moved))
            elif kind == "reserve":
                flows[name] = flows.get(name, NOTHING).plus(Meter(0, moved))
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
        self.add(event)
        return iter(())

    def add(self, event: Event) -> None:
        if event.seq <= self.after or not event.moves:
            return
        balances, meters, wallets = self.part.balances, False, set()
        for _, source, target, micros in event.moves:
            balances[source] -= micros
            balances[target] += micros
            for account in (source, target):
                if account.startswith("wallet/"):
                    wallets.add(account[7:])
                elif account.startswith(("meter/", "reserve/")):
                    meters = True
        self.part.wallets.update(wallets)
        if event.stream == "cage":
            self._count_cage(event)
        if meters and self.task.kind == "table":
            for meter, moved in flows_of(event.transfers()).items():
                flow = self.part.flows.get(meter, NO_FLOW)
                self._cut(meter, flow, event.seq)
                self.part.flows[meter] = Flow(event.seq, flow.sums.plus(moved))

    def _count_cage(self, event: Event) -> None:
        for source, target, micros in event.transfers():
            for account, bought, cashed in ((source, 0, micros), (target, micros, 0)):
                if account.startswith("wallet/"):
                    before = self.part.cage.get(account[7:], (0, 0))
                    self.part.cage[account[7:]] = before[0] + bought, before[1] + cashed

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
