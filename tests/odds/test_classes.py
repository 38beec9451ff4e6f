"""Classes of hands: the shipped counts counted again, and single hands one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from random import Random

import pytest

from highcardflush.cards import ACE, Hand
from highcardflush.odds.classes import (
    best_choice,
    classes_of,
    count_classes,
    decided,
    flush_meets,
    hands_met,
    shipped_classes,
)
from highcardflush.odds.counting import HANDS
from highcardflush.odds.hand import hand_odds
from highcardflush.ranking import flush_rank, straight_flush

ONE = Fraction(1)


@pytest.mark.parametrize("cards", [6, 7])
def test_hands_by_what_they_meet(cards: int) -> None:
    """Added up they are the shipped counts."""
    groups = hands_met(cards).items()
    meets = ((straight, rank_met, hands) for straight, by_met in groups for rank_met, hands in by_met.items())
    assert classes_of(cards, meets, ONE, ONE) == tuple(each for each in shipped_classes() if each.cards == cards)


@pytest.mark.parametrize("cards", range(2, 8))
def test_shipped_counts(cards: int) -> None:
    assert count_classes(cards, ONE, ONE) == tuple(each for each in shipped_classes() if each.cards == cards)


def test_shipped_counts_are_all_hands() -> None:
    assert sum(each.hands for each in shipped_classes()) == HANDS
    # Whatever the limits: see best_choice.
    assert {each.choice for each in shipped_classes() if each.cards >= 4} == {"high"}
    assert best_choice(0, 2, 1, Fraction(0), Fraction(3)) == "high"


@pytest.mark.parametrize("flush", ["AsKsQsJsTs9s", "9s7s5s3s2s", "Ks8s6s3s"])
def test_hands_of_one_flush_one_by_one(flush: str) -> None:
    """The sums over single hands agree with the sums over classes. Spades represent all suits, which are alike."""
    spades, rank = Hand.parse(flush), flush_rank(Hand.parse(flush))
    sums: dict[tuple[object, ...], list[int]] = {}
    ranks_of: dict[tuple[int, ...], tuple[int, ...]] = {}
    for others in combinations(range(39), 7 - rank.length):
        hand = Hand(Hand.of(others) | spades)
        key = tuple(sorted(hand.suits))
        if key not in ranks_of:
            odds = hand_odds(hand)
            ranks_of[key] = odds.counts
        *wins_and_ties, lose = ranks_of[key]
        straight = straight_flush(hand)
        cell = (
            (straight.length, straight.top == ACE) if straight else (0, False),
            best_choice(wins_and_ties[0], wins_and_ties[1], lose, ONE, ONE),
        )
        numbers = (1, *wins_and_ties, *(x * y for x, y in combinations_with_replacement(wins_and_ties, 2)))
        cell_sums = sums.setdefault(cell, [0] * 10)
        sums[cell] = [have + 4 * number for have, number in zip(cell_sums, numbers, strict=True)]
    class_counts = classes_of(rank.length, flush_meets(rank), ONE, ONE)
    assert {(each.straight, each.choice): [each.hands, *each.met, *each.products] for each in class_counts} == sums


def test_other_cards_of_three_one_by_one() -> None:
    """Hands drawn at random that hold T-8-6: raised and folded about as often as counted."""
    random, spades = Random(3), Hand.parse("Ts8s6s")
    raise_value, fold_value = decided(flush_rank(spades), ONE, ONE)
    assert (raise_value, fold_value) == (102408, 152340)
    hands = [Hand(Hand.of(random.sample(range(39), 4)) | spades) for _ in range(1500)]
    best = [hand_odds(hand) for hand in hands if flush_rank(hand) == flush_rank(spades)]
    up = sum(best_choice(odds.not_qualified, odds.win, odds.lose, ONE, ONE) != "fold" for odds in best)
    assert up / len(best) == pytest.approx(raise_value / (raise_value + fold_value), abs=0.04)
