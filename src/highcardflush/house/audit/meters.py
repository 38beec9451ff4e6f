"""The meters: every event of a meter is compared with the counts that are made again (`counting.py`).

What a hit saw is known exactly from its count, and from that what it had to pay (`hits.py`). A checkpoint must hold the
state that all events before it give.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy

from highcardflush.house import events as ev
from highcardflush.house.audit import hits
from highcardflush.house.audit.books import Event, Moment
from highcardflush.house.audit.counting import Counting, count_of
from highcardflush.house.audit.findings import Finding, differs, dollars, guarded, say
from highcardflush.house.audit.follower import NOTHING, Flow, Links
from highcardflush.house.audit.postings import moved
from highcardflush.house.audit.terms import KEYS, LATER
from highcardflush.jackpot import Meter

MOST_EVENTS = 500
"""The most events between two checkpoints."""


class Meters(Counting):
    def begin(self) -> None:
        super().begin()
        self.links: dict[str, list[str]] = {}
        """The new links and unlinks of each table, in order."""

    def follow(self, event: Event) -> Iterator[Finding]:
        if event.seq > self.task.judged:
            if isinstance(event.body, ev.MeterCreated) != (event.seq == 1):
                yield Finding(event.where, "the first event of a meter", event.kind, "create, and only that")
            since = event.seq - self.meter.checkpoint_seq
            if event.kind != "checkpoint" and since > MOST_EVENTS:
                expected = f"a checkpoint after {MOST_EVENTS} events"
                yield Finding(event.where, f"a {event.kind}", f"{since} after the last one", expected)
            yield from guarded(event, self._judge(event))
        if isinstance(event.body, ev.CheckpointWritten):
            yield from self._checkpoint_state(event, event.body)

    def _judge(self, event: Event) -> Iterator[Finding]:
        match event.body:
            case ev.MeterCreated() as body:
                seed = body.parameters.seed_micros
                yield from differs(event.where, "the cut of a new meter", body.cut, {})
                given = [] if body.parameters.bonus else [(self.account("advances"), self.account("meter"), seed)]
                yield from self.after(event, body, given, Meter(seed))
            case ev.TableLinked(table=table) | ev.TableUnlinked(table=table):
                yield from moved(event, [])
                is_linked, unlinks = table in self.meter.facts.linked, isinstance(event.body, ev.TableUnlinked)
                yield from differs(event.where, f"{table} linked before", is_linked, unlinks)
                self.links.setdefault(table, []).append(event.kind)
            case ev.ParameterChanged() as body:
                yield from self._change(event, body)
            case ev.CheckpointWritten() as body:
                yield from self._checkpoint(event, body)
            case ev.MeterHit() as body:
                yield from hits.judge(self, event, body)
            case ev.WinVoted() as body:
                yield from self._vote(event, body)
            case ev.CorrectionApproved() as body:
                correction = self.meter.facts.corrections[body.correction]
                display, overflow = yield from self.count(event, body)
                yield from differs(event.where, f"the meter before this {event.kind}", body.before, display)
                advances, change = self.account("advances"), Meter(correction.amount_micros, correction.reserve_micros)
                moves = [
                    (advances, self.account("meter"), change.amount_micros),
                    (advances, self.account("reserve"), change.reserve_micros),
                ]
                yield from self.after(event, body, [overflow, *moves], display.plus(change))
            case ev.ShortfallMadeGood() as body:
                yield from self._make_good(event, body)
            case ev.DisplaySet() as body:
                if not self.is_bonus:
                    yield Finding(event.where, "a display that is set", "a progressive meter", "a bonus jackpot")
                before = self.meter.stands.amount_micros
                yield from differs(event.where, "the display before", body.before, before, dollars)
                yield from self.after(event, body, [], Meter(body.after))
            case _:
                yield from moved(event, [])
                if event.kind == "resume" and self.meter.facts.closed is None:
                    yield Finding(event.where, "a resume", "an open meter", "a closed one")

    # --- some kinds of events

    def _change(self, event: Event, body: ev.ParameterChanged) -> Iterator[Finding]:
        if body.key not in KEYS:
            yield Finding(event.where, "the parameter that changes", say(body.key), "one of " + ", ".join(KEYS))
            return
        text = dollars if body.key.endswith("_micros") else say
        before, applies = getattr(self.meter.facts.parameters, body.key), "next-win" if body.key in LATER else "now"
        yield from differs(event.where, f"{body.key} before", body.before, before, text)
        yield from differs(event.where, f"the time at which {body.key} changes", body.applies, applies)
        if body.key != "limit_micros":
            yield from moved(event, [])
            return
        display, overflow = yield from self.count(event, body)  # what is above the old limit belongs to the reserve
        yield from self.after(event, body, [overflow], display)
        shown = count_of(body).after.amount_micros
        if isinstance(body.after, int) and body.after < shown:
            expected = f"{dollars(shown)} or more: what was displayed"
            yield Finding(event.where, "a limit", dollars(body.after), expected)

    def _checkpoint(self, event: Event, body: ev.CheckpointWritten) -> Iterator[Finding]:
        if event.key is not None:
            display, overflow = yield from self.count(event, body)
            yield from self.after(event, body, [overflow], display)
            return
        count = count_of(body)  # a checkpoint that follows another event counts nothing
        yield from differs(event.where, "the cut of a checkpoint that follows", count.cut, {})
        yield from differs(event.where, "the sum that tables have moved", count.flowed, self.meter.flowed)
        yield from self.after(event, body, [], self.meter.stands)

    def _checkpoint_state(self, event: Event, body: ev.CheckpointWritten) -> Iterator[Finding]:
        after = copy(self.meter)
        after.take(event)
        yield from differs(event.where, "the number of the checkpoint", body.checkpoint, after.checkpoints)
        for key in ev.Facts.__struct_fields__:
            yield from differs(event.where, f"state: {key}", getattr(body.state, key), getattr(after.facts, key))

    def _vote(self, event: Event, body: ev.WinVoted) -> Iterator[Finding]:
        """Judge a vote. Enough approvals pay the win from what is pending; enough refusals give it back."""
        case, outcome = self.meter.facts.cases.get(body.win), body.outcome
        decides = body.win if outcome != "waiting" else None
        yield from differs(event.where, "the win that this vote decides", event.number, decides)
        if case is None or case.outcome != "waiting":
            if outcome != "waiting":
                yield Finding(event.where, f"win {body.win}", "a win that was decided", "one that waits")
            yield from moved(event, [])
            return
        win, pending = case.win, self.account("pending")
        if outcome != "returned":
            yield from moved(event, [(pending, win.account, win.micros)] if outcome == "paid" else [])
            return
        display, overflow = yield from self.count(event, body)
        house = win.from_house_micros
        back = [(pending, self.account("meter"), win.micros - house), (pending, "house", house)]
        expected = display.plus(Meter(self._shown_again(case, display)))
        yield from self.after(event, body, [overflow, *back], expected)

    def _shown_again(self, case: ev.Case, display: Meter) -> int:
        """Return by how much a returned win raises the display: a bonus jackpot's not above its limit."""
        if case.seq < self.meter.facts.reset:  # the display was set since
            return 0
        limit = self.meter.facts.parameters.limit_micros
        if not self.is_bonus or limit is None:
            return case.win.display_micros
        return min(case.win.display_micros, max(0, limit - display.amount_micros))

    def _make_good(self, event: Event, body: ev.ShortfallMadeGood) -> Iterator[Finding]:
        """Judge a make-good: the house puts back what a round had fed and another table has won since."""
        yield from hits.cause_of(self, event, body, "settle", "void")
        display, overflow = yield from self.count(event, body)
        fed = self.moved_by(self.books.last(f"table/{body.table}", "lock", body.seq)).amount_micros
        missing = max(0, fed - display.amount_micros)
        if not missing:
            read = f"a meter with {dollars(display.amount_micros)}"
            yield Finding(event.where, "a make-good", read, f"less than {dollars(fed)}")
        given = (self.account("advances"), self.account("meter"), missing)
        yield from self.after(event, body, [overflow, given], display.plus(Meter(missing)))

    # --- all streams together

    def agree(
        self, balances: Mapping[str, int], movers: Mapping[str, Iterable[str]], links: Links
    ) -> Iterator[Finding]:
        """Compare the balances of its accounts, the streams that moved them, and its links with all streams.

        `movers` are the streams that moved each account, `links` those of the tables' configurations, in their order.
        """
        stands, state = self.meter.stands, self.meter.state
        cases, tables = (state.cases, state.tables) if state is not None else ({}, ())
        for table, inflow in self.task.inflows.items():
            stands = stands.plus(inflow.total.sums.minus(self.counted.get(table, NOTHING)))
        pending = sum(case.win.micros for case in cases.values() if case.outcome == "waiting")
        expected = {"pending": pending}
        if not self.is_bonus:
            expected |= {"meter": stands.amount_micros, "reserve": stands.reserve_micros}
        for account, micros in ((self.account(kind), micros) for kind, micros in expected.items()):
            yield from differs(account, "its balance", balances.get(account, 0), micros, dollars)
        own = {self.task.stream, *(f"table/{table}" for table in tables)}
        for account in map(self.account, ("meter", "reserve", "advances", "pending")):
            for stream in movers.get(account, ()):
                if stream not in own:
                    yield Finding(account, "moved by another stream", stream, "its own stream and linked tables")
        configured = links.get(self.task.name, {})
        for table in sorted({*self.links, *configured}):
            what = f"its links to table {table}"
            yield from differs(self.task.stream, what, self.links.get(table, []), configured.get(table, []))


def check_flows(moment: Moment, flows: Mapping[tuple[str, str], Flow]) -> Iterator[Finding]:
    """Compare the rows of `flows`, by meter and stream, with the sum that tables have moved."""
    rows = {key: Flow(seq, Meter(*sums)) for key, (seq, *sums) in moment.flows.items()}
    for meter, table in sorted({*flows, *rows}):
        key = meter, table
        yield from differs(f"flow of {table} into {meter}", "its row", rows.get(key), flows.get(key))
