"""Checks meters: repeats their counts (`flows.py`), and compares every event of a meter with them.

The count of a hit gives the exact amounts before it, from which the pays follow (`hits.py`). A checkpoint must have the
state that results from all earlier events. Decisions on wins and corrections need enough different people.
"""

from collections.abc import Iterator, Mapping
from copy import copy
from itertools import product
from typing import assert_never, cast

from highcardflush.house import events as ev
from highcardflush.house.audit import hits
from highcardflush.house.audit.books import Books, Event, Moment, body_of
from highcardflush.house.audit.findings import Finding, differs, dollars, guarded, reasoned, say
from highcardflush.house.audit.flows import Counting, count_of, flowed
from highcardflush.house.audit.folds import KEYS, LATER
from highcardflush.house.audit.follower import Flow, Follower, Part
from highcardflush.house.audit.postings import check_moves
from highcardflush.jackpot import Meter

MOST_EVENTS = 500
"""Maximum number of events between two checkpoints."""
ACCOUNTS = ("meter", "reserve", "advances", "pending")
REFUSALS = 2
"""Number of refusals after which a win is returned."""
Decision = ev.WinVoted | ev.CorrectionProposed | ev.CorrectionApproved | ev.CorrectionRejected


class Meters(Follower):
    check = "meters"

    def begin(self) -> None:
        self.counts = Counting(self.stream)

    def follow(self, event: Event) -> Iterator[Finding]:
        if event.seq > self.task.judged:
            if isinstance(event.body, ev.MeterCreated) != (event.seq == 1):
                expected = "`create` as event 1 and nowhere else"
                yield Finding(event.where, "the first event of a meter", event.kind, expected)
            since = event.seq - self.meter.checkpoint_seq
            if event.kind != "checkpoint" and since > MOST_EVENTS:
                expected = f"a checkpoint after {MOST_EVENTS} events"
                yield Finding(event.where, f"this {event.kind}", f"{since} events after the last checkpoint", expected)
            yield from guarded(event, self._judge(event))
        if isinstance(event.body, ev.CheckpointWritten):
            after = copy(self.meter)
            after.take(event)
            yield from differs(event.where, "the number of the checkpoint", event.body.checkpoint, after.checkpoints)
            for key in ev.Facts.__struct_fields__:
                read, expected = getattr(event.body.state, key), getattr(after.facts, key)
                yield from differs(event.where, f"the field {key} of the state", read, expected)

    def _judge(self, event: Event) -> Iterator[Finding]:
        match cast(ev.MeterEvent, event.body):
            case ev.MeterCreated() as body:
                seed = body.parameters.seed_micros
                yield from differs(event.where, "the cut of a new meter", body.cut, {})
                given_micros = 0 if body.parameters.bonus else seed
                moves = [(self.counts.account("advances"), self.counts.account("meter"), given_micros)]
                yield from self.counts.after(event, body, moves, Meter(seed))
            case ev.TableLinked(table=table) | ev.TableUnlinked(table=table):
                yield from check_moves(event, [])
                is_linked, unlinks = table in self.meter.facts.linked, isinstance(event.body, ev.TableUnlinked)
                what = f"whether table {table} was linked before this {event.kind}"
                yield from differs(event.where, what, is_linked, unlinks)
                self.part.links.setdefault(table, []).append(event.kind)
            case ev.ParameterChanged() as body:
                yield from self._change(event, body)
            case ev.CheckpointWritten() as body if event.key is not None:
                display, overflow = yield from self.counts.count(event, body)
                yield from self.counts.after(event, body, [overflow], display)
            case ev.CheckpointWritten() as body:  # Caused by another event, this checkpoint counts nothing.
                count, flowed = count_of(body), self.meter.flowed
                yield from differs(event.where, "the cut of a checkpoint without a key", count.cut, {})
                yield from differs(event.where, "the total that tables have moved", count.flowed, flowed)
                yield from self.counts.after(event, body, [], self.meter.balance)
            case ev.MeterHit() as body:
                yield from hits.judge(self.counts, event, body)
            case ev.WinVoted() as body:
                yield from self._vote(event, body)
            case ev.CorrectionApproved() as body:
                yield from self._correction(event, body)
            case ev.ShortfallMadeGood() as body:
                yield from self._shortfall(event, body)
            case ev.DisplaySet() as body:
                if not self.counts.is_bonus:
                    what = "the meter whose display is set"
                    yield Finding(event.where, what, "a progressive meter", "a bonus jackpot")
                before = self.meter.balance.amount_micros
                yield from differs(event.where, "the display before the change", body.before, before, dollars)
                yield from self.counts.after(event, body, [], Meter(body.after))
            case ev.MeterResumed():
                yield from check_moves(event, [])
                if self.meter.facts.closed is None:
                    yield Finding(event.where, "the meter before this resume", "an open meter", "a closed meter")
            case ev.MeterPaused() | ev.MeterFailed() | ev.CorrectionProposed() | ev.CorrectionRejected():
                yield from check_moves(event, [])
            case other:
                assert_never(other)

    def _correction(self, event: Event, body: ev.CorrectionApproved) -> Iterator[Finding]:
        correction = self.meter.facts.corrections[body.correction]
        display, overflow = yield from self.counts.count(event, body)
        yield from differs(event.where, f"the meter before this {event.kind}", body.before, display)
        change, moves = Meter(correction.amount_micros, correction.reserve_micros), [overflow]
        for account, micros in (("meter", change.amount_micros), ("reserve", change.reserve_micros)):
            moves.append((self.counts.account("advances"), self.counts.account(account), micros))
        yield from self.counts.after(event, body, moves, display.plus(change))

    def _shortfall(self, event: Event, body: ev.ShortfallMadeGood) -> Iterator[Finding]:
        """Judge how the house replaces contributions that another table has won."""
        yield from hits.cause_of(self.counts, event, body, "settle", "void")
        display, overflow = yield from self.counts.count(event, body)
        fed = self.counts.moved_by(self.books.last(f"table/{body.table}", "lock", body.seq)).amount_micros
        missing = max(0, fed - display.amount_micros)
        if not missing:
            read = dollars(display.amount_micros)
            yield Finding(event.where, f"the meter before this {event.kind}", read, f"less than {dollars(fed)}")
        moves = [(self.counts.account("advances"), self.counts.account("meter"), missing)]
        yield from self.counts.after(event, body, [overflow, *moves], display.plus(Meter(missing)))

    def _change(self, event: Event, body: ev.ParameterChanged) -> Iterator[Finding]:
        if body.key not in KEYS:
            yield Finding(event.where, "the parameter that changes", say(body.key), "one of " + ", ".join(KEYS))
            return
        text = dollars if body.key.endswith("_micros") else say
        before, applies = getattr(self.meter.facts.parameters, body.key), "next-win" if body.key in LATER else "now"
        yield from differs(event.where, f"{body.key} before the change", body.before, before, text)
        yield from differs(event.where, f"the time at which {body.key} changes", body.applies, applies)
        if body.key != "limit_micros":
            yield from check_moves(event, [])
            return
        # Any amount above the old limit belongs to the reserve.
        display, overflow = yield from self.counts.count(event, body)
        yield from self.counts.after(event, body, [overflow], display)
        micros = count_of(body).after.amount_micros
        if isinstance(body.after, int) and body.after < micros:
            yield Finding(event.where, "the new limit", dollars(body.after), f"{dollars(micros)} (the display) or more")

    def _vote(self, event: Event, body: ev.WinVoted) -> Iterator[Finding]:
        """Judge a vote. After enough approvals, the pending amount is paid. After enough refusals, it is returned."""
        case, outcome = self.meter.facts.cases.get(body.win), body.outcome
        decides = body.win if outcome != "waiting" else None
        yield from differs(event.where, "the win that this vote decides", event.number, decides)
        if case is None or case.outcome != "waiting":
            if outcome != "waiting":
                yield Finding(event.where, f"win {body.win}", "a decided win", "a pending win")
            yield from check_moves(event, [])
            return
        win, pending = case.win, self.counts.account("pending")
        if outcome != "returned":
            yield from check_moves(event, [(pending, win.account, win.micros)] if outcome == "paid" else [])
            return
        display, overflow = yield from self.counts.count(event, body)
        house, limit = win.from_house_micros, self.meter.facts.parameters.limit_micros
        back = [(pending, self.counts.account("meter"), win.micros - house), (pending, "house", house)]
        # If the display has been set since the hit, the return of the win does not raise it.
        rise = win.display_micros if case.seq >= self.meter.facts.reset else 0
        if self.counts.is_bonus and limit is not None:
            rise = min(rise, max(0, limit - display.amount_micros))
        yield from self.counts.after(event, body, [overflow, *back], display.plus(Meter(rise)))


