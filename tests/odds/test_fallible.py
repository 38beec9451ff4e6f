"""Costs of errors: each kind against a game played with it, and the second flush against one hand at a time."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from highcardflush.cards import Hand
from highcardflush.errors import HcfError
from highcardflush.odds import NAMED, game_odds, hand_odds, raise_value
from highcardflush.odds.counting import DEALS, HANDS
from highcardflush.odds.fallible import WRONG_FLUSH, Errors, errors
from highcardflush.odds.second_flush import BEST, SECOND, _masks, _meets, choices_if_kept
from highcardflush.ranking import QUALIFIER, FlushRank
from highcardflush.rulebook import packaged

EQUAL, SHORTER = WRONG_FLUSH.values()


@pytest.fixture(scope="module")
def meadows() -> Errors:
    return errors(packaged("meadows"))


@pytest.mark.parametrize("shape", [EQUAL, SHORTER])
@pytest.mark.parametrize("flush", [BEST, SECOND])
def test_the_flush_tables_agree_with_single_hands(shape: tuple[int, int, int, int], flush: int) -> None:
    suits = np.meshgrid(*map(_masks, shape), indexing="ij", sparse=True)
    meets, random = _meets(shape, suits, flush, QUALIFIER), Random(5)
    for _ in range(40):
        places = tuple(random.randrange(len(_masks(cards))) for cards in shape)
        ranks = [int(_masks(cards)[place]) for cards, place in zip(shape, places, strict=True)]
        hand = Hand(sum(mask << 13 * suit for suit, mask in enumerate(ranks)))
        odds = hand_odds(hand, flush=FlushRank(shape[flush], ranks[flush]))
        columns = [np.broadcast_to(each, tuple(len(_masks(cards)) for cards in shape))[places] for each in meets]
        assert columns == [odds.not_qualified, odds.win, odds.tie]


@pytest.mark.clause("A4", "M5", "S11")
def test_a_wrong_flush_is_played_as_well_as_it_can_be() -> None:
    """The worth of all hands of a shape, one by one for some of them; a hand has each of its deals once."""
    book, random = packaged("atlantic-city"), Random(7)
    for shape, hands in ((EQUAL, 24 * 286 * 285 // 2 * 13), (SHORTER, 12 * 715 * 286)):
        totals = [sum(each.odds.total for each in choices_if_kept(book, shape, flush)) for flush in (BEST, SECOND)]
        assert totals == [hands * DEALS // HANDS] * 2
    worth = [
        sum(
            -each.odds.total if each.raised is None else int(raise_value(each.odds, 1) * each.odds.total)
            for each in choices_if_kept(book, EQUAL, flush)
        )
        for flush in (BEST, SECOND)
    ]
    masks, losses = [int(mask) for mask in _masks(3)], []
    for _ in range(600):
        low, high = sorted(random.sample(masks, 2))
        hand = Hand(high | low << 13 | 1 << 26 + random.randrange(13))
        values = [
            max(Fraction(-1), raise_value(hand_odds(hand, flush=FlushRank(3, ranks)), 1)) for ranks in (high, low)
        ]
        losses.append(float(values[0] - values[1]))
    mean = (worth[0] - worth[1]) / (24 * 286 * 285 // 2 * 13 * DEALS // HANDS)
    assert np.mean(losses) == pytest.approx(mean, abs=4 * np.std(losses) / 600**0.5)


def test_an_error_made_always_is_a_strategy(meadows: Errors) -> None:
    book = packaged("meadows")
    assert meadows.player({"folds": Fraction(1)}).house_edge == 1
    always = game_odds(book, NAMED["always"])
    player = meadows.player({"raises": Fraction(1)})
    assert player.house_edge == always.house_edge
    assert player.variance == always.variance
    assert player.average_bet == always.average_bet
    assert player.hold == always.element_of_risk


def test_rates_mix_exactly(meadows: Errors) -> None:
    none = meadows.player({})
    assert (none.house_edge, none.variance) == (meadows.best.house_edge, meadows.best.variance)
    assert none.cost == 0
    one, other = meadows.player({"raises": Fraction(1, 10)}), meadows.player({"raises-little": Fraction(1, 4)})
    both = meadows.player({"raises": Fraction(1, 10), "raises-little": Fraction(1, 4)})
    assert both.cost == one.cost + other.cost
    assert sum(each.cost for each in meadows.mistakes if each.kind == "raises") == 10 * one.cost
    assert all(each.cost > 0 for each in meadows.mistakes)
    assert sum(each.chance for each in meadows.mistakes if each.kind in ("folds", "raises")) == 1


def test_only_what_a_rulebook_leaves_room_for() -> None:
    assert errors(packaged("washington")).kinds == ("folds", "raises", "raises-little")
    assert errors(packaged("atlantic-city")).kinds == ("folds", "raises", "keeps-lower", "keeps-shorter")
    assert errors(packaged("oxford")).kinds[2:] == ("raises-little", "keeps-lower", "keeps-shorter")


def test_impossible_error_rates_are_refused(meadows: Errors) -> None:
    with pytest.raises(HcfError, match=r"rate of folds: read 2, expected 0 to 1"):
        meadows.player({"folds": Fraction(2)})
    with pytest.raises(HcfError, match=r"sum of the rates: read 1\.5"):
        meadows.player({"folds": Fraction(1), "raises": Fraction(1, 2)})
    with pytest.raises(HcfError, match="an error possible in washington: folds, raises, raises-little"):
        errors(packaged("washington")).player({"keeps-lower": Fraction(1)})
