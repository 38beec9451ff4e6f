"""The handlers for meter commands.

Apart from contributions, money moves into or out of a meter only while its stream is locked. The event that moves it
records the resulting amounts, and the number of each table's last counted event.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from msgspec.structs import asdict, astuple, replace

from highcardflush.errors import NotPermitted, TooMany, TooMuch
from highcardflush.house import cage, proofs
from highcardflush.house import commands as c
from highcardflush.house import events as ev
from highcardflush.house.books.event import HOUSE, Event, Head, Transfer
from highcardflush.house.books.postings import to_transfers
from highcardflush.house.books.reader import who_dealt
from highcardflush.house.books.writer import Writer
from highcardflush.house.events import Case, Parameters
from highcardflush.house.meter.count import Appended, Reading, advanced, append, append_checkpoint, append_count, count
from highcardflush.house.meter.linked import per_dollar
from highcardflush.house.meter.state import MeterState, find
from highcardflush.house.permissions import find_person
from highcardflush.jackpot import Meter
from highcardflush.money import MICROS_PER_CENT, MOST_MICROS, WHOLE_BP, say_micros
from highcardflush.rulebook.document import MAX_SEATS
from highcardflush.words import refuse

WAITS = ("rate_bp", "reserve_rate_bp", "hits")
"""Parameters that change only at the next 100 % win, because players have fed the meter under the old values."""
CORRECTIONS = 100
"""Maximum number of corrections that may await a decision."""


def create(writer: Writer, name: str, command: c.CreateMeter) -> Event:
    reseed = command.reseed_micros
    if reseed is None:
        reseed = 0 if command.bonus else command.seed_micros
    hits = command.hits or ("each" if command.bonus else "share")
    parameters = Parameters(**{**asdict(command), "reseed_micros": reseed, "hits": hits})
    _check_parameters(parameters)
    stream, seed = f"meter/{name}", command.seed_micros
    writer.add_stream(stream)
    transfers = (Transfer(f"advances/{name}", stream, seed),) if seed and not command.bonus else ()
    count_ = ev.Count(Meter(seed), Meter(0), {}, advances_micros=advanced(name, transfers))
    return writer.append(Head(), stream, ev.MeterCreated(parameters).with_count(count_), transfers=transfers)


def _check_parameters(parameters: Parameters, rate_bp: int = 0) -> None:
    """Refuse parameters that contradict each other. `rate_bp` is the rate that feeds the meter until its next win."""
    if "/" not in parameters.paytable:
        raise refuse("meter-paytable")
    if parameters.bonus and (parameters.rate_bp or parameters.reserve_rate_bp):
        raise refuse("bonus-rate")
    if parameters.rate_bp + parameters.reserve_rate_bp > WHOLE_BP:
        raise refuse("rates-too-high")
    if parameters.bonus and parameters.hits == "in-turn":
        raise refuse("bonus-in-turn")
    if parameters.reseed_micros <= 0 and not parameters.bonus:
        raise refuse("no-reseed")
    if parameters.bonus:
        _whole_cents(parameters.seed_micros, parameters.reseed_micros)
    else:
        per_dollar(parameters.reseed_micros, parameters.base_cents)
    if (limit := parameters.limit_micros) is not None:
        # The contributions of one round must fit below the limit. Otherwise a hit could not be distinguished from them.
        feed = MAX_SEATS * parameters.base_cents * max(rate_bp, parameters.rate_bp)
        least = max(parameters.seed_micros, parameters.reseed_micros, feed)
        if limit < least:
            raise refuse("limit-too-low", limit=say_micros(limit), least=say_micros(least))


def _whole_cents(*displays: int) -> None:
    for micros in displays:
        if micros % MICROS_PER_CENT:
            raise refuse("display-cents", amount=say_micros(micros))


def handle(writer: Writer, state: MeterState, command: Any) -> Event:
    """Append the event of a command, and return it. The meter's stream must be locked."""
    _, event = c.find_handler(_HANDLERS, command, state.stream)(writer, state, command)
    return event


