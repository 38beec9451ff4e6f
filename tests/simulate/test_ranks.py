"""Many hands ranked at once, against the functions that rank one."""

import doctest
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from highcardflush.cards import ACE, Hand
from highcardflush.errors import HcfError
from highcardflush.odds.primitives import Array
from highcardflush.ranking import FlushRank, flush_rank, straight_flush
from highcardflush.simulate import Ranks, rank_cards, rank_suits

LAB = Path(__file__).parents[2] / "docs" / "lab.md"


def assert_alike(ranks: Ranks, hands: Sequence[Hand]) -> None:
    for hand, flush, length, straight, ace_high in zip(hands, *(each.tolist() for each in ranks), strict=True):
        best = straight_flush(hand)
        assert FlushRank(*divmod(flush, 1 << 13)) == flush_rank(hand), hand
        assert length == flush_rank(hand).length
        assert (straight, ace_high) == ((best.length, best.top == ACE) if best else (0, False)), hand


cards = st.integers(1, 7).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(0, 51), min_size=size, max_size=size, unique=True), min_size=1, max_size=30
    )
)
runs = st.tuples(st.integers(0, 3), st.integers(-1, 9), st.integers(0, 51)).map(
    lambda picks: [13 * picks[0] + (picks[1] + i) % 13 for i in range(min(7, 13 - picks[1]))]
)


@settings(max_examples=60)
@given(cards, st.sampled_from([np.uint8, np.int64]))
def test_any_hands_are_ranked_as_one_by_one(rows: list[list[int]], kind: Any) -> None:
    hands = [Hand.of(row) for row in rows]
    assert_alike(rank_cards(np.array(rows, dtype=kind)), hands)
    assert_alike(rank_suits([hand.suits for hand in hands]), hands)


@settings(max_examples=60)
@given(runs)
def test_straight_flushes_are_found(row: list[int]) -> None:
    assert_alike(rank_cards([row]), [Hand.of(row)])


def test_a_greater_number_is_the_better_flush() -> None:
    deals = np.random.default_rng(1).permuted(np.tile(np.arange(52), (2000, 1)), axis=1)
    hands = [Hand.of(row) for row in deals[:, :7].tolist()]
    order = np.argsort(rank_cards(deals[:, :7]).flushes, kind="stable")
    assert sorted(hands, key=flush_rank) == [hands[i] for i in order]
    assert_alike(rank_cards(deals[:, :7]), hands)


def test_no_hands_are_no_ranks() -> None:
    assert [len(each) for each in rank_cards(np.empty((0, 7), dtype=np.int8))] == [0] * 4


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[0, 1], [5, 5]], r"hands: row 1: read \[5, 5\], expected different cards from 0 to 51"),
        ([[0, 52]], r"hands: row 0: read \[0, 52\]"),
        ([[0, -1]], r"hands: row 0: read \[0, -1\]"),
        ([range(8)], r"hands: read int64 of shape \(1, 8\), expected whole numbers in rows of 1 to 7"),
        ([1, 2, 3], r"hands: read int64 of shape \(3,\)"),
        ([[0.5, 1.0]], "hands: read float64"),
        ([[True, False]], "hands: read bool"),
    ],
)
def test_rows_that_are_no_hands_are_refused(rows: Any, message: str) -> None:
    with pytest.raises(HcfError, match=message):
        rank_cards(rows)


@pytest.mark.parametrize("row", [[8192, 0, 0, 0], [0, 0, 0, -1], [0xFF, 0, 0, 0], [0x7F, 1, 0, 0], [0x1FFF] * 4])
def test_masks_that_are_no_hands_are_refused(row: list[int]) -> None:
    with pytest.raises(HcfError, match=r"hands: row 1: read .* expected masks from 0 to 8191 with at most 7 cards"):
        rank_suits([[0, 0, 0, 1], row])
    with pytest.raises(HcfError, match="expected whole numbers in rows of 4"):
        rank_suits([row[:3]])


def test_the_example_of_the_lab_runs() -> None:
    results = doctest.testfile(str(LAB), module_relative=False)
    assert results.attempted > 3
    assert not results.failed


def test_arrays_are_not_changed() -> None:
    rows: Array = np.array([[0, 13, 26, 39, 1, 2, 3]])
    rank_cards(rows)
    assert rows.tolist() == [[0, 13, 26, 39, 1, 2, 3]]