def check_meter(
    books: Books, moment: Moment, meter: Part, balances: Mapping[str, int], parts: Mapping[str, Part]
) -> Iterator[Finding]:
    """Compare a meter's balances, the streams that moved them, and its links with the data of all streams."""
    name, state, balance = meter.stream.removeprefix("meter/"), meter.meter.state, meter.meter.balance
    cases, tables, cut = (state.cases, state.tables, state.cut) if state is not None else ({}, (), {})
    for table in (stream for stream, part in parts.items() if name in part.flows):
        balance = balance.plus(flowed(books, name, table, cut.get(table, 0), moment.end(table)))
    expected = {"pending": sum(case.win.micros for case in cases.values() if case.outcome == "waiting")}
    if state is None or not state.parameters.bonus:
        expected |= {"meter": balance.amount_micros, "reserve": balance.reserve_micros}
    for kind, micros in expected.items():
        yield from differs(f"{kind}/{name}", "its balance", balances.get(f"{kind}/{name}", 0), micros, dollars)
    own = {meter.stream, *(f"table/{table}" for table in tables)}
    for kind, stream in product(ACCOUNTS, sorted(parts.keys() - own)):
        if f"{kind}/{name}" in parts[stream].balances:
            expected_stream = "its own stream or a linked table"
            yield Finding(f"{kind}/{name}", "the stream that moved it", stream, expected_stream)
    linking = [part for stream, part in parts.items() if stream.startswith("table/") and name in part.links]
    configured = {part.stream.removeprefix("table/"): part.links[name] for part in linking}
    for table in sorted({*meter.links, *configured}):
        read, links = meter.links.get(table, []), configured.get(table, [])
        yield from differs(meter.stream, f"its links to table {table}", read, links)


