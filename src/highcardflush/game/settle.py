"""Settlement: the result of every wager of a round, with its reason.

Meters first pay the hands that hit them. Then each seat's wagers are settled with its cards and the dealer's, side bets
in the order of `rulebook.wagers`. Envy Pays and caps come last. Results are listed by seat, in the rulebook's order.
"""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from highcardflush.game.caps import apply_caps
from highcardflush.game.decisions import playing_flush
from highcardflush.game.sidebets import EarlyWin, counts_all_seven, early_wins, fixed_pay, raised_with_wins, seat_match
from highcardflush.game.state import HandVoid, Outcome, Result, RoundVoid, Seat, Settlement, State
from highcardflush.jackpot import Hit, Meter, Move, contribution, pay_hits
from highcardflush.money import WHOLE_BP, say_micros
from highcardflush.ranking import MAIN_PAYS, flush_rank, showdown
from highcardflush.rulebook.document import PRINTED
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.paytable import Line, PayTable
from highcardflush.rulebook.wagers import ANTE, ENVY, MAIN_GAME, PROGRESSIVE, RAISE, SIDE_BETS, Match, SideBet
from highcardflush.words import Reason, refusal

Lines = dict[int, Line | None]
"""Progressive line that each seat's hand reaches, or `None`. The keys are the seats in settlement order."""
Moves = dict[str, tuple[Move, ...]]


def settle(rulebook: Rulebook, state: State, meters: Mapping[str, Meter]) -> Settlement:
    seats = _in_order(rulebook, state)
    lines = {seat.number: _progressive_line(rulebook, seat) for seat in seats}
    returned = contributed(rulebook, returned_seats(rulebook, state))
    remaining = {name: meter.minus(returned[name]) for name, meter in meters.items()}
    after, moves = _pay_meters(rulebook, lines, remaining)
    results: list[Result] = []
    for seat in seats:
        results += _seat_results(rulebook, state, seat, lines, moves)
    results = apply_caps(rulebook.settings, results)
    if rulebook.settlement.main_game_first:
        results.sort(key=lambda result: result.wager not in MAIN_GAME)
    return Settlement(tuple(results), after, moves)


def void_settlement(rulebook: Rulebook, state: State) -> Settlement:
    """Settle a void round. Return every stake, and reverse the contributions unless the meter never falls."""
    assert state.void is not None
    reason = Reason("round-void", {"words": void_words(rulebook, state.void)})
    results = [
        result
        for seat in _in_order(rulebook, state)
        for result in _taken_back(rulebook, state, seat, "returned", reason)
    ]
    stands = locked_meters(rulebook, state) if rulebook.meter_never_falls else dict(state.meters)
    return Settlement(tuple(results), stands, {})


def _taken_back(rulebook: Rulebook, state: State, seat: Seat, outcome: Outcome, reason: Reason) -> list[Result]:
    """Return or forfeit the wagers of a void hand.

    A win that funded its Raise is void too. A returned Raise is therefore only the part that the player put in, and a
    forfeited one still costs the player the whole of it.
    """
    early, funded_cents = early_wins(rulebook, state, seat), raised_with_wins(rulebook, seat)
    results = []
    for wager, cents in seat.stakes():
        funded = funded_cents if wager == RAISE.name else 0
        stake = cents - funded if outcome == "returned" else cents
        result = _result(seat.number, wager, stake, outcome, 0, reason, early=early.get(wager))
        results.append(replace(result, raised_cents=funded) if funded and outcome == "forfeited" else result)
    return results


def void_words(rulebook: Rulebook, void: HandVoid | RoundVoid) -> str:
    """Return the reason for which a hand or a round is void: the given text, or the rulebook's text for the code."""
    return void.text or rulebook.irregularities[void.reason].meaning


def _in_order(rulebook: Rulebook, state: State) -> list[Seat]:
    order = rulebook.settlement.seats
    return sorted(state.seats, key=lambda seat: order.index(seat.number))


def contributions(rulebook: Rulebook, seat: Seat) -> dict[str, Meter]:
    added = {name: contribution(plan, seat.stake(PROGRESSIVE)) for name, plan in rulebook.plans.items()}
    return {name: amount for name, amount in added.items() if amount != Meter(0)}


def contributed(rulebook: Rulebook, seats: Iterable[Seat]) -> dict[str, Meter]:
    total = {name: Meter(0) for name in rulebook.plans}
    for seat in seats:
        for name, amount in contributions(rulebook, seat).items():
            total[name] = total[name].plus(amount)
    return total


def locked_meters(rulebook: Rulebook, state: State) -> dict[str, Meter]:
    """Return the meters of this round, including its contributions if the wagers are locked."""
    added = contributed(rulebook, state.seats if state.phase != "betting" else ())
    return {name: meter.plus(added[name]) for name, meter in state.meters.items()}


