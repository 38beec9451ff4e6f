"""The one way through: `step(rulebook, state, action)` gives the next state and what happened.

It is a function. An action that the phase table or the rules refuse raises ActionError and changes
nothing. Each kind of action has its own small handler below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from highcardflush.cards import FULL_DECK, Hand, card_text
from highcardflush.errors import ActionError
from highcardflush.game import events as e
from highcardflush.game import words
from highcardflush.game.actions import (
    Action,
    ClearWagers,
    Deal,
    DealHand,
    DrawDynamic,
    Fold,
    Lock,
    PlaceWagers,
    Raise,
    RollDice,
    Settle,
    TimeOut,
    Void,
    VoidHand,
)
from highcardflush.game.caps import covers
from highcardflush.game.dealing import deal_hands, first_position
from highcardflush.game.decisions import decide_fold, decide_raise, default_decision, default_fold
from highcardflush.game.phases import require
from highcardflush.game.settle import (
    check_meters,
    contributed,
    contributions,
    reverses_contribution,
    settle,
    void_settlement,
)
from highcardflush.game.sidebets import counted_straight_flush, straight_flush_line
from highcardflush.game.state import (
    DEALER,
    Decision,
    HandVoid,
    Phase,
    RoundVoid,
    Seat,
    Settlement,
    State,
)
from highcardflush.game.wagers import check_wagers
from highcardflush.jackpot import Meter, plans
from highcardflush.ranking import dealer_qualifies, flush_rank, straight_flush
from highcardflush.rulebook.model import Rulebook

Stepped = tuple[State, tuple[e.Event, ...]]


def open_round(rulebook: Rulebook, meters: Mapping[str, Meter] | None = None) -> State:
    """A new round in betting. A meter that is not given stands at its seed."""
    known = plans(rulebook)
    given = dict(meters or {})
    for name in given:
        if name not in known:
            raise ActionError("meter", read=name, expected=", ".join(known) or "no meter: no progressive is offered")
    for name, plan in known.items():
        given.setdefault(name, Meter(plan.seed_micros))
    check_meters(rulebook, given)
    return State(
        rulebook=rulebook.name,
        version=rulebook.version,
        sha256=rulebook.sha256,
        table=rulebook.table_hash,
        phase="betting",
        meters={name: given[name] for name in known},
    )


def step(rulebook: Rulebook, state: State, action: Action) -> Stepped:
    """The state after an action, and the events it caused."""
    if state.table != rulebook.table_hash:
        expected = f"{state.rulebook} @{state.sha256[:12]} with the offers and settings that it was opened with"
        raise ActionError(
            "rulebook", read=f"{rulebook.name} @{rulebook.sha256[:12]}, not the same table", expected=expected
        )
    require(state.phase, action, progressive_only=rulebook.progressive_only)
    if state.irregular and isinstance(action, Settle):
        counts = {number: len(state.hands[number]) for number in state.irregular}
        raise ActionError(words.say_count(counts), read="settlement", expected="the round to be voided")
    return _HANDLERS[type(action)](rulebook, state, action)


def _place_wagers(rulebook: Rulebook, state: State, action: PlaceWagers) -> Stepped:
    check_wagers(rulebook, action.seat, action.wagers)
    return state.with_seat(Seat(action.seat, action.wagers)), (e.WagersPlaced(action.seat, action.wagers),)


def _clear_wagers(rulebook: Rulebook, state: State, action: ClearWagers) -> Stepped:
    gone = state.seat(action.seat)
    return replace(state, seats=tuple(seat for seat in state.seats if seat is not gone)), (
        e.WagersCleared(action.seat),
    )


def _roll_dice(rulebook: Rulebook, state: State, action: RollDice) -> Stepped:
    methods = rulebook.dealing_methods if rulebook.settings.dealing == "any" else (rulebook.settings.dealing,)
    if "dice" not in methods:
        raise ActionError("dealing", read="dice", expected=", ".join(methods))
    if state.dice is not None or state.hands:
        raise ActionError("dice", read="a second roll or one after the deal", expected="one roll, before the deal")
    if any(not 1 <= die <= 6 for die in action.dice):
        raise ActionError("dice", read=" ".join(map(str, action.dice)), expected="three dice, each 1 to 6")
    event = e.DiceRolled(action.dice, action.clockwise, first_position(action.dice))
    return replace(state, dice=action.dice, clockwise=action.clockwise), (event,)


def _lock(rulebook: Rulebook, state: State, action: Lock) -> Stepped:
    if not state.seats:
        raise ActionError("lock", read="no wager", expected="a wager on at least one seat")
    added = [
        e.Contributed(seat.number, name, amount)
        for seat in state.seats
        for name, amount in contributions(rulebook, seat).items()
    ]
    return replace(state, phase="locked"), (e.WagersLocked(), *added)


def _draw_dynamic(rulebook: Rulebook, state: State, action: DrawDynamic) -> Stepped:
    table = rulebook.table("progressive")
    lines = {line.name: line for line in table.dynamic_lines} if table else {}
    if not lines:
        raise ActionError("dynamic", read="a draw of Dynamic Pays", expected="none: no Dynamic pay table is offered")
    if state.dynamic is not None or state.hands:
        raise ActionError(
            "dynamic", read="a second draw or one after a card", expected="one draw, before the first card"
        )
    most = len(lines) - 1
    if not 1 <= len(action.pays) <= most or len(dict(action.pays)) != len(action.pays):
        expected = f"1 to {most} lines of {', '.join(lines)}, each once"
        raise ActionError("dynamic", read=", ".join(name for name, _ in action.pays) or "no line", expected=expected)
    for name, pay in action.pays:
        if name not in lines:
            raise ActionError("dynamic", read=name, expected="one of " + ", ".join(lines))
        if pay not in lines[name].dynamic:
            expected = "one of " + ", ".join(map(str, lines[name].dynamic))
            raise ActionError(f"dynamic {name}", read=str(pay), expected=expected)
    drawn = dict(action.pays)
    pays = tuple((name, drawn[name]) for name in lines if name in drawn)
    return replace(state, dynamic=pays), (e.DynamicDrawn(pays),)


def _require_dynamic_pays(rulebook: Rulebook, state: State) -> None:
    table = rulebook.table("progressive")
    if table and table.dynamic_lines and state.dynamic is None:
        raise ActionError("dynamic", read="no Dynamic Pays drawn", expected="the draw before the first card")


def _require_ready_to_deal(rulebook: Rulebook, state: State) -> None:
    _require_dynamic_pays(rulebook, state)
    if rulebook.settings.dealing == "dice" and state.dice is None:
        raise ActionError("deal", read="no dice rolled", expected="the dice before the deal")


def _deal(rulebook: Rulebook, state: State, action: Deal) -> Stepped:
    _require_ready_to_deal(rulebook, state)
    if state.hands:
        raise ActionError("deal", read="a deck", expected="the rest of the hands one by one: some are dealt already")
    told: list[e.Event] = []
    for number, hand in deal_hands(state, action.deck).items():
        if number == DEALER:
            state = replace(state, dealer=hand)
        elif number in {seat.number for seat in state.seats}:
            state = state.with_seat(replace(state.seat(number), hand=hand))
        else:
            told.append(e.PacketCollected(number))
            continue
        told.append(e.HandDealt(number, hand))
    return replace(state, phase="dealt"), tuple(told)


def _deal_hand(rulebook: Rulebook, state: State, action: DealHand) -> Stepped:
    _require_ready_to_deal(rulebook, state)
    number, hand, only = action.seat, action.hand, rulebook.progressive_only
    if only and number == DEALER:
        raise ActionError("deal", read="the dealer's hand", expected="players' hands: only the jackpot is run here")
    if number != DEALER:
        state.seat(number)
    if not 0 < hand <= FULL_DECK:
        raise ActionError(
            f"deal {number or 'dealer'}", read=f"{int(hand)} as a hand", expected="at least one of 52 cards"
        )
    if number in state.hands:
        raise ActionError(f"deal {number or 'dealer'}", read="a second hand", expected="one hand each")
    for other, held in state.hands.items():
        if held & hand:
            twice = ", ".join(card_text(card) for card in Hand(held & hand))
            read = f"{twice} for {number or 'dealer'}, dealt to {other or 'dealer'} already"
            raise ActionError("a card dealt twice", read=read, expected="each card once")
    state = replace(state, dealer=hand) if number == DEALER else state.with_seat(replace(state.seat(number), hand=hand))
    whole = only or len(state.hands) == len(state.seats) + 1
    return replace(state, phase="dealt" if whole else "locked"), (e.HandDealt(number, hand),)


def _fold(rulebook: Rulebook, state: State, action: Fold) -> Stepped:
    return _decided(rulebook, state, decide_fold(rulebook, _undecided(state, action.seat), action), action.seat)


def _raise(rulebook: Rulebook, state: State, action: Raise) -> Stepped:
    return _decided(rulebook, state, decide_raise(rulebook, _undecided(state, action.seat), action), action.seat)


def _time_out(rulebook: Rulebook, state: State, action: TimeOut) -> Stepped:
    seat = _undecided(state, action.seat)
    chosen = default_fold(rulebook, seat) if action.fold else default_decision(rulebook, seat)
    decide: Callable[..., Decision] = decide_fold if isinstance(chosen, Fold) else decide_raise
    return _decided(rulebook, state, decide(rulebook, seat, chosen), seat.number, timed_out=True)


def _undecided(state: State, number: int) -> Seat:
    seat = state.seat(number)
    if number not in state.undecided:
        read = "a decision on a void hand" if seat.void else "a second decision"
        raise ActionError(f"seat {number}", read=read, expected=f"seats {state.undecided} to decide")
    return seat


def _decided(rulebook: Rulebook, state: State, decision: Decision, number: int, *, timed_out: bool = False) -> Stepped:
    seat = replace(state.seat(number), decision=decision)
    told: list[e.Event] = (
        [e.Raised(number, decision.raise_cents, decision.keep, decision.expose, timed_out)]
        if decision.raise_cents
        else [e.Folded(number, decision.expose, timed_out)]
    )
    told += _shown_bonus(rulebook, seat)
    return _to_showdown(rulebook, state.with_seat(seat), "acting", told)


def _shown_bonus(rulebook: Rulebook, seat: Seat) -> list[e.Event]:
    """What is told as paid at once when a straight flush is laid face up; the money moves at settlement."""
    table, stake = rulebook.table("straight-flush"), seat.wagers.straight_flush
    exposed = straight_flush(seat.decision.expose) if seat.decision else None
    if table is None or not stake or straight_flush_line(table, exposed) is None:
        return []
    found = counted_straight_flush(rulebook, seat)
    line = straight_flush_line(table, found)
    assert found is not None
    assert line is not None
    assert isinstance(line.pay, int)
    paid_now = not covers(rulebook.settings, "straight-flush")
    return [e.BonusShown(seat.number, line.pay * stake, paid_now, words.say_fixed_pay(found, line.pay, table))]


def _to_showdown(rulebook: Rulebook, state: State, otherwise: Phase, told: list[e.Event]) -> Stepped:
    """On to the showdown when no decision is awaited: the dealer's hand is shown."""
    if state.undecided or rulebook.progressive_only:
        return replace(state, phase=otherwise), tuple(told)
    if state.phase != "showdown":
        assert state.dealer is not None
        flush = flush_rank(state.dealer)
        qualifies = dealer_qualifies(flush)
        told.append(e.DealerShown(state.dealer, qualifies, words.say_dealer(flush, qualifies)))
    return replace(state, phase="showdown"), tuple(told)


