"""Costs of a progressive to its house: the advance as a queue, several winners, caps."""

from __future__ import annotations

from fractions import Fraction
from math import exp
from random import Random

import numpy as np
import pytest

from highcardflush.jackpot import Meter
from highcardflush.odds.paytable import table_odds
from highcardflush.odds.progressive import progressive_odds
from highcardflush.odds.treasury import (
    TAIL_RESEEDS,
    advance_after,
    advance_below,
    advance_quantile,
    advance_tail,
    bets_to_win,
    cap_saves,
    seed_load,
    several_winners,
    treasury,
)
from highcardflush.rulebook import packaged
from support.data.tables import table

LOADS = (Fraction(1, 10), Fraction(1, 2), Fraction(4, 5))


@pytest.mark.parametrize("load", LOADS)
def test_the_distribution_of_the_advance_has_its_mean(load: Fraction) -> None:
    """The mean is the sum of the chances to be above; the known one is load / (2 (1 - load)) reseeds."""
    steps, top = 10, 25
    above = [1 - advance_below(load, Fraction(i, steps)) for i in range(top * steps + 1)]
    mean = (sum(above) - (above[0] + above[-1]) / 2) / steps
    assert mean == pytest.approx(float(load / (2 * (1 - load))), rel=1e-2)
    assert advance_below(load, Fraction(0)) == pytest.approx(float(1 - load))
    assert advance_below(load, Fraction(-1)) == 0


def test_it_is_what_a_reserve_does() -> None:
    """Wins that come by chance, one reseed each."""
    load, random, advance, below = Fraction(7, 10), Random(1), 0.0, [0] * 5
    for _ in range(200_000):
        advance = max(0.0, advance + 1 - random.expovariate(float(load)))
        for i in range(5):
            below[i] += advance <= i
    for i, count in enumerate(below):
        assert count / 200_000 == pytest.approx(advance_below(load, Fraction(i)), abs=0.006)


def test_quantiles() -> None:
    for load in LOADS:
        for part in (0.5, 0.95):
            quantile = advance_quantile(load, part)
            assert quantile is not None
            assert advance_below(load, Fraction(quantile)) >= part - 1e-9
            assert not quantile or advance_below(load, Fraction(quantile) * Fraction(99, 100)) < part
    assert advance_quantile(Fraction(1), 0.5) is None
    assert advance_quantile(Fraction(999, 1000), 0.99) == pytest.approx(2302.4, abs=1)


@pytest.mark.parametrize("load", [*LOADS, Fraction(99, 100)])
def test_the_tail_of_the_advance_is_one_exponential(load: Fraction) -> None:
    scale, decay = advance_tail(load)
    for reseeds in (TAIL_RESEEDS, 2 * TAIL_RESEEDS):
        assert 1 - advance_below(load, Fraction(reseeds)) == pytest.approx(scale * exp(-decay * reseeds), abs=1e-12)


@pytest.mark.parametrize("load", [Fraction(1, 2), Fraction(4, 5), Fraction(99, 100)])
def test_quantiles_against_a_convolution(load: Fraction) -> None:
    """The advance is a geometric sum of uniform parts of a reseed (Pollaczek-Khinchine), summed here by FFT."""
    steps, size = 100, 1 << 18
    parts = np.zeros(size)
    parts[:steps] = 1 / steps
    wave = float(load) * np.fft.rfft(parts)
    below = np.cumsum(np.fft.irfft(float(1 - load) / (1 - wave), size))
    for part in (0.95, 0.99):
        # A part of a reseed lies anywhere in its step, here at the middle.
        reseeds = np.searchsorted(below, part) / steps * (steps / (steps - 1))
        assert advance_quantile(load, part) == pytest.approx(reseeds, rel=0.01, abs=1.5 / steps)


@pytest.mark.parametrize("row", ["PT-BJS-HCF-SF-07 1", "PT-BJS-HCF-SF-E05 5"])
def test_the_load_gives_the_mean_advance(row: str) -> None:
    book = table(f"galaxy-v7 | progressive {row} |")
    odds = progressive_odds(book)
    (plan,), (meter,) = book.plans.values(), odds.meters
    load = seed_load(plan, meter, odds.base)
    assert load is not None
    assert Fraction(plan.reseed_micros, 10**6) * load / (2 * (1 - load)) == meter.advance
    (none,) = table("galaxy-v7 | progressive PT-PRG-HCF-D03 |").plans.values()
    assert seed_load(none, meter, odds.base) is None


# policy | winners | paid | house, for a meter of $100,000.01 with $10,000 in its reserve, reseed $30,000
SEVERAL = """
share   | 1 | 10000001 | 2000000
share   | 4 | 10000001 | 2000000
each    | 1 | 10000001 | 2000000
each    | 2 | 20000002 | 12000001
each    | 4 | 40000004 | 32000003
in-turn | 2 | 13000001 | 5000000
in-turn | 4 | 19000001 | 11000000
"""