def _change(writer: Writer, state: MeterState, command: c.ChangeMeter) -> Appended:
    key, value = command.key, command.value
    kind, values = _VALUES.get(key, (int, "a number"))
    if type(value) is not kind and (value is not None or key != "limit_micros"):
        raise refuse("meter-value", key=key, values=values)
    _check_parameters(replace(state.parameters, **{**state.waiting, key: value}), state.parameters.rate_bp)
    before = getattr(state.parameters, key)
    body = ev.ParameterChanged(key, before, value, command.reason, "next-win" if key in WAITS else "now")
    if key != "limit_micros":
        return append(writer, state, body)
    reading = count(writer.tx, state)
    display = reading.display.amount_micros
    if isinstance(value, int) and value < display:
        raise refuse("limit-below-display", limit=say_micros(value), display=say_micros(display))
    # Any amount above the old limit belongs to the reserve, whatever the new limit is.
    return append_count(writer, state, reading, body)


_VALUES: dict[str, tuple[type, str]] = {
    "hits": (str, "share, each or in-turn"),
    "server_approves": (bool, "true or false"),
}


def _pause(writer: Writer, state: MeterState, command: c.PauseMeter) -> Appended:
    if state.closed is not None:
        raise refuse("meter-closed", meter=state.name)
    return append(writer, state, ev.MeterPaused(command.reason))


def _resume(writer: Writer, state: MeterState, command: c.ResumeMeter) -> Appended:
    if state.closed is None:
        raise refuse("meter-open", meter=state.name)
    if (difference := _disagreement(writer, state)) is not None:
        raise refuse("meter-differs", meter=state.name, difference=difference)
    return append(writer, state, ev.MeterResumed(command.reason))


def _check(writer: Writer, state: MeterState, command: c.CheckMeter) -> Appended:
    """Append a checkpoint if the newest count agrees with the transfers. Otherwise close the meter."""
    if (difference := _disagreement(writer, state)) is not None:
        return append(writer, state, ev.MeterFailed(f"its check failed: {difference}"))
    return append_checkpoint(writer, state)


def _disagreement(writer: Writer, state: MeterState) -> str | None:
    reading, transferred = count(writer.tx, state), Counter[str]()
    sql = "SELECT source, target, micros FROM transfers WHERE stream = ? AND seq > ? AND seq <= ?"
    for stream, end in reading.cut.items():
        for source, target, micros in writer.tx.read(sql, stream, state.cut.get(stream, 0), end):
            transferred[source] -= micros
            transferred[target] += micros
    for side, flow_micros in zip(("meter", "reserve"), astuple(reading.flowed.minus(state.flowed)), strict=True):
        booked = transferred[f"{side}/{state.name}"]
        if flow_micros != booked:
            flow_text = f"tables have moved {say_micros(flow_micros)} into {side}/{state.name} since its last count"
            return f"{flow_text}, but their transfers add up to {say_micros(booked)}"
    return None


def _vote(writer: Writer, state: MeterState, command: c.Vote) -> Appended:
    """Count a vote on a win. Enough approvals pay the win, and two refusals return it to the meter."""
    case = find("win", state.cases, command.win, state.won)
    if case.outcome != "waiting":
        raise refuse("already-decided", what="win", number=command.win)
    if any(vote.actor == writer.actor for vote in case.votes):
        raise refuse("voted", NotPermitted)
    if writer.role == "server":
        _require_server_may(writer, state, case, command)
    elif writer.actor in who_dealt(writer.tx, f"table/{case.table}", case.round, case.settled):
        raise refuse("dealt-round", NotPermitted)
    if not command.approve and not command.reason.strip():
        raise refuse("no-reason")
    approvals = sum(vote.approve for vote in case.votes) + command.approve
    refusals = len(case.votes) + 1 - approvals
    outcome: ev.Outcome = "paid" if approvals >= case.approvals else "returned" if refusals >= 2 else "waiting"
    body = ev.WinVoted(command.win, command.approve, command.reason, outcome)
    pending, win = f"pending/{state.name}", case.win
    if outcome == "returned":
        reading = count(writer.tx, state)
        rise = win.display_micros
        if state.parameters.bonus:  # The display rises at most to its limit, and not if it was set since the hit.
            limit = state.parameters.limit_micros
            room = rise if limit is None else max(0, limit - state.count.amount_micros)
            rise = 0 if state.reset > case.seq else min(rise, room)
        after = reading.display.plus(Meter(rise))
        from_meter = win.micros - win.from_house_micros
        transfers = to_transfers([(pending, state.stream, from_meter), (pending, HOUSE, win.from_house_micros)])
        return append_count(writer, state, reading, body, after, transfers)
    if outcome == "paid":
        cage.require_room(writer, win.account, win.micros)
    paid = [Transfer(pending, win.account, win.micros)] if outcome == "paid" else []
    return append(writer, state, body, tuple(paid))


