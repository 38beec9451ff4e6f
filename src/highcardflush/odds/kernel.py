"""The whole game in one pass: every hand of the player against every hand of the dealer, exactly.

The masks of a suit are grouped as in `odds.classes`, which counts the same hands in plain Python. They are also grouped
by the number of side cards that a strategy counts. 443,617 combinations of groups represent all 133,784,560 hands.

Dealer hands below a bound of L cards are counted as in `odds.hand`, but with expanded polynomials. In each suit the
dealer holds either fewer than L cards, in a number of ways that depends only on the suit's size, or exactly L, in c
ways. The total is a sum over all choices of suits that hold exactly L cards. Each term is the product of their values
of c, times a factor that depends only on the four sizes and is computed once for each shape. All counts are below 2^63.
"""

from functools import lru_cache
from math import comb

import numpy as np

from highcardflush.cards import HAND_SIZE, SUIT_SIZE
from highcardflush.odds.counting import DEALER_HANDS, factors, flush_masks
from highcardflush.odds.primitives import BINOMIALS, Array, compiled, popcount, sets_below
from highcardflush.odds.strategies import SHAPES, SIDE_COUNTS

BELOW, EQUAL, UNQUALIFIED, SIDE, MASKS = range(5)
"""A group's columns: numbers of sets below the flush, equal to it, below the qualifier, of side cards and of masks."""
_SLOTS = 1024
"""Number of slots in the hash table of groups: more than three times the number of masks of any one size."""
_WAYS: Array = np.array([24, 12, 12, 4, 12, 6, 4, 1], dtype=np.int64)
"""Number of ways to assign four groups to the suits. Bit i of the index is set if groups i and i + 1 are equal."""


@lru_cache
def _tables() -> tuple[Array, Array]:
    """Return the masks that a hand can hold, sorted by size and value, and the index at which each size begins."""
    masks = [mask for size in range(HAND_SIZE + 1) for mask in flush_masks(size)]
    begins = np.cumsum([0] + [comb(SUIT_SIZE, size) for size in range(HAND_SIZE + 1)])
    return np.array(masks, dtype=np.int64), begins.astype(np.int64)


@compiled()
def _alone(masks: Array, qualifier: int, side: int, columns: Array) -> None:
    """Fill, for every mask, the columns that do not depend on the flush."""
    for i in range(len(masks)):
        columns[i, UNQUALIFIED] = sets_below(~masks[i] & 0x1FFF, qualifier >> 13, qualifier & 0x1FFF)
        columns[i, SIDE] = popcount(masks[i] & side)


@compiled()
def _bound(flush: int, cards: Array, ways: Array) -> None:
    """Set `cards` to a flush's cards, highest first, and fill `ways`, from which the sets below the flush are counted.

    `ways[i, u]` counts the ways to replace card i and all later cards with lower ranks, of which u are unavailable.
    """
    i, remaining = 0, len(cards)
    for rank in range(SUIT_SIZE - 1, -1, -1):
        if flush >> rank & 1:
            cards[i] = 1 << rank
            for unavailable in range(min(rank, HAND_SIZE) + 1):
                ways[i, unavailable] = BINOMIALS[rank - unavailable, remaining]
            i, remaining = i + 1, remaining - 1


@compiled()
def _group(
    flush: tuple[Array, Array],
    first: int,
    last: int,
    masks: Array,
    columns: Array,
    groups: Array,
    slots: Array,
    base: int,
) -> int:
    """Group the masks from index `first` up to, but not including, `last`. Return the number of groups.

    `flush` has the arrays that `_bound` fills. `slots` is the hash table of groups; its entries below `base` are stale.
    """
    cards, ways = flush
    sets_below, size = cards.sum(), 0
    for i in range(first, last):
        mask, unqualified, side = masks[i], columns[i, UNQUALIFIED], columns[i, SIDE]
        below, equal = 0, int(mask & sets_below == 0)
        for j in range(len(cards)):
            below += ways[j, popcount(mask & (cards[j] - 1))]
            if mask & cards[j]:
                break
        at = (below * 2 + equal + 5 * unqualified + 89 * side) & (_SLOTS - 1)
        while True:
            group = slots[at] - base
            if group < 0:
                slots[at], group = base + size, size
                groups[size, BELOW], groups[size, EQUAL] = below, equal
                groups[size, UNQUALIFIED], groups[size, SIDE] = unqualified, side
                groups[size, MASKS] = 0
                size += 1
            if (
                groups[group, BELOW] == below
                and groups[group, EQUAL] == equal
                and groups[group, UNQUALIFIED] == unqualified
                and groups[group, SIDE] == side
            ):
                groups[group, MASKS] += 1
                break
            at = (at + 1) & (_SLOTS - 1)
    return size


@compiled()
def _count(factors: Array, c0: int, c1: int, c2: int) -> tuple[int, int]:
    """Return x and y such that x + y * c3 dealer hands are below a bound.

    c0 to c3 are the four suits' numbers of sets that are below the bound and have exactly its length.
    """
    without = factors[0] + c0 * factors[1] + c1 * (factors[2] + c0 * factors[3])
    without += c2 * (factors[4] + c0 * factors[5] + c1 * (factors[6] + c0 * factors[7]))
    within = factors[8] + c0 * factors[9] + c1 * (factors[10] + c0 * factors[11])
    within += c2 * (factors[12] + c0 * factors[13] + c1 * factors[14])  # Four suits would need at least eight cards.
    return without, within


@compiled()
def _choose(threshold: int, code: int, low: int, high: int, not_qualified: int, win: int, lose: int) -> int:
    """Return 0 for a fold, 1 for the smallest Raise, 2 for the largest. No Raise in between is better than both."""
    if threshold >= 0:
        return 2 if code >= threshold else 0
    choice, size = (2, high) if win >= lose else (1, low)
    return choice if 100 * not_qualified + (100 + size) * (win - lose) > -100 * DEALER_HANDS else 0


