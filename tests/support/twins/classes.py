"""The whole game class by class, the slow twin of `odds.kernel`.

Suits are alike, so only the four suit masks of a hand matter, not which suit has which: some six million classes stand
for all 133,784,560 hands, each with the number of ways to name its suits.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
from numba import njit

from highcardflush.cards import HAND_SIZE, SUIT_SIZE
from highcardflush.odds.counting import DEALER_HANDS, MASKS, factors
from highcardflush.odds.flushes import flush_masks
from highcardflush.odds.primitives import popcount, sets_below
from highcardflush.odds.strategies import SHAPES, SIDE_COUNTS, flush_code
from highcardflush.ranking import QUALIFIER

Array = np.ndarray[Any, np.dtype[np.int64]]


@lru_cache
def _tables() -> tuple[Array, Array, Array]:
    """Binomials; all masks ordered by size, then value; and where each size begins."""
    binomials = np.array([[comb(n, k) for k in range(HAND_SIZE + 1)] for n in range(SUIT_SIZE + 1)], dtype=np.int64)
    masks = sorted(MASKS, key=lambda mask: (mask.bit_count(), mask))
    begins = np.cumsum([0] + [comb(SUIT_SIZE, size) for size in range(SUIT_SIZE + 1)])
    return binomials, np.array(masks, dtype=np.int64), begins.astype(np.int64)


@njit(cache=True)
def _count(factors: Array, c0: int, c1: int, c2: int, c3: int) -> int:
    """Dealer hands: over every set of suits with exactly the bound's length (four would be eight cards)."""
    hands: int = (
        factors[0]
        + c0
        * (factors[1] + c1 * (factors[3] + c2 * factors[7] + c3 * factors[11]) + c2 * (factors[5] + c3 * factors[13]))
        + c0 * c3 * factors[9]
        + c1 * (factors[2] + c2 * (factors[6] + c3 * factors[14]) + c3 * factors[10])
        + c2 * (factors[4] + c3 * factors[12])
        + c3 * factors[8]
    )
    return hands


@njit(cache=True)
def _ways(m0: int, m1: int, m2: int, m3: int) -> int:
    """Count the ways to give four masks, in descending order of size and value, to the four suits."""
    ways, run = 24, 1
    for same in (m0 == m1, m1 == m2, m2 == m3):
        run = run + 1 if same else 1
        ways //= run
    return ways


@njit(cache=True)
def _shape_pass(
    shape: tuple[int, int, int, int],
    own: Array,
    qualifier: Array,
    tables: tuple[Array, Array, Array],
    thresholds: Array,
    side: int,
    low: int,
    high: int,
    outcomes: Array,
    raised: Array,
    folded: Array,
    gains: Array,
) -> None:
    """Add every class of one shape. `low` and `high` are the Raises allowed, in hundredths of the Ante.

    The thresholds are those for each number of side cards whose ranks are in `side`.
    """
    (a, b, c, d), (binomials, masks, begins) = shape, tables
    total = DEALER_HANDS
    below = np.zeros(len(masks), dtype=np.int64)
    for i0 in range(begins[a], begins[a + 1]):
        m0 = masks[i0]
        for i in range(begins[0], begins[b + 1]):
            below[masks[i]] = sets_below(~masks[i] & 0x1FFF, a, m0)
        c0 = sets_below(~m0 & 0x1FFF, a, m0)
        q0 = binomials[7 - popcount(m0 & 0x7F), 3]
        plays = a > 3 or (a == 3 and m0 >= 1 << 7)  # at least the qualifier: it can win
        for i1 in range(begins[b], i0 + 1 if b == a else begins[b + 1]):
            m1 = masks[i1]
            q1 = binomials[7 - popcount(m1 & 0x7F), 3]
            count1 = popcount(m1 & side)
            for i2 in range(begins[c], i1 + 1 if c == b else begins[c + 1]):
                m2 = masks[i2]
                q2 = binomials[7 - popcount(m2 & 0x7F), 3]
                count2 = count1 + popcount(m2 & side)
                for i3 in range(begins[d], i2 + 1 if d == c else begins[d + 1]):
                    m3 = masks[i3]
                    q3 = binomials[7 - popcount(m3 & 0x7F), 3]
                    not_qualified = _count(qualifier, q0, q1, q2, q3)
                    win, tie = 0, 0
                    if plays:
                        c1, c2, c3 = below[m1], below[m2], below[m3]
                        lower = _count(own, c0, c1, c2, c3)
                        e1, e2, e3 = int(m0 & m1 == 0), int(m0 & m2 == 0), int(m0 & m3 == 0)
                        win = lower - not_qualified
                        tie = _count(own, c0, c1 + e1, c2 + e2, c3 + e3) - lower
                    lose = total - not_qualified - win - tie
                    count = count2 + popcount(m3 & side)
                    choice = _choose(thresholds[count], a << 13 | m0, low, high, not_qualified, win, lose, total)
                    ways = _ways(m0, m1, m2, m3)
                    if choice == 0:
                        folded[m0] += ways
                    else:
                        raised[m0] += ways
                    outcomes[choice, 0] += ways * not_qualified
                    outcomes[choice, 1] += ways * win
                    outcomes[choice, 2] += ways * tie
                    outcomes[choice, 3] += ways * lose
                    gains[count, m0] += ways * (100 * not_qualified + (100 + high) * (win - lose) + 100 * total)


@njit(cache=True)
def _choose(threshold: int, code: int, low: int, high: int, not_qualified: int, win: int, lose: int, total: int) -> int:
    """0 fold, 1 the low Raise, 2 the high one. A Raise's value is linear in its size, so an end is best."""
    if threshold >= 0:
        return 2 if code >= threshold else 0
    choice, size = (2, high) if win >= lose else (1, low)
    return choice if 100 * not_qualified + (100 + size) * (win - lose) > -100 * total else 0


def shape_pass(shape: int, thresholds: list[int], side: int, low: int, high: int) -> tuple[Array, Array, Array, Array]:
    """All hands of one shape: outcomes by choice and result, hands raised and folded by mask, gains by side cards."""
    sizes = SHAPES[shape]
    own, qualifier = (np.array(factors(sizes, cards), dtype=np.int64) for cards in (sizes[0], QUALIFIER.length))
    outcomes, raised, folded = (np.zeros(size, dtype=np.int64) for size in ((3, 4), len(MASKS), len(MASKS)))
    gains, codes = np.zeros((SIDE_COUNTS, len(MASKS)), dtype=np.int64), np.array(thresholds, dtype=np.int64)
    _shape_pass(sizes, own, qualifier, _tables(), codes, side, low, high, outcomes, raised, folded, gains)
    return outcomes, raised, folded, gains


def length_pass(
    cards: int, thresholds: list[list[int]], side: int, low: int, high: int, qualifier: int
) -> tuple[Array, Array, Array]:
    """Return the result of `odds.kernel.length_pass`."""
    assert qualifier == flush_code(QUALIFIER)
    shapes = [number for number, sizes in enumerate(SHAPES) if sizes[0] == cards]
    passes = [shape_pass(number, codes, side, low, high) for number, codes in zip(shapes, thresholds, strict=True)]
    outcomes, raised, folded, gains = (sum(parts[1:], parts[0]) for parts in zip(*passes, strict=True))
    masks = list(flush_masks(cards))
    return outcomes, np.stack([folded[masks], raised[masks]], axis=1), gains[:, masks].T
