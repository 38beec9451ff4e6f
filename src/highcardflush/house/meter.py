"""A meter: what its stream says it is, and what it holds.

What it holds is the newest count written in its stream plus the transfers of the linked tables after that count's
*cut*. Contributions are rows of the tables and wait for nobody; whoever must know exactly (a hit, a correction) locks
the meter's stream, counts, and writes what it saw with the new cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.errors import HouseError, NotFound
from highcardflush.house import wire
from highcardflush.house.commands import Level
from highcardflush.house.entry import Entry, Head, Transfer
from highcardflush.house.store import Transaction, of_meters
from highcardflush.jackpot import Meter
from highcardflush.money import MICROS_PER_CENT, format_micros, format_rate
from highcardflush.rulebook.model import HitPolicy, Plan

LAST_HITS = 25


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


class Reading(Struct, frozen=True):
    """What a meter holds: display and reserve, what of the count is above the limit, and what was counted."""

    display: Meter
    overflow_micros: int
    cut: dict[str, int]
    """Where each linked table's stream ended."""
    events: int
    """How many events of tables came since the count that the meter's stream has."""

    @property
    def raw(self) -> Meter:
        return Meter(
            self.display.amount_micros + self.overflow_micros, self.display.reserve_micros - self.overflow_micros
        )


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


def fold(state: MeterState | None, entry: Entry) -> MeterState:
    """The meter after one more event."""
    if state is None:
        created = wire.decode(entry.body, _Create)
        state = MeterState(entry.stream.partition("/")[2], entry.head, created.parameters, Meter(0), {})
    if entry.kind != "propose":  # its amounts are a change, not a count
        counted = wire.decode(entry.body, Counted)
        if counted.amount_micros is not None:
            state = replace(state, count=Meter(counted.amount_micros, counted.reserve_micros), cut=counted.cut)
    return replace(_fold_kind(state, entry), head=entry.head)


def _fold_kind(state: MeterState, entry: Entry) -> MeterState:
    match entry.kind:
        case "link":
            table = wire.decode(entry.body, _Link).table
            return replace(state, tables=tuple(dict.fromkeys((*state.tables, table))), linked=(*state.linked, table))
        case "unlink":
            table = wire.decode(entry.body, _Link).table
            return replace(state, linked=tuple(name for name in state.linked if name != table))
        case "change":
            change = wire.decode(entry.body, _Change)
            if change.applies == "next-win":
                return replace(state, waiting={**state.waiting, change.key: change.after})
            return replace(state, parameters=replace(state.parameters, **{change.key: change.after}))
        case "pause" | "fail":
            return replace(state, closed=wire.decode(entry.body, _Reason).reason, failed=entry.kind == "fail")
        case "resume":
            return replace(state, closed=None, failed=False)
        case "hit":
            return _fold_hit(state, entry)
        case "display":
            return replace(state, reset=entry.seq, parameters=_displaying(state))
        case "vote":
            vote = wire.decode(entry.body, _Vote)
            case = state.cases[vote.win]
            verdict = Verdict(entry.actor, vote.approve, vote.reason)
            case = replace(case, votes=(*case.votes, verdict), outcome=vote.outcome)
            return replace(state, cases={**state.cases, vote.win: case})
        case "propose":
            body = wire.decode(entry.body, _Correction)
            made = Correction(body.correction, body.amount_micros, body.reserve_micros, body.reason, entry.actor)
            return replace(state, corrections={**state.corrections, made.number: made})
        case "approve" | "reject":
            number = wire.decode(entry.body, _Correction).correction
            outcome = "approved" if entry.kind == "approve" else "rejected"
            done = replace(state.corrections[number], outcome=outcome)
            return replace(state, corrections={**state.corrections, number: done})
        case _:
            return state


def _displaying(state: MeterState) -> Parameters:
    """The parameters once the display was set: where it returns after a win, it returns to what was set last."""
    parameters, amount = state.parameters, state.count.amount_micros
    returns = bool(parameters.reseed_micros and amount)
    return replace(parameters, reseed_micros=amount) if returns else parameters


