"""What a meter does with a command, and what a table's round does to a meter.

Whatever moves money in or out of a meter, beside contributions, happens under the lock of its stream and writes down
what the meter held, what it holds now, and up to where the tables were counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.errors import HouseError, NotPermitted
from highcardflush.house import commands as c
from highcardflush.house.desk import Desk
from highcardflush.house.entry import Entry, Head, Transfer
from highcardflush.house.meter import (
    Case,
    MeterState,
    Parameters,
    Reading,
    Win,
    after,
    count,
    find_case,
    find_correction,
    ledger,
    overflow,
    per_dollar,
)
from highcardflush.house.posting import HOUSE, Accounts
from highcardflush.house.work import Work, lock_row
from highcardflush.jackpot import Meter, Move
from highcardflush.money import MICROS_PER_CENT, WHOLE_BP, say_micros
from highcardflush.rulebook.model import MAX_SEATS, Plan, Rulebook

NOTHING = Meter(0)
CHECKPOINT_EVENTS = 2_500
"""So many events of linked tables after the last count of a meter, and the next round to open writes a new one."""
WAITS = ("rate_bp", "reserve_rate_bp", "hits")
"""Parameters that change with the next 100 % win: what players have fed was fed under the old ones."""


# --- commands to the meter -----------------------------------------------------------------------


def create(work: Work, name: str, command: c.CreateMeter) -> Entry:
    """A new meter, with its seed from the house."""
    reseed = command.reseed_micros
    if reseed is None:
        reseed = 0 if command.bonus else command.seed_micros
    parameters = Parameters(
        paytable=command.paytable,
        base_cents=command.base_cents,
        level=command.level,
        bonus=command.bonus,
        seed_micros=command.seed_micros,
        reseed_micros=reseed,
        rate_bp=command.rate_bp,
        reserve_rate_bp=command.reserve_rate_bp,
        limit_micros=command.limit_micros,
        hits=command.hits or ("each" if command.bonus else "share"),
        second_above_micros=command.second_above_micros,
    )
    _check_parameters(parameters)
    stream, seed = f"meter/{name}", command.seed_micros
    lock_row(work.tx, stream)
    transfers = (Transfer(f"advances/{name}", stream, seed),) if seed and not command.bonus else ()
    body = {"parameters": parameters, "amount_micros": seed, "reserve_micros": 0, "cut": {}}
    return work.append(Head(), stream, "create", body, transfers=transfers)


def _check_parameters(parameters: Parameters, rate_bp: int = 0) -> None:
    """Refuse parameters that make no sense together. `rate_bp` is a rate that still feeds the meter."""
    if "/" not in parameters.paytable:
        raise HouseError("paytable", read=repr(parameters.paytable), expected="RULEBOOK/ID")
    if parameters.bonus and (parameters.rate_bp or parameters.reserve_rate_bp):
        raise HouseError(
            "rate", read="a rate of a bonus jackpot", expected="none: its display does not grow with wagers"
        )
    if parameters.rate_bp + parameters.reserve_rate_bp > WHOLE_BP:
        raise HouseError("rates", read="more than the bet", expected="at most 100 % together")
    if parameters.bonus and parameters.hits == "in-turn":
        raise HouseError("hits", read="in-turn", expected="each or share: a bonus jackpot is not reseeded in a round")
    if parameters.reseed_micros <= 0 and not parameters.bonus:
        raise HouseError("reseed", read=say_micros(parameters.reseed_micros), expected="an amount above zero")
    if parameters.bonus:
        _whole_cents(parameters.seed_micros, parameters.reseed_micros)
    else:
        per_dollar(parameters.reseed_micros, parameters.base_cents)
    limit = parameters.limit_micros
    if limit is not None:
        # One round's contributions must fit, else a hit could not be told from what feeds it.
        feed = MAX_SEATS * parameters.base_cents * max(rate_bp, parameters.rate_bp)
        least = max(parameters.seed_micros, parameters.reseed_micros, feed)
        if limit < least:
            raise HouseError("limit", read=say_micros(limit), expected=f"{say_micros(least)} or more: seed and reseed")


def _whole_cents(*displays: int) -> None:
    for micros in displays:
        if micros % MICROS_PER_CENT:
            raise HouseError("display", read=say_micros(micros), expected="whole cents")


def handle(work: Work, state: MeterState, command: Any) -> Entry:
    """The event that a command makes of a meter whose stream is locked."""
    if type(command) not in _HANDLERS:
        raise HouseError(f"meter/{state.name}", read=type(command).__name__, expected="a command for a meter")
    return _HANDLERS[type(command)](work, state, command)


def _append(work: Work, state: MeterState, kind: str, body: Any, transfers: Sequence[Transfer] = ()) -> Entry:
    return work.append(state.head, f"meter/{state.name}", kind, body, transfers=transfers)


def _change(work: Work, state: MeterState, command: c.ChangeMeter) -> Entry:
    before = getattr(state.parameters, command.key)
    value = command.value
    if command.key == "hits":
        if value not in ("share", "each", "in-turn"):
            raise HouseError("hits", read=repr(value), expected="share, each or in-turn")
    elif value is None and command.key != "limit_micros":
        raise HouseError(command.key, read="nothing", expected="a number")
    elif value is not None and (not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 10**15):
        raise HouseError(command.key, read=repr(value), expected="a whole number, not negative")
    _check_parameters(replace(state.parameters, **{**state.waiting, command.key: value}), state.parameters.rate_bp)
    reading = count(work.tx, state)
    if command.key == "limit_micros" and isinstance(value, int):
        display = reading.display.amount_micros
        if value < display:
            raise HouseError(
                "limit", read=say_micros(value), expected=f"{say_micros(display)} or more: what is displayed"
            )
    body = {
        "key": command.key,
        "before": before,
        "after": value,
        "reason": command.reason,
        "applies": "next-win" if command.key in WAITS else "now",
    }
    if command.key != "limit_micros":
        return _append(work, state, "change", body)
    # What was above the old limit belongs to the reserve, whatever the new one is.
    return _append(work, state, "change", {**body, **after(reading, NOTHING)}, overflow(state, reading))


def _pause(work: Work, state: MeterState, command: c.PauseMeter) -> Entry:
    if state.closed is not None:
        raise HouseError(f"meter {state.name}", read="closed already", expected="an open meter")
    return _append(work, state, "pause", {"reason": command.reason})


def _resume(work: Work, state: MeterState, command: c.ResumeMeter) -> Entry:
    if state.closed is None:
        raise HouseError(f"meter {state.name}", read="an open meter", expected="a closed one")
    wrong = disagreement(work, state)
    if wrong is not None:
        raise HouseError(f"meter {state.name}", read=wrong, expected="a meter that agrees with its ledger")
    return _append(work, state, "resume", {"reason": command.reason})


def _check(work: Work, state: MeterState, command: c.CheckMeter) -> Entry:
    """Count everything anew: agreement is a checkpoint, disagreement closes the meter."""
    wrong = disagreement(work, state)
    if wrong is not None:
        return _append(work, state, "fail", {"reason": f"its check failed: {wrong}"})
    return _checkpoint(work, state, command)


def disagreement(work: Work, state: MeterState) -> str | None:
    """How the meter differs from the whole of its ledger, in words."""
    if state.parameters.bonus:
        return None
    reading = count(work.tx, state)
    held, stands = reading.raw, ledger(work.tx, state, reading.cut)
    for what, counted, booked in (
        ("meter", held.amount_micros, stands.amount_micros),
        ("reserve", held.reserve_micros, stands.reserve_micros),
    ):
        if counted != booked:
            return f"{what}/{state.name} counts {say_micros(counted)}, its ledger {say_micros(booked)}"
    return None


def _checkpoint(work: Work, state: MeterState, command: Any) -> Entry:
    reading = count(work.tx, state)
    return _append(work, state, "checkpoint", after(reading, NOTHING), overflow(state, reading))


def displayed(desk: Desk, name: str) -> tuple[MeterState, Reading]:
    """A meter as it is shown: its state and its count of one moment. Whoever finds much to count writes a new count."""
    state = desk.known_meter(name)
    reading = desk.count_meter(state)
    if reading.events > CHECKPOINT_EVENTS:
        return _recount(desk, state)
    desk.work.trust(f"meter/{name}", state.head)  # a hit that comes in between is half counted
    return state, reading


def _recount(desk: Desk, seen: MeterState) -> tuple[MeterState, Reading]:
    """A new count under the lock, unless another was faster."""
    work, name = desk.work, seen.name
    work.lock([f"meter/{name}"])
    state = desk.meter(name)
    reading = count(work.tx, state)
    if state.head != seen.head:
        return state, reading
    _append(work, state, "checkpoint", after(reading, NOTHING), overflow(state, reading))
    return state, reading


def _vote(work: Work, state: MeterState, command: c.Vote) -> Entry:
    """A supervisor's word: enough approvals pay the win, two refusals return it to the meter."""
    case = find_case(state, command.win)
    if case.outcome != "waiting":
        raise HouseError(f"win {command.win}", read=f"a vote on what is {case.outcome}", expected="a win that waits")
    if any(vote.actor == work.actor for vote in case.votes):
        raise NotPermitted("Vote", read=f"{work.actor} a second time", expected="another supervisor")
    if work.actor in _dealers(work, case):
        raise NotPermitted("Vote", read=f"{work.actor}, who dealt that round", expected="another supervisor")
    if not command.approve and not command.reason.strip():
        raise HouseError("reason", read="none", expected="why the win is refused")
    approvals = sum(vote.approve for vote in case.votes) + command.approve
    refusals = len(case.votes) + 1 - approvals
    outcome = "paid" if approvals >= case.approvals else "returned" if refusals >= 2 else "waiting"
    body: dict[str, Any] = {
        "win": command.win,
        "approve": command.approve,
        "reason": command.reason,
        "outcome": outcome,
    }
    pending, transfers = f"pending/{state.name}", []
    if outcome == "paid":
        transfers = [Transfer(pending, case.win.account, case.win.micros)]
    elif outcome == "returned":
        mine, theirs = case.win.micros - case.win.from_house_micros, case.win.from_house_micros
        reading = count(work.tx, state)
        body |= after(reading, Meter(_shown_again(state, case)))
        transfers = [*overflow(state, reading)]
        transfers += [Transfer(pending, f"meter/{state.name}", mine)] if mine else []
        transfers += [Transfer(pending, HOUSE, theirs)] if theirs else []
    return _append(work, state, "vote", body, transfers)


