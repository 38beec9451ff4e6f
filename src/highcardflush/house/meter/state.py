"""The state of a meter: parameters, links, wins and corrections, and its newest count (see `count.py`).

Apart from pending wins and corrections, the state has a bounded size. Therefore a `checkpoint` event can contain the
whole state, and reading a stream can begin at its newest checkpoint.
"""

from collections.abc import Mapping
from typing import TypeVar, assert_never, cast

from msgspec.structs import replace

from highcardflush.errors import NotFound
from highcardflush.house import events as ev
from highcardflush.house.books.event import Event, Head
from highcardflush.house.events import Body, Case, Correction, Facts, Sums, Verdict
from highcardflush.jackpot import Meter
from highcardflush.money import WHOLE_BP
from highcardflush.structs import fill
from highcardflush.words import refuse

LAST_HITS = 25
"""Number of recent hits whose wins all stay in the state, even after they have been decided."""
T = TypeVar("T")


class MeterState(Facts, frozen=True, kw_only=True):
    """State of a meter after the events of its stream. `count` and `flowed` come from its newest event with a count."""

    name: str
    head: Head
    count: Meter
    flowed: Meter = Meter(0)
    """Total that tables had moved into the meter and its reserve at the time of that count."""
    checkpoint: int = 0
    since: int = 0

    @property
    def stream(self) -> str:
        return f"meter/{self.name}"

    @property
    def facts(self) -> Facts:
        return fill(Facts, self)


def apply(state: MeterState | None, event: Event) -> MeterState:
    """Apply one event from the books. The first event must be the meter's creation or a checkpoint."""
    return apply_body(state, event, event.decode())


def apply_body(state: MeterState | None, event: Event, body: Body) -> MeterState:
    """Apply an event, and drop decided corrections and the decided wins of older hits."""
    state = follow(state, event, body)
    oldest = state.last_hits[0] if state.last_hits else 0
    cases = {n: case for n, case in state.cases.items() if case.outcome == "waiting" or case.seq >= oldest}
    corrections = {n: correction for n, correction in state.corrections.items() if correction.outcome == "waiting"}
    return replace(state, cases=cases, corrections=corrections)


def follow(state: MeterState | None, event: Event, body: Body) -> MeterState:
    """Apply one event and keep every win and correction, for readers of the whole stream."""
    begins_whole = state is None and isinstance(body, ev.CheckpointWritten)
    if state is None:
        assert isinstance(body, (ev.MeterCreated, ev.CheckpointWritten))
        facts = body.state if isinstance(body, ev.CheckpointWritten) else Facts(parameters=body.parameters)
        state = fill(MeterState, facts, name=event.stream.partition("/")[2], head=event.head, count=Meter(0))
    if isinstance(body, ev.Counted) and (count := body.count) is not None:
        state = replace(state, count=count.after, flowed=count.flowed, cut={**state.cut, **count.cut})
        if not begins_whole:  # The sums in a checkpoint already include its count.
            state = replace(state, sums=add_count(state.sums, count.overflow_micros, count.advances_micros))
    return replace(_apply_kind(state, event, cast(ev.MeterEvent, body)), head=event.head)


