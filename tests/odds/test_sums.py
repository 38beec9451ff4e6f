"""Sums of the whole game: the shipped ones counted again, and the solver against the odds of single hands."""

from __future__ import annotations

import sys
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from highcardflush.cards import Hand
from highcardflush.odds import sums
from highcardflush.odds.counting import HANDS, flush_hands, flush_masks, flushes
from highcardflush.odds.game import game_odds
from highcardflush.odds.hand import FOLD, HandOdds, hand_odds, raise_value
from highcardflush.odds.kernel import length_pass
from highcardflush.odds.strategies import NAMED, SIDE_COUNTS, Strategy, flush_code, threshold_code
from highcardflush.odds.sums import Question, digest, game_sums, questions
from highcardflush.odds.whatif import parse_raise_rule, with_raise_rule
from highcardflush.ranking import flush_rank
from highcardflush.rulebook import PACKAGED, Rulebook, configure, packaged
from support.data.tables import book_of

sys.path.append(str(Path(__file__).parents[2] / "tools"))

from sums import written

GALAXY = packaged("galaxy-v7")
HALF = configure(GALAXY, None, {"raise-minimum": "0.5x"})
BY_SHAPE = Strategy("by-shape", "", "T-8-6", {"3-2-1-1": "J-high", "3-3-1-0": "optimal"})


def test_shipped_sums_are_what_the_solver_counts() -> None:
    """`make sums` writes them again."""
    assert sums.FILE.read_bytes() == written()


def refuse(*_: object) -> None:
    raise AssertionError("counted, not shipped")


@pytest.mark.parametrize("name", PACKAGED)
def test_packaged_rulebooks_need_no_solver(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums, "count", refuse)
    for strategy in NAMED.values():
        assert game_odds(packaged(name), strategy).strategy == strategy.name


@pytest.mark.parametrize(
    ("book", "strategy"),
    [
        (HALF, NAMED["optimal"]),
        (with_raise_rule(GALAXY, parse_raise_rule("multiples 1 1 2 2 3 3")), NAMED["optimal"]),
        (GALAXY, Strategy("optimal", "", "T-8-5")),
        (GALAXY, BY_SHAPE),
    ],
)
def test_games_without_shipped_sums_are_counted(
    book: Rulebook, strategy: Strategy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sums, "count", refuse)
    with pytest.raises(AssertionError, match="counted, not shipped"):
        game_sums(book, strategy)


def test_another_qualifier_is_counted() -> None:
    four = book_of("four")
    shipped, stricter = game_sums(GALAXY, NAMED["always"]), game_sums(four, NAMED["always"])
    unqualified = [sum(counts[0] for *_, counts in each.choices) for each in (shipped, stricter)]
    assert unqualified[0] < unqualified[1]


@pytest.mark.parametrize("field", Question._fields)
def test_every_part_of_a_question_is_in_its_hash(field: str) -> None:
    first, *others = questions(GALAXY, NAMED["t-8-6"])
    value: Any = getattr(first, field)
    other: Any = [[1, *value[0][1:]]] if isinstance(value, list) else value + 1
    variant = first._replace(**{field: other})
    assert digest([variant, *others]) != digest([first, *others])


@cache
def odds_of(*suits: int) -> HandOdds:
    return hand_odds(Hand(sum(mask << 13 * suit for suit, mask in enumerate(suits))))


@cache
def hands_of(flush: Hand) -> Counter[tuple[int, ...]]:
    """Count the hands with this best flush in any suit, by their suits from the best."""
    hands = Counter[tuple[int, ...]]()
    for others in combinations(range(39), 7 - len(flush)):
        hand = Hand(Hand.of(others) | flush)
        if flush_rank(hand) == flush_rank(flush):
            suits = sorted(hand.suits, key=lambda mask: (mask.bit_count(), mask), reverse=True)
            hands[tuple(suits)] += 4 // suits.count(suits[0])
    return hands


def raised(question: Question, strategy: Strategy, suits: tuple[int, ...], side_cards: int) -> bool:
    """Decide a hand by the text of the strategy and the exact odds."""
    shape = "-".join(str(mask.bit_count()) for mask in suits)
    text = strategy.by_side[side_cards] if strategy.side else strategy.shapes.get(shape, strategy.threshold)
    if text != "optimal":
        return flush_code(flush_rank(Hand(suits[0]))) >= threshold_code(text)
    sizes = (Fraction(size, 100) for size in (question.low, question.high))
    return max(raise_value(odds_of(*suits), size) for size in sizes) > FOLD


@pytest.mark.parametrize("flush", ["Ts8s6s", "Ts7s2s", "9s5s4s2s", "As9s7s6s2s", "Ks8s6s5s4s3s"])
@pytest.mark.parametrize(
    ("book", "strategy"), [(HALF, NAMED["optimal"]), (packaged("oxford"), NAMED["eleven"]), (HALF, BY_SHAPE)]
)
def test_the_solver_counts_a_flush_as_hand_by_hand(book: Rulebook, strategy: Strategy, flush: str) -> None:
    """Hands folded and raised, and by side cards what the high Raise gains over a fold."""
    spades = Hand.parse(flush)
    question = next(each for each in questions(book, strategy) if each.cards == len(spades))
    decisions, gains = [0, 0], [Fraction(0)] * SIDE_COUNTS
    for suits, hands in hands_of(spades).items():
        odds, side_cards = odds_of(*suits), sum((mask & question.side).bit_count() for mask in suits[1:])
        decisions[raised(question, strategy, suits, side_cards)] += hands
        gains[side_cards] += hands * odds.total * (raise_value(odds, Fraction(question.high, 100)) - FOLD)
    _, all_decided, all_gains = length_pass(*question)
    place = flush_masks(question.cards).index(spades.suits[3])
    assert all_decided[place].tolist() == decisions
    assert all_gains[place].tolist() == [100 * gain for gain in gains]


def test_the_solver_counts_every_hand() -> None:
    for strategy in (NAMED["optimal"], NAMED["eleven"], BY_SHAPE):
        hands = [length_pass(*question)[1].sum(axis=1) for question in questions(HALF, strategy)]
        assert np.concatenate(hands).tolist() == list(flush_hands())


def test_every_flush_once_and_every_hand() -> None:
    assert list(flushes()) == sorted(set(flushes()))
    assert sum(flush_hands()) == HANDS
