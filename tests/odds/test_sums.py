"""Sums of the whole game: the shipped ones counted again, and the solver against classes of hands."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from highcardflush.cards import HAND_SIZE, Hand
from highcardflush.odds import sums
from highcardflush.odds.counting import HANDS, flush_hands, flush_masks, flushes
from highcardflush.odds.game import game_odds
from highcardflush.odds.kernel import length_pass
from highcardflush.odds.strategies import NAMED, Strategy
from highcardflush.odds.sums import Question, digest, game_sums, questions
from highcardflush.odds.whatif import parse_raise_rule, with_raise_rule
from highcardflush.rulebook import PACKAGED, Rulebook, packaged
from support.data.tables import book_of
from support.twins.solver import BY_SHAPE, GAMES, HALF, compare_flush, solver_pass

sys.path.append(str(Path(__file__).parents[2] / "tools"))

from sums import written

GALAXY = packaged("galaxy-v7")


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
    shipped_sums, stricter = game_sums(GALAXY, NAMED["always"]), game_sums(four, NAMED["always"])
    unqualified = [sum(counts[0] for *_, counts in each.choices) for each in (shipped_sums, stricter)]
    assert unqualified[0] < unqualified[1]


@pytest.mark.parametrize("field", Question._fields)
def test_every_part_of_a_question_is_in_its_hash(field: str) -> None:
    first, *others = questions(GALAXY, NAMED["t-8-6"])
    value: Any = getattr(first, field)
    other: Any = [[1, *value[0][1:]]] if isinstance(value, list) else value + 1
    variant = first._replace(**{field: other})
    assert digest([variant, *others]) != digest([first, *others])


SAMPLES = {4: 3, 5: 50, 6: 150}
"""Number of flushes of each length that are counted class by class here. `sweep/all_hands.py` counts all."""


def test_the_solver_counts_a_sample_of_flushes_as_class_by_class() -> None:
    """T-8-6 is the flush with the most decisions by the other cards."""
    flushes = [flush for cards, number in SAMPLES.items() for flush in Random(8).sample(flush_masks(cards), number)]
    for flush in (Hand.parse("Ts8s6s").suits[3], *flushes):
        wrong, _ = compare_flush(flush)
        assert not wrong


def test_the_solver_counts_all_deals_of_one_suit_as_class_by_class() -> None:
    outcomes = np.zeros((len(GAMES), 3, 4), dtype=np.int64)
    for flush in flush_masks(HAND_SIZE):
        wrong, deals = compare_flush(flush)
        assert not wrong
        outcomes += deals
    assert outcomes.tolist() == [solver_pass(game, HAND_SIZE)[1][0].tolist() for game in range(len(GAMES))]


def test_the_solver_counts_every_hand() -> None:
    for strategy in (NAMED["optimal"], NAMED["eleven"], BY_SHAPE):
        hands = [length_pass(*question)[1].sum(axis=1) for question in questions(HALF, strategy)]
        assert np.concatenate(hands).tolist() == list(flush_hands())


def test_every_flush_once_and_every_hand() -> None:
    assert list(flushes()) == sorted(set(flushes()))
    assert sum(flush_hands()) == HANDS
