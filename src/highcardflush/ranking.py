"""Ranking of hands: the flush for Ante and Raise, the straight flush for side bets.

Flushes are compared by length, then by their ranks from the highest down. The rank masks of flushes of the same length
compare as plain ints, so `(length, mask)` is the whole ranking. A straight flush is a run of ones in a mask to which
the ace has been added below the two. Runs do not wrap around.

`Showdown` lists the outcomes of a hand, and `MAIN_PAYS` lists the gains of Ante and Raise for each outcome.
"""

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
"""Gain of the Ante and of the Raise for each outcome, as multiples of their stakes."""
SMALLEST_FLUSH = 2
SMALLEST_STRAIGHT = 3

NUMBER_NAMES = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen",
)  # fmt: skip


class FlushRank(NamedTuple):
    """A flush: the number of its cards and the mask of their ranks. The greater tuple wins."""

    length: int
    ranks: int

    @property
    def names(self) -> list[str]:
        """Names of the ranks, highest first."""
        return [RANK_NAMES[rank] for rank in range(12, -1, -1) if self.ranks >> rank & 1]

    @property
    def short(self) -> str:
        """The ranks in short form, as in a strategy: `T-8-6`."""
        return "-".join(RANKS[rank] for rank in range(12, -1, -1) if self.ranks >> rank & 1)

    def __str__(self) -> str:
        cards = f"{NUMBER_NAMES[self.length]} card{'' if self.length == 1 else 's'}"
        return f"{cards}, {self.names[0]} high" if self.ranks else cards


QUALIFIER = FlushRank(3, 1 << RANKS.index("9"))
"""The weakest flush with which the dealer qualifies: three cards, nine high."""


class StraightFlush(NamedTuple):
    """A straight flush: the number of its cards and its highest rank, 0 (two) to 12 (ace). For A-2-3-4-5, it is 3."""

    length: int
    top: int

    def __str__(self) -> str:
        return f"{NUMBER_NAMES[self.length]}-card straight flush, {RANK_NAMES[self.top]} high"


def flush_of(hand: Hand, suit: int) -> FlushRank:
    """Return the flush that the hand holds in one suit."""
    mask = hand.suits[suit]
    return FlushRank(mask.bit_count(), mask)


def flush_rank(hand: Hand) -> FlushRank:
    """Return the best flush of a hand.

    >>> str(flush_rank(Hand.parse("AsKs9s7s 6d7d8d")))
    'four cards, ace high'
    """
    length, ranks = max((mask.bit_count(), mask) for mask in hand.suits)
    return FlushRank(length, ranks)


def best_suits(hand: Hand) -> list[int]:
    """Return the suit of the hand's best flush, or several suits if their flushes tie."""
    best = flush_rank(hand).ranks
    return [suit for suit in (3, 2, 1, 0) if hand.suits[suit] == best]


def dealer_qualifies(flush: FlushRank, qualifier: FlushRank = QUALIFIER) -> bool:
    """Return True if the dealer qualifies with this flush. By default, three cards, nine high, or better qualifies."""
    return flush >= qualifier


def showdown(flush: FlushRank, dealer: FlushRank, qualifier: FlushRank = QUALIFIER) -> Showdown:
    """Return the outcome of raising a hand with this flush against the dealer's flush."""
    if not dealer_qualifies(dealer, qualifier):
        return "not-qualified"
    return "win" if flush > dealer else "lose" if flush < dealer else "tie"


def straight_flush(hand: Hand) -> StraightFlush | None:
    """Return the longest straight flush of at least three cards. Of equally long ones, return the highest.

    >>> straight_flush(Hand.parse("As2s3s 6d7d8d Kc"))
    StraightFlush(length=3, top=6)
    """
    length, top = max(longest_run(mask) for mask in hand.suits)
    return StraightFlush(length, top) if length >= SMALLEST_STRAIGHT else None


def straight_flush_cards(hand: Hand) -> Hand:
    """Return the cards of the hand's best straight flush, or an empty hand if there is none.

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
    """Return the length and top rank of the longest run in a suit mask. Of equally long runs, return the highest."""
    runs = mask << 1 | mask >> 12  # Add the ace below the two.
    length, tops = 0, 0
    while runs:  # After k rounds, a bit is set only if it and the k bits below it were all set.
        length, tops = length + 1, runs
        runs &= runs << 1
    return length, tops.bit_length() - 2
