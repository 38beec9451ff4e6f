"""Settlement: every wager of a round, in the rulebook's order, each with its reason.

First each seat's wagers are judged on its own cards and the dealer's; then the hands that hit a meter
are paid from it, then Envy, then the caps. All of it is told seat by seat in the rulebook's order.
"""

from __future__ import annotations

from collections.abc import Mapping

from highcardflush.errors import ActionError
from highcardflush.game import words
from highcardflush.game.caps import apply_caps
from highcardflush.game.decisions import playing_flush
from highcardflush.game.sidebets import (
    counted_straight_flush,
    fixed_pay,
    flush_line,
    straight_flush_line,
)
from highcardflush.game.state import Outcome, Result, Seat, Settlement, State
from highcardflush.jackpot import Hit, Meter, Move, contribution, pay_hits, plans
from highcardflush.money import WHOLE_BP, say_cents, say_micros
from highcardflush.ranking import dealer_qualifies, flush_rank, straight_flush
from highcardflush.rulebook.model import Line, PayTable, Rulebook

Lines = dict[int, Line | None]
"""The line of the progressive that each seat reaches, in settlement order."""
Moves = dict[str, tuple[Move, ...]]
"""The moves of each meter that was hit."""
MAIN_GAME = ("ante", "raise")


def settle(rulebook: Rulebook, state: State, meters: Mapping[str, Meter]) -> Settlement:
    """The settlement of a round whose decisions are made, with the meters as they stand."""
    order = rulebook.settlement.seats
    seats = sorted(state.seats, key=lambda seat: order.index(seat.number))
    lines = {seat.number: _progressive_line(rulebook, seat) for seat in seats}
    meters, moves = _pay_meters(rulebook, lines, returned_contributions(rulebook, state, meters))
    results: list[Result] = []
    for seat in seats:
        results += _seat_results(rulebook, state, seat, lines, moves)
    results = apply_caps(rulebook.settings, results)
    if rulebook.settlement.main_game_first:
        results.sort(key=lambda result: result.wager not in MAIN_GAME)
    return Settlement(tuple(results), dict(meters), moves)


def void_settlement(rulebook: Rulebook, state: State) -> Settlement:
    """The settlement of a void round: every stake goes back; contributions too, unless a meter never falls."""
    assert state.void is not None
    reason = words.say_reason(state.void.reason, state.void.text, rulebook.irregularities)
    order = rulebook.settlement.seats
    results = [
        _result(seat.number, wager, cents, "returned", 0, f"round void ({reason}), wager returned")
        for seat in sorted(state.seats, key=lambda seat: order.index(seat.number))
        for wager, cents in seat.stakes()
    ]
    stands = locked_meters(rulebook, state) if rulebook.meter_never_falls else state.meters
    return Settlement(tuple(results), dict(stands), {})


def contributions(rulebook: Rulebook, seat: Seat) -> dict[str, Meter]:
    """What a seat's progressive bet adds to each meter."""
    added = {name: contribution(plan, seat.wagers.progressive) for name, plan in plans(rulebook).items()}
    return {name: amount for name, amount in added.items() if amount != Meter(0)}


def contributed(rulebook: Rulebook, state: State) -> dict[str, Meter]:
    """What all seats' bets add to each meter when they lock."""
    total = {name: Meter(0) for name in plans(rulebook)}
    for seat in state.seats:
        for name, amount in contributions(rulebook, seat).items():
            total[name] = total[name].plus(amount)
    return total


def locked_meters(rulebook: Rulebook, state: State) -> dict[str, Meter]:
    """The meters as they stand in this round: with its contributions once the wagers are locked."""
    if state.phase == "betting":
        return dict(state.meters)
    added = contributed(rulebook, state)
    return {name: meter.plus(added[name]) for name, meter in state.meters.items()}


def returned_contributions(rulebook: Rulebook, state: State, meters: Mapping[str, Meter]) -> dict[str, Meter]:
    """The meters less the contributions of hands that were voided with their wagers returned."""
    left = dict(meters)
    for seat in state.seats:
        if reverses_contribution(rulebook, seat):
            for name, amount in contributions(rulebook, seat).items():
                left[name] = left[name].minus(amount)
    return left


