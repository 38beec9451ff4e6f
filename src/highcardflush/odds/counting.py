"""Basics of the exact counts: numbers of hands, products of polynomials, and the number of hands with each flush.

A hand of seven cards is put together suit by suit. For each suit, let the coefficient of x^n be the number of ways to
take n cards of the suit under some condition. In the product of the four polynomials, the coefficient of x^7 is the
number of hands in which every suit meets its condition.
"""

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from functools import cache, reduce
from itertools import pairwise
from math import comb
from typing import TypeVar

from highcardflush.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE
from highcardflush.ranking import SMALLEST_FLUSH, FlushRank

K = TypeVar("K", bound=Hashable)
SUITS = 4
HANDS = comb(DECK_SIZE, HAND_SIZE)
DEALER_HANDS = comb(DECK_SIZE - HAND_SIZE, HAND_SIZE)
"""Number of dealer hands that are possible against one player hand."""
DEALS = HANDS * DEALER_HANDS
MASKS = range(1 << SUIT_SIZE)
"""Sets of cards of one suit, as masks of ranks."""
HELD = [mask for mask in MASKS if mask.bit_count() <= HAND_SIZE]
"""Masks that a hand can hold."""


def multiply(first: Sequence[int], right: Sequence[int]) -> Sequence[int]:
    """Return the product of two polynomials, up to the seventh power."""
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
    """Return, for each set of suits with exactly `length` dealer cards, the number of ways to fill the other suits.

    In each other suit, the dealer has fewer than `length` cards. The index of a set has one bit per suit. `sizes`
    contains the player's number of cards in each suit.
    """
    shorter = [[comb(SUIT_SIZE - size, cards) for cards in range(length)] for size in sizes]
    return tuple(
        ways((shorter[suit] for suit in range(SUITS) if not exact >> suit & 1), HAND_SIZE - length * exact.bit_count())
        for exact in range(1 << SUITS)
    )


def add_up(parts: Iterable[tuple[K, Fraction]]) -> dict[K, Fraction]:
    """Return the sum of the parts for each key."""
    sums: dict[K, Fraction] = {}
    for key, part in parts:
        sums[key] = sums.get(key, Fraction(0)) + part
    return sums


@cache
def flush_masks(cards: int) -> tuple[int, ...]:
    """Return the masks of this many cards of one suit, lowest first."""
    return tuple(mask for mask in HELD if mask.bit_count() == cards)


@cache
def flushes() -> tuple[FlushRank, ...]:
    """Return all flushes that can be a hand's best flush, lowest first."""
    return tuple(
        FlushRank(cards, mask) for cards in range(SMALLEST_FLUSH, HAND_SIZE + 1) for mask in flush_masks(cards)
    )


@cache
def flush_hands() -> tuple[int, ...]:
    """Return the number of hands with each best flush, in the order of `flushes`."""
    return tuple(hands for cards in range(SMALLEST_FLUSH, HAND_SIZE + 1) for hands in _hands(cards))


def _hands(cards: int) -> list[int]:
    """Return the number of hands with each best flush of this length, lowest first. Several suits may be this long."""
    shorter, most = [comb(SUIT_SIZE, size) for size in range(cards)], HAND_SIZE // cards
    rest = [comb(SUITS, same) * ways([shorter] * (SUITS - same), HAND_SIZE - same * cards) for same in range(most + 1)]
    below = [
        sum(rest[same] * place**same for same in range(1, most + 1)) for place in range(comb(SUIT_SIZE, cards) + 1)
    ]
    return [after - before for before, after in pairwise(below)]
