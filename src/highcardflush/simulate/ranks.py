"""Ranks many hands in one call, from NumPy arrays of cards or of suit masks.

A flush is given as a number: its length times 2^13, plus the mask of its ranks. The greater number wins, and
`FlushRank(*divmod(number, 8192))` equals `ranking.flush_rank`. The simulation compares hands by these numbers.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from highcardflush.cards import DECK_SIZE, HAND_SIZE, SUIT_MASK, SUIT_SIZE
from highcardflush.errors import HcfError
from highcardflush.odds.counting import SUITS
from highcardflush.odds.primitives import Array
from highcardflush.simulate.kernel import pack_cards, pack_suits, rank


class Ranks(NamedTuple):
    """Ranks of many hands, as arrays with one entry per hand."""

    flushes: Array
    """Best flush as a number (uint16). The greater number wins; equal numbers tie."""
    lengths: Array
    """Length of the best flush (uint8)."""
    straights: Array
    """Length of the longest straight flush (uint8), 3 to 7, or 0 if there is none."""
    ace_high: Array
    """True if the longest straight flush (the highest, if there are several) has the ace on top."""


def rank_cards(cards: ArrayLike) -> Ranks:
    """Rank hands of up to seven cards. Each row is one hand: different cards from 0 to 51, as in `cards.Card`."""
    return _ranked(cards, range(1, HAND_SIZE + 1), pack_cards, f"different cards from 0 to {DECK_SIZE - 1}")


def rank_suits(suits: ArrayLike) -> Ranks:
    """Rank hands of up to seven cards. Each row is one hand: rank masks of clubs, diamonds, hearts and spades."""
    expected = f"masks from 0 to {SUIT_MASK} with at most {HAND_SIZE} cards in total"
    return _ranked(suits, range(SUITS, SUITS + 1), pack_suits, expected)


def _ranked(rows: ArrayLike, columns: range, pack: Callable[[Array, Array], int], expected: str) -> Ranks:
    array = np.ascontiguousarray(rows)
    if array.ndim != 2 or array.dtype.kind not in "iu" or array.shape[1] not in columns:
        size = f"{columns[0]} to {columns[-1]}" if len(columns) > 1 else f"{columns[0]}"
        read = f"{array.dtype} of shape {array.shape}"
        raise HcfError("hands", read=read, expected=f"whole numbers in rows of {size}")
    hands = np.empty(len(array), dtype=np.uint64)
    if (bad_row := pack(array, hands)) >= 0:
        raise HcfError(f"hands: row {bad_row}", read=str(array[bad_row].tolist()), expected=expected)
    flushes, straights = np.empty(len(array), dtype=np.uint16), np.empty(len(array), dtype=np.uint8)
    rank(hands, flushes, straights)
    lengths = (flushes >> SUIT_SIZE).astype(np.uint8)
    return Ranks(flushes, lengths, np.where(straights, straights // 2 + 2, 0).astype(np.uint8), straights % 2 == 1)
