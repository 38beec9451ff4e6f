"""Lines that hands reach, and the number of hands that reach each."""

from __future__ import annotations

from random import Random

from highcardflush.cards import Hand
from highcardflush.odds.counting import DEALER_HANDS, DEALS, HANDS, multiply, ways
from highcardflush.ranking import flush_rank, straight_flush
from highcardflush.rulebook.wagers import SIDE_BETS


def test_the_numbers_of_deals_are_exact() -> None:
    assert (HANDS, DEALER_HANDS) == (133_784_560, 45_379_620)
    assert DEALS == 6_071_092_494_667_200


def test_products_of_polynomials() -> None:
    assert multiply([1, 2], [3, 4, 5]) == [3, 10, 13, 10]
    assert multiply([0] * 7 + [1], [1, 1]) == [0] * 7 + [1]  # nothing above seven cards
    assert ways([[1, 1]] * 4, 2) == 6
    assert ways([], 0) == ways([[5]], 7) + 1 == 1
    assert ways([[1, 1]] * 4, -1) == 0


def test_a_suit_is_ranked_as_a_hand_is() -> None:
    random = Random(4)
    for _ in range(2000):
        hand = Hand.of(random.sample(range(52), 7))
        run = straight_flush(hand)
        assert SIDE_BETS["straight-flush"].best(hand) == (run or (0, 0))
        assert SIDE_BETS["flush"].best(hand).cards == flush_rank(hand).length
