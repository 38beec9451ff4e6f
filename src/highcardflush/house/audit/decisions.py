"""Decisions on wins and corrections of a meter.

A pending win is paid once, after enough approvals by different people, and returned after two refusals. Nobody who
dealt the round votes, but the server may approve where the meter allows it. One person proposes a correction and
another decides it.
"""

from __future__ import annotations

from collections.abc import Iterator

from highcardflush.house import events as ev
from highcardflush.house.audit.books import Event, body_of
from highcardflush.house.audit.findings import Finding, differs, reasoned
from highcardflush.house.audit.follower import Follower

REFUSALS = 2
"""Refusals that return a win."""
Decision = ev.WinVoted | ev.CorrectionProposed | ev.CorrectionApproved | ev.CorrectionRejected


class Decisions(Follower):
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
                yield from self._decide(event, body.correction)
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
        elif event.actor in self._dealers(case):
            yield Finding(event.where, f"a vote on {win}", f"{event.actor}, who dealt that round", "another supervisor")
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

    def _dealers(self, case: ev.Case) -> set[str]:
        """Return everybody who keyed in a hand of the round, took one back or settled it."""
        stream = f"table/{case.table}"
        rows = self.books.rows(
            "SELECT DISTINCT actor FROM events WHERE stream = ? AND seq <= ?"
            " AND kind IN ('hand', 'take-back', 'settle')"
            " AND seq > (SELECT MAX(seq) FROM events WHERE stream = ? AND kind = 'open' AND seq < ?)",
            stream, case.settled, stream, case.settled,
        )  # fmt: skip
        return {actor for (actor,) in rows}

    def _decide(self, event: Event, number: int) -> Iterator[Finding]:
        facts, what = self.meter.facts, f"{event.kind} of correction {number}"
        correction = facts.corrections.get(number)
        if correction is None:
            read = "decided already" if 0 < number <= facts.proposed else "never proposed"
            yield Finding(event.where, what, read, "a correction that waits")
        elif correction.actor == event.actor:
            yield Finding(event.where, what, f"by {event.actor}, who proposed it", "another")