def _dealers(work: Work, case: Case) -> set[str]:
    """Who keyed in a hand of the round or settled it."""
    stream = f"table/{case.table}"
    opened = "SELECT MAX(seq) FROM events WHERE stream = ? AND kind = 'open' AND seq < ?"
    rows = work.tx.read(
        f"SELECT DISTINCT actor FROM events WHERE stream = ? AND seq > ({opened}) AND seq <= ?"
        " AND kind IN ('hand', 'take-back', 'settle')",
        stream, stream, case.settled, case.settled,
    )  # fmt: skip
    return {row[0] for row in rows}


def _shown_again(state: MeterState, case: Case) -> int:
    """By how much the display rises again for a win that is none: a bonus jackpot's not after a reset, nor too far."""
    fell = case.win.display_micros
    if not state.parameters.bonus:
        return fell
    limit = state.parameters.limit_micros
    room = fell if limit is None else max(0, limit - state.count.amount_micros)
    return 0 if state.reset > case.seq else min(fell, room)


def _propose(work: Work, state: MeterState, command: c.Propose) -> Entry:
    if not command.amount_micros and not command.reserve_micros:
        raise HouseError("correction", read="nothing to correct", expected="a change of the meter or its reserve")
    if state.parameters.bonus:
        raise HouseError("correction", read="a bonus jackpot", expected="SetDisplay: its display is no money")
    _corrected(state, count(work.tx, state), Meter(command.amount_micros, command.reserve_micros))
    body = {
        "correction": len(state.corrections) + 1,
        "amount_micros": command.amount_micros,
        "reserve_micros": command.reserve_micros,
        "reason": command.reason,
    }
    return _append(work, state, "propose", body)


