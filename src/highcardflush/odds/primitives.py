"""Compiled primitives of all kernels: bits of a mask, the best flush, and the dealer's hands below a bound.

A suit is a mask of its 13 ranks; a hand is four of them in one 64-bit word, sixteen bits each, with the number of cards
of the suit above its ranks (`length << 13 | ranks`, the code by which flushes compare).

The dealer's hands below a bound are counted as in `odds.hand`, a polynomial a suit, from what the player knows:

- A seen card leaves the suit's available cards.
- Of a card known by its suit only, every rank that the player does not hold is as likely. If s of the suit's u
  available cards are elsewhere, a set of j is with the dealer in C(u - s, j) / C(u, j) of the cases, by which the
  numbers of sets are scaled.
- With a seen card of the dealer, the sets are those of all available cards less those of the others.

Polynomials are floats because of the scaling. Counts of whole hands stay far below 2^53, so without scaling they and
every comparison of two decisions are exact.
"""

from __future__ import annotations

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
"""An unsigned 64-bit number; mixed with a signed one it would become a float."""
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
    """Return `njit` whose cache on disk is stale after a change of this module too, which is compiled into kernels."""

    def compile_function(function: Callable[..., Any]) -> Any:
        dispatcher: Any = njit(cache=True, nogil=nogil)(function)
        index = dispatcher._cache._cache_file
        index._source_stamp = index._source_stamp, _SOURCE
        return dispatcher

    return compile_function


def instruction(name: str, result: Any, *constants: ir.Constant) -> Any:
    """Return a function of a 64-bit number that compiles to one instruction of LLVM."""

    def typed(typing: Any, mask: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(builder, name)(*arguments, *constants)

        return result(mask), build

    return intrinsic(typed)


NOT_ZERO = ir.Constant(ir.IntType(1), 1)
"""States that the number is never 0."""
popcount = instruction("ctpop", types.int64)
leading_zeros = instruction("ctlz", types.int64, NOT_ZERO)


@compiled()
def best_flush(hand: Word) -> Word:
    """Return the code of the best flush."""
    return max(hand & CODE, hand >> U16 & CODE, hand >> U32 & CODE, hand >> U48)


@compiled()
def sets_below(available: int, length: int, bound: int) -> int:
    """Count sets of `length` of the available ranks below the bound; see odds.hand.sets_below."""
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
    """Count the dealer's hands with every suit below a bound, with a polynomial per suit in `work`.

    `hidden` counts in each suit's place its available cards that are elsewhere; `card` is the dealer's seen card.
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
    """Count all of the dealer's hands."""
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
    """Count the dealer's hands: not qualified, those beaten less those lost to, and all."""
    code = best_flush(hand)
    length, ranks = signed(code >> U13), code & MASK
    total = _total(available, hidden, card)
    not_qualified = ways_below(available, hidden, card, signed(qualifier >> U13), qualifier & MASK, work)
    below = not_above = not_qualified
    if code >= qualifier:
        below = ways_below(available, hidden, card, length, ranks, work)
        not_above = ways_below(available, hidden, card, length, ranks + U1, work)
    return not_qualified, (below - not_qualified) - (total - not_above), total
