"""Ranking: boundaries by hand, the slow twin over many hands, and exact counts over all of them."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Iterable
from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highcardflush import ranking
from highcardflush.cards import DECK_SIZE, HAND_SIZE, NO_CARDS, RANKS, Hand
from support.twins import ranking as twins
from support.walkers.rounds import cases

EXACT = json.loads((Path(__file__).parents[1] / "data/exact-counts.json").read_text())
CLUBS, DIAMONDS, HEARTS = range(3)
NO_FLUSH = ranking.FlushRank(0, 0)
NO_STRAIGHT = ranking.StraightFlush(0, 0)

cards = st.integers(0, DECK_SIZE - 1)
hands = st.sets(cards, min_size=HAND_SIZE, max_size=HAND_SIZE).map(Hand.of)


def rank(text: str) -> ranking.FlushRank:
    return ranking.flush_rank(Hand.parse(text))


@pytest.mark.clause("G2")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("4s3s2s", "AsKs"),
        ("5s4s3s2s", "AsKsQs"),
        ("8s7s6s5s4s3s2s", "AsKsQsJsTs9s"),
        ("As3s2s", "KsQsJs"),
        ("AsQs2s", "AsJsTs"),
        ("AsQs3s", "AsQs2s"),
        ("KsTs8s6s4s", "KsTs8s6s3s"),
        ("5s4s3s2s AhKhQh", "AsKsQs JhTh9d8d"),
    ],
)
def test_longer_wins_then_rank_by_rank(better: str, worse: str) -> None:
    assert rank(better) > rank(worse)


@pytest.mark.clause("G2")
def test_same_ranks_in_another_suit_tie() -> None:
    assert rank("As9s4s KhQh 2d3c") == rank("Ac9c4c KdJd 2h3s")


@pytest.mark.clause("G2")
def test_the_best_of_several_longest_suits_counts() -> None:
    hand = Hand.parse("KsQsJs Ah3h2h 5d")
    assert ranking.flush_rank(hand) == ranking.flush_of(hand, HEARTS) == rank("Ah3h2h")
    assert ranking.best_suits(hand) == [HEARTS]


@pytest.mark.clause("G2")
def test_best_suits_names_every_suit_that_ties() -> None:
    assert ranking.best_suits(Hand.parse("Kc7c KdQd KhQh As")) == [HEARTS, DIAMONDS]


def test_flush_of_is_one_suit_alone() -> None:
    hand = Hand.parse("AsKs9s7s 6d7d8d")
    assert ranking.flush_of(hand, DIAMONDS) == rank("8d7d6d")
    assert ranking.flush_of(hand, CLUBS) == ranking.flush_rank(NO_CARDS) == NO_FLUSH


@pytest.mark.clause("G3")
def test_a_straight_flush_means_nothing_for_the_flush() -> None:
    assert rank("As3s2s KdQh9c5c") > rank("KsQsJs Ad8h7c5c")
    assert rank("Ts6s4s3s2s") > rank("9s8s7s6s5s")


def test_flush_as_a_person_reads_it() -> None:
    flush = rank("AsKs9s7s 6d7d8d")
    assert str(flush) == "four cards, ace high"
    assert (flush.names, flush.short) == (["ace", "king", "nine", "seven"], "A-K-9-7")
    assert (rank("Ts3s2s").names, rank("Ts3s2s").short) == (["ten", "three", "two"], "T-3-2")
    assert (str(ranking.FlushRank(1, 1 << 12)), str(NO_FLUSH)) == ("one card, ace high", "no cards")


@pytest.mark.clause("G6")
def test_every_flush_is_on_its_side_of_the_qualifier() -> None:
    nine = RANKS.index("9")
    for size in range(HAND_SIZE + 1):
        for ranks in combinations(range(13), size):
            plays = size > 3 or (size == 3 and max(ranks) >= nine)
            assert ranking.dealer_qualifies(ranking.flush_rank(Hand.of(ranks))) is plays
    assert ranking.dealer_qualifies(ranking.QUALIFIER)


STRAIGHTS = """
hand            | cards and top
As2s3s          | 3 3
QsKsAs          | 3 A
As2s3s4s5s6s7s  | 7 7
8s9sTsJsQsKsAs  | 7 A
AsKsQs 2h3h4h5h | 4 5
As2s3s 6d7d8d Kc | 3 8
As2s3s QsKs 7h8d | 3 A
QsKsAs2s 5h7h9h | 3 A
KsAs2s 4h6h8hTh | none
2s4s6s8sTsQsAs  | none
5s6s 7h8h 9dTd Jc | none
                | none
