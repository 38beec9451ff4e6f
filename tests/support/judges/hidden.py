"""The secrets of a round in every form that the product has for them, to be searched for in places that nobody may
read."""

import base64
import re

from highcardflush.cards import Hand, format_card

CARD = re.compile(rb"(?<![A-Za-z0-9\\])(?:[2-9TJQKA][cdhs]){1,7}(?![A-Za-z0-9])")
"""Words that are cards."""


def forms_of_bytes(secret: bytes) -> list[bytes]:
    """Bytes raw, in hex and in base64, whatever stands before them."""
    forms = [secret, secret.hex().encode(), secret.hex().upper().encode()]
    for shift in range(3):
        # the first and the last letters depend on what is beside the secret
        coded = base64.b64encode(bytes(shift) + secret)[4 if shift else 0 : -4]
        forms += [coded, coded.replace(b"+", b"-").replace(b"/", b"_")]
    return forms


def forms_of_hand(hand: Hand) -> list[bytes]:
    """A hand as text (any three cards beside each other), as its number, as a list of cards."""
    cards = list(hand)
    texts = [format_card(card) for card in cards]
    forms = [str(hand), "".join(texts), str(int(hand)), f"{int(hand):x}"]
    for words in (texts, [text.upper() for text in texts]):
        for join in ("", " ", ",", '","', '", "'):
            forms += [join.join(words[i : i + 3]) for i in range(5)]
    for order in (cards, cards[::-1]):
        forms += [join.join(map(str, order[i : i + 5])) for join in (",", ", ") for i in range(3)]
    numbers = [int(hand).to_bytes(8, end) for end in ("little", "big")]
    return [*(text.encode() for text in forms), *numbers, bytes(cards), str(hand).encode("utf-16-le")]


def forms_of_deck(deck: tuple[int, ...]) -> list[bytes]:
    """Parts of a deck in its order, as numbers and as cards."""
    forms = [bytes(deck[:8])]
    for i in range(0, len(deck) - 5, 5):
        numbers, texts = [str(card) for card in deck[i : i + 6]], [format_card(card) for card in deck[i : i + 4]]
        forms += [join.join(numbers).encode() for join in (",", ", ", " ")]
        forms += [join.join(texts).encode() for join in ("", " ", ",", '","', '", "')]
    return forms
