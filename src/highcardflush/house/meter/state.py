"""A meter as its stream tells it: parameters, links, wins and corrections, and its newest count (see `count.py`).

All of it is bounded but for what waits: of what is decided the last hits stay, of what was before them the tallies.
So a `checkpoint` says the whole state, and who reads the stream begins at the newest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.errors import NotFound
from highcardflush.house import codec
from highcardflush.house.books.event import Event, Head
from highcardflush.house.events import Case, Correction, Facts, Parameters, Verdict, Win
from highcardflush.house.meter.sums import add_count, add_hit
from highcardflush.jackpot import Meter, Move
from highcardflush.money import WHOLE_BP
from highcardflush.words import refuse

LAST_HITS = 25
"""How many hits are kept with all their wins."""
T = TypeVar("T")


class MeterState(Facts, frozen=True, kw_only=True):
    """A meter as its stream tells it. `count` and `flowed` are of the newest event that has them."""

    name: str
    head: Head
    count: Meter
    flowed: Meter = Meter(0)
    """What tables had moved into it by then."""
    checkpoint: int = 0
    """The number of the newest checkpoint."""
    since: int = 0
    """Where in the stream it is."""

    @property
    def stream(self) -> str:
        return f"meter/{self.name}"

    @property
    def facts(self) -> Facts:
        return Facts(**{field: getattr(self, field) for field in Facts.__struct_fields__})


# --- bodies --------------------------------------------------------------------------------------


class Counted(Struct, frozen=True, gc=False):
    """The part of a body that says what stands after it."""

    amount_micros: int | None = None
    reserve_micros: int = 0
    flowed: Meter = Meter(0)
    cut: dict[str, int] = {}
    """Of tables that moved it since the count before."""
    overflow_micros: int = 0
    """What went to the reserve with it."""
    advances_micros: int = 0
    """What the house gave with it."""


class _Create(Struct, frozen=True, gc=False):
    parameters: Parameters


class _Checkpoint(Struct, frozen=True, gc=False):
    state: Facts


class _Change(Struct, frozen=True, gc=False):
    key: str
    after: int | str | bool | None
    applies: str


class _Link(Struct, frozen=True, gc=False):
    table: str


class _Hit(Struct, frozen=True, gc=False):
    table: str
    round: int
    seq: int
    moves: tuple[Move, ...]
    wins: tuple[Win, ...]
    applied: dict[str, int | str | None]


class _Vote(Struct, frozen=True, gc=False):
    win: int
    approve: bool
    reason: str
    outcome: str


class _Correction(Struct, frozen=True, gc=False):
    correction: int
    amount_micros: int = 0
    reserve_micros: int = 0
    reason: str = ""


class _Reason(Struct, frozen=True, gc=False):
    reason: str


# --- reading the stream --------------------------------------------------------------------------


def apply(state: MeterState | None, event: Event) -> MeterState:
    """The meter after one more event; the first is its creation or a checkpoint."""
    return _bounded(follow(state, event))


def follow(state: MeterState | None, event: Event) -> MeterState:
    """The same with every win and correction kept, for who reads the whole stream."""
    begins_whole = state is None and event.kind == "checkpoint"
    if state is None:
        state = _begin(event)
    if event.kind != "propose":  # its amounts are a change, not a count
        counted = codec.decode(event.body, Counted)
        if counted.amount_micros is not None:
            stands, cut = Meter(counted.amount_micros, counted.reserve_micros), {**state.cut, **counted.cut}
            state = replace(state, count=stands, flowed=counted.flowed, cut=cut)
            if not begins_whole:  # a checkpoint says its sums as of the moment after it
                sums = add_count(state.sums, counted.overflow_micros, counted.advances_micros)
                state = replace(state, sums=sums)
    return replace(_apply_kind(state, event), head=event.head)


def _begin(event: Event) -> MeterState:
    if event.kind == "checkpoint":
        facts = codec.decode(event.body, _Checkpoint).state
    else:
        facts = Facts(parameters=codec.decode(event.body, _Create).parameters)
    said = {field: getattr(facts, field) for field in Facts.__struct_fields__}
    return MeterState(name=event.stream.partition("/")[2], head=event.head, count=Meter(0), **said)


def _bounded(state: MeterState) -> MeterState:
    """Without what is decided and older than the last hits."""
    oldest = state.last_hits[0] if state.last_hits else 0
    cases = {n: case for n, case in state.cases.items() if case.outcome == "waiting" or case.seq >= oldest}
    corrections = {n: made for n, made in state.corrections.items() if made.outcome == "waiting"}
    return replace(state, cases=cases, corrections=corrections)


def _apply_kind(state: MeterState, event: Event) -> MeterState:
    match event.kind:
        case "checkpoint":
            assert event.number is not None
            return replace(state, checkpoint=event.number, since=event.seq)
        case "link":
            table = codec.decode(event.body, _Link).table
            return replace(state, linked=(*state.linked, table), unlinked=_without(state.unlinked, table))
        case "unlink":
            table = codec.decode(event.body, _Link).table
            return replace(state, linked=_without(state.linked, table), unlinked=(*state.unlinked, table))
        case "change":
            change = codec.decode(event.body, _Change)
            if change.applies == "next-win":
                return replace(state, waiting={**state.waiting, change.key: change.after})
            return replace(state, parameters=replace(state.parameters, **{change.key: change.after}))
        case "pause" | "fail":
            return replace(state, closed=codec.decode(event.body, _Reason).reason, failed=event.kind == "fail")
        case "resume":
            return replace(state, closed=None, failed=False)
        case "hit":
            return _apply_hit(state, event)
        case "display":
            return replace(state, reset=event.seq, parameters=_displaying(state))
        case "vote":
            return _apply_vote(state, event)
        case "propose":
            body = codec.decode(event.body, _Correction)
            made = Correction(body.correction, body.amount_micros, body.reserve_micros, body.reason, event.actor)
            return replace(state, proposed=made.number, corrections={**state.corrections, made.number: made})
        case "approve" | "reject":
            number = codec.decode(event.body, _Correction).correction
            outcome = "approved" if event.kind == "approve" else "rejected"
            done = replace(state.corrections[number], outcome=outcome)
            return replace(state, corrections={**state.corrections, number: done})
        case _:
            return state


def _without(tables: tuple[str, ...], table: str) -> tuple[str, ...]:
    return tuple(name for name in tables if name != table)


def _displaying(state: MeterState) -> Parameters:
    """The parameters once the display was set: where it returns after a win, it returns to what was set last."""
    parameters, amount = state.parameters, state.count.amount_micros
    returns = bool(parameters.reseed_micros and amount)
    return replace(parameters, reseed_micros=amount) if returns else parameters


def _apply_hit(state: MeterState, event: Event) -> MeterState:
    hit = codec.decode(event.body, _Hit)
    above = state.parameters.second_above_micros
    cases = {
        win.win: Case(
            win=win,
            table=hit.table,
            round=hit.round,
            seq=event.seq,
            settled=hit.seq,
            at=event.at,
            approvals=2 if win.micros > above else 1,
            outcome="waiting" if win.pending else "paid",
        )
        for win in hit.wins
    }
    pending = [win.micros for win in hit.wins if win.pending]
    whole = any(win.percent_bp == WHOLE_BP for win in hit.wins)
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
        # the display of a bonus jackpot is no money
        sums=state.sums if state.parameters.bonus else add_hit(state.sums, hit.moves, state.flowed),
    )


def _apply_vote(state: MeterState, event: Event) -> MeterState:
    vote = codec.decode(event.body, _Vote)
    case = state.cases[vote.win]
    verdict = Verdict(event.actor, vote.approve, vote.reason)
    case = replace(case, votes=(*case.votes, verdict), outcome=vote.outcome)
    state = replace(state, cases={**state.cases, vote.win: case})
    if vote.outcome != "returned":
        return state
    micros = case.win.micros
    return replace(state, wins=state.wins.minus(micros), returned=state.returned.plus(micros))


def find(what: str, known: Mapping[int, T], number: int, numbered: int) -> T:
    """What waits, or was decided of late; `numbered`: how many there ever were."""
    if number not in known:
        if not numbered:
            raise refuse("none-yet", NotFound, what=what)
        if 0 < number <= numbered:
            raise refuse("decided", NotFound, what=what, number=number)
        raise refuse("no-number", NotFound, what=what, number=number, newest=numbered)
    return known[number]
