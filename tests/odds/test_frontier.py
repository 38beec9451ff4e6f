"""The best simple rules: side cards in the exact solver and the simulation, the frontier of size against cost."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from highcardflush.cards import DECK_SIZE, RANKS
from highcardflush.errors import HcfError
from highcardflush.odds.frontier import Rule, frontier
from highcardflush.odds.game import game_odds
from highcardflush.odds.strategies import NAMED, Strategy, load_strategy
from highcardflush.ranking import FlushRank
from highcardflush.rulebook import packaged
from highcardflush.simulate import simulate
from support.places.hcf import Hcf

WASHINGTON = packaged("washington")
ELEVEN = NAMED["eleven"]
FILE = 'raise = "J-high"\n[side]\nrank = "J"\nraise = ["J-high", "T-9-2", "T-7-2", "T-5-2", "T-high"]\n'


@pytest.fixture(scope="module")
def rules() -> list[Rule]:
    return frontier(WASHINGTON)


def test_the_frontier(rules: list[Rule]) -> None:
    assert [(rule.size, rule.strategy.name) for rule in rules[:4]] == [
        (1, "j-high"), (2, "t-9-2"), (3, "t-8-6"), (4, "eleven"),
    ]  # fmt: skip
    assert [f"{100 * float(rule.cost):.6f}" for rule in rules[:4]] == ["0.081080", "0.048981", "0.046852", "0.002629"]
    sizes, costs = [rule.size for rule in rules], [rule.cost for rule in rules]
    assert sizes == sorted(set(sizes))
    assert costs == sorted(costs, reverse=True)
    assert rules[3].cost == game_odds(WASHINGTON).expected - game_odds(WASHINGTON, ELEVEN).expected
    assert rules[3].cost == Fraction(144_559_411, 5_499_177_984_300)


def test_no_threshold_is_better_than_the_best(rules: list[Rule]) -> None:
    """Its neighbours cost more."""
    for text in ("T-8-5", "T-8-7"):
        assert game_odds(WASHINGTON, Strategy(text, text, text)).expected < rules[2].odds.expected


def test_shapes_alone_tell_little(rules: list[Rule]) -> None:
    """The best threshold of each shape, as docs/lab.md says."""
    shapes = {"3-3-1-0": "J-high", "3-2-2-0": "T-8-6", "3-2-1-1": "T-8-5"}
    odds = game_odds(WASHINGTON, Strategy("shapes", "", "T-8-6", shapes))
    assert f"{100 * float(rules[0].cost + rules[0].odds.expected - odds.expected):.4f}" == "0.0406"


@pytest.mark.parametrize(("cards", "least"), [("T94", 1), ("T72", 2), ("T63", 3), ("T32", 4)])
def test_side_cards_are_counted(cards: str, least: int) -> None:
    """The second card and two for each side card of jack or higher come to eleven: every hand with one flush."""
    ranks = sum(1 << RANKS.index(rank) for rank in cards)
    flush, own = FlushRank(3, ranks), [RANKS.index(rank) for rank in cards]
    other_suits = range(len(RANKS), DECK_SIZE)
    weights = {True: Fraction(0), False: Fraction(0)}
    for others in combinations(other_suits, 4):
        masks = [0, 0, 0]
        for card in others:
            masks[card // 13 - 1] |= 1 << card % 13
        if max((mask.bit_count(), mask) for mask in masks) > (3, ranks):
            continue
        ways = Fraction(4, 1 + masks.count(ranks))
        high = sum(card % 13 >= RANKS.index("J") for card in others)
        assert (own[1] + 2 + 2 * high >= 11) == (high >= least)
        weights[high >= least] += ways
    counts = next(each for each in game_odds(WASHINGTON, ELEVEN).flushes if each.flush == flush)
    assert {True: counts.raised, False: counts.folded} == weights


def test_a_condition_splits_the_hands() -> None:
    def expected(*texts: str) -> Fraction:
        return game_odds(WASHINGTON, Strategy("", "", texts[0], side="Q", by_side=texts)).expected

    low, high = "T-5-4", "J-high"
    assert expected(low, low, high) + expected(high, high, low) == expected(low) + expected(high)
    assert expected(low) == game_odds(WASHINGTON, Strategy("", "", low)).expected


def test_the_simulation_plays_it() -> None:
    run = simulate(WASHINGTON, 100_000, 2, ELEVEN, seed=5)
    assert run.wagers["main"].expected == game_odds(WASHINGTON, ELEVEN).expected
    assert abs(run.wagers["main"].z) < 4
    folds = next(line for line in run.wagers["main"].lines if "fold" in line.line)
    assert abs(folds.observed - folds.expected_count) < 4 * folds.expected_count**0.5


def test_a_rule_in_a_file() -> None:
    strategy = load_strategy(FILE)
    assert (strategy.side, strategy.by_side) == (ELEVEN.side, ELEVEN.by_side)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('rank = "J"', 'rank = "11"', "strategy: side.rank"),
        ('rank = "J"\n', "", "strategy: side"),
        ("[side]", '[shapes]\n"3-2-1-1" = "T-8-6"\n[side]', "strategy: side"),
        ('["J-high", "T-9-2", "T-7-2", "T-5-2", "T-high"]', '"J-high"', "strategy: side.raise"),
        ("T-9-2", "T-9-x", "strategy"),
        ("T-9-2", "optimal", "strategy: side.raise"),
    ],
)
def test_errors_of_a_strategy_file_are_named(old: str, new: str, message: str) -> None:
    with pytest.raises(HcfError) as error:
        load_strategy(FILE.replace(old, new, 1), "mine.toml")
    assert (error.value.message, error.value.file) == (message, "mine.toml")
    assert error.value.read
    assert error.value.expected


def test_the_command(hcf: Hcf, rules: list[Rule], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("highcardflush.cli.odds.game.frontier", lambda *_: rules)
    result = hcf("odds", "strategies", "washington", "--json")
    assert result.status == 0
    eleven = result.data["rules"][3]
    assert (eleven["strategy"], eleven["side"], eleven["raise"]) == ("eleven", "J", list(ELEVEN.by_side))
    assert eleven["cost_exact"] == "144559411/5499177984300"
    page = hcf("odds", "strategies", "washington")
    assert page.status == 0
    assert "0.002629 %" in page.out
    assert hcf("odds", "strategy", "washington", "eleven", "--json").data["cost_exact"] == eleven["cost_exact"]
