"""The sums of the whole game: the shipped ones counted again, found only by who asks the same; the solver's twin."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from highcardflush.odds import sums
from highcardflush.odds.counting import HANDS
from highcardflush.odds.flushes import flush_hands, flushes
from highcardflush.odds.game import game_odds
from highcardflush.odds.kernel import length_pass
from highcardflush.odds.strategies import NAMED, Strategy
from highcardflush.odds.sums import Question, digest, game_sums, questions
from highcardflush.odds.whatif import parse_raise_rule, with_raise_rule
from highcardflush.rulebook import PACKAGED, Rulebook, configure, packaged
from support.data.tables import book_of
from support.twins import classes

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
def test_whoever_plays_otherwise_is_counted(
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
    changed = first._replace(**{field: other})
    assert digest([changed, *others]) != digest([first, *others])


@pytest.mark.parametrize(
    ("book", "strategy"), [(HALF, NAMED["optimal"]), (packaged("oxford"), NAMED["eleven"]), (HALF, BY_SHAPE)]
)
def test_groups_give_what_all_classes_give(book: Rulebook, strategy: Strategy) -> None:
    """Outcomes, hands folded and raised by flush, and gains by side cards, to the last deal."""
    hands: list[int] = []
    for question in questions(book, strategy):
        found, twins = length_pass(*question), classes.length_pass(*question)
        assert all((own == twin).all() for own, twin in zip(found, twins, strict=True))
        hands += found[1].sum(axis=1).tolist()
    assert hands == list(flush_hands())


def test_every_flush_once_and_every_hand() -> None:
    assert list(flushes()) == sorted(set(flushes()))
    assert sum(flush_hands()) == HANDS
