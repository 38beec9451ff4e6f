"""The only way to change a round: `step(rulebook, state, action)` returns the next state and the events.

`step` is a pure function. An action that the phase table or the rules refuse raises ActionError and changes nothing.
Each kind of action has its own small handler below.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from highcardflush.cards import FULL_DECK, Hand, format_card
from highcardflush.game import actions as a
from highcardflush.game import events as e
from highcardflush.game import settle as s
from highcardflush.game.dealing import deal_hands, first_position
from highcardflush.game.decisions import decide, default_decision, default_fold
from highcardflush.game.legal import accepted_wagers
from highcardflush.game.phases import phase_table, why_refused
from highcardflush.game.sidebets import is_paid_at_once, raised_with_wins, shown_wins
from highcardflush.game.state import DEALER, HandVoid, Phase, RoundVoid, Seat, Settlement, State
from highcardflush.jackpot import Meter
from highcardflush.ranking import dealer_qualifies, flush_rank
from highcardflush.rulebook.document import OTHER
from highcardflush.rulebook.model import Rulebook
from highcardflush.words import Reason, refusal

Next = tuple[State, tuple[e.Event, ...]]


def open_round(rulebook: Rulebook, meters: Mapping[str, Meter] | None = None) -> State:
    """Open a round for betting. A meter that is missing from `meters` starts at its seed."""
    plans, amounts = rulebook.plans, meters or {}
    meter_names = ", ".join(plans) or "no meter, because no progressive is offered"
    for name in amounts:
        if name not in plans:
            raise refusal("unknown-meter", meter=name, known=meter_names)
    standing = {name: amounts.get(name, Meter(plan.seed_micros)) for name, plan in plans.items()}
    s.check_meters(rulebook, standing)
    return State(
        rulebook=rulebook.name,
        version=rulebook.version,
        sha256=rulebook.sha256,
        table_hash=rulebook.table_hash,
        phase="betting",
        meters=standing,
    )


def step(rulebook: Rulebook, state: State, action: a.Action) -> Next:
    if state.table_hash != rulebook.table_hash:
        hashes = {"hash": rulebook.sha256[:12], "opened_hash": state.sha256[:12]}
        raise refusal("other-table", name=rulebook.name, opened=state.rulebook, **hashes)
    kind = type(action)
    if (refusal_error := why_refused(rulebook, state, kind)) is not None:
        raise refusal_error
    after, events = _HANDLERS[kind](rulebook, state, action)
    assert after.phase in phase_table(rulebook)[state.phase][kind]
    return after, events


def _place_wagers(rulebook: Rulebook, state: State, action: a.PlaceWagers) -> Next:
    wagers = accepted_wagers(rulebook, state.meters, action.seat, action.wagers)
    return state.with_seat(Seat(action.seat, wagers)), (e.WagersPlaced(action.seat, wagers),)


def _clear_wagers(rulebook: Rulebook, state: State, action: a.ClearWagers) -> Next:
    cleared = state.seat(action.seat)
    remaining = tuple(seat for seat in state.seats if seat is not cleared)
    return replace(state, seats=remaining), (e.WagersCleared(action.seat),)


def _roll_dice(rulebook: Rulebook, state: State, action: a.RollDice) -> Next:
    if any(not 1 <= die <= 6 for die in action.dice):
        raise refusal("dice-spots", dice=" ".join(map(str, action.dice)))
    way = "clockwise" if action.clockwise else "counterclockwise"
    if rulebook.settings.dice_direction not in ("any", way):
        raise refusal("dice-direction", way=way, expected=rulebook.settings.dice_direction)
    event = e.DiceRolled(action.dice, action.clockwise, first_position(action.dice))
    return replace(state, dice=action.dice, clockwise=action.clockwise), (event,)


def _lock(rulebook: Rulebook, state: State, action: a.Lock) -> Next:
    added = _each_contribution(rulebook, state.seats, e.Contributed)
    displays = {name: state.meters[name].amount_micros for name, plan in rulebook.plans.items() if plan.bonus}
    return replace(state, phase="locked"), (e.WagersLocked(displays), *added)


def _draw_dynamic(rulebook: Rulebook, state: State, action: a.DrawDynamic) -> Next:
    lines = {line.name: line for line in rulebook.progressive[1].dynamic_lines}
    most = len(lines) - 1
    if not 1 <= len(action.pays) <= most or len(dict(action.pays)) != len(action.pays):
        read = ", ".join(name for name, _ in action.pays) or "no line"
        raise refusal("dynamic-lines", read=read, most=most, lines=", ".join(lines))
    for name, pay in action.pays:
        if name not in lines:
            raise refusal("dynamic-line", line=name, lines=", ".join(lines))
        if pay not in lines[name].dynamic:
            raise refusal("dynamic-pay", line=name, pay=pay, pays=", ".join(map(str, lines[name].dynamic)))
    drawn = dict(action.pays)
    pays = tuple((name, drawn[name]) for name in lines if name in drawn)
    return replace(state, dynamic=pays), (e.DynamicDrawn(pays),)


def _deal(rulebook: Rulebook, state: State, action: a.Deal) -> Next:
    events: list[e.Event] = []
    collected: list[e.Event] = []
    occupied = {seat.number for seat in state.seats}
    for number, hand in deal_hands(rulebook, state, action.deck).items():
        if number == DEALER:
            state = replace(state, dealer=hand)
        elif number in occupied:
            state = state.with_seat(replace(state.seat(number), hand=hand))
        else:
            events.append(e.PacketDealt(number))
            collected.append(e.PacketCollected(number))
            continue
        events.append(e.HandDealt(number, hand))
    return replace(state, phase="dealt"), (*events, *collected)


def _deal_hand(rulebook: Rulebook, state: State, action: a.DealHand) -> Next:
    number, hand, only = action.seat, action.hand, rulebook.progressive_only
    if only and number == DEALER:
        raise refusal("no-dealer-here")
    if number != DEALER:
        state.seat(number)
    who = number or "dealer"
    if not 0 < hand <= FULL_DECK:
        raise refusal("hand-cards", who=who, hand=int(hand))
    if number in state.hands:
        raise refusal("second-hand", who=who)
    for other, other_hand in state.hands.items():
        if other_hand & hand:
            twice = ", ".join(format_card(card) for card in Hand(other_hand & hand))
            raise refusal("card-twice", cards=twice, who=who, other=other or "dealer")
    state = replace(state, dealer=hand) if number == DEALER else state.with_seat(replace(state.seat(number), hand=hand))
    complete = only or len(state.hands) == len(state.seats) + 1
    return replace(state, phase="dealt" if complete else "locked"), (e.HandDealt(number, hand),)


def _decide(rulebook: Rulebook, state: State, action: a.Fold | a.Raise | a.TimeOut) -> Next:
    seat, timed_out = _undecided(state, action.seat), isinstance(action, a.TimeOut)
    if isinstance(action, a.TimeOut):
        action = default_fold(rulebook, seat) if action.fold else default_decision(rulebook, seat)
    decision = decide(rulebook, seat, action)
    seat = replace(seat, decision=decision)
    number, raised, expose = seat.number, decision.raise_cents, decision.expose
    decided: e.Event = (
        e.Raised(number, raised, decision.keep, expose, timed_out, raised_with_wins(rulebook, seat))
        if raised
        else e.Folded(number, expose, timed_out)
    )
    exposed_wins = [
        e.BonusShown(
            number,
            won.pay_cents,
            is_paid_at_once(rulebook, state, seat, won.bet),
            s.bonus_reason(won.table, won.match, won.line),
        )
        for won in shown_wins(rulebook, seat)
    ]
    now, later = ([event for event in exposed_wins if event.paid_now == early] for early in (True, False))
    return _to_showdown(rulebook, state.with_seat(seat), "acting", [*now, decided, *later])


def _undecided(state: State, number: int) -> Seat:
    seat = state.seat(number)
    if number not in state.undecided:
        undecided = ", ".join(map(str, state.undecided))
        raise refusal("void-hand" if seat.void else "decided", seat=number, undecided=undecided)
    return seat


def _to_showdown(rulebook: Rulebook, state: State, otherwise: Phase, events: list[e.Event]) -> Next:
    """Turn up the dealer's hand and move to the showdown, or to the phase `otherwise` if a seat must still decide."""
    if state.undecided or rulebook.progressive_only:
        return replace(state, phase=otherwise), tuple(events)
    if state.phase != "showdown":
        assert state.dealer is not None
        flush = flush_rank(state.dealer)
        qualifies = dealer_qualifies(flush, rulebook.qualifier)
        code = "dealer-qualifies" if qualifies else "dealer-does-not-qualify"
        needs = {} if qualifies else s.unmet_qualifier(rulebook)
        events.append(e.DealerShown(state.dealer, qualifies, Reason(code, {"dealer": flush.short, **needs})))
    return replace(state, phase="showdown"), tuple(events)