def returned_seats(rulebook: Rulebook, state: State) -> list[Seat]:
    """Return the seats whose contributions are reversed: void seats whose wagers are returned.

    The list is empty if the rulebook's meter never falls.
    """
    if rulebook.meter_never_falls:
        return []
    return [seat for seat in state.seats if seat.void is not None and seat.void.disposition == "return"]


def check_meters(rulebook: Rulebook, meters: Mapping[str, Meter], least: Mapping[str, int] | None = None) -> None:
    """Refuse meters that do not belong to the table or that hold less than they must."""
    required = set(rulebook.plans)
    if set(meters) != required:
        read, expected = (", ".join(sorted(names)) or "no meter" for names in (meters, required))
        raise refusal("other-meters", read=read, expected=expected)
    for name, meter in meters.items():
        lowest = (least or {}).get(name, 0)
        if meter.amount_micros < lowest:
            raise refusal("meter-too-low", meter=name, amount=say_micros(meter.amount_micros), least=say_micros(lowest))


def check_displays(rulebook: Rulebook, state: State, meters: Mapping[str, Meter]) -> None:
    """Refuse a bonus jackpot whose display has changed since the wagers were locked."""
    for name, plan in rulebook.plans.items():
        read, locked = meters[name].amount_micros, state.meters[name].amount_micros
        if plan.bonus and read != locked:
            raise refusal("other-display", meter=name, amount=say_micros(read), locked=say_micros(locked))


def _result(
    seat: int,
    wager: str,
    stake: int,
    outcome: Outcome,
    full: int,
    reason: Reason,
    *,
    for_1: bool = False,
    meter: int = 0,
    early: EarlyWin | None = None,
) -> Result:
    """Return the result of a wager before any cap is applied."""
    lost = outcome in ("lose", "forfeited") or (outcome == "win" and for_1)
    return Result(
        seat=seat,
        wager=wager,
        stake_cents=stake,
        outcome=outcome,
        full_cents=full,
        paid_cents=full,
        meter_cents=meter,
        net_cents=full - stake if lost else full,
        reason=reason,
        early_cents=early.pay_cents if early else 0,
        raised_cents=early.raised_cents if early else 0,
    )


def _seat_results(rulebook: Rulebook, state: State, seat: Seat, lines: Lines, moves: Moves) -> list[Result]:
    if seat.void is not None:
        results = _void_results(rulebook, state, seat, seat.void)
    else:
        results = _main_results(rulebook, state, seat)
        for bet in SIDE_BETS.values():
            table, stake = rulebook.paytable(bet.name), seat.stake(bet.name)
            if table is not None and stake and bet.jackpot:
                results.append(_jackpot_result(rulebook, state, seat, table, lines, moves))
            elif table is not None and stake:
                results.append(_bonus_result(rulebook, state, seat, bet, table))
        results += _envy_results(rulebook, seat, lines)
    order = rulebook.wager_order
    return sorted(results, key=lambda result: order.index(result.wager))


def _void_results(rulebook: Rulebook, state: State, seat: Seat, void: HandVoid) -> list[Result]:
    outcome: Outcome = "returned" if void.disposition == "return" else "forfeited"
    reason = Reason("hand-void", {"words": void_words(rulebook, void), "disposition": void.disposition})
    return _taken_back(rulebook, state, seat, outcome, reason)


def _main_results(rulebook: Rulebook, state: State, seat: Seat) -> list[Result]:
    ante, decision = seat.stake(ANTE.name), seat.decision
    if not ante:
        return []
    assert decision is not None
    assert state.dealer is not None
    if not decision.raise_cents:
        return [_result(seat.number, ANTE.name, ante, "lose", 0, Reason("fold", {"seat": seat.number}))]
    flush, dealer = playing_flush(seat), flush_rank(state.dealer)
    end = showdown(flush, dealer, rulebook.qualifier)
    needs = unmet_qualifier(rulebook) if end == "not-qualified" else {}
    reason = Reason(end, {"seat": seat.number, "flush": flush.short, "dealer": dealer.short, **needs})
    outcomes: dict[int, Outcome] = {1: "win", 0: "push", -1: "lose"}
    return [
        _result(seat.number, wager, stake, outcomes[gain], stake * max(gain, 0), reason)
        for wager, stake, gain in zip(MAIN_GAME, (ante, decision.raise_cents), MAIN_PAYS[end], strict=True)
    ]


def unmet_qualifier(rulebook: Rulebook) -> dict[str, int | str]:
    """Return the qualifier that the dealer failed to reach, if it differs from the printed one."""
    qualifier = rulebook.settings.qualifier
    return {} if qualifier in (None, PRINTED) else {"needs": str(qualifier)}


