"""Values of wagers before the cards: the optimum of every rulebook, side bets, caps, meters."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest

from highcardflush.odds.classes import decided
from highcardflush.odds.counting import DEALER_HANDS, HANDS
from highcardflush.odds.game import game_odds
from highcardflush.odds.paytable import table_odds
from highcardflush.odds.prospect import deal_classes, prospect
from highcardflush.ranking import FlushRank
from highcardflush.rulebook import configure, load, packaged, parse_offer

ONE = Fraction(1)
OPTIMUM = Fraction(-1348050875653, 50592437455560)
OXFORD, ATLANTIC_CITY = packaged("oxford"), packaged("atlantic-city")
TEN = {"ante": 1000}


def test_optimum_of_every_rulebook() -> None:
    for name in ("oxford", "atlantic-city", "meadows", "galaxy-v7", "washington"):
        assert prospect(packaged(name), TEN, {}).mean / 1000 == OPTIMUM


def test_the_kernel_counts_the_same() -> None:
    pytest.importorskip("numba")
    half = configure(packaged("galaxy-v7"), None, {"raise-minimum": "0.5x"})
    assert prospect(half, TEN, {}).mean / 1000 == game_odds(half).expected
    whole = game_odds(OXFORD)
    assert whole.expected == OPTIMUM
    for each in whole.flushes:
        if FlushRank(3, 0) < each.flush < FlushRank(3, 1 << 9) and each.flush.ranks % 7 == 0:
            assert decided(each.flush, ONE, ONE) == (each.raised, each.folded)
    zones = {zone.decision: (zone.first.short, zone.last.short) for zone in whole.zones()}
    assert zones["other-cards"] == ("T-3-2", "T-9-8")


def test_variance_in_two_steps() -> None:
    """The variance from the player's cards and the variance from the dealer's cards add up to that of the whole
    game."""
    variance = prospect(OXFORD, TEN, {}).variance
    variance_left = Fraction(0)
    for each in deal_classes(OXFORD, 1000):
        if each.choice == "fold":
            continue
        total = DEALER_HANDS
        bet = {5: 3000, 6: 4000, 7: 4000}.get(each.cards, 2000)
        not_qualified, win, tie = each.met
        lose = each.hands * total - not_qualified - win - tie
        variance_left += Fraction(10**6 * not_qualified + bet**2 * (win + lose), total)
        bb, bw, bt, ww, wt, tt = each.products
        more = (1000 + bet, 2 * bet, bet)
        square = bb * more[0] ** 2 + ww * more[1] ** 2 + tt * more[2] ** 2
        square += 2 * (bw * more[0] * more[1] + bt * more[0] * more[2] + wt * more[1] * more[2])
        linear = not_qualified * more[0] + win * more[1] + tie * more[2]
        variance_left -= each.hands * bet**2 - Fraction(2 * bet * linear, total) + Fraction(square, total**2)
    assert sqrt((variance + variance_left / HANDS) / 10**6) == pytest.approx(1.630870, abs=1e-6)


def test_side_bets_expect_what_their_tables_return() -> None:
    wagers = {"ante": 1000, "flush": 500, "straight-flush": 500}
    edge = table_odds(ATLANTIC_CITY.paytables["flush"]).house_edge
    edge += table_odds(ATLANTIC_CITY.paytables["straight-flush"]).house_edge
    uncapped = load('name = "own"\nextends = "atlantic-city"\nsettings = { cap-table = "none" }')
    assert prospect(uncapped, wagers, {}).mean == 1000 * OPTIMUM - 500 * edge
    assert prospect(ATLANTIC_CITY, wagers, {}).mean == 1000 * OPTIMUM - 500 * edge
    assert prospect(OXFORD, wagers, {}).mean < 1000 * OPTIMUM - 500 * edge  # $25,000 to one player


def test_a_cap_on_a_side_bet() -> None:
    capped = configure(packaged("washington"), [parse_offer("flush", "PT-FLT-HCF-FB-01")], {"cap-flush-player": "40"})
    pays = table_odds(capped.paytables["PT-FLT-HCF-FB-01"], cap=Fraction(4000, 500))
    assert prospect(capped, {"ante": 1000, "flush": 500}, {}).mean == 1000 * OPTIMUM - 500 * pays.house_edge