def _check_reason(rulebook: Rulebook, subject: Literal["round", "hand"], reason: str, text: str) -> None:
    codes = rulebook.reasons_for(subject)
    if reason not in codes:
        raise refusal("void-reason", what=subject, reason=reason or "no reason", codes=", ".join(codes))
    if (reason == OTHER) != bool(text) or text != " ".join(text.partition("#")[0].split()):
        raise refusal("void-text", read=repr(f"{reason} {text}".strip()))


def _void_hand(rulebook: Rulebook, state: State, action: a.VoidHand) -> Next:
    _check_reason(rulebook, "hand", action.reason, action.text)
    seat = state.seat(action.seat)
    if seat.void is not None:
        raise refusal("void-twice", seat=seat.number)
    if action.disposition not in ("return", "forfeit"):
        raise refusal("void-disposition", disposition=action.disposition)
    void = HandVoid(action.disposition, action.reason, action.text)
    events: list[e.Event] = [e.HandVoided(seat.number, void.disposition, void.reason, void.text, action.by)]
    return _to_showdown(rulebook, state.with_seat(replace(seat, void=void)), state.phase, events)


def _each_contribution(
    rulebook: Rulebook, seats: Iterable[Seat], event: type[e.Contributed | e.ContributionReversed]
) -> list[e.Event]:
    added = ((seat.number, s.contributions(rulebook, seat)) for seat in seats)
    return [event(number, name, amount) for number, amounts in added for name, amount in amounts.items()]