@compiled()
def _shape(
    shape: Array, equal: Array, groups: Array, sizes: Array, code: int, plays: bool, factors: tuple[Array, Array],
    thresholds: Array, low: int, high: int, outcomes: Array, decided: Array, gains: Array,
) -> None:  # fmt: skip
    """Add the results of all hands with one shape and best flush. `decided` counts the folded and the raised hands."""
    a, b, c, d = shape[0], shape[1], shape[2], shape[3]
    by_qualifier, by_flush = factors
    n0, l0, e0 = equal[UNQUALIFIED], equal[BELOW], equal[EQUAL]
    for i in range(sizes[b] + (b == a)):
        n1, l1, e1 = groups[b, i, UNQUALIFIED], groups[b, i, BELOW], groups[b, i, EQUAL]
        for j in range(i + 1 if c == b else sizes[c]):
            n2, l2, e2 = groups[c, j, UNQUALIFIED], groups[c, j, BELOW], groups[c, j, EQUAL]
            x, x3 = _count(by_qualifier, n0, n1, n2)
            y, y3 = _count(by_flush, l0, l1, l2)
            z, z3 = _count(by_flush, l0 + e0, l1 + e1, l2 + e2)
            side = groups[b, i, SIDE] + groups[c, j, SIDE]
            masks, same = (
                groups[b, i, MASKS] * groups[c, j, MASKS],
                (b == a and i == sizes[b]) | (c == b and j == i) << 1,
            )
            for k in range(j + 1 if d == c else sizes[d]):
                not_qualified = x + x3 * groups[d, k, UNQUALIFIED]
                win, tie = 0, 0
                if plays:
                    lower = y + y3 * groups[d, k, BELOW]
                    win, tie = lower - not_qualified, z + z3 * (groups[d, k, BELOW] + groups[d, k, EQUAL]) - lower
                lose = DEALER_HANDS - not_qualified - win - tie
                count = side + groups[d, k, SIDE]
                choice = _choose(thresholds[count], code, low, high, not_qualified, win, lose)
                hands = _WAYS[same | (d == c and k == j) << 2] * masks * groups[d, k, MASKS]
                decided[int(choice != 0)] += hands
                outcomes[choice, 0] += hands * not_qualified
                outcomes[choice, 1] += hands * win
                outcomes[choice, 2] += hands * tie
                outcomes[choice, 3] += hands * lose
                gains[count] += hands * (100 * (not_qualified + DEALER_HANDS) + (100 + high) * (win - lose))


@compiled()
def _length_pass(
    length: int, shapes: Array, factors: tuple[Array, Array], tables: tuple[Array, Array],
    thresholds: Array, side: int, low: int, high: int, qualifier: int, outcomes: Array, decided: Array, gains: Array,
) -> None:  # fmt: skip
    """Add the results of all hands whose longest suit has this length, flush by flush."""
    masks, begins = tables
    by_qualifier, by_flush = factors
    most, first = min(length, HAND_SIZE - length), begins[length]
    columns, slots = np.zeros((len(masks), MASKS), dtype=np.int64), np.zeros(_SLOTS, dtype=np.int64)
    groups, sizes, base = np.zeros((8, 288, MASKS + 1), dtype=np.int64), np.zeros(8, dtype=np.int64), 0
    cards, ways = np.zeros(length, dtype=np.int64), np.zeros((length, 8), dtype=np.int64)
    _alone(masks, qualifier, side, columns)
    for place in range(begins[length + 1] - first):
        flush = masks[first + place]
        code = length << 13 | flush
        _bound(flush, cards, ways)
        for size in range(most + 1):
            last, base = first + place if size == length else begins[size + 1], base + _SLOTS
            sizes[size] = _group((cards, ways), begins[size], last, masks, columns, groups[size], slots, base)
        # The flush's own group is stored after the other groups of its length.
        base, flush_groups = base + _SLOTS, groups[length, sizes[length] :]
        _group((cards, ways), first + place, first + place + 1, masks, columns, flush_groups, slots, base)
        for i in range(len(shapes)):
            _shape(
                shapes[i], flush_groups[0], groups, sizes, code, code >= qualifier, (by_qualifier[i], by_flush[i]),
                thresholds[i], low, high, outcomes, decided[place], gains[place],
            )  # fmt: skip


def length_pass(
    cards: int, thresholds: list[list[int]], side: int, low: int, high: int, qualifier: int
) -> tuple[Array, Array, Array]:
    """Count all hands whose longest suit has `cards` cards. `thresholds` is indexed by shape and number of side cards.

    Return three arrays: the numbers of deals by decision and result; the numbers of folded and raised hands by flush;
    and the gain of the largest Raise over a fold by flush and number of side cards with ranks in `side`. The gain is
    summed over all deals, in hundredths of the Ante.
    """
    shapes = [shape for shape in SHAPES if shape[0] == cards]
    by_qualifier, by_flush = (
        np.array([factors(shape, bound) for shape in shapes], dtype=np.int64)
        for bound in (qualifier >> SUIT_SIZE, cards)
    )
    outcomes, flushes = np.zeros((3, 4), dtype=np.int64), comb(SUIT_SIZE, cards)
    decided, gains = (np.zeros((flushes, size), dtype=np.int64) for size in (2, SIDE_COUNTS))
    arguments = np.array(thresholds, dtype=np.int64), side, low, high, qualifier
    _length_pass(cards, np.array(shapes), (by_qualifier, by_flush), _tables(), *arguments, outcomes, decided, gains)
    return outcomes, decided, gains
