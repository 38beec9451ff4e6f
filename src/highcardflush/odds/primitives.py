"""Compiled primitives shared by all kernels: bit operations, the best flush, and counts of dealer hands below a bound.

A suit is a mask of its 13 ranks. A hand is four suits in one 64-bit word, with 16 bits per suit. Above its ranks, each
suit has its number of cards: `length << 13 | ranks` is the code by which flushes are compared.

Dealer hands below a bound are counted as in `odds.hand`, with one polynomial per suit, based on what the player knows:

- A seen card is not among the suit's available cards.
- A card known only by its suit has any rank that the player does not hold, with equal probability. If s of a suit's u
  available cards are elsewhere, a given set of j cards contains none of them with probability C(u - s, j) / C(u, j).
  The numbers of sets are multiplied by these probabilities.
- If one dealer card is seen, only sets with that card count. Their number is the number of all sets of available cards
  minus the number of sets without the card.

The coefficients are floats because of these probabilities. Counts of whole hands stay far below 2^53, so without such
cards the counts, and all comparisons of two decisions, are exact.
"""

from collections.abc import Callable
from hashlib import sha256
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from highcardflush.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE
from highcardflush.odds.counting import SUITS

Array = np.ndarray[Any, np.dtype[Any]]
Word = Any
"""Unsigned 64-bit integer. Numba turns a mix of unsigned and signed integers into floats."""
signed: Any = np.int64
RANKS = np.uint64(0x1FFF_1FFF_1FFF_1FFF)
_LOW_ONES = np.uint64(0x0001_0001_0001_0001)
CODE, MASK = np.uint64(0xFFFF), np.uint64(0x1FFF)
U0, U1, U13, U16, U32, U48 = (np.uint64(i) for i in (0, 1, 13, 16, 32, 48))
BINOMIALS: Array = np.array([[comb(n, k) for k in range(HAND_SIZE + 1)] for n in range(SUIT_SIZE + 1)], dtype=np.int64)
_FLOATS = BINOMIALS.astype(np.float64)
_TOTALS: Array = np.array([[comb(n, k) for k in range(HAND_SIZE + 1)] for n in range(DECK_SIZE + 1)], dtype=np.float64)
_SOURCE = sha256(Path(__file__).read_bytes()).hexdigest()


def compiled(*, nogil: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Return a caching `njit`. A change to this module also makes the cache stale, because kernels include its code."""

    def compile_function(function: Callable[..., Any]) -> Any:
        dispatcher: Any = njit(cache=True, nogil=nogil)(function)
        index = dispatcher._cache._cache_file
        index._source_stamp = index._source_stamp, _SOURCE
        return dispatcher

    return compile_function


def instruction(name: str, result: Any, *constants: ir.Constant) -> Any:
    """Return a function of one 64-bit integer that compiles to a single LLVM instruction."""

    def typed(typing: Any, mask: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(builder, name)(*arguments, *constants)

        return result(mask), build

    return intrinsic(typed)


NOT_ZERO = ir.Constant(ir.IntType(1), 1)
"""Flag that tells LLVM that the argument is never 0."""
popcount = instruction("ctpop", types.int64)
leading_zeros = instruction("ctlz", types.int64, NOT_ZERO)


@compiled()
def best_flush(hand: Word) -> Word:
    """Return the code of the best flush."""
    return max(hand & CODE, hand >> U16 & CODE, hand >> U32 & CODE, hand >> U48)


@compiled()
def sets_below(available: int, length: int, bound: int) -> int:
    """Count the sets of `length` available ranks that are below the bound, like `odds.hand.sets_below`."""
    sets, remaining = 0, length
    while bound:
        bit = 1 << 63 - leading_zeros(bound)
        sets += BINOMIALS[popcount(available & (bit - 1)), remaining]
        if not available & bit:
            break
        remaining, bound = remaining - 1, bound ^ bit
    return sets


@compiled()
def ways_below(available: Word, hidden: Word, card: Word, length: int, ranks: Word, work: Array) -> Any:
    """Count the dealer hands in which every suit is below a bound. `work` is scratch space for the polynomials.

    `hidden` has, in each suit's bits, how many of its available cards are elsewhere. `card` is a seen dealer card or 0.
    """
    bound = signed(ranks)
    for i in range(SUITS, SUITS + 2):
        for j in range(HAND_SIZE + 1):
            work[i, j] = 0.0
    for suit in range(SUITS):
        at = np.uint64(16 * suit)
        mask, one, elsewhere = signed(available >> at & MASK), signed(card >> at & MASK), signed(hidden >> at & CODE)
        cards = popcount(mask)
        for size in range(length):
            work[suit, size] = _FLOATS[cards, size]
        work[suit, length] = sets_below(mask, length, bound)
        if one:
            for size in range(length):
                work[suit, size] -= _FLOATS[cards - 1, size]
            work[suit, length] -= sets_below(mask ^ one, length, bound)
        if elsewhere:
            for size in range(min(length, cards) + 1):
                work[suit, size] = work[suit, size] * _FLOATS[cards - elsewhere, size] / _FLOATS[cards, size]
    for pair in range(2):
        for i in range(length + 1):
            for j in range(min(length, HAND_SIZE - i) + 1):
                work[SUITS + pair, i + j] += work[2 * pair, i] * work[2 * pair + 1, j]
    total = 0.0
    for i in range(HAND_SIZE + 1):
        total += work[SUITS, i] * work[SUITS + 1, HAND_SIZE - i]
    return total


@compiled()
def _total(available: Word, hidden: Word, card: Word) -> Any:
    """Count all dealer hands."""
    cards = popcount(available) - signed(hidden * _LOW_ONES >> U48)
    if not card:
        return _TOTALS[cards, HAND_SIZE]
    at = np.uint64(0)
    while not card >> at & MASK:
        at += U16
    suit_cards = popcount(available >> at & MASK)
    return _TOTALS[cards - 1, HAND_SIZE - 1] * ((suit_cards - signed(hidden >> at & CODE)) / suit_cards)


@compiled()
def meet(qualifier: Word, hand: Word, available: Word, hidden: Word, card: Word, work: Array) -> Any:
    """Return numbers of dealer hands: those that do not qualify, those that lose minus those that win, and all."""
    code = best_flush(hand)
    length, ranks = signed(code >> U13), code & MASK
    total = _total(available, hidden, card)
    not_qualified = ways_below(available, hidden, card, signed(qualifier >> U13), qualifier & MASK, work)
    below = not_above = not_qualified
    if code >= qualifier:
        below = ways_below(available, hidden, card, length, ranks, work)
        not_above = ways_below(available, hidden, card, length, ranks + U1, work)
    return not_qualified, (below - not_qualified) - (total - not_above), total