def _check_reason(rulebook: Rulebook, reason: str, text: str) -> None:
    codes = [*rulebook.irregularities, "other"]
    if reason not in codes:
        raise ActionError("void", read=reason or "no reason", expected=f"one of {', '.join(codes)} (other with a text)")
    if (reason == "other") != bool(text) or text != " ".join(text.partition("#")[0].split()):
        read = f"{reason} {text}".strip()
        raise ActionError(
            "void", read=repr(read), expected="one line of text without # after other, and no text after a code"
        )


def _void_hand(rulebook: Rulebook, state: State, action: VoidHand) -> Stepped:
    _check_reason(rulebook, action.reason, action.text)
    seat = state.seat(action.seat)
    if seat.void is not None:
        raise ActionError(f"seat {seat.number}", read="a second void", expected="one void a hand")
    if action.disposition not in ("return", "forfeit"):
        raise ActionError("void", read=action.disposition, expected="return or forfeit")
    void = HandVoid(action.disposition, action.reason, action.text)
    told: list[e.Event] = [e.HandVoided(seat.number, void.disposition, void.reason, void.text, action.by)]
    return _to_showdown(rulebook, state.with_seat(replace(seat, void=void)), state.phase, told)


def _reversals(rulebook: Rulebook, seat: Seat) -> list[e.Event]:
    return [e.ContributionReversed(seat.number, name, amount) for name, amount in contributions(rulebook, seat).items()]


