"""What to do with one hand: the exact value of folding and of each Raise, and the best of them."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from highcardflush.cards import NO_CARDS, Hand
from highcardflush.odds.game import raise_range
from highcardflush.odds.hand import FOLD, HandOdds, hand_odds, raise_value
from highcardflush.ranking import FlushRank, flush_rank
from highcardflush.rulebook.model import Rulebook


class Advice(Struct, frozen=True):
    """Values are in Antes."""

    flush: FlushRank
    odds: HandOdds
    fold: Fraction
    raises: dict[str, Fraction]
    """The value of each Raise, by its multiple of the Ante as a text."""

    @property
    def best(self) -> str:
        """`fold`, or `raise` and its multiple."""
        multiple, value = max(self.raises.items(), key=lambda item: item[1])
        return f"raise {multiple}" if value > self.fold else "fold"

    @property
    def value(self) -> Fraction:
        """What the best decision is worth."""
        return max(self.fold, *self.raises.values())


def multiples(rulebook: Rulebook, cards: int) -> list[Fraction]:
    """The Raises worth looking at with a flush of so many cards: whole Antes, and the ends of a range."""
    low, high = raise_range(rulebook, cards)
    whole = [Fraction(multiple) for multiple in range(1, 4) if low <= multiple <= high]
    return sorted({low, *whole, high})


def advise(rulebook: Rulebook, hand: Hand, seen: Hand = NO_CARDS) -> Advice:
    """The values of every decision with a hand, the best flush kept."""
    odds, flush = hand_odds(hand, seen), flush_rank(hand)
    values = {f"{float(each):g}": raise_value(odds, each) for each in multiples(rulebook, flush.length)}
    return Advice(flush, odds, FOLD, values)