"""


@pytest.mark.clause("G9")
@pytest.mark.parametrize(("hand", "expected"), cases(STRAIGHTS))
def test_straight_flush(hand: str, expected: str) -> None:
    """The longer before the higher; the ace ends a run, low or high, and is never in its middle."""
    run = ranking.straight_flush(Hand.parse(hand))
    assert (f"{run.length} {RANKS[run.top]}" if run else "none") == expected


@pytest.mark.clause("V11")
def test_six_cards_ace_high_and_ace_low_are_told_apart() -> None:
    assert str(ranking.straight_flush(Hand.parse("9sTsJsQsKsAs 2h"))) == "six-card straight flush, ace high"
    assert str(ranking.straight_flush(Hand.parse("As2s3s4s5s6s Kh"))) == "six-card straight flush, six high"


@pytest.mark.clause("G2")
@given(hands, st.permutations(range(4)))
def test_suits_are_equal(hand: Hand, suits: list[int]) -> None:
    other = Hand.of(suits[card // 13] * 13 + card % 13 for card in hand)
    assert ranking.flush_rank(other) == ranking.flush_rank(hand)
    assert ranking.straight_flush(other) == ranking.straight_flush(hand)
    assert sorted(ranking.best_suits(other)) == sorted(suits[suit] for suit in ranking.best_suits(hand))


def assert_as_twin(hand_cards: Iterable[int]) -> tuple[ranking.FlushRank, twins.Suit]:
    suits, hand = twins.suits_of(hand_cards), Hand.of(hand_cards)
    flush, slow_flush = ranking.flush_rank(hand), twins.best_flush(suits)
    assert (flush.length, flush.ranks) == (len(slow_flush), sum(1 << rank - 2 for rank in slow_flush)), hand
    assert ranking.dealer_qualifies(flush) is twins.qualifies(slow_flush), hand
    straight, slow_straight = ranking.straight_flush(hand), twins.best_straight(map(twins.suit_straight, suits))
    assert (straight and (straight.length, straight.top + 2)) == slow_straight, hand
    return flush, slow_flush


@pytest.mark.clause("G2", "G6", "G9")
def test_random_hands_and_who_wins_are_as_the_twin_says() -> None:
    rng = random.Random(52)
    for _ in range(30_000):
        deck = rng.sample(range(DECK_SIZE), 2 * HAND_SIZE)
        (player, slow_player), (dealer, slow_dealer) = assert_as_twin(deck[:7]), assert_as_twin(deck[7:])
        slow_wins = (len(slow_player), slow_player) > (len(slow_dealer), slow_dealer)
        assert (player > dealer) is slow_wins
        assert (player == dealer) is (slow_player == slow_dealer)


@pytest.mark.clause("G2", "G9")
def test_every_hand_with_six_or_seven_hearts_is_as_the_twin_says() -> None:
    hearts = range(HEARTS * 13, HEARTS * 13 + 13)
    others = [card for card in range(DECK_SIZE) if card not in hearts]
    for seven in combinations(hearts, 7):
        assert_as_twin(seven)
    for six, other in product(combinations(hearts, 6), others):
        assert_as_twin((*six, other))


@pytest.mark.clause("G2", "G9")
def test_every_five_diamonds_with_some_other_cards_are_as_the_twin_says() -> None:
    rng = random.Random(5)
    diamonds = range(DIAMONDS * 13, DIAMONDS * 13 + 13)
    others = [card for card in range(DECK_SIZE) if card not in diamonds]
    for five in combinations(diamonds, 5):
        for _ in range(10):
            assert_as_twin((*five, *rng.sample(others, 2)))


def suit_classes() -> dict[int, int]:
    """Return the number of equivalent suit masks, for one mask of each kind: the same number of cards, side of the
    qualifier, and straight flush (its length, and whether it is ace high)."""
    kinds: dict[tuple[int, bool, int, bool], list[int]] = {}
    for mask in range(1 << 13):
        hand = Hand(mask)
        if len(hand) <= HAND_SIZE:
            straight = ranking.straight_flush(hand) or NO_STRAIGHT
            plays = ranking.dealer_qualifies(ranking.flush_rank(hand))
            kinds.setdefault((len(hand), plays, straight.length, straight.top == 12), []).append(mask)
    return {masks[0]: len(masks) for masks in kinds.values()}


@pytest.mark.clause("G2", "G6", "G9", "V11")
def test_exact_counts_over_all_hands() -> None:
    """Every hand is four suits of seven cards together: rank one hand of each kind, count all of its kind."""
    flushes: Counter[str] = Counter()
    straights: Counter[str] = Counter()
    six_ace_high = qualifying = 0
    for four in product(suit_classes().items(), repeat=4):
        hand = Hand(sum(mask << 13 * suit for suit, (mask, _) in enumerate(four)))
        if len(hand) != HAND_SIZE:
            continue
        alike = math.prod(number for _, number in four)
        flushes[str(ranking.flush_rank(hand).length)] += alike
        qualifying += alike * ranking.dealer_qualifies(ranking.flush_rank(hand))
        if straight := ranking.straight_flush(hand):
            straights[str(straight.length)] += alike
            six_ace_high += alike * (straight == ranking.StraightFlush(6, RANKS.index("A")))
    assert flushes.total() == EXACT["hands"] == math.comb(DECK_SIZE, HAND_SIZE)
    assert flushes == EXACT["longest_flush"]
    assert straights == EXACT["longest_straight_flush"]
    assert six_ace_high == EXACT["six_card_straight_flush_ace_high"]
    assert qualifying == EXACT["dealer_qualifies"]


def test_a_whole_suit_has_every_card_once() -> None:
    """Only a misdealt hand holds it, with the ace below and above."""
    assert ranking.straight_flush_cards(Hand(0x1FFF)) == Hand(0x1FFF)


CARDS = """
hand             | cards
As2s3s 6d7d8d Kc | 8d7d6d
As2s3s QsKs 7h8d | AsKsQs
As2s3s 4h6h 8d9c | As3s2s
9c8c7c 9s8s7s 2h | 9s8s7s
9c8c7c 9d8d7d 2h | 9d8d7d
9c8c7c6c 9d8d7d  | 9c8c7c6c
As2s3s4s 6d7d8d  | As4s3s2s
As2s3s4s5s6s7s   | As7s6s5s4s3s2s
KsAs2s 4h6h8hTh  |
"""


@pytest.mark.clause("G9")
@pytest.mark.parametrize(("hand", "expected"), cases(CARDS))
def test_the_cards_of_the_straight_flush(hand: str, expected: str) -> None:
    assert ranking.straight_flush_cards(Hand.parse(hand)) == Hand.parse(expected)
