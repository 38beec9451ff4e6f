"""Slow, obvious twins of fast code: the same answers, computed as a person at the table would compute them.

A suit is the sorted list of its rank numbers, 2 to 14 (ace), high to low. Nothing here uses masks, or anything of the
package except its numbering of the cards.
"""

from collections.abc import Iterable

Suit = list[int]


def suits_of(cards: Iterable[int]) -> list[Suit]:
    """Return the four suits of a hand, each as its rank numbers, high to low."""
    suits: list[Suit] = [[], [], [], []]
    for card in cards:
        suits[card // 13].append(card % 13 + 2)
    return [sorted(suit, reverse=True) for suit in suits]


def best_flush(suits: Iterable[Suit]) -> Suit:
    """Return the ranks of the longest suit, or of the one with the highest cards if several are longest (G2)."""
    best: Suit = []
    for suit in suits:
        if len(suit) > len(best) or (len(suit) == len(best) and suit > best):
            best = suit
    return best


def qualifies(flush: Suit) -> bool:
    """Return whether a flush has three cards, nine high, or is better (G6)."""
    return len(flush) > 3 or (len(flush) == 3 and flush[0] >= 9)


def suit_straight(suit: Suit) -> tuple[int, int] | None:
    """Return length and top rank of a suit's straight flush, trying the longest and highest windows first (G9)."""
    ranks = set(suit) | ({1} if 14 in suit else set())
    for length in range(min(len(suit), 7), 2, -1):
        for top in range(14, length - 1, -1):
            if all(rank in ranks for rank in range(top - length + 1, top + 1)):
                return length, top
    return None


def best_straight(straights: Iterable[tuple[int, int] | None]) -> tuple[int, int] | None:
    """Return the longest of the suits' straight flushes, and among these the highest."""
    best = None
    for straight in straights:
        if straight is not None and (best is None or straight > best):
            best = straight
    return best
