"""Basics of all exact counts: numbers of hands, products of polynomials, and every flush with its hands.

A hand of seven cards is made suit by suit. Let a polynomial have, at the power n, the number of ways to take n cards of
one suit under some condition. The product of the four suits' polynomials has, at the seventh power, the number of hands
in which every suit meets its condition.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, reduce
from itertools import pairwise
from math import comb

from highcardflush.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE
from highcardflush.ranking import SMALLEST_FLUSH, FlushRank

SUITS = 4
HANDS = comb(DECK_SIZE, HAND_SIZE)
DEALER_HANDS = comb(DECK_SIZE - HAND_SIZE, HAND_SIZE)
"""Number of dealer's hands against one hand of the player."""
DEALS = HANDS * DEALER_HANDS
MASKS = range(1 << SUIT_SIZE)
"""Sets of cards of one suit, as masks of ranks."""
HELD = [mask for mask in MASKS if mask.bit_count() <= HAND_SIZE]
"""Masks that a hand can hold."""


def multiply(first: Sequence[int], right: Sequence[int]) -> Sequence[int]:
    """Return the product of two polynomials, up to seven cards."""
    size = min(len(first) + len(right) - 1, HAND_SIZE + 1)
    return [
        sum(first[i] * right[power - i] for i in range(max(0, power - len(right) + 1), min(power, len(first) - 1) + 1))
        for power in range(size)
    ]


def ways(suits: Iterable[Sequence[int]], cards: int = HAND_SIZE) -> int:
    """Return the number of ways the suits can hold `cards` cards in total."""
    *first, last = list(suits) or [[1]]
    product = reduce(multiply, first) if first else [1]
    return sum(
        product[i] * last[cards - i] for i in range(max(0, cards - len(last) + 1), min(cards, len(product) - 1) + 1)
    )


@cache
def factors(sizes: tuple[int, ...], length: int) -> tuple[int, ...]:
    """Return the dealer's ways in the other suits, with fewer cards, for each set of suits with exactly `length`.

    A set has a bit per suit; `sizes` are the player's cards of each suit.
    """
    shorter = [[comb(SUIT_SIZE - size, cards) for cards in range(length)] for size in sizes]
    return tuple(
        ways((shorter[suit] for suit in range(SUITS) if not exact >> suit & 1), HAND_SIZE - length * exact.bit_count())
        for exact in range(1 << SUITS)
    )


@cache
def flush_masks(cards: int) -> tuple[int, ...]:
    """Return the sets of this many cards of one suit, lowest first."""
    return tuple(mask for mask in HELD if mask.bit_count() == cards)


@cache
def flushes() -> tuple[FlushRank, ...]:
    """Return all flushes that can be the best of a hand, lowest first."""
    return tuple(
        FlushRank(cards, mask) for cards in range(SMALLEST_FLUSH, HAND_SIZE + 1) for mask in flush_masks(cards)
    )


@cache
def flush_hands() -> tuple[int, ...]:
    """Return the number of hands with each flush as their best."""
    return tuple(hands for cards in range(SMALLEST_FLUSH, HAND_SIZE + 1) for hands in _hands(cards))


def _hands(cards: int) -> list[int]:
    """Return the hands by the rank of their flush among those of its length; as many may occur in other suits."""
    shorter, most = [comb(SUIT_SIZE, size) for size in range(cards)], HAND_SIZE // cards
    rest = [comb(SUITS, same) * ways([shorter] * (SUITS - same), HAND_SIZE - same * cards) for same in range(most + 1)]
    below = [
        sum(rest[same] * place**same for same in range(1, most + 1)) for place in range(comb(SUIT_SIZE, cards) + 1)
    ]
    return [after - before for before, after in pairwise(below)]