def check_flows(moment: Moment, flows: Mapping[tuple[str, str], Flow]) -> Iterator[Finding]:
    """Compare each row of `flows`, keyed by meter and stream, with the sum that the stream has moved into the meter."""
    rows = {key: Flow(seq, Meter(*sums)) for key, (seq, *sums) in moment.flows.items()}
    for meter, table in sorted({*flows, *rows}):
        read, expected = (each.get((meter, table)) for each in (rows, flows))
        yield from differs(f"flow of {table} into {meter}", "its row", read, expected)


class Decisions(Follower):
    """Judges decisions on wins and corrections. A pending win is paid once, after enough approvals, or returned after
    two refusals. People who dealt the round may not vote. A server may approve a win if the meter allows it. One
    supervisor proposes a correction, and another decides on it."""

    check = "approvals"

    def follow(self, event: Event) -> Iterator[Finding]:
        body = cast(ev.MeterEvent, event.body)
        self.covered["decisions"] += isinstance(body, Decision)
        match body:
            case ev.MeterHit():
                for number, win in enumerate(body.wins, self.meter.facts.won + 1):
                    yield from differs(event.where, "the number of the win", win.win, number)
            case ev.WinVoted():
                yield from self._vote(event, body)
            case ev.CorrectionProposed():
                yield from reasoned(event, body.reason)
                number = self.meter.facts.proposed + 1
                yield from differs(event.where, "the number of the correction", body.correction, number)
            case ev.CorrectionApproved() | ev.CorrectionRejected():
                if isinstance(body, ev.CorrectionRejected):
                    yield from reasoned(event, body.reason)
                number, what = body.correction, f"the decision on correction {body.correction}"
                correction = self.meter.facts.corrections.get(number)
                if correction is None:
                    read = "a decided correction" if 0 < number <= self.meter.facts.proposed else "no such correction"
                    yield Finding(event.where, what, read, "a pending correction")
                elif correction.actor == event.actor:
                    yield Finding(
                        event.where,
                        f"the actor who decided correction {number}",
                        f"{event.actor}, who proposed it",
                        "somebody else",
                    )
            case ev.ParameterChanged() | ev.MeterPaused() | ev.MeterResumed() | ev.DisplaySet():
                yield from reasoned(event, body.reason)
            case (
                ev.MeterCreated() | ev.TableLinked() | ev.TableUnlinked() | ev.CheckpointWritten()
                | ev.ShortfallMadeGood() | ev.MeterFailed()
            ):  # fmt: skip
                pass  # They decide nothing.
            case other:
                assert_never(other)

    def _vote(self, event: Event, body: ev.WinVoted) -> Iterator[Finding]:
        case, win = self.meter.facts.cases.get(body.win), f"win {body.win}"
        if case is None or case.outcome != "waiting":
            read = "no pending win of this meter" if case is None else f"a win that is {case.outcome}"
            yield Finding(event.where, f"a vote on {win}", read, "a pending win")
            return
        if event.actor in {vote.actor for vote in case.votes}:
            read = f"a second vote by {event.actor}"
            yield Finding(event.where, f"a vote on {win}", read, "a vote by another supervisor")
        if event.role == "server":
            yield from self._server_vote(case, event, body)
        else:
            stream, kinds = f"table/{case.table}", "kind IN ('hand', 'take-back', 'settle')"
            opening = self.books.last(stream, "open", case.settled)
            sql = f"SELECT 1 FROM events WHERE stream = ? AND seq > ? AND seq <= ? AND actor = ? AND {kinds}"
            if self.books.rows(sql, stream, opening.seq, case.settled, event.actor):
                read = f"a vote by {event.actor}, who dealt the round"
                yield Finding(event.where, f"a vote on {win}", read, "a vote by another supervisor")
        if not body.approve:
            yield from reasoned(event, body.reason)
        votes = [*((vote.actor, vote.approve) for vote in case.votes), (event.actor, body.approve)]
        approved, refused = ({actor for actor, approve in votes if approve is each} for each in (True, False))
        enough = len(approved) >= case.approvals
        outcome = "paid" if enough else "returned" if len(refused) >= REFUSALS else "waiting"
        yield from differs(event.where, f"the outcome of {win}", body.outcome, outcome)

    def _server_vote(self, case: ev.Case, event: Event, body: ev.WinVoted) -> Iterator[Finding]:
        """Require that a server approves before any refusal or other server's vote. `rounds` proves the win."""
        people = self.house.office.people
        servers = [vote.actor for vote in case.votes if people[vote.actor].role == "server"]
        refusals = [vote.actor for vote in case.votes if not vote.approve]
        opening = self.books.last(f"table/{case.table}", "open", case.settled)
        objections = {
            "a meter that does not let servers approve": not self.meter.facts.parameters.server_approves,
            "cards that were dealt by hand": body_of(opening, ev.RoundOpened).commitment is None,
            "a refusal": not body.approve,
            f"a vote after the vote of {''.join(servers[:1])}": servers,
            f"a vote after the refusal by {''.join(refusals[:1])}": refusals,
        }
        for read in (read for read, applies in objections.items() if applies):
            what = f"the vote of {event.actor}, a server, on win {body.win}"
            yield Finding(event.where, what, read, "the vote of a supervisor")