def reverses_contribution(rulebook: Rulebook, seat: Seat) -> bool:
    returned = seat.void is not None and seat.void.disposition == "return"
    return returned and seat.wagers.progressive > 0 and not rulebook.meter_never_falls


def check_meters(rulebook: Rulebook, meters: Mapping[str, Meter], least: Mapping[str, int] | None = None) -> None:
    """Refuse meters that are not the table's, or that hold less than they must."""
    wanted = set(plans(rulebook))
    if set(meters) != wanted:
        read, expected = (", ".join(sorted(names)) or "no meter" for names in (meters, wanted))
        raise ActionError("meters", read=read, expected=expected)
    for name, meter in meters.items():
        lowest = (least or {}).get(name, 0)
        if meter.amount_micros < lowest:
            expected = f"{say_micros(lowest)} or more"
            raise ActionError(f"meter {name}", read=say_micros(meter.amount_micros), expected=expected)


def _result(
    seat: int,
    wager: str,
    stake: int,
    outcome: Outcome,
    full: int,
    reason: str,
    *,
    for_1: bool = False,
    meter: int = 0,
) -> Result:
    """A result that no cap has touched yet."""
    lost = outcome in ("lose", "forfeited") or (outcome == "win" and for_1)
    return Result(
        seat=seat,
        wager=wager,  # type: ignore[arg-type]
        stake_cents=stake,
        outcome=outcome,
        full_cents=full,
        paid_cents=full,
        meter_cents=meter,
        net_cents=full - stake if lost else full,
        reason=reason,
    )


def _seat_results(rulebook: Rulebook, state: State, seat: Seat, lines: Lines, moves: Moves) -> list[Result]:
    if seat.void is not None:
        outcome: Outcome = "returned" if seat.void.disposition == "return" else "forfeited"
        reason = words.say_void(seat.void, words.say_reason(seat.void.reason, seat.void.text, rulebook.irregularities))
        results = [_result(seat.number, wager, cents, outcome, 0, reason) for wager, cents in seat.stakes()]
    else:
        results = _main_results(state, seat)
        results += _flush_results(rulebook, seat)
        results += _straight_flush_results(rulebook, seat)
        results += _progressive_results(rulebook, state, seat, lines, moves)
        results += _envy_results(rulebook, seat, lines)
    order = rulebook.settlement.wagers
    return sorted(results, key=lambda result: order.index(result.wager))


def _main_results(state: State, seat: Seat) -> list[Result]:
    ante, decision = seat.wagers.ante, seat.decision
    if not ante:
        return []
    assert decision is not None
    assert state.dealer is not None
    if not decision.raise_cents:
        return [_result(seat.number, "ante", ante, "lose", 0, words.say_fold(seat.number))]
    flush, dealer = playing_flush(seat), flush_rank(state.dealer)
    qualifies = dealer_qualifies(dealer)
    reason = words.say_main(seat.number, flush, dealer, qualifies)
    if not qualifies:
        outcomes: tuple[Outcome, Outcome] = ("win", "push")
    else:
        outcomes = ("win", "win") if flush > dealer else ("lose", "lose") if flush < dealer else ("push", "push")
    return [
        _result(seat.number, wager, stake, outcome, stake if outcome == "win" else 0, reason)
        for wager, stake, outcome in zip(MAIN_GAME, (ante, decision.raise_cents), outcomes, strict=True)
    ]


def _bonus(seat: Seat, table: PayTable, stake: int, line: Line | None, reason: str) -> list[Result]:
    """The result of a bonus bet that pays odds."""
    if line is None:
        return [_result(seat.number, table.wager, stake, "lose", 0, reason)]
    assert isinstance(line.pay, int)
    return [_result(seat.number, table.wager, stake, "win", stake * line.pay, reason, for_1=table.pays == "for 1")]


