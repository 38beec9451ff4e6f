"""Which line of a pay table a hand reaches, and what the line pays."""

from __future__ import annotations

from highcardflush.cards import NO_CARDS, Hand
from highcardflush.game.state import Seat, State
from highcardflush.ranking import StraightFlush, flush_rank, straight_flush
from highcardflush.rulebook.model import Line, PayTable, Rulebook

ACE = 12


def flush_line(table: PayTable, hand: Hand) -> Line | None:
    length = flush_rank(hand).length
    return next((line for line in table.lines if length >= line.cards), None)


def straight_flush_line(table: PayTable, found: StraightFlush | None) -> Line | None:
    """The highest-ranking line that is reached, even if a lower one should pay more."""
    if found is None:
        return None
    for line in table.lines:
        if found.length > line.cards or (found.length == line.cards and (not line.ace_high or found.top == ACE)):
            return line
    return None


def counted_straight_flush(rulebook: Rulebook, seat: Seat) -> StraightFlush | None:
    """The straight flush on which a seat's Straight Flush bet is paid.

    Where it must be shown, it lies within the kept flush or within the exposed cards, nowhere else.
    """
    assert seat.hand is not None
    if rulebook.expose != "required":
        return straight_flush(seat.hand)
    decision = seat.decision
    kept = seat.hand.suit(decision.keep) if decision and decision.keep is not None else NO_CARDS
    exposed = decision.expose if decision else NO_CARDS
    found = [run for run in (straight_flush(kept), straight_flush(exposed)) if run]
    return max(found, default=None)


def fixed_pay(state: State, line: Line) -> int:
    """What a fixed line pays for a bet of 1, the round's Dynamic Pay counted."""
    assert isinstance(line.pay, int)
    return dict(state.dynamic or ()).get(line.name, line.pay)
