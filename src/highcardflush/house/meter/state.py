"""A meter as its stream tells it: parameters, links, wins and corrections, and its newest count (see `count.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.errors import NotFound
from highcardflush.house import codec
from highcardflush.house.books.event import Event, Head
from highcardflush.house.commands import Level
from highcardflush.jackpot import Meter
from highcardflush.rulebook.model import HitPolicy

LAST_HITS = 25
T = TypeVar("T")


class Parameters(Struct, frozen=True):
    """What governs a meter.

    `reseed` of a bonus jackpot is what its display returns to with the next round; 0: it waits to be set anew.
    """

    paytable: str
    base_cents: int
    level: Level
    bonus: bool
    seed_micros: int
    reseed_micros: int
    rate_bp: int
    reserve_rate_bp: int
    limit_micros: int | None
    hits: HitPolicy
    second_above_micros: int


class Win(Struct, frozen=True):
    """One pay from a meter. `account` is who gets it."""

    win: int
    seat: int
    account: str
    percent_bp: int
    micros: int
    from_house_micros: int
    display_micros: int
    """By how much the display fell for it."""
    pending: bool


class Verdict(Struct, frozen=True):
    """One supervisor's word on a win."""

    actor: str
    approve: bool
    reason: str


class Case(Struct, frozen=True):
    """A win, where it was won, and what was said about it."""

    win: Win
    table: str
    round: int
    seq: int
    """The `hit` in the meter's stream."""
    settled: int
    """The `settle` in the table's stream."""
    at: int
    approvals: int
    """How many supervisors it takes, by the rule that was in force when it was won."""
    votes: tuple[Verdict, ...] = ()
    outcome: str = "waiting"
    """`waiting`, `paid` or `returned`; what is not pending is paid at once."""


class Correction(Struct, frozen=True):
    number: int
    amount_micros: int
    reserve_micros: int
    reason: str
    actor: str
    outcome: str = "waiting"


class MeterState(Struct, frozen=True):
    """A meter as its stream tells it. `count` and `cut` are of the newest event that has them."""

    name: str
    head: Head
    parameters: Parameters
    count: Meter
    cut: dict[str, int]
    tables: tuple[str, ...] = ()
    """Every table that was ever linked: a void after it was unlinked still counts."""
    linked: tuple[str, ...] = ()
    waiting: dict[str, int | str | None] = {}
    """Parameters that change with the next 100 % win."""
    closed: str | None = None
    """Why its side bet takes no wagers."""
    failed: bool = False
    cases: dict[int, Case] = {}
    corrections: dict[int, Correction] = {}
    hits: int = 0
    reset: int = 0
    """The newest `display`, by which the operator of a bonus jackpot set what it shows."""

    @property
    def stream(self) -> str:
        return f"meter/{self.name}"


# --- bodies --------------------------------------------------------------------------------------


class Counted(Struct, frozen=True):
    """The part of a body that says what stands after it."""

    amount_micros: int | None = None
    reserve_micros: int = 0
    cut: dict[str, int] = {}


class _Create(Struct, frozen=True):
    parameters: Parameters


class _Change(Struct, frozen=True):
    key: str
    after: int | str | None
    applies: str


class _Link(Struct, frozen=True):
    table: str


class _Hit(Struct, frozen=True):
    table: str
    round: int
    seq: int
    wins: tuple[Win, ...]
    applied: dict[str, int | str | None]


class _Vote(Struct, frozen=True):
    win: int
    approve: bool
    reason: str
    outcome: str


class _Correction(Struct, frozen=True):
    correction: int
    amount_micros: int = 0
    reserve_micros: int = 0
    reason: str = ""


class _Reason(Struct, frozen=True):
    reason: str


# --- reading the stream --------------------------------------------------------------------------


def apply(state: MeterState | None, event: Event) -> MeterState:
    """The meter after one more event."""
    if state is None:
        created = codec.decode(event.body, _Create)
        state = MeterState(event.stream.partition("/")[2], event.head, created.parameters, Meter(0), {})
    if event.kind != "propose":  # its amounts are a change, not a count
        counted = codec.decode(event.body, Counted)
        if counted.amount_micros is not None:
            state = replace(state, count=Meter(counted.amount_micros, counted.reserve_micros), cut=counted.cut)
    return replace(_apply_kind(state, event), head=event.head)


def _apply_kind(state: MeterState, event: Event) -> MeterState:
    match event.kind:
        case "link":
            table = codec.decode(event.body, _Link).table
            return replace(state, tables=tuple(dict.fromkeys((*state.tables, table))), linked=(*state.linked, table))
        case "unlink":
            table = codec.decode(event.body, _Link).table
            return replace(state, linked=tuple(name for name in state.linked if name != table))
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
            vote = codec.decode(event.body, _Vote)
            case = state.cases[vote.win]
            verdict = Verdict(event.actor, vote.approve, vote.reason)
            case = replace(case, votes=(*case.votes, verdict), outcome=vote.outcome)
            return replace(state, cases={**state.cases, vote.win: case})
        case "propose":
            body = codec.decode(event.body, _Correction)
            made = Correction(body.correction, body.amount_micros, body.reserve_micros, body.reason, event.actor)
            return replace(state, corrections={**state.corrections, made.number: made})
        case "approve" | "reject":
            number = codec.decode(event.body, _Correction).correction
            outcome = "approved" if event.kind == "approve" else "rejected"
            done = replace(state.corrections[number], outcome=outcome)
            return replace(state, corrections={**state.corrections, number: done})
        case _:
            return state


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
    return replace(
        state,
        cases={**state.cases, **cases},
        hits=state.hits + 1,
        parameters=replace(state.parameters, **hit.applied),
        waiting={key: value for key, value in state.waiting.items() if key not in hit.applied},
    )


def find(what: str, known: Mapping[int, T], number: int) -> T:
    if number not in known:
        expected = f"1 to {max(known)}" if known else f"no {what} yet"
        raise NotFound(what, read=str(number), expected=expected)
    return known[number]
