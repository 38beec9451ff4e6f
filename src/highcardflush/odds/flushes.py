"""All flushes that can be the best of a hand, lowest first, and the number of hands with each."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import comb

from highcardflush.cards import HAND_SIZE, SUIT_SIZE
from highcardflush.odds.counting import HELD, SUITS, ways
from highcardflush.ranking import SMALLEST_FLUSH, FlushRank


@cache
def flush_masks(cards: int) -> tuple[int, ...]:
    """Return the sets of this many cards of one suit, lowest first."""
    return tuple(mask for mask in HELD if mask.bit_count() == cards)


@cache
def flushes() -> tuple[FlushRank, ...]:
    return tuple(
        FlushRank(cards, mask) for cards in range(SMALLEST_FLUSH, HAND_SIZE + 1) for mask in flush_masks(cards)
    )


@cache
def flush_hands() -> tuple[int, ...]:
    """Return the number of hands with each flush as their best."""
    return tuple(hands for cards in range(SMALLEST_FLUSH, HAND_SIZE + 1) for hands in _hands(cards))


def _hands(cards: int) -> list[int]:
    """Return the hands by the flush's rank among those of its length: that many are below it, and may occur in other
    suits."""
    shorter, most = [comb(SUIT_SIZE, size) for size in range(cards)], HAND_SIZE // cards
    rest = [comb(SUITS, same) * ways([shorter] * (SUITS - same), HAND_SIZE - same * cards) for same in range(most + 1)]
    below = [
        sum(rest[same] * place**same for same in range(1, most + 1)) for place in range(comb(SUIT_SIZE, cards) + 1)
    ]
    return [after - before for before, after in pairwise(below)]