def _require_server_may(writer: Writer, state: MeterState, case: Case, command: c.Vote) -> None:
    """Require that the meter lets servers vote, that the vote approves a proven win, and that no server has voted on
    this win before. A server may vote even if it settled the round itself, because only the proof matters."""
    if not state.parameters.server_approves:
        raise refuse("no-server-votes", NotPermitted, meter=state.name)
    if not command.approve:
        raise refuse("server-refuses", NotPermitted)
    for vote in case.votes:
        if not vote.approve:
            raise refuse("server-after-refusal", NotPermitted, actor=vote.actor)
        if (person := find_person(writer.tx, vote.actor)) is not None and person.role == "server":
            raise refuse("second-server", NotPermitted, actor=vote.actor)
    proofs.require_win(writer.tx, case.table, case.round, case.win.seat, case.win.micros)


def _propose(writer: Writer, state: MeterState, command: c.Propose) -> Appended:
    if not command.amount_micros and not command.reserve_micros:
        raise refuse("empty-correction")
    if state.parameters.bonus:
        raise refuse("bonus-correction")
    if len(state.corrections) >= CORRECTIONS:
        raise refuse("too-many-corrections", TooMany, waiting=len(state.corrections))
    _corrected(state, count(writer.tx, state), Meter(command.amount_micros, command.reserve_micros))
    number = state.proposed + 1
    body = ev.CorrectionProposed(number, command.amount_micros, command.reserve_micros, command.reason)
    return append(writer, state, body)


def _corrected(state: MeterState, reading: Reading, change: Meter) -> Meter:
    """Return the meter after a correction; refuse a correction that the meter cannot accept now."""
    after = reading.display.plus(change)
    if after.amount_micros < 0:
        raise refuse("correction-below-zero", amount=say_micros(change.amount_micros))
    for micros, before in zip(astuple(after), astuple(reading.display), strict=True):
        if abs(micros) > max(MOST_MICROS, abs(before)):
            raise refuse("amount-too-large", TooMuch, amount=say_micros(micros), most=say_micros(MOST_MICROS))
    _require_below_limit(state, after.amount_micros)
    return after


def _require_below_limit(state: MeterState, micros: int) -> None:
    limit = state.parameters.limit_micros
    if limit is not None and micros > limit:
        raise refuse("above-limit", amount=say_micros(micros), meter=state.name, limit=say_micros(limit))


def _decide(writer: Writer, state: MeterState, command: c.Decide) -> Appended:
    correction = find("correction", state.corrections, command.correction, state.proposed)
    if correction.actor == writer.actor:
        raise refuse("own-proposal", NotPermitted, role="supervisor")
    if not command.approve:
        if not command.reason.strip():
            raise refuse("no-reason")
        return append(writer, state, ev.CorrectionRejected(command.correction, command.reason))
    reading = count(writer.tx, state)
    change = Meter(correction.amount_micros, correction.reserve_micros)
    after = _corrected(state, reading, change)
    body = ev.CorrectionApproved(command.correction, reading.display)
    advances, reserve = f"advances/{state.name}", f"reserve/{state.name}"
    moves = [(advances, state.stream, change.amount_micros), (advances, reserve, change.reserve_micros)]
    return append_count(writer, state, reading, body, after, to_transfers(moves))


def _set_display(writer: Writer, state: MeterState, command: c.SetDisplay) -> Appended:
    if not state.parameters.bonus:
        raise refuse("progressive-display")
    _whole_cents(command.amount_micros)
    _require_below_limit(state, command.amount_micros)
    body = ev.DisplaySet(state.count.amount_micros, command.amount_micros, command.reason)
    return append(writer, state, body.with_count(ev.Count(Meter(command.amount_micros), state.flowed, {})))


_HANDLERS: dict[type, Callable[[Writer, MeterState, Any], Appended]] = {
    c.ChangeMeter: _change,
    c.PauseMeter: _pause,
    c.ResumeMeter: _resume,
    c.CheckMeter: _check,
    c.Checkpoint: lambda writer, state, _: append_checkpoint(writer, state),
    c.Vote: _vote,
    c.Propose: _propose,
    c.Decide: _decide,
    c.SetDisplay: _set_display,
}
