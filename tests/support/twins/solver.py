"""The solver's counts of one flush, from its classes of hands.

The hands of a class have the same four suits in any order. Each class is decided by the text of the strategy and by the
exact odds of one hand.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import factorial, prod

import numpy as np

from highcardflush.cards import Hand
from highcardflush.odds.counting import flush_masks
from highcardflush.odds.hand import FOLD, HandOdds, hand_odds, raise_value
from highcardflush.odds.kernel import length_pass
from highcardflush.odds.primitives import Array
from highcardflush.odds.strategies import NAMED, SHAPES, SIDE_COUNTS, Strategy, flush_code, threshold_code
from highcardflush.odds.sums import Question, questions
from highcardflush.ranking import flush_rank
from highcardflush.rulebook import configure, packaged

HALF = configure(packaged("galaxy-v7"), None, {"raise-minimum": "0.5x"})
BY_SHAPE = Strategy("by-shape", "", "T-8-6", {"3-2-1-1": "J-high", "3-3-1-0": "optimal"})
GAMES = ((HALF, NAMED["optimal"]), (packaged("oxford"), NAMED["eleven"]), (HALF, BY_SHAPE))
"""The games that are compared. All have the usual qualifier."""

Suits = tuple[int, ...]


def hand_classes(flush: int) -> Iterator[tuple[Suits, int]]:
    """Yield the suits of each class of hands with this best flush, best suit first, and the number of its hands."""
    for shape in SHAPES:
        if shape[0] == flush.bit_count():
            for suits in product([flush], *map(flush_masks, shape[1:])):
                if all(one >= two for one, two in pairwise(suits) if one.bit_count() == two.bit_count()):
                    yield suits, 24 // prod(map(factorial, Counter(suits).values()))


def choose(question: Question, strategy: Strategy, suits: Suits, side_cards: int, odds: HandOdds) -> int:
    """Return 0 for a fold, 1 for the smallest Raise and 2 for the largest."""
    shape = "-".join(str(mask.bit_count()) for mask in suits)
    if strategy.side:
        text = strategy.by_side[min(side_cards, len(strategy.by_side) - 1)]
    else:
        text = strategy.shapes.get(shape, strategy.threshold)
    if text != "optimal":
        return 2 * (flush_code(flush_rank(Hand(suits[0]))) >= threshold_code(text))
    low, high = (raise_value(odds, Fraction(size, 100)) for size in (question.low, question.high))
    return 0 if max(low, high) <= FOLD else 1 + (high >= low)


@cache
def solver_pass(game: int, cards: int) -> tuple[Question, tuple[Array, Array, Array]]:
    """Return the question about the hands with this longest suit length, and the solver's answer."""
    question = next(each for each in questions(*GAMES[game]) if each.cards == cards)
    return question, length_pass(*question)


def compare_flush(flush: int) -> tuple[list[str], Array]:
    """Compare the solver's counts of a flush with those of its classes.

    Return a line for each game that differs, and the deals of the classes, by game, decision and result.
    """
    cards, outcomes = flush.bit_count(), np.zeros((len(GAMES), 3, 4), dtype=np.int64)
    passes = [solver_pass(game, cards) for game in range(len(GAMES))]
    decided, gains = np.zeros((len(GAMES), 2), dtype=np.int64), np.zeros((len(GAMES), SIDE_COUNTS), dtype=np.int64)
    for suits, hands in hand_classes(flush):
        odds = hand_odds(Hand(sum(mask << 13 * suit for suit, mask in enumerate(suits))))
        deals = hands * np.array(odds.counts, dtype=np.int64)
        for game, ((_, strategy), (question, _)) in enumerate(zip(GAMES, passes, strict=True)):
            side_cards = sum((mask & question.side).bit_count() for mask in suits[1:])
            choice = choose(question, strategy, suits, side_cards, odds)
            decided[game, int(choice > 0)] += hands
            outcomes[game, choice] += deals
            win = 100 * odds.not_qualified + (100 + question.high) * (odds.win - odds.lose)
            gains[game, side_cards] += hands * (win + 100 * odds.total)
    place, wrong = flush_masks(cards).index(flush), []
    for game, (_, (_, all_decided, all_gains)) in enumerate(passes):
        counts = decided[game].tolist(), gains[game].tolist()
        if counts != (all_decided[place].tolist(), all_gains[place].tolist()):
            wrong.append(f"{GAMES[game][0].name}, {GAMES[game][1].name}: {Hand(flush)} is {counts} by its classes")
    return wrong, outcomes
