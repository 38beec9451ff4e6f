"""Exact odds of one hand: the number of dealer hands with each result, and the value of a Raise.

The dealer's best flush is below a bound exactly when each suit's flush is below it. The coefficients of a suit's
polynomial (`odds.counting`) are therefore the numbers of sets of available cards below the bound, by size. Three bounds
suffice: the qualifier, the player's flush, and the code just above it. This takes under a millisecond with plain ints.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from msgspec import Struct

from highcardflush.cards import DECK_SIZE, FULL_DECK, HAND_SIZE, NO_CARDS, SUIT_MASK, SUIT_SIZE, Hand
from highcardflush.errors import TextError
from highcardflush.odds.counting import ways
from highcardflush.ranking import QUALIFIER, FlushRank, Showdown, flush_rank

FOLD = Fraction(-1)
RAISED: tuple[Showdown, ...] = ("not-qualified", "win", "tie", "lose")
"""Results of a Raise, in the order of the fields of `HandOdds`."""


class HandOdds(Struct, frozen=True):
    """Numbers of dealer hands with each result against a player's hand."""

    not_qualified: int
    win: int
    tie: int
    lose: int

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """The four numbers, in the order of `RAISED`."""
        return self.not_qualified, self.win, self.tie, self.lose

    @property
    def total(self) -> int:
        return self.not_qualified + self.win + self.tie + self.lose


def hand_odds(
    hand: Hand, seen: Hand = NO_CARDS, flush: FlushRank | None = None, qualifier: FlushRank = QUALIFIER
) -> HandOdds:
    """Return a hand's odds, given that the dealer has none of the seen cards. `flush` plays; the default is the best.

    >>> hand_odds(Hand.parse("AsKs9s7s 6d7d8d"))
    HandOdds(not_qualified=10710469, win=32633851, tie=9920, lose=2025380)
    """
    if len(hand) != HAND_SIZE:
        raise TextError("hand", read=f"{len(hand)} cards", expected="7 cards")
    if both := Hand(hand & seen):
        raise TextError("seen cards", read=f"{both}, also in the hand", expected="cards outside the hand")
    if len(seen) > DECK_SIZE - 2 * HAND_SIZE:
        raise TextError("seen cards", read=f"{len(seen)} cards", expected="at most 38, because the dealer needs seven")
    flush = flush_rank(hand) if flush is None else flush
    return flush_odds(FULL_DECK.without(hand | seen), flush, qualifier)


def flush_odds(unknown: Hand, flush: FlushRank, qualifier: FlushRank = QUALIFIER) -> HandOdds:
    """Return the odds of a flush if the dealer's seven cards come from the unknown cards."""
    total, suits = comb(len(unknown), HAND_SIZE), unknown.suits
    not_qualified = dealer_hands_below(suits, qualifier)
    below = max(dealer_hands_below(suits, flush), not_qualified)
    not_above = max(dealer_hands_below(suits, FlushRank(flush.length, flush.ranks + 1)), not_qualified)
    return HandOdds(not_qualified, below - not_qualified, not_above - below, total - not_above)


def dealer_hands_below(suits: Sequence[int], bound: FlushRank) -> int:
    """Return the number of dealer hands below the bound. `suits` has the mask of each suit's available cards."""
    sizes = range(bound.length)
    return ways([*(comb(mask.bit_count(), size) for size in sizes), sets_below(mask, bound)] for mask in suits)


def sets_below(mask: int, bound: FlushRank) -> int:
    """Return how many sets of `bound.length` available ranks are below the bound.

    Each such set lacks one of the bound's ranks, has the bound's ranks above it, and any ranks below it.
    """
    sets, remaining = 0, bound.length
    for rank in range(SUIT_SIZE, -1, -1):  # Start above the ace, because a bound may be the highest mask plus one.
        if bound.ranks >> rank & 1:
            sets += comb((mask & ((1 << rank) - 1)).bit_count(), remaining)
            remaining -= 1
            if not mask & SUIT_MASK & 1 << rank:
                break
    return sets


def raise_value(odds: HandOdds, multiple: Fraction | int) -> Fraction:
    """Return the value, in Antes, of a Raise of `multiple` Antes."""
    return (odds.not_qualified + (1 + Fraction(multiple)) * (odds.win - odds.lose)) / odds.total
