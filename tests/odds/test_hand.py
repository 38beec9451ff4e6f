"""One hand against every dealer's hand: the polynomials against plain enumeration."""

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from highcardflush.cards import FULL_DECK, NO_CARDS, Hand
from highcardflush.errors import HcfError
from highcardflush.odds.hand import HandOdds, hand_odds, raise_value
from highcardflush.ranking import dealer_qualifies, flush_of, flush_rank


def count_deals(hand: Hand, seen_cards: Hand) -> HandOdds:
    """Count every dealer hand, one by one."""
    counts = [0, 0, 0, 0]
    own = flush_rank(hand)
    for cards in combinations(FULL_DECK.without(hand | seen_cards), 7):
        dealer = flush_rank(Hand.of(cards))
        counts[0 if not dealer_qualifies(dealer) else 1 if dealer < own else 2 if dealer == own else 3] += 1
    return HandOdds(*counts)


@pytest.mark.parametrize("seed", range(12))
def test_the_polynomials_agree_with_enumeration(seed: int) -> None:
    deck = Random(seed).sample(range(52), 52)
    hand, seen_cards = Hand.of(deck[:7]), Hand.of(deck[7:36])
    assert hand_odds(hand, seen_cards) == count_deals(hand, seen_cards)


@pytest.mark.parametrize(
    "text", ["AsKsQsJsTs9s8s", "9h3h2h 5d4d 6c7s", "8h7h6h 5d4d 6c7s", "AsKh QsJh TdKd 9c", "2h3h 4d5d 6c7c 8s"]
)
def test_hands_at_the_borders(text: str) -> None:
    hand = Hand.parse(text)
    seen_cards = Hand.of(list(FULL_DECK.without(hand))[::2])
    assert hand_odds(hand, seen_cards) == count_deals(hand, seen_cards)


def test_a_worse_flush_that_is_kept_wins_less() -> None:
    hand = Hand.parse("AsKs9s7s 6d7d8d")
    assert hand_odds(hand, flush=flush_of(hand, 1)).win < hand_odds(hand).win


def test_values_in_antes() -> None:
    odds = HandOdds(10, 30, 5, 5)
    assert raise_value(odds, 1) == Fraction(10 + 2 * 25, 50)
    assert raise_value(odds, Fraction(1, 2)) == Fraction(10) / 50 + Fraction(3, 2) * 25 / 50


@pytest.mark.parametrize(
    ("hand", "seen_cards", "message"),
    [
        ("AsKs", "", "hand: read 2 cards, expected 7 cards"),
        ("AsKs9s7s6d7d8d", "As", "seen cards: read As, also in the hand"),
    ],
)
def test_refused(hand: str, seen_cards: str, message: str) -> None:
    with pytest.raises(HcfError, match=message):
        hand_odds(Hand.parse(hand), Hand.parse(seen_cards))


def test_too_many_seen_cards_are_refused() -> None:
    hand = Hand.parse("AsKs9s7s6d7d8d")
    with pytest.raises(HcfError, match="read 39 cards, expected at most 38"):
        hand_odds(hand, Hand.of(list(FULL_DECK.without(hand))[:39]))
    assert hand_odds(hand, Hand.of(list(FULL_DECK.without(hand))[:38])).total == 1
    assert hand_odds(hand, NO_CARDS).total == 45_379_620
