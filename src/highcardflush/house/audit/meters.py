"""The meters: every event of a meter is compared with the counts that are made again (`flows.py`).

What a hit saw is known exactly from its count, and from that what it had to pay (`hits.py`). A checkpoint must hold the
state that all events before it give. Decisions on wins and corrections take enough people, and nobody twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from itertools import product

from highcardflush.house import events as ev
from highcardflush.house.audit import hits
from highcardflush.house.audit.books import Books, Event, Moment, body_of
from highcardflush.house.audit.findings import Finding, differs, dollars, guarded, reasoned, say
from highcardflush.house.audit.flows import Counting, count_of, flowed
from highcardflush.house.audit.folds import KEYS, LATER
from highcardflush.house.audit.follower import Flow, Follower, Part
from highcardflush.house.audit.postings import moved
from highcardflush.jackpot import Meter

MOST_EVENTS = 500
"""The most events between two checkpoints."""
ACCOUNTS = ("meter", "reserve", "advances", "pending")
REFUSALS = 2
"""Refusals that return a win."""
Decision = ev.WinVoted | ev.CorrectionProposed | ev.CorrectionApproved | ev.CorrectionRejected


class Meters(Counting):
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
            after = copy(self.meter)
            after.take(event)
            yield from differs(event.where, "the number of the checkpoint", event.body.checkpoint, after.checkpoints)
            for key in ev.Facts.__struct_fields__:
                read, expected = getattr(event.body.state, key), getattr(after.facts, key)
                yield from differs(event.where, f"state: {key}", read, expected)

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
                self.part.links.setdefault(table, []).append(event.kind)
            case ev.ParameterChanged() as body:
                yield from self._change(event, body)
            case ev.CheckpointWritten() as body if event.key is not None:
                display, overflow = yield from self.count(event, body)
                yield from self.after(event, body, [overflow], display)
            case ev.CheckpointWritten() as body:  # it follows another event, and counts nothing
                count, flowed = count_of(body), self.meter.flowed
                yield from differs(event.where, "the cut of a checkpoint that follows", count.cut, {})
                yield from differs(event.where, "the sum that tables have moved", count.flowed, flowed)
                yield from self.after(event, body, [], self.meter.stands)
            case ev.MeterHit() as body:
                yield from hits.judge(self, event, body)
            case ev.WinVoted() as body:
                yield from self._vote(event, body)
            case ev.CorrectionApproved() as body:
                correction = self.meter.facts.corrections[body.correction]
                display, overflow = yield from self.count(event, body)
                yield from differs(event.where, f"the meter before this {event.kind}", body.before, display)
                change, moves = Meter(correction.amount_micros, correction.reserve_micros), [overflow]
                for account, micros in (("meter", change.amount_micros), ("reserve", change.reserve_micros)):
                    moves.append((self.account("advances"), self.account(account), micros))
                yield from self.after(event, body, moves, display.plus(change))
            case ev.ShortfallMadeGood() as body:  # the house puts back what a round had fed and another table has won
                yield from hits.cause_of(self, event, body, "settle", "void")
                display, overflow = yield from self.count(event, body)
                fed = self.moved_by(self.books.last(f"table/{body.table}", "lock", body.seq)).amount_micros
                missing = max(0, fed - display.amount_micros)
                if not missing:
                    read = f"a meter with {dollars(display.amount_micros)}"
                    yield Finding(event.where, "a make-good", read, f"less than {dollars(fed)}")
                given = [(self.account("advances"), self.account("meter"), missing)]
                yield from self.after(event, body, [overflow, *given], display.plus(Meter(missing)))
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
            yield Finding(event.where, "a limit", dollars(body.after), f"{dollars(shown)} or more: what was displayed")

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
        house, limit = win.from_house_micros, self.meter.facts.parameters.limit_micros
        back = [(pending, self.account("meter"), win.micros - house), (pending, "house", house)]
        rise = win.display_micros if case.seq >= self.meter.facts.reset else 0  # unless the display was set since
        if self.is_bonus and limit is not None:
            rise = min(rise, max(0, limit - display.amount_micros))
        yield from self.after(event, body, [overflow, *back], display.plus(Meter(rise)))


def check_meter(
    books: Books, moment: Moment, meter: Part, balances: Mapping[str, int], parts: Mapping[str, Part]
) -> Iterator[Finding]:
    """Compare the balances of its accounts, the streams that moved them, and its links with all streams."""
    name, state, stands = meter.stream.removeprefix("meter/"), meter.meter.state, meter.meter.stands
    cases, tables, cut = (state.cases, state.tables, state.cut) if state is not None else ({}, (), {})
    for table in (stream for stream, part in parts.items() if name in part.flows):
        stands = stands.plus(flowed(books, name, table, cut.get(table, 0), moment.end(table)))
    expected = {"pending": sum(case.win.micros for case in cases.values() if case.outcome == "waiting")}
    if state is None or not state.parameters.bonus:
        expected |= {"meter": stands.amount_micros, "reserve": stands.reserve_micros}
    for kind, micros in expected.items():
        yield from differs(f"{kind}/{name}", "its balance", balances.get(f"{kind}/{name}", 0), micros, dollars)
    own = {meter.stream, *(f"table/{table}" for table in tables)}
    for kind, stream in product(ACCOUNTS, sorted(parts.keys() - own)):
        if f"{kind}/{name}" in parts[stream].balances:
            yield Finding(f"{kind}/{name}", "moved by another stream", stream, "its own stream and linked tables")
    linking = [part for stream, part in parts.items() if stream.startswith("table/") and name in part.links]
    configured = {part.stream.removeprefix("table/"): part.links[name] for part in linking}
    for table in sorted({*meter.links, *configured}):
        read, links = meter.links.get(table, []), configured.get(table, [])
        yield from differs(meter.stream, f"its links to table {table}", read, links)


def check_flows(moment: Moment, flows: Mapping[tuple[str, str], Flow]) -> Iterator[Finding]:
    """Compare the rows of `flows`, by meter and stream, with the sum that tables have moved."""
    rows = {key: Flow(seq, Meter(*sums)) for key, (seq, *sums) in moment.flows.items()}
    for meter, table in sorted({*flows, *rows}):
        read, expected = (each.get((meter, table)) for each in (rows, flows))
        yield from differs(f"flow of {table} into {meter}", "its row", read, expected)


class Decisions(Follower):
    """Judges decisions. A pending win is paid once, after enough approvals, and returned after two refusals. Nobody who
    dealt the round votes, but the server may approve where the meter allows it. One proposes, another decides."""

    check = "approvals"

    def follow(self, event: Event) -> Iterator[Finding]:
        body = event.body
        self.covered["decisions"] += isinstance(body, Decision)
        match body:
            case ev.MeterHit():
                for number, win in enumerate(body.wins, self.meter.facts.won + 1):
                    yield from differs(event.where, "number of the win", win.win, number)
            case ev.WinVoted():
                yield from self._vote(event, body)
            case ev.CorrectionProposed():
                yield from reasoned(event, body.reason)
                number = self.meter.facts.proposed + 1
                yield from differs(event.where, "number of the correction", body.correction, number)
            case ev.CorrectionApproved() | ev.CorrectionRejected():
                if isinstance(body, ev.CorrectionRejected):
                    yield from reasoned(event, body.reason)
                number, what = body.correction, f"{event.kind} of correction {body.correction}"
                correction = self.meter.facts.corrections.get(number)
                if correction is None:
                    read = "decided already" if 0 < number <= self.meter.facts.proposed else "never proposed"
                    yield Finding(event.where, what, read, "a correction that waits")
                elif correction.actor == event.actor:
                    yield Finding(event.where, what, f"by {event.actor}, who proposed it", "another")
            case ev.ParameterChanged() | ev.MeterPaused() | ev.MeterResumed() | ev.DisplaySet():
                yield from reasoned(event, body.reason)

    def _vote(self, event: Event, body: ev.WinVoted) -> Iterator[Finding]:
        case, win = self.meter.facts.cases.get(body.win), f"win {body.win}"
        if case is None or case.outcome != "waiting":
            read = "no pending win of this meter" if case is None else f"a win that is {case.outcome}"
            yield Finding(event.where, f"a vote on {win}", read, "a win that waits")
            return
        if event.actor in {vote.actor for vote in case.votes}:
            yield Finding(event.where, f"a vote on {win}", f"a second one by {event.actor}", "another supervisor")
        if event.role == "server":
            yield from self._server_vote(case, event, body)
        else:
            stream, kinds = f"table/{case.table}", "kind IN ('hand', 'take-back', 'settle')"
            opening = self.books.last(stream, "open", case.settled)
            sql = f"SELECT 1 FROM events WHERE stream = ? AND seq > ? AND seq <= ? AND actor = ? AND {kinds}"
            if self.books.rows(sql, stream, opening.seq, case.settled, event.actor):
                read = f"{event.actor}, who dealt that round"
                yield Finding(event.where, f"a vote on {win}", read, "another supervisor")
        if not body.approve:
            yield from reasoned(event, body.reason)
        votes = [*((vote.actor, vote.approve) for vote in case.votes), (event.actor, body.approve)]
        approved, refused = ({actor for actor, approve in votes if approve is each} for each in (True, False))
        enough = len(approved) >= case.approvals
        outcome = "paid" if enough else "returned" if len(refused) >= REFUSALS else "waiting"
        yield from differs(event.where, f"the outcome of {win}", body.outcome, outcome)

    def _server_vote(self, case: ev.Case, event: Event, body: ev.WinVoted) -> Iterator[Finding]:
        """Judge the vote of a server: an approval with a proof (see `rounds`), before any refusal, and the only one."""
        people = self.house.office.people
        servers = [vote.actor for vote in case.votes if people[vote.actor].role == "server"]
        refusals = [vote.actor for vote in case.votes if not vote.approve]
        opening = self.books.last(f"table/{case.table}", "open", case.settled)
        objections = {
            "a meter that lets no server approve": not self.meter.facts.parameters.server_approves,
            "cards that were dealt by hand": body_of(opening, ev.RoundOpened).commitment is None,
            "a refusal": not body.approve,
            f"after that of {''.join(servers[:1])}": servers,
            f"after the refusal of {''.join(refusals[:1])}": refusals,
        }
        for read in (read for read, applies in objections.items() if applies):
            what = f"the vote of {event.actor}, a server, on win {body.win}"
            yield Finding(event.where, what, read, "a supervisor")
