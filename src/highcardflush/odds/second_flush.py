"""Hands with two flushes of three or more cards, and their exact results if the lower flush is kept.

Only the shapes 4-3-0-0 and 3-3-1-0 have two such flushes. Results are counted as in `odds.kernel`, but for all hands of
a shape at once. The number of dealer hands below a bound is a sum over every choice of suits where the dealer has
exactly the bound's number of cards. Each term is a product of one number per suit. Each suit is an axis of the arrays.
"""

from math import factorial

import numpy as np

from highcardflush.cards import SUIT_MASK
from highcardflush.odds.counting import DEALER_HANDS, SUITS, factors, flush_masks
from highcardflush.odds.game import Choice
from highcardflush.odds.hand import HandOdds
from highcardflush.odds.primitives import Array, compiled, sets_below
from highcardflush.ranking import FlushRank
from highcardflush.rulebook.model import Rulebook

Shape = tuple[int, int, int, int]
BEST, SECOND = range(2)


def choices_if_kept(rulebook: Rulebook, shape: Shape, flush: int) -> tuple[Choice, ...]:
    """For all hands of a shape with two different flushes, return the choices if `flush` is kept and played best."""
    suits = np.meshgrid(*map(_masks, shape), indexing="ij", sparse=True)
    hands = np.where(suits[BEST] > suits[SECOND], 1, 0) if shape[BEST] == shape[SECOND] else np.array(1)
    ways = hands * (factorial(SUITS) // factorial(shape.count(0)))
    not_qualified, win, tie = _meets(shape, suits, flush, rulebook.qualifier)
    lose = DEALER_HANDS - not_qualified - win - tie
    low, high = rulebook.raise_antes(shape[flush])
    size = np.where(win >= lose, int(100 * high), int(100 * low))
    raised = 100 * not_qualified + (100 + size) * (win - lose) > -100 * DEALER_HANDS
    decisions = np.where(raised, np.where(win >= lose, 2, 1), 0)
    choices = []
    for decision, raised_antes in enumerate((None, low, high)):
        own_ways = ways * (decisions == decision)
        odds = HandOdds(*(int((own_ways * each).sum()) for each in (not_qualified, win, tie, lose)))
        if odds.total:
            choices.append(Choice(shape[flush], raised_antes, odds))
    return tuple(choices)


def _masks(cards: int) -> Array:
    return np.array(flush_masks(cards))


def _meets(shape: Shape, suits: tuple[Array, ...], flush: int, least: FlushRank) -> tuple[Array, Array, Array]:
    """Return the numbers of dealer hands that do not qualify, that lose to the flush, and that tie with it."""
    ranks, cards = suits[flush], shape[flush]
    qualifier = [_sets_below(suit, least.length, np.array(least.ranks)) for suit in suits]
    lower = [_sets_below(suit, cards, ranks) for suit in suits]
    not_qualified, below = _count(shape, least.length, qualifier), _count(shape, cards, lower)
    equal = [sets + (suit & ranks == 0) for sets, suit in zip(lower, suits, strict=True)]
    not_above = np.maximum(_count(shape, cards, equal), not_qualified)
    below = np.maximum(below, not_qualified)
    return not_qualified, below - not_qualified, not_above - below


def _count(shape: Shape, cards: int, sets: list[Array]) -> Array:
    """Count the dealer hands below a bound of `cards` cards, given each suit's number of sets of this size below it."""
    total = np.array(0)
    for exact, ways in enumerate(factors(shape, cards)):
        if ways:
            part = np.array(ways)
            for suit in range(SUITS):
                part = part * sets[suit] if exact >> suit & 1 else part
            total = total + part
    return total


def _sets_below(held_ranks: Array, cards: int, bound: Array) -> Array:
    """Count the sets of `cards` ranks that are not held and are below the bound."""
    available, bounds = np.broadcast_arrays(~held_ranks & SUIT_MASK, bound)
    sets = np.empty(bounds.shape, dtype=np.int64)
    _fill_sets(available.ravel(), cards, bounds.ravel(), sets.ravel())
    return sets


@compiled()
def _fill_sets(available: Array, cards: int, bounds: Array, sets: Array) -> None:
    for i in range(len(sets)):
        sets[i] = sets_below(available[i], cards, bounds[i])
