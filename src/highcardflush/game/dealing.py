"""Deals a deck into hands: left to right with the dealer last, or in packets of seven cards, in an order set by dice.

For a deal by dice, the table has seven positions, and the dealer is position 1. The sum of the dice is counted around
all positions, including empty ones, to find the first packet's position. The other packets follow in the same
direction, and packets at empty positions are collected. Seat N is position N + 1 clockwise, or 8 - N counterclockwise.
"""

from collections.abc import Sequence

from highcardflush.cards import DECK_SIZE, HAND_SIZE, Card, Hand
from highcardflush.game.state import DEALER, State
from highcardflush.rulebook.document import MAX_SEATS
from highcardflush.rulebook.model import Rulebook
from highcardflush.words import refusal

POSITIONS = MAX_SEATS + 1


def first_position(dice: Sequence[int]) -> int:
    return (sum(dice) - 1) % POSITIONS + 1


def seat_at(position: int, *, clockwise: bool) -> int:
    """Return the seat at a position, or 0 for the dealer."""
    if position == 1:
        return DEALER
    return position - 1 if clockwise else POSITIONS + 1 - position


def deal_order(rulebook: Rulebook, state: State) -> list[int]:
    if state.dice is None:
        return [seat.number for seat in state.seats] + [DEALER]
    first = first_position(state.dice)
    positions = [(first - 1 + i) % POSITIONS + 1 for i in range(POSITIONS)]
    return [seat_at(position, clockwise=state.clockwise) for position in positions]


def deal_hands(rulebook: Rulebook, state: State, deck: Sequence[Card]) -> dict[int, Hand]:
    """Return the packets in the order in which they are dealt, keyed by seat. Empty seats get packets too."""
    if sorted(deck) != list(range(DECK_SIZE)):
        raise refusal("deck", cards=len(deck), different=len(set(deck)))
    return {
        number: Hand.of(deck[i * HAND_SIZE : (i + 1) * HAND_SIZE])
        for i, number in enumerate(deal_order(rulebook, state))
    }