def _matched(bet: SideBet, match: Match) -> dict[str, int | str]:
    values: dict[str, int | str] = {"wager": bet.name, "cards": match.cards}
    return values | ({"top": match.top} if bet.tops else {})


def _no_pay(bet: SideBet, match: Match, nothing: str = "none") -> Reason:
    return Reason("no-pay", _matched(bet, match)) if match.cards else Reason(nothing, {"wager": bet.name})


def bonus_reason(table: PayTable, match: Match, line: Line) -> Reason:
    return Reason("pays", {**_matched(SIDE_BETS[table.wager], match), "pay": line.pay_for_1, "pays": table.pays})


def _bonus_result(rulebook: Rulebook, state: State, seat: Seat, bet: SideBet, table: PayTable) -> Result:
    stake, match = seat.stake(bet.name), seat_match(rulebook, seat, bet)
    line = table.line_for(match)
    if line is None:
        # If a win must be exposed, the reason must not reveal cards that lie face down.
        nothing = "none" if counts_all_seven(rulebook.expose, bet) else "none-shown"
        return _result(seat.number, bet.name, stake, "lose", 0, _no_pay(bet, match, nothing))
    reason, for_1 = bonus_reason(table, match, line), table.pays == "for 1"
    early = early_wins(rulebook, state, seat).get(bet.name)
    return _result(seat.number, bet.name, stake, "win", stake * line.pay_for_1, reason, for_1=for_1, early=early)


def _progressive_line(rulebook: Rulebook, seat: Seat) -> Line | None:
    """Return the progressive line that a seat's hand reaches. Void and missing hands reach no line."""
    table = rulebook.paytable(PROGRESSIVE)
    if table is None or seat.hand is None or not seat.stake(PROGRESSIVE) or seat.void is not None:
        return None
    return table.line_for(SIDE_BETS[PROGRESSIVE].best(seat.hand))


def _pay_meters(rulebook: Rulebook, lines: Lines, meters: dict[str, Meter]) -> tuple[dict[str, Meter], Moves]:
    moves: Moves = {}
    for name, plan in rulebook.plans.items():
        hits = [
            Hit(number, line.percent_bp)
            for number, line in lines.items()
            if line is not None and line.percent_bp is not None and line.meter == name
        ]
        if hits:
            meters[name], moves[name] = pay_hits(plan, meters[name], hits)
    return meters, moves


def _jackpot_result(
    rulebook: Rulebook, state: State, seat: Seat, table: PayTable, lines: Lines, moves: Moves
) -> Result:
    """Settle a progressive bet. A win is a fixed pay from the house or a percentage of a meter."""
    bet = SIDE_BETS[table.wager]
    number, stake, line = seat.number, seat.stake(bet.name), lines[seat.number]
    if seat.hand is None:
        return _result(number, bet.name, stake, "lose", 0, Reason("not-entered"))
    match = bet.best(seat.hand)
    if line is None:
        return _result(number, bet.name, stake, "lose", 0, _no_pay(bet, match))
    if line.percent_bp is None:
        pay = fixed_pay(state, line) * stake
        reason = Reason("pays-cents", {**_matched(bet, match), "pay_cents": pay, "base_cents": stake})
        return _result(number, bet.name, stake, "win", pay, reason, for_1=True)
    paid = next(move for move in moves[line.meter] if move.seat == number).player_cents
    share: dict[str, int | str] = {"percent_bp": line.percent_bp, "meter": line.meter, "paid_cents": paid}
    winners = sum(1 for other in lines.values() if other and (other.percent_bp, other.meter) == (WHOLE_BP, line.meter))
    if line.percent_bp == WHOLE_BP and winners > 1:
        share |= {"winners": winners, "policy": rulebook.plans[line.meter].hits}
    code = "takes-bonus" if rulebook.bonus_jackpot else "takes"
    reason = Reason(code, _matched(bet, match) | share)
    return _result(number, bet.name, stake, "win", paid, reason, for_1=True, meter=paid)


def _envy_results(rulebook: Rulebook, seat: Seat, lines: Lines) -> list[Result]:
    """Return one result with a seat's Envy Pays for the other seats' hands, if the seat bet on the progressive."""
    stake = seat.stake(PROGRESSIVE)
    if rulebook.settings.envy == "off" or not stake:
        return []
    causes = [
        Reason("envy", {"seat": number, "cents": line.envy * stake})
        for number, line in sorted(lines.items())
        if number != seat.number and line is not None and line.envy
    ]
    if not causes:
        return []
    total = sum(int(cause.values["cents"]) for cause in causes)
    first, *further_causes = causes
    return [_result(seat.number, ENVY.name, 0, "win", total, Reason(first.code, first.values, tuple(further_causes)))]