def _corrected(state: MeterState, reading: Reading, change: Meter) -> None:
    """Refuse a correction that the meter, as it stands, cannot take."""
    stands = reading.display.plus(change)
    if stands.amount_micros < 0:
        raise HouseError("correction", read=say_micros(change.amount_micros), expected="a meter not below zero")
    limit = state.parameters.limit_micros
    if limit is not None and stands.amount_micros > limit:
        raise HouseError("correction", read=say_micros(stands.amount_micros), expected=f"at most {say_micros(limit)}")


def _decide(work: Work, state: MeterState, command: c.Decide) -> Entry:
    correction = find_correction(state, command.correction)
    if correction.outcome != "waiting":
        raise HouseError(f"correction {command.correction}", read=correction.outcome, expected="one that waits")
    if correction.actor == work.actor:
        raise NotPermitted("Decide", read=f"{work.actor}, who proposed it", expected="another supervisor")
    if not command.approve:
        if not command.reason.strip():
            raise HouseError("reason", read="none", expected="why the correction is rejected")
        body: dict[str, Any] = {"correction": command.correction, "reason": command.reason}
        return _append(work, state, "reject", body)
    reading = count(work.tx, state)
    change = Meter(correction.amount_micros, correction.reserve_micros)
    _corrected(state, reading, change)
    body = {"correction": command.correction, "before": reading.display, **after(reading, change)}
    transfers = [*overflow(state, reading)]
    for account, micros in (("meter", change.amount_micros), ("reserve", change.reserve_micros)):
        pair = (f"advances/{state.name}", f"{account}/{state.name}")
        if micros:
            source, target = pair if micros > 0 else pair[::-1]
            transfers.append(Transfer(source, target, abs(micros)))
    return _append(work, state, "approve", body, transfers)


