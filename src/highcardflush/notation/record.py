"""Writing a round down: any state as the lines of the notation that lead to it.

With a viewer, cards that the viewer may not see are written `??`, and such a text can be read but not
played. Without one it is the whole round, and playing it gives the same state again.
"""

from __future__ import annotations

from collections.abc import Iterator

from highcardflush.game.actions import DealHand, DrawDynamic, Fold, PlaceWagers, Raise, RollDice, Void, VoidHand
from highcardflush.game.decisions import default_keep
from highcardflush.game.state import DEALER, State
from highcardflush.game.view import View, Viewer, view
from highcardflush.jackpot import Meter
from highcardflush.notation.rounds import Round
from highcardflush.notation.statements import (
    DoDeal,
    DoDecision,
    DoDice,
    DoDynamic,
    DoLock,
    DoVoid,
    DoWagers,
    Expect,
    ExpectMeter,
    Statement,
    UseMeter,
    UseOffer,
    UseRulebook,
    UseSetting,
)
from highcardflush.rulebook.model import Plan, Rulebook
from highcardflush.rulebook.settings import flat, format_setting


def format_round(
    rulebook: Rulebook, state: State, viewer: Viewer | None = None, name: str = "", *, with_hash: bool = False
) -> str:
    """The canonical text of a round. `name` is what the rulebook is called there, if not by its own name."""
    return record(rulebook, state, viewer, name, with_hash=with_hash).text()


def record(
    rulebook: Rulebook, state: State, viewer: Viewer | None = None, name: str = "", *, with_hash: bool = False
) -> Round:
    """The statements that lead to this state."""
    seen = view(rulebook, state, viewer) if viewer is not None else None
    return Round(
        (
            *_table(rulebook, state, name, with_hash=with_hash),
            *(DoWagers(PlaceWagers(seat.number, seat.wagers)) for seat in state.seats),
            *_before_cards(state),
            *_hands(state, seen),
            *_decisions(state, seen),
            *_voids(state),
            *_results(rulebook, state),
        )
    )


def _table(rulebook: Rulebook, state: State, name: str, *, with_hash: bool) -> Iterator[Statement]:
    yield UseRulebook(name or rulebook.name, rulebook.sha256 if with_hash else "")
    if rulebook.printed_offers is not None:
        yield from (UseOffer(offer) for offer in rulebook.offers)
    values = flat(rulebook.settings) if rulebook.table_settings else {}
    for key in rulebook.table_settings:
        yield UseSetting(key, format_setting(values[key]))
    for plan in rulebook.plans.values():
        meter = state.meters[plan.name]
        yield UseMeter(plan.name, meter, _has_reserve(plan, meter))


def _has_reserve(plan: Plan, meter: Meter) -> bool:
    return bool(plan.reserve_rate_bp or meter.reserve_micros)


def _before_cards(state: State) -> Iterator[Statement]:
    if state.dice is not None:
        yield DoDice(RollDice(state.dice, state.clockwise))
    phase = state.void.phase if state.void else state.phase
    if phase != "betting" and not state.hands and state.dynamic is None:
        yield DoLock()
    if state.dynamic is not None:
        yield DoDynamic(DrawDynamic(state.dynamic))


def _hands(state: State, seen: View | None) -> Iterator[Statement]:
    """The hands in seat order, the dealer's last."""
    hands = known = state.hands
    if seen is not None:
        places = {DEALER: seen.dealer, **{seat.number: seat.hand for seat in seen.seats}}
        known = {number: hand.seen for number, hand in places.items() if hand}
    for number in sorted(hands, key=lambda number: (number == DEALER, number)):
        yield DoDeal(DealHand(number, known[number]), len(hands[number]) - len(known[number]))


def _decisions(state: State, seen: View | None) -> Iterator[Statement]:
    told = {seat.number: seat.decision for seat in (seen or state).seats}
    for seat in state.seats:
        decision = told[seat.number]
        if decision is None:
            continue
        if decision.raise_cents:
            best = default_keep(seat.cards, decision.expose)
            keep = decision.keep if decision.keep != best else None
            yield DoDecision(Raise(seat.number, decision.raise_cents, keep, decision.expose))
        else:
            yield DoDecision(Fold(seat.number, decision.expose))


def _voids(state: State) -> Iterator[Statement]:
    for seat in state.seats:
        if seat.void is not None:
            yield DoVoid(VoidHand(seat.number, seat.void.disposition, seat.void.reason, seat.void.text))
    if state.void is not None:
        yield DoVoid(Void(state.void.reason, state.void.text))


def _results(rulebook: Rulebook, state: State) -> Iterator[Statement]:
    if state.settlement is None:
        return
    for seat in state.seats:
        results = [result for result in state.settlement.results if result.seat == seat.number]
        order = rulebook.wager_order
        nets = [(result.wager, result.net_cents) for result in sorted(results, key=lambda r: order.index(r.wager))]
        if nets:
            yield Expect(seat.number, tuple(nets))
    for plan in rulebook.plans.values():
        meter = state.settlement.meters[plan.name]
        yield ExpectMeter(plan.name, meter, _has_reserve(plan, meter))
