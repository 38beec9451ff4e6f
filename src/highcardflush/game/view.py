"""The view of a round for one viewer: a struct that never contains hidden cards.

Before the deal nobody has cards. A seat sees its own hand; everybody sees exposed cards. The dealer's hand is shown at
the showdown. At settlement everybody sees the cards that the dealer turns up to settle: the flush that played (all
seven cards if nothing is discarded), and all seven cards of a hand with a side bet on all seven. A folded hand
without such a bet, and discards laid face down, are never shown to others. A void round shows nothing more than was
visible before. (These are the rules of the table. At a virtual table, the seed is revealed when a round is over, and
the round's record, proof and replay then show every card to everybody.)
"""

from typing import Literal

from msgspec.structs import replace

from highcardflush.cards import NO_CARDS, Hand
from highcardflush.game.actions import Wagers
from highcardflush.game.settle import locked_meters
from highcardflush.game.sidebets import counts_all_seven, exposed_cards, kept_cards
from highcardflush.game.state import Decision, HandVoid, Part, Phase, Result, RoundVoid, Seat, State
from highcardflush.jackpot import Meter
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import SIDE_BETS

Viewer = int | Literal["dealer", "spectator"]
"""A seat's number, the dealer, or a spectator."""


class HandView(Part, frozen=True):
    """Visible part of a hand: the number of its cards, and the cards that the viewer may see."""

    cards: int
    seen: Hand = NO_CARDS


class SeatView(Part, frozen=True):
    number: int
    wagers: Wagers
    hand: HandView | None
    decision: Decision | None
    void: HandVoid | None

    def stake(self, wager: str) -> int:
        return self.wagers.get(wager, 0)


class View(Part, frozen=True):
    """A round as one viewer may see it."""

    rulebook: str
    version: str
    sha256: str
    phase: Phase
    viewer: int | str
    meters: dict[str, Meter]
    """Displayed amounts, which include this round's contributions once the wagers are locked."""
    seats: tuple[SeatView, ...]
    dice: tuple[int, int, int] | None
    clockwise: bool
    dynamic: tuple[tuple[str, int], ...] | None
    dealer: HandView | None
    void: RoundVoid | None
    results: tuple[Result, ...]
    notice: str = ""
    """Notice posted next to the amount of a bonus jackpot, word for word."""


def view(rulebook: Rulebook, state: State, viewer: Viewer) -> View:
    shows_dealer = (state.void.phase if state.void else state.phase) in ("showdown", "settled")
    dealer = None
    if state.dealer is not None:
        dealer = HandView(len(state.dealer), state.dealer if shows_dealer else NO_CARDS)
    return View(
        rulebook=state.rulebook,
        version=state.version,
        sha256=state.sha256,
        phase=state.phase,
        viewer=viewer,
        meters=dict(state.settlement.meters) if state.settlement else locked_meters(rulebook, state),
        seats=tuple(seat_view(rulebook, state, seat, viewer) for seat in state.seats),
        dice=state.dice,
        clockwise=state.clockwise,
        dynamic=state.dynamic,
        dealer=dealer,
        void=state.void,
        results=state.settlement.results if state.settlement else (),
        notice=rulebook.bonus_notice,
    )


def open_view(rulebook: Rulebook, state: State) -> View:
    public_view = with_hands(view(rulebook, state, "spectator"), state)
    decided = {seat.number: seat.decision for seat in state.seats}
    return replace(public_view, seats=tuple(replace(seat, decision=decided[seat.number]) for seat in public_view.seats))


def with_hands(public_view: View, state: State) -> View:
    hands = {seat.number: seat.hand for seat in state.seats}
    seats = [
        replace(seat, hand=HandView(len(hand), hand)) if (hand := hands[seat.number]) is not None else seat
        for seat in public_view.seats
    ]
    dealer = HandView(len(state.dealer), state.dealer) if state.dealer is not None else None
    return replace(public_view, seats=tuple(seats), dealer=dealer)


def seat_view(rulebook: Rulebook, state: State, seat: Seat, viewer: Viewer) -> SeatView:
    hand = None
    if seat.hand is not None:
        visible_cards = seat.hand if viewer == seat.number else seen_by_all(rulebook, state, seat)
        hand = HandView(len(seat.hand), visible_cards)
    return SeatView(seat.number, seat.wagers, hand, _seen_decision(state, seat, viewer), seat.void)


def _seen_decision(state: State, seat: Seat, viewer: Viewer) -> Decision | None:
    """Return a seat's decision. Only the seat itself sees the kept suit before the hand is turned up."""
    decision = seat.decision
    turned_up = state.phase == "settled" and seat.void is None
    if decision is None or decision.keep is None or viewer == seat.number or turned_up:
        return decision
    return Decision(decision.raise_cents, None, decision.expose)


def seen_by_all(rulebook: Rulebook, state: State, seat: Seat) -> Hand:
    assert seat.hand is not None
    exposed = exposed_cards(seat)
    if state.phase != "settled" or seat.void is not None:
        return exposed
    if any(bet in seat.wagers and counts_all_seven(rulebook.expose, SIDE_BETS[bet]) for bet in SIDE_BETS):
        return seat.hand
    if seat.decision is None or not seat.decision.raise_cents:
        return exposed
    if seat.decision.keep is None:
        return seat.hand
    return Hand(kept_cards(seat) | exposed)
