"""Ranking of hands: the flush for Ante and Raise, the straight flush for side bets.

A flush is compared by length, then by its ranks from the top. As a 13-bit mask, ranks of flushes of one length compare
as plain ints, so `(length, mask)` is the whole ranking. A straight flush is a run of ones in a mask to which the ace
has been added below the two; it cannot wrap.

A raised hand against the dealer's ends in a `Showdown`, and `MAIN_PAYS` lists what Ante and Raise win in each.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from highcardflush.cards import RANK_NAMES, RANKS, Hand

Showdown = Literal["fold", "not-qualified", "win", "tie", "lose"]
MAIN_PAYS: dict[Showdown, tuple[int, int]] = {
    "fold": (-1, 0),
    "not-qualified": (1, 0),
    "win": (1, 1),
    "tie": (0, 0),
    "lose": (-1, -1),
}
"""Gain of the Ante and of the Raise, in multiples of their stakes."""
SMALLEST_FLUSH = 2
SMALLEST_STRAIGHT = 3

NUMBER_NAMES = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen",
)  # fmt: skip


class FlushRank(NamedTuple):
    """A flush: its number of cards, and its ranks as a mask. The greater one wins."""

    length: int
    ranks: int

    @property
    def names(self) -> list[str]:
        """The ranks, highest first."""
        return [RANK_NAMES[rank] for rank in range(12, -1, -1) if self.ranks >> rank & 1]

    @property
    def short(self) -> str:
        """The ranks as a strategy names them: `T-8-6`."""
        return "-".join(RANKS[rank] for rank in range(12, -1, -1) if self.ranks >> rank & 1)

    def __str__(self) -> str:
        cards = f"{NUMBER_NAMES[self.length]} card{'' if self.length == 1 else 's'}"
        return f"{cards}, {self.names[0]} high" if self.ranks else cards


QUALIFIER = FlushRank(3, 1 << RANKS.index("9"))
"""Three cards, nine high: every qualifying flush is at least this."""


class StraightFlush(NamedTuple):
    """A straight flush: its number of cards, and its highest rank (0 two to 12 ace; the five of A-2-3-4-5 is 3)."""

    length: int
    top: int

    def __str__(self) -> str:
        return f"{NUMBER_NAMES[self.length]}-card straight flush, {RANK_NAMES[self.top]} high"


def flush_of(hand: Hand, suit: int) -> FlushRank:
    """Return the flush that the hand holds in one suit."""
    mask = hand.suits[suit]
    return FlushRank(mask.bit_count(), mask)


def flush_rank(hand: Hand) -> FlushRank:
    """The best flush of a hand.

    >>> str(flush_rank(Hand.parse("AsKs9s7s 6d7d8d")))
    'four cards, ace high'
    """
    length, ranks = max((mask.bit_count(), mask) for mask in hand.suits)
    return FlushRank(length, ranks)


def best_suits(hand: Hand) -> list[int]:
    """Return the suits of the hand's best flush: several when they tie."""
    best = flush_rank(hand).ranks
    return [suit for suit in (3, 2, 1, 0) if hand.suits[suit] == best]


def dealer_qualifies(flush: FlushRank, qualifier: FlushRank = QUALIFIER) -> bool:
    """Return True if the dealer plays with this flush: three cards, nine high, or better by default."""
    return flush >= qualifier


def showdown(flush: FlushRank, dealer: FlushRank, qualifier: FlushRank = QUALIFIER) -> Showdown:
    """Return the outcome of a raised hand with this flush."""
    if not dealer_qualifies(dealer, qualifier):
        return "not-qualified"
    return "win" if flush > dealer else "lose" if flush < dealer else "tie"


def straight_flush(hand: Hand) -> StraightFlush | None:
    """The longest straight flush of three cards or more, and of those the highest.

    >>> straight_flush(Hand.parse("As2s3s 6d7d8d Kc"))
    StraightFlush(length=3, top=6)
    """
    length, top = max(longest_run(mask) for mask in hand.suits)
    return StraightFlush(length, top) if length >= SMALLEST_STRAIGHT else None


def straight_flush_cards(hand: Hand) -> Hand:
    """The cards of that straight flush, none if there is none.

    >>> str(straight_flush_cards(Hand.parse("As2s3s 6d7d8d Kc")))
    '8d7d6d'
    """
    best = straight_flush(hand)
    if best is None:
        return Hand(0)
    ranks = {(best.top - i) % 13 for i in range(best.length)}
    runs = (Hand.of(suit * 13 + rank for rank in ranks) for suit in (3, 2, 1, 0))
    return next(run for run in runs if not run.without(hand))


def longest_run(mask: int) -> tuple[int, int]:
    """Return length and top rank of the longest, then highest, run in a suit mask, however short."""
    runs = mask << 1 | mask >> 12  # Add the ace below the two.
    length, tops = 0, 0
    while runs:  # After k rounds a one is left at the top of each run of more than k.
        length, tops = length + 1, runs
        runs &= runs << 1
    return length, tops.bit_length() - 2