def _fold_hit(state: MeterState, entry: Entry) -> MeterState:
    hit = wire.decode(entry.body, _Hit)
    above = state.parameters.second_above_micros
    cases = {
        win.win: Case(
            win=win,
            table=hit.table,
            round=hit.round,
            seq=entry.seq,
            settled=hit.seq,
            at=entry.at,
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


# --- counting ------------------------------------------------------------------------------------


def count(tx: Transaction, state: MeterState, known: Reading | None = None) -> Reading:
    """What the meter holds now. Exact under the lock of its stream; without it, as of this moment.

    `known` is an earlier count of the same state: it goes on from there.
    """
    counted, cut = (known.raw, known.cut) if known is not None else (state.count, state.cut)
    amount, reserve, events = counted.amount_micros, counted.reserve_micros, known.events if known is not None else 0
    if state.tables and not state.parameters.bonus:
        found = _since(tx, state, cut)
        amount += sum(row.meter for row in found)
        reserve += sum(row.reserve for row in found)
        events += sum(row.end - cut.get(row.stream, 0) for row in found)
        cut = {**cut, **{row.stream: row.end for row in found}}
    limit = state.parameters.limit_micros
    overflow = max(0, amount - limit) if limit is not None and not state.parameters.bonus else 0
    return Reading(Meter(amount - overflow, reserve + overflow), overflow, cut, events)


class _Flow(NamedTuple):
    """What a table has moved since a cut, and where its stream ends now."""

    stream: str
    end: int
    meter: int
    reserve: int


def _since(tx: Transaction, state: MeterState, cut: dict[str, int]) -> list[_Flow]:
    """What each linked table has moved after a cut: in one statement, and so in one snapshot.

    Sub-selects, for a join PostgreSQL may do from the other side: it then reads all that a meter has ever taken.
    """
    values = ", ".join("(CAST(? AS TEXT), CAST(? AS BIGINT))" for _ in state.tables)
    cuts = [part for table in state.tables for part in (f"table/{table}", cut.get(f"table/{table}", 0))]
    sums = [
        f"(SELECT CAST(COALESCE(SUM(micros), 0) AS BIGINT) FROM transfers t WHERE {column} = ? AND {of_meters(column)}"
        " AND t.stream = c.stream AND t.seq > c.seq)"
        for column in ("target", "source", "target", "source")
    ]
    accounts = [f"{side}/{state.name}" for side in ("meter", "meter", "reserve", "reserve")]
    rows = tx.read(
        f"WITH c(stream, seq) AS (VALUES {values})"
        f" SELECT stream, (SELECT MAX(seq) FROM events e WHERE e.stream = c.stream), {', '.join(sums)} FROM c",
        *cuts, *accounts,
    )  # fmt: skip
    return [_Flow(row[0], int(row[1]), int(row[2]) - int(row[3]), int(row[4]) - int(row[5])) for row in rows]


def ledger(tx: Transaction, state: MeterState, cut: dict[str, int]) -> Meter:
    """What the meter holds by all of its transfers, those of linked tables up to a cut: nothing that commits now."""
    ends = {f"meter/{state.name}": state.head.seq, **{f"table/{table}": 0 for table in state.tables}, **cut}
    values = ", ".join("(CAST(? AS TEXT), CAST(? AS BIGINT))" for _ in ends)
    sums = []
    for account in (f"meter/{state.name}", f"reserve/{state.name}"):
        total = 0
        for column, sign in (("target", 1), ("source", -1)):
            sql = (
                f"WITH cut(stream, seq) AS (VALUES {values}) SELECT CAST(COALESCE(SUM(t.micros), 0) AS BIGINT)"
                " FROM transfers t LEFT JOIN cut c ON c.stream = t.stream"
                f" WHERE t.{column} = ? AND {of_meters(f't.{column}')} AND (c.seq IS NULL OR t.seq <= c.seq)"
            )
            total += sign * int(tx.read(sql, *(part for end in ends.items() for part in end), account)[0][0])
        sums.append(total)
    return Meter(*sums)


def after(reading: Reading, change: Meter, cut: dict[str, int] | None = None) -> dict[str, object]:
    """What a body says that stands after it, the overflow having been moved."""
    stands = reading.display.plus(change)
    return {
        "amount_micros": stands.amount_micros,
        "reserve_micros": stands.reserve_micros,
        "cut": {**reading.cut, **(cut or {})},
    }


def overflow(state: MeterState, reading: Reading) -> tuple[Transfer, ...]:
    if not reading.overflow_micros:
        return ()
    return (Transfer(f"meter/{state.name}", f"reserve/{state.name}", reading.overflow_micros),)


# --- what a table needs of it --------------------------------------------------------------------


def settings(state: MeterState, plan: Plan) -> dict[str, str]:
    """What this meter lays over the settings of a table whose plan says otherwise."""
    parameters, prefix = state.parameters, "" if plan.name == "progressive" else f"{plan.name}-"
    found: dict[str, str] = {}
    if plan.hits != parameters.hits:
        found["hits"] = parameters.hits
    if plan.reseed_micros != parameters.reseed_micros:
        found |= _bonus_settings(parameters) if parameters.bonus else _reseed_setting(parameters)
    if not parameters.bonus and plan.rate_bp != parameters.rate_bp:
        found["rate"] = format_rate(parameters.rate_bp)
    if not parameters.bonus and plan.reserve_rate_bp != parameters.reserve_rate_bp:
        found["reserve-rate"] = format_rate(parameters.reserve_rate_bp)
    return {prefix + key: value for key, value in found.items()}


def _reseed_setting(parameters: Parameters) -> dict[str, str]:
    return {"reseed": format_micros(per_dollar(parameters.reseed_micros, parameters.base_cents))}


def _bonus_settings(parameters: Parameters) -> dict[str, str]:
    """What a bonus jackpot's display returns to, if it does."""
    if not parameters.reseed_micros:
        return {"display-returns": "off"}
    return {"display-returns": "on", "seed": format_micros(parameters.reseed_micros)}


def per_dollar(micros: int, base_cents: int) -> int:
    """An amount of the display as the setting has it, for a $1 bet; whole cents."""
    cents, rest = divmod(micros * 100, base_cents * MICROS_PER_CENT)
    if rest:
        raise HouseError(
            "amount",
            read=f"${format_micros(micros)} at a base bet of {base_cents} cents",
            expected="whole cents for a $1 bet",
        )
    return cents * MICROS_PER_CENT


def find_case(state: MeterState, win: int) -> Case:
    if win not in state.cases:
        raise NotFound("win", read=str(win), expected=_numbers(state.cases, "no win yet"))
    return state.cases[win]


def find_correction(state: MeterState, number: int) -> Correction:
    if number not in state.corrections:
        raise NotFound("correction", read=str(number), expected=_numbers(state.corrections, "no correction yet"))
    return state.corrections[number]


def _numbers(known: Sequence[int] | dict[int, object] | dict[int, Case] | dict[int, Correction], none: str) -> str:
    return f"1 to {max(known)}" if known else none