def _void(rulebook: Rulebook, state: State, action: Void) -> Stepped:
    _check_reason(rulebook, action.reason, action.text)
    told: list[e.Event] = [e.RoundVoided(action.reason, action.text, action.by)]
    if state.phase != "betting" and not rulebook.meter_never_falls:
        told += [event for seat in state.seats for event in _reversals(rulebook, seat)]
    state = replace(state, void=RoundVoid(action.reason, action.text, state.phase))
    return _closed(state, "void", void_settlement(rulebook, state), told)


def _settle(rulebook: Rulebook, state: State, action: Settle) -> Stepped:
    _require_dynamic_pays(rulebook, state)
    added = contributed(rulebook, state)
    check_meters(rulebook, action.meters, {name: amount.amount_micros for name, amount in added.items()})
    told: list[e.Event] = []
    for seat in state.seats:
        if reverses_contribution(rulebook, seat):
            told += _reversals(rulebook, seat)
    settlement = settle(rulebook, state, action.meters)
    told += [e.MeterMoved(name, move) for name, moves in settlement.moves.items() for move in moves]
    opened = {name: meter.minus(added[name]) for name, meter in action.meters.items()}
    return _closed(replace(state, meters=opened), "settled", settlement, told)


def _closed(state: State, phase: Phase, settlement: Settlement, told: list[e.Event]) -> Stepped:
    """The end of a round: every result is told, then the meters."""
    told += [e.WagerSettled(result) for result in settlement.results]
    told.append(e.RoundSettled(settlement.meters))
    return replace(state, phase=phase, settlement=settlement), tuple(told)


_HANDLERS: dict[type[Action], Callable[[Rulebook, State, Any], Stepped]] = {
    PlaceWagers: _place_wagers,
    ClearWagers: _clear_wagers,
    RollDice: _roll_dice,
    Lock: _lock,
    DrawDynamic: _draw_dynamic,
    Deal: _deal,
    DealHand: _deal_hand,
    Fold: _fold,
    Raise: _raise,
    TimeOut: _time_out,
    VoidHand: _void_hand,
    Void: _void,
    Settle: _settle,
}