def _set_display(work: Work, state: MeterState, command: c.SetDisplay) -> Entry:
    if not state.parameters.bonus:
        raise HouseError("display", read="a progressive meter", expected="a correction, under dual control")
    _whole_cents(command.amount_micros)
    limit = state.parameters.limit_micros
    if limit is not None and command.amount_micros > limit:
        raise HouseError("display", read=say_micros(command.amount_micros), expected=f"at most {say_micros(limit)}")
    body = {
        "before": state.count.amount_micros,
        "after": command.amount_micros,
        "reason": command.reason,
        "amount_micros": command.amount_micros,
        "reserve_micros": 0,
        "cut": {},
    }
    return _append(work, state, "display", body)


_HANDLERS: dict[type, Callable[[Work, MeterState, Any], Entry]] = {
    c.ChangeMeter: _change,
    c.PauseMeter: _pause,
    c.ResumeMeter: _resume,
    c.CheckMeter: _check,
    c.Checkpoint: _checkpoint,
    c.Vote: _vote,
    c.Propose: _propose,
    c.Decide: _decide,
    c.SetDisplay: _set_display,
}


# --- what a table does to it ---------------------------------------------------------------------


def check_fits(state: MeterState, plan: Plan, rulebook: Rulebook) -> None:
    """Refuse a meter that is made for another bet."""
    offer, table = rulebook.offer("progressive"), rulebook.paytable("progressive")
    assert offer is not None
    assert table is not None
    parameters = state.parameters
    for what, read, expected in (
        ("pay table", table.full_id, parameters.paytable),
        ("base bet", f"{int(offer.base)} cents", f"{parameters.base_cents} cents"),
        ("level", plan.name, parameters.level),
        ("mode", _mode(plan.bonus), _mode(parameters.bonus)),
    ):
        if read != expected:
            raise HouseError(f"meter {state.name}: {what}", read=read, expected=expected)


def _mode(bonus: bool) -> str:
    return "bonus jackpot" if bonus else "progressive"


def why_closed(state: MeterState) -> str | None:
    """Why the meter's side bet takes no wagers, in words for the table."""
    return f"meter {state.name} is closed: {state.closed}" if state.closed is not None else None


def why_empty(state: MeterState, reading: Reading) -> str | None:
    """Why a round with this display takes no wagers on it: a bonus jackpot that shows nothing has nothing to win."""
    if not state.parameters.bonus or reading.display.amount_micros >= MICROS_PER_CENT:
        return None
    return f"bonus jackpot {state.name} displays nothing until it is set anew"


def link(work: Work, state: MeterState, table: str) -> None:
    _append(work, state, "link", {"table": table})