def _flush_results(rulebook: Rulebook, seat: Seat) -> list[Result]:
    table, stake = rulebook.table("flush"), seat.wagers.flush
    if not stake or table is None:
        return []
    assert seat.hand is not None
    line = flush_line(table, seat.hand)
    return _bonus(seat, table, stake, line, words.say_flush_bonus(line, table, flush_rank(seat.hand).length))


def _straight_flush_results(rulebook: Rulebook, seat: Seat) -> list[Result]:
    table, stake = rulebook.table("straight-flush"), seat.wagers.straight_flush
    if not stake or table is None:
        return []
    assert seat.hand is not None
    counted = counted_straight_flush(rulebook, seat)
    line = straight_flush_line(table, counted)
    if counted is not None and line is not None:
        assert isinstance(line.pay, int)
        reason = words.say_fixed_pay(counted, line.pay, table)
    elif counted is None and rulebook.expose == "required":
        reason = "no straight flush was kept or laid face up"  # what lies face down is not told
    else:
        reason = words.say_no_pay(counted)
    return _bonus(seat, table, stake, line, reason)


def _progressive_line(rulebook: Rulebook, seat: Seat) -> Line | None:
    """The line of the progressive that a seat's hand reaches: none if void, not bet, or not entered."""
    table = rulebook.table("progressive")
    if table is None or seat.hand is None or not seat.wagers.progressive or seat.void is not None:
        return None
    return straight_flush_line(table, straight_flush(seat.hand))


def _pay_meters(rulebook: Rulebook, lines: Lines, meters: dict[str, Meter]) -> tuple[dict[str, Meter], Moves]:
    """Pay the percentage lines from their meters, in settlement order."""
    moves: Moves = {}
    for name, plan in plans(rulebook).items():
        hits = [
            Hit(number, line.percent_bp)
            for number, line in lines.items()
            if line is not None and line.percent_bp is not None and line.meter == name
        ]
        if hits:
            meters[name], moves[name] = pay_hits(plan, meters[name], hits)
    return meters, moves


def _progressive_results(rulebook: Rulebook, state: State, seat: Seat, lines: Lines, moves: Moves) -> list[Result]:
    table, stake = rulebook.table("progressive"), seat.wagers.progressive
    if not stake or table is None:
        return []
    number, line = seat.number, lines[seat.number]
    if seat.hand is None:
        return [_result(number, "progressive", stake, "lose", 0, "no winning hand was shown")]
    found = straight_flush(seat.hand)
    if found is None or line is None:
        return [_result(number, "progressive", stake, "lose", 0, words.say_no_pay(found))]
    if line.percent_bp is None:
        pay = fixed_pay(state, line)
        reason = words.say_fixed_pay(found, pay, table, stake)
        return [_result(number, "progressive", stake, "win", pay * stake, reason, for_1=True)]
    paid = next(move for move in moves[line.meter] if move.seat == number).player_cents
    winners = sum(1 for other in lines.values() if other and (other.percent_bp, other.meter) == (WHOLE_BP, line.meter))
    policy = plans(rulebook)[line.meter].hits
    notes = f" ({winners} winners: {policy})" if line.percent_bp == WHOLE_BP and winners > 1 else ""
    reason = words.say_meter_pay(found, line, paid, notes)
    return [_result(number, "progressive", stake, "win", paid, reason, for_1=True, meter=paid)]


def _envy_results(rulebook: Rulebook, seat: Seat, lines: Lines) -> list[Result]:
    """One Envy Pay for each other seat's qualifying hand, to a seat that made the bet."""
    if rulebook.settings.envy == "off" or not seat.wagers.progressive:
        return []
    causes = [
        (number, line.envy * seat.wagers.progressive)
        for number, line in sorted(lines.items())
        if number != seat.number and line is not None and line.envy
    ]
    if not causes:
        return []
    reason = ", ".join(f"Envy Pay of {say_cents(cents)} for seat {number}'s hand" for number, cents in causes)
    return [_result(seat.number, "envy", 0, "win", sum(cents for _, cents in causes), reason)]
