"""Exact numbers of deals in which the hands of two seats are in each pair of classes.

The two hands come from one deck, so they are not independent. As with one hand (`odds.paytable`), both hands are below
their bounds exactly when all their suits are. The pairs of disjoint masks of one suit, counted by the two masks'
numbers of cards, form a polynomial in two variables. In its fourth power, the coefficient at seven and seven cards is
the number of pairs of hands below the bounds.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import product

import numpy as np

from highcardflush.cards import HAND_SIZE
from highcardflush.odds.counting import HELD
from highcardflush.odds.paytable import LineOdds, TableOdds
from highcardflush.odds.primitives import Array
from highcardflush.rulebook.wagers import SIDE_BETS, Match, Reach

SIZES = HAND_SIZE + 1
Pairs = dict[tuple[LineOdds | None, LineOdds | None], int]


@lru_cache
def pair_counts(match: Callable[[int], Match]) -> dict[tuple[Reach, Reach], int]:
    """Return the number of deals to two seats for each pair of classes of a side bet."""
    reaches = [match(mask).reach for mask in HELD]
    classes_found = sorted(set(reaches))
    below = _suit_pairs([classes_found.index(reach) for reach in reaches], len(classes_found)).cumsum(0).cumsum(1)
    half = np.zeros_like(below)
    for i, j in product(range(SIZES), repeat=2):
        half[..., i:, j:] += below[..., i : i + 1, j : j + 1] * below[..., : SIZES - i, : SIZES - j]
    whole = (half * half[..., ::-1, ::-1]).sum((2, 3))
    counts = np.diff(np.diff(whole, axis=0, prepend=0), axis=1, prepend=0)
    return {(classes_found[i], classes_found[j]): int(count) for (i, j), count in np.ndenumerate(counts)}


def _suit_pairs(classes: list[int], size: int) -> Array:
    """Return the numbers of pairs of disjoint masks of one suit, by the two masks' classes and numbers of cards."""
    every = np.array(HELD)
    places = np.array(classes) * SIZES + np.array([mask.bit_count() for mask in HELD])
    pairs = np.zeros((size, SIZES, size * SIZES), dtype=np.int64)
    for mask, number in zip(HELD, classes, strict=True):
        free = places[(every & mask) == 0]
        pairs[number, mask.bit_count()] += np.bincount(free, minlength=size * SIZES)
    return pairs.reshape(size, SIZES, size, SIZES).transpose(0, 2, 1, 3)


def line_pairs(odds: TableOdds) -> Pairs:
    """Return the number of deals to two seats for each pair of pay-table lines that they reach."""
    pairs = Pairs()
    for (one, other), count in pair_counts(SIDE_BETS[odds.table.wager].match).items():
        lines = odds.at(one), odds.at(other)
        pairs[lines] = pairs.get(lines, 0) + count
    return pairs


def mean_product(odds: TableOdds, one: LineOdds, other: LineOdds) -> Fraction:
    """Return the mean product of two lines' returns in one round. All seats share the round's Dynamic draw."""
    if one is other:
        return one.squared
    if not one.line.dynamic or not other.line.dynamic:
        return one.returned * other.returned
    lines = len(odds.table.dynamic_lines)  # The number of lines drawn is uniform from 1 to lines - 1.
    both = sum((Fraction(k * (k - 1), lines * (lines - 1)) for k in range(1, lines)), Fraction(0)) / (lines - 1)
    single = Fraction(1, 2) - both
    drawn, other_drawn = (Fraction(sum(each.line.dynamic), len(each.line.dynamic)) for each in (one, other))
    default, other_default = one.line.pay_for_1, other.line.pay_for_1
    mixed = drawn * other_default + default * other_drawn
    return both * drawn * other_drawn + single * mixed + (1 - both - 2 * single) * default * other_default