def unlink(work: Work, state: MeterState, table: str) -> None:
    _append(work, state, "unlink", {"table": table})


class Held(Struct, frozen=True):
    """A meter that is locked and counted."""

    state: MeterState
    head: Head
    reading: Reading


def hold(work: Work, state: MeterState, contributed_micros: int, table: str, seq: int) -> Held:
    """Count a locked meter. If another table has won what this round fed, the house makes good what is missing
    for the event `seq` of this table."""
    reading = count(work.tx, state)
    missing = contributed_micros - reading.display.amount_micros
    if missing <= 0:
        return Held(state, state.head, reading)
    transfers = (*overflow(state, reading), Transfer(f"advances/{state.name}", f"meter/{state.name}", missing))
    body = {"table": table, "seq": seq, **after(reading, Meter(missing))}
    entry = _append(work, state, "make-good", body, transfers)
    made_good = replace(reading, display=reading.display.plus(Meter(missing)), overflow_micros=0)
    return Held(state, entry.head, made_good)


def record_hit(
    work: Work,
    held: Held,
    moves: Sequence[Move],
    stands: Meter,
    accounts: Accounts,
    *,
    table: str,
    settle: Entry,
    number: int,
) -> None:
    """What a round's hits saw and took, and up to where the tables were counted; the next meter starts here."""
    state, reading = held.state, held.reading
    whole = any(move.percent_bp == WHOLE_BP for move in moves)
    first = len(state.cases) + 1
    falls, stands = _fallen(state, reading, moves, stands)
    wins = [
        Win(
            win=first + i,
            seat=move.seat,
            account=accounts.seat(move.seat),
            percent_bp=move.percent_bp,
            micros=move.player_cents * MICROS_PER_CENT,
            from_house_micros=-move.house_micros,
            display_micros=falls[i],
            pending=move.percent_bp == WHOLE_BP and move.player_cents > 0,
        )
        for i, move in enumerate(move for move in moves if move.kind == "pay")
    ]
    stands, repaid = _repay(state, moves, stands)
    body = {
        "table": table,
        "seq": settle.seq,
        "round": number,
        "before": reading.display,
        "moves": moves,
        "wins": wins,
        "applied": state.waiting if whole else {},
        "amount_micros": stands.amount_micros,
        "reserve_micros": stands.reserve_micros,
        "cut": {**reading.cut, settle.stream: settle.seq},
    }
    work.append(held.head, f"meter/{state.name}", "hit", body, transfers=(*overflow(state, reading), *repaid))


def _fallen(state: MeterState, reading: Reading, moves: Sequence[Move], stands: Meter) -> tuple[list[int], Meter]:
    """By how much the display falls for each pay, and what stands after all of them.

    A round is paid on the bonus jackpot that it displayed. By now another table may have lowered it, or the operator
    may have set it: what is paid lowers what stands now, unless it returns to its amount.
    """
    if not state.parameters.bonus:
        return [-move.meter_micros for move in moves if move.kind == "pay"], stands
    pays, now, falls = [move for move in moves if move.kind == "pay"], reading.display.amount_micros, []
    if len(pays) < len(moves):
        return [0] * len(pays), Meter(moves[-1].after_micros)
    for move in pays:
        falls.append(min(now, move.player_cents * MICROS_PER_CENT))
        now -= falls[-1]
    return falls, Meter(now)


def _repay(state: MeterState, moves: Sequence[Move], stands: Meter) -> tuple[Meter, tuple[Transfer, ...]]:
    """A meter that takes no reserve contributions may still have a reserve: what came above its limit.

    It is players' money and funds the next seed: it repays what the house has given for it, and is fed above that.
    """
    given = -sum(move.house_micros for move in moves if move.kind == "reseed")
    if not given or stands.reserve_micros <= 0:
        return stands, ()
    back = min(given, stands.reserve_micros)
    more = stands.reserve_micros - back
    transfers = [Transfer(f"reserve/{state.name}", f"advances/{state.name}", back)]
    transfers += [Transfer(f"reserve/{state.name}", f"meter/{state.name}", more)] if more else []
    return Meter(stands.amount_micros + more, 0), tuple(transfers)