@pytest.mark.clause("S2")
@pytest.mark.parametrize("row", SEVERAL.strip().splitlines())
def test_several_winners(row: str) -> None:
    policy, winners, pays, house = (part.strip() for part in row.split("|"))
    book = table(f"galaxy-v7 | progressive PT-BJS-HCF-SF-07 | hits {policy}")
    winners_odds = several_winners(book, 6, {"progressive": Meter(100_000_010_000, 10_000_000_000)})
    assert [each.winners for each in winners_odds] == [1, 2, 3, 4]
    one = winners_odds[int(winners) - 1]
    assert (one.paid_cents, one.house_cents, one.envy_cents) == (int(pays), int(house), 0)


def test_envy_comes_on_top_and_six_hands_can_have_six_cards() -> None:
    book = table("galaxy-v7 | progressive PT-BJS-HCF-SF-E05 2 |")
    winners_odds = several_winners(book, 5, {"progressive": Meter(10**11)})
    assert [each.envy_cents for each in winners_odds] == [each.winners * 250 * 200 * 4 for each in winners_odds]
    book = table("galaxy-v7 | progressive PT-PRG-HCF-D03 |")
    assert len(several_winners(book, 6, {"progressive": Meter(10**10)})) == 6
    assert len(several_winners(book, 2, {"progressive": Meter(10**10)})) == 2


def test_a_cap_saves_what_is_above_it() -> None:
    pays = packaged("washington").paytables["PT-FLT-HCF-FB-01"]
    savings = sum(
        (max(Fraction(0), line.line.pay_for_1 - Fraction(50)) * line.probability for line in table_odds(pays).lines),
        Fraction(0),
    )
    assert cap_saves(pays, 100, 5000) == savings > 0
    assert cap_saves(pays, 100, 10**9) == 0


@pytest.mark.parametrize("load", LOADS)
def test_the_mean_advance_grows_to_that_of_the_long_run(load: Fraction) -> None:
    after = [advance_after(load, wins) for wins in (1, 2, 5, 200)]
    assert after == sorted(after)
    assert after[-1] == pytest.approx(float(load / (2 * (1 - load))), rel=1e-3)


def test_the_mean_advance_after_a_few_wins() -> None:
    load, random, wins, runs = 0.9, Random(2), 3, 60_000
    total = 0.0
    for _ in range(runs):
        advance = 0.0
        for _ in range(wins):
            advance = max(0.0, advance + 1 - random.expovariate(load))
        total += advance
    assert advance_after(Fraction(9, 10), wins) == pytest.approx(total / runs, abs=0.015)
    assert advance_after(Fraction(3, 2), 100) > 0.3 * 100  # beyond a load of 1 it grows with every win


def test_bets_to_a_win_are_geometric() -> None:
    (meter,) = progressive_odds(table("galaxy-v7 | progressive PT-BJS-HCF-SF-08b |")).meters
    chance = float(1 / meter.bets_between_hits)
    for part in (0.05, 0.5, 0.95):
        bets = bets_to_win(meter, part)
        assert 1 - (1 - chance) ** bets >= part > 1 - (1 - chance) ** (bets - 1)


def test_the_quantiles_of_a_load_near_one() -> None:
    """Erlang's sum with its hundreds of alternating terms, at the quantiles that come from the tail."""
    book = table("galaxy-v7 | progressive PT-PRG-HCF-MLP-01 |")
    _, level_2 = treasury(book, 6).meters
    assert level_2.load is not None
    for part, dollars in ((0.95, 892_120), (0.99, 1_372_301)):
        amount = level_2.advance[part]
        assert amount is not None
        assert round(amount) == dollars
        reseeds = Fraction(amount) / (book.plans["level-2"].reseed_micros // 10**6)
        assert advance_below(level_2.load, reseeds) == pytest.approx(part, abs=1e-12)


def test_all_of_it_together() -> None:
    book = table("galaxy-v7 | progressive PT-PRG-HCF-MLP-01 5 |")
    report = treasury(book, 6, (100_000, 100))
    first, second = report.meters
    assert (first.odds.name, second.odds.name) == ("level-1", "level-2")
    assert second.load is not None
    assert 0.99 < second.load < 1
    assert list(first.advance) == list(second.advance) == [0.5, 0.95, 0.99]
    assert first.after_wins[100] == pytest.approx(float(first.odds.advance or 0), rel=1e-3)
    assert len([each for each in report.several if each.meter == "level-2"]) == 6
    large, small = report.caps
    assert large.saved == cap_saves(book.paytables["PT-PRG-HCF-MLP-01"], 500, 100_000)
    assert (small.cap_cents, small.saved > 0) == (100, True)
