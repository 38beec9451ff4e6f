"""Which line of its pay table a side bet of a seat reaches, and what the line pays."""

from __future__ import annotations

from highcardflush.cards import NO_CARDS, Hand
from highcardflush.game.state import Seat, State
from highcardflush.rulebook.model import Line, Rulebook
from highcardflush.rulebook.wagers import Match, SideBet


def counts_all_seven(expose: str, bet: SideBet) -> bool:
    """Whether a bet is paid on all seven cards; else only on what is kept or laid face up."""
    return not (bet.shown and expose == "required")


def seat_match(rulebook: Rulebook, seat: Seat, bet: SideBet) -> Match:
    """What a bet finds in a seat's cards.

    Where it must be shown, that lies within the kept flush or within the exposed cards, nowhere else.
    """
    assert seat.hand is not None
    if counts_all_seven(rulebook.expose, bet):
        return bet.best(seat.hand)
    return max(bet.best(cards) for cards in (kept_cards(seat), exposed_cards(seat)))


def kept_cards(seat: Seat) -> Hand:
    """The flush that a seat keeps where the rulebook has it choose one."""
    if seat.hand is None or seat.decision is None or seat.decision.keep is None:
        return NO_CARDS
    return seat.hand.suit(seat.decision.keep)


def exposed_cards(seat: Seat) -> Hand:
    """The cards that a seat has laid face up."""
    return seat.decision.expose if seat.decision else NO_CARDS


def fixed_pay(state: State, line: Line) -> int:
    """What a fixed line pays for a bet of 1, the round's Dynamic Pay counted."""
    return dict(state.dynamic or ()).get(line.name, line.pay_for_1)
