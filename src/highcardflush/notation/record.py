"""Formats any state of a round as the lines of notation that lead to it.

Cards that a given viewer may not see are written as `??`. A record with such cards can be parsed but not replayed.
"""

from collections.abc import Iterator

from highcardflush.game import actions as a
from highcardflush.game.decisions import default_keep
from highcardflush.game.state import DEALER, State
from highcardflush.game.view import View, Viewer, view
from highcardflush.jackpot import Meter
from highcardflush.notation import statements as s
from highcardflush.notation.rounds import Round
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.paytable import Plan
from highcardflush.rulebook.settings import own_settings


def format_round(
    rulebook: Rulebook, state: State, viewer: Viewer | None = None, name: str = "", *, with_hash: bool = False
) -> str:
    """Return the canonical text of a round. `name` replaces the rulebook's own name."""
    visible = view(rulebook, state, viewer) if viewer is not None else None
    statements = (
        *_table(rulebook, state, name, with_hash=with_hash),
        *(s.DoWagers(a.PlaceWagers(seat.number, seat.wagers)) for seat in state.seats),
        *_before_cards(state),
        *_hands(state, visible),
        *_decisions_and_voids(state, visible),
        *_results(rulebook, state),
    )
    return Round(statements).text()


def _table(rulebook: Rulebook, state: State, name: str, *, with_hash: bool) -> Iterator[s.Statement]:
    yield s.UseRulebook(name or rulebook.name, rulebook.sha256 if with_hash else "")
    if rulebook.printed_offers is not None:
        yield from (s.UseOffer(offer) for offer in rulebook.offers)
    for key, value in own_settings(rulebook).items():
        yield s.UseSetting(key, value)
    for plan in rulebook.plans.values():
        meter = state.meters[plan.name]
        yield s.UseMeter(plan.name, meter, _has_reserve(plan, meter))


def _has_reserve(plan: Plan, meter: Meter) -> bool:
    return bool(plan.reserve_rate_bp or meter.reserve_micros)


def _before_cards(state: State) -> Iterator[s.Statement]:
    if state.dice is not None:
        yield s.DoDice(a.RollDice(state.dice, state.clockwise))
    phase = state.void.phase if state.void else state.phase
    if phase != "betting" and not state.hands and state.dynamic is None:
        yield s.DoLock()
    if state.dynamic is not None:
        yield s.DoDynamic(a.DrawDynamic(state.dynamic))


def _hands(state: State, visible: View | None) -> Iterator[s.Statement]:
    hands = known_hands = state.hands
    if visible is not None:
        places = {DEALER: visible.dealer, **{seat.number: seat.hand for seat in visible.seats}}
        known_hands = {number: hand.seen for number, hand in places.items() if hand}
    for number in sorted(hands, key=lambda number: (number == DEALER, number)):
        yield s.DoDeal(a.DealHand(number, known_hands[number]), len(hands[number]) - len(known_hands[number]))


def _decisions_and_voids(state: State, visible: View | None) -> Iterator[s.Statement]:
    decisions = {seat.number: seat.decision for seat in (visible or state).seats}
    for seat in state.seats:
        decision = decisions[seat.number]
        if decision is None:
            continue
        if decision.raise_cents:
            best = default_keep(seat.cards, decision.expose)
            keep = decision.keep if decision.keep != best else None
            yield s.DoDecision(a.Raise(seat.number, decision.raise_cents, keep, decision.expose))
        else:
            yield s.DoDecision(a.Fold(seat.number, decision.expose))
    for seat in state.seats:
        if seat.void is not None:
            yield s.DoVoid(a.VoidHand(seat.number, seat.void.disposition, seat.void.reason, seat.void.text))
    if state.void is not None:
        yield s.DoVoid(a.Void(state.void.reason, state.void.text))


def _results(rulebook: Rulebook, state: State) -> Iterator[s.Statement]:
    if state.settlement is None:
        return
    for seat in state.seats:
        results = [result for result in state.settlement.results if result.seat == seat.number]
        order = rulebook.wager_order
        nets = [(result.wager, result.net_cents) for result in sorted(results, key=lambda r: order.index(r.wager))]
        if nets:
            yield s.Expect(seat.number, tuple(nets))
    for plan in rulebook.plans.values():
        meter = state.settlement.meters[plan.name]
        yield s.ExpectMeter(plan.name, meter, _has_reserve(plan, meter))
