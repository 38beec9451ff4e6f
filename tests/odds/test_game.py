"""The whole game: the published figures to the last deal. tests/odds/test_prospect.py counts its hands another way."""

from fractions import Fraction

import pytest

from highcardflush.errors import HcfError
from highcardflush.odds.counting import DEALS, HANDS
from highcardflush.odds.game import GameOdds, game_odds
from highcardflush.odds.strategies import NAMED, Strategy, flush_code, load_strategy, threshold_code
from highcardflush.ranking import FlushRank
from highcardflush.rulebook import configure, packaged

WASHINGTON = packaged("washington")


@pytest.fixture(scope="module")
def optimal() -> GameOdds:
    return game_odds(WASHINGTON)


@pytest.mark.clause("W1", "G6", "G7")
def test_the_optimum_is_exact(optimal: GameOdds) -> None:
    assert optimal.expected == Fraction(-161_766_105_078_360, 133_784_560 * 45_379_620)
    assert f"{100 * float(optimal.house_edge):.10f}" == "2.6645303991"
    assert sum(choice.odds.total for choice in optimal.choices) == DEALS
    assert sum(each.raised + each.folded for each in optimal.flushes) == HANDS


def test_figures_fit_together(optimal: GameOdds) -> None:
    assert optimal.element_of_risk == optimal.house_edge / optimal.average_bet
    assert 1 < optimal.average_bet < 2
    fold_count = sum(choice.odds.total for choice in optimal.choices if choice.raised is None)
    assert optimal.fold_frequency == Fraction(fold_count, DEALS)
    assert [zone.decision for zone in optimal.zones()] == ["fold", "other-cards", "raise"]


@pytest.mark.parametrize(
    ("name", "edge"), [("t-8-6", "2.7113820571"), ("always", "9.9984089304"), ("j-high", "2.7456102131")]
)
def test_strategies(name: str, edge: str) -> None:
    assert f"{100 * float(game_odds(WASHINGTON, NAMED[name]).house_edge):.10f}" == edge


@pytest.mark.clause("V2")
@pytest.mark.parametrize(("minimum", "edge"), [("0x", "23.0530703"), ("0.5x", "6.5273307"), ("1x", "-2.6645304")])
def test_a_small_raise_minimum_gives_the_player_an_edge(minimum: str, edge: str) -> None:
    book = configure(packaged("galaxy-v7"), None, {"raise-minimum": minimum})
    assert f"{100 * float(game_odds(book).expected):.7f}" == edge


@pytest.mark.clause("A2", "M1", "O2")
def test_all_five_rulebooks_have_the_same_optimum(optimal: GameOdds) -> None:
    """The best Raise is always the largest, so exact and optional Raises have the same value."""
    for name in ("atlantic-city", "meadows", "oxford", "galaxy-v7"):
        assert game_odds(packaged(name)).expected == optimal.expected


def test_progress_is_told() -> None:
    """Progress is reported for each length of the longest suit that is counted."""
    steps: list[tuple[int, int]] = []
    game_odds(WASHINGTON, Strategy("low", "", "9-8-7"), lambda step, whole: steps.append((step, whole)))
    assert len(steps) == 6
    assert steps[-1] == (HANDS, HANDS)
    game_odds(WASHINGTON, NAMED["always"], lambda step, whole: steps.append((step, whole)))
    assert len(steps) == 6


@pytest.mark.parametrize(
    ("text", "flush"),
    [("T-8-6", FlushRank(3, 0b1_0101_0000)), ("J-high", FlushRank(3, 1 << 9)), ("A-K", FlushRank(2, 0b11 << 11))],
)
def test_thresholds(text: str, flush: FlushRank) -> None:
    assert threshold_code(text) == flush_code(flush)


@pytest.mark.parametrize("text", ["8-T-6", "T-T-6", "high", "", "X-high", "T"])
def test_thresholds_refused(text: str) -> None:
    with pytest.raises(HcfError, match=r"strategy: read .*, expected a threshold"):
        threshold_code(text)


def test_a_strategy_by_shape_lies_between() -> None:
    """Raising T-8-6 but with a flat hand only J-high costs something, and never more than always raising."""
    mixed_strategy = Strategy("mixed", "", "T-8-6", {"3-2-1-1": "J-high"})
    edges = [game_odds(WASHINGTON, each).house_edge for each in (NAMED["optimal"], mixed_strategy, NAMED["always"])]
    assert edges == sorted(edges)
    assert len(set(edges)) == 3


def test_a_strategy_from_a_file() -> None:
    text = 'name = "mine"\nraise = "T-8-6"\n[shapes]\n"3-3-1-0" = "9-8-7"\n'
    strategy = load_strategy(text, "mine.toml")
    assert (strategy.name, strategy.shapes) == ("mine", {"3-3-1-0": "9-8-7"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("raise = 5", "mine.toml: strategy: read raise = 5"),
        ('raise = "T-8-6"\nx = 1', "mine.toml: strategy: read key 'x'"),
        ('raise = "T-8-6"\n[shapes]\n"9-9" = "always"', "mine.toml: strategy: shape: read '9-9', expected one of"),
        ('raise = "T8"', "mine.toml: strategy: read 'T8'"),
        ("raise = ", "mine.toml: strategy: read .*, expected a TOML document"),
    ],
)
def test_strategies_refused(text: str, message: str) -> None:
    with pytest.raises(HcfError, match=message):
        load_strategy(text, "mine.toml")