def _apply_kind(state: MeterState, event: Event, body: ev.MeterEvent) -> MeterState:
    match body:
        case ev.MeterCreated() | ev.ShortfallMadeGood():
            return state
        case ev.CheckpointWritten(checkpoint=number):
            return replace(state, checkpoint=number, since=event.seq)
        case ev.TableLinked(table=table):
            return replace(state, linked=(*state.linked, table), unlinked=_without(state.unlinked, table))
        case ev.TableUnlinked(table=table):
            return replace(state, linked=_without(state.linked, table), unlinked=(*state.unlinked, table))
        case ev.ParameterChanged(key=key, after=value, applies="next-win"):
            return replace(state, waiting={**state.waiting, key: value})
        case ev.ParameterChanged(key=key, after=value):
            return replace(state, parameters=replace(state.parameters, **{key: value}))
        case ev.MeterPaused(reason=reason) | ev.MeterFailed(reason=reason):
            return replace(state, closed=reason, failed=isinstance(body, ev.MeterFailed))
        case ev.MeterResumed():
            return replace(state, closed=None, failed=False)
        case ev.MeterHit() as hit:
            return _apply_hit(state, event, hit)
        case ev.DisplaySet():
            parameters, amount = state.parameters, state.count.amount_micros
            if parameters.reseed_micros and amount:  # Later resets use the newly set amount.
                parameters = replace(parameters, reseed_micros=amount)
            return replace(state, reset=event.seq, parameters=parameters)
        case ev.WinVoted() as vote:
            case = state.cases[vote.win]
            verdict = Verdict(event.actor, vote.approve, vote.reason)
            case = replace(case, votes=(*case.votes, verdict), outcome=vote.outcome)
            state, micros = replace(state, cases={**state.cases, vote.win: case}), case.win.micros
            if vote.outcome != "returned":
                return state
            return replace(state, wins=state.wins.minus(micros), returned=state.returned.plus(micros))
        case ev.CorrectionProposed(correction=number, amount_micros=amount, reserve_micros=reserve, reason=reason):
            proposal = Correction(number, amount, reserve, reason, event.actor)
            return replace(state, proposed=number, corrections={**state.corrections, number: proposal})
        case ev.CorrectionApproved(correction=number) | ev.CorrectionRejected(correction=number):
            outcome = "approved" if isinstance(body, ev.CorrectionApproved) else "rejected"
            decided = replace(state.corrections[number], outcome=outcome)
            return replace(state, corrections={**state.corrections, number: decided})
        case _:
            assert_never(body)


def _without(tables: tuple[str, ...], table: str) -> tuple[str, ...]:
    return tuple(name for name in tables if name != table)


def _apply_hit(state: MeterState, event: Event, hit: ev.MeterHit) -> MeterState:
    above = state.parameters.second_above_micros
    place = (hit.table, hit.round, event.seq, hit.seq, event.at)
    cases = {
        win.win: Case(win, *place, 2 if win.micros > above else 1, outcome="waiting" if win.pending else "paid")
        for win in hit.wins
    }
    pending = [win.micros for win in hit.wins if win.pending]
    whole = any(win.percent_bp == WHOLE_BP for win in hit.wins)
    sums = state.sums
    if not state.parameters.bonus:  # The display of a bonus jackpot is not money.
        won = sums.won
        for move in hit.moves:
            won = won.plus(Meter(move.meter_micros, move.reserve_micros))
        advance_micros = -sum(move.house_micros for move in hit.moves if move.kind == "reseed")
        sums = replace(sums, won=won, advances_micros=sums.advances_micros + advance_micros)
        sums = replace(sums, fed_at_win_micros=fed(sums, state.flowed).amount_micros) if whole else sums
    return replace(
        state,
        cases={**state.cases, **cases},
        wins=state.wins.plus(*pending),
        percentage_wins=state.percentage_wins.plus(*(win.micros for win in hit.wins if not win.pending)),
        hits=state.hits + 1,
        last_hits=(*state.last_hits, event.seq)[-LAST_HITS:],
        last_win=event.seq if whole else state.last_win,
        parameters=replace(state.parameters, **hit.applied),
        waiting={key: value for key, value in state.waiting.items() if key not in hit.applied},
        sums=sums,
    )


def find(what: str, cases: Mapping[int, T], number: int, newest: int) -> T:
    """Return a win or correction that is pending or was decided recently. `newest` is the highest number so far."""
    if number not in cases:
        if not newest:
            raise refuse("none-yet", NotFound, what=what)
        if 0 < number <= newest:
            raise refuse("already-decided", NotFound, what=what, number=number)
        raise refuse("no-number", NotFound, what=what, number=number, newest=newest)
    return cases[number]


def fed(sums: Sums, flowed: Meter) -> Meter:
    """Return the tables' contributions, which are all amounts that tables have moved except in hits."""
    return flowed.minus(sums.won)


def add_count(sums: Sums, overflow_micros: int, advances_micros: int) -> Sums:
    overflow, advances = sums.overflow_micros + overflow_micros, sums.advances_micros + advances_micros
    return replace(sums, overflow_micros=overflow, advances_micros=advances)
