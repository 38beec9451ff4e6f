"""Cards and hands.

A card is an int from 0 to 51, `suit * 13 + rank`. The suits are clubs, diamonds, hearts and spades (0 to 3); the ranks
are two to ace (0 to 12). A hand is a set of cards: a 52-bit int, made of four 13-bit suit masks. The text of a hand
lists spades first, and the cards of each suit from high to low.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Self

from highcardflush.errors import TextError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
RANK_NAMES = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
SUIT_MASK = 0x1FFF
DECK_SIZE = 52
HAND_SIZE = 7
SUIT_SIZE = 13
ACE = 12
HIDDEN = "??"
"""Text printed in place of a card that the reader may not see."""

Card = int


def parse_card(text: str) -> Card:
    """Parse a card such as `As`."""
    rank = RANKS.find(text[:1]) if text else -1
    suit = SUITS.find(text[1:]) if len(text) == 2 else -1
    if rank < 0 or suit < 0:
        raise TextError("card", read=repr(text), expected=f"a rank ({RANKS}) and a suit ({SUITS}), such as As")
    return suit * 13 + rank


def format_card(card: Card) -> str:
    return RANKS[card % 13] + SUITS[card // 13]


def parse_cards(text: str) -> list[Card]:
    """Parse cards, in order. Spaces between cards are allowed."""
    return [parse_card(word[i : i + 2]) for word in text.split() for i in range(0, len(word), 2)]


def parse_suit(text: str) -> int:
    if text not in SUIT_NAMES:
        raise TextError("suit", read=repr(text), expected=", ".join(SUIT_NAMES))
    return SUIT_NAMES.index(text)


class Hand(int):
    """A set of cards.

    >>> hand = Hand.parse("AsKs9s7s 6d7d8d")
    >>> len(hand), str(hand)
    (7, 'AsKs9s7s 8d7d6d')
    """

    __slots__ = ()

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Self:
        """Return the hand with these cards. A repeated card is an error."""
        bits = 0
        for card in cards:
            if not 0 <= card < DECK_SIZE:
                raise TextError("card", read=str(card), expected="a number from 0 to 51")
            if bits >> card & 1:
                raise TextError("cards", read=f"{format_card(card)} twice", expected="each card once")
            bits |= 1 << card
        return cls(bits)

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls.of(parse_cards(text))

    @property
    def suits(self) -> tuple[int, int, int, int]:
        """The four suit masks: clubs, diamonds, hearts, spades."""
        return self & SUIT_MASK, self >> 13 & SUIT_MASK, self >> 26 & SUIT_MASK, self >> 39 & SUIT_MASK

    def suit(self, suit: int) -> "Hand":
        return Hand(self & SUIT_MASK << 13 * suit)

    def without(self, other: int) -> "Hand":
        return Hand(self & ~other)

    def __iter__(self) -> Iterator[Card]:
        """Iterate over the cards: spades first, and each suit from high to low."""
        return (card for card in range(DECK_SIZE - 1, -1, -1) if self >> card & 1)

    def __len__(self) -> int:
        return self.bit_count()

    def __contains__(self, card: Card) -> bool:
        return bool(self >> card & 1)

    def __str__(self) -> str:
        return _hand_text(self)

    def __repr__(self) -> str:
        return f"Hand.parse({str(self)!r})"


@lru_cache(maxsize=1 << 12)
def _hand_text(hand: Hand) -> str:
    """Return the text of a hand. The text is cached, because a table sends the same hands many times."""
    clubs, diamonds, hearts, spades = hand.suits
    groups = (_suit_text(spades, "s"), _suit_text(hearts, "h"), _suit_text(diamonds, "d"), _suit_text(clubs, "c"))
    return " ".join(filter(None, groups))


@lru_cache(maxsize=4 * (SUIT_MASK + 1))
def _suit_text(mask: int, suit: str) -> str:
    return "".join(RANKS[rank] + suit for rank in range(12, -1, -1) if mask >> rank & 1)


NO_CARDS = Hand(0)
FULL_DECK = Hand((1 << DECK_SIZE) - 1)