def _void(rulebook: Rulebook, state: State, action: a.Void) -> Next:
    _check_reason(rulebook, "round", action.reason, action.text)
    events: list[e.Event] = [e.RoundVoided(action.reason, action.text, action.by)]
    if state.phase != "betting" and not rulebook.meter_never_falls:
        events += _each_contribution(rulebook, state.seats, e.ContributionReversed)
    state = replace(state, void=RoundVoid(action.reason, action.text, state.phase))
    return _close(state, "void", s.void_settlement(rulebook, state), events)


def _settle(rulebook: Rulebook, state: State, action: a.Settle) -> Next:
    added = s.contributed(rulebook, state.seats)
    s.check_meters(rulebook, action.meters, {name: amount.amount_micros for name, amount in added.items()})
    s.check_displays(rulebook, state, action.meters)
    events = _each_contribution(rulebook, s.returned_seats(rulebook, state), e.ContributionReversed)
    settlement = s.settle(rulebook, state, action.meters)
    events += [e.MeterMoved(name, move) for name, moves in settlement.moves.items() for move in moves]
    initial_meters = {name: meter.minus(added[name]) for name, meter in action.meters.items()}
    return _close(replace(state, meters=initial_meters), "settled", settlement, events)


def _close(state: State, phase: Phase, settlement: Settlement, events: list[e.Event]) -> Next:
    events += [e.WagerSettled(result) for result in settlement.results]
    events.append(e.RoundSettled(settlement.meters))
    return replace(state, phase=phase, settlement=settlement), tuple(events)


_HANDLERS: dict[type[a.Action], Callable[[Rulebook, State, Any], Next]] = {
    a.PlaceWagers: _place_wagers,
    a.ClearWagers: _clear_wagers,
    a.RollDice: _roll_dice,
    a.Lock: _lock,
    a.DrawDynamic: _draw_dynamic,
    a.Deal: _deal,
    a.DealHand: _deal_hand,
    a.Fold: _decide,
    a.Raise: _decide,
    a.TimeOut: _decide,
    a.VoidHand: _void_hand,
    a.Void: _void,
    a.Settle: _settle,
}
