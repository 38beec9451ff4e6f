"""Sensitivity of edge, hold and volatility: all rulebooks and pay tables, against pricing one at a time."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest

from highcardflush.odds import game_odds, table_odds
from highcardflush.odds.sensitivity import MAIN, PRINTED, Reading, readings
from highcardflush.odds.whatif import bonus_figures, progressive_figures
from highcardflush.rulebook import PACKAGED, configure, packaged


@cache
def readings_of(name: str) -> list[Reading]:
    return readings([packaged(name)])


def one(name: str, subject: str, lever: str, **values: int) -> Reading:
    (reading,) = [
        each
        for each in readings_of(name)
        if (each.subject, each.lever) == (subject, lever) and values.items() <= each.values.items()
    ]
    return reading


def test_all_rulebooks_and_all_48_pay_tables_are_there() -> None:
    all_readings = [each for name in PACKAGED for each in readings_of(name) if each.lever == PRINTED]
    assert [each.rulebook for each in all_readings if each.subject == MAIN] == list(PACKAGED)
    assert len(all_readings) == len(PACKAGED) + 48
    assert len({(each.rulebook, each.subject) for each in all_readings}) == len(all_readings)


@pytest.mark.clause("V2")
def test_the_smallest_raise() -> None:
    half = game_odds(configure(packaged("galaxy-v7"), None, {"raise-minimum": "0.5x"}))
    reading = one("galaxy-v7", MAIN, "raise-minimum", percent_of_ante=50)
    assert (reading.edge, reading.hold, reading.variance) == (half.house_edge, half.element_of_risk, half.variance)
    assert not [each for each in readings_of("oxford") if each.subject == MAIN and each.lever != PRINTED]


@pytest.mark.clause("W9", "O13")
def test_a_cap_cuts_what_is_above_it() -> None:
    book = packaged("oxford")
    capped = one("oxford", "straight-flush", "cap", cap_cents=2_500_000, bet_cents=10_000)
    assert capped.edge == bonus_figures(book, book.paytables["straight-flush"], 10_000).odds.house_edge
    base_reading = one("oxford", "straight-flush", PRINTED)
    assert base_reading.edge == base_reading.hold == table_odds(book.paytables["straight-flush"]).house_edge
    assert capped.edge > base_reading.edge
    assert capped.variance < base_reading.variance


@pytest.mark.clause("V9", "V13")
def test_meters() -> None:
    """The base bet moves nothing; a seed moves the player's edge, and the hold where the reserve does not pay it."""
    name = "PT-BJS-HCF-SF-07"
    base_reading, base = one("galaxy-v7", name, PRINTED), one("galaxy-v7", name, "base")
    assert (base.edge, base.hold, base.variance) == (base_reading.edge, base_reading.hold, base_reading.variance)
    assert one("galaxy-v7", name, "seed", seed_cents=1_500_000).edge > base_reading.edge
    assert one("galaxy-v7", name, "seed", seed_cents=1_500_000).hold == base_reading.hold
    assert one("galaxy-v7", name, "rate").hold == base_reading.hold + Fraction(5, 100)
    book = packaged("galaxy-v7")
    long_run = progressive_figures(book, book.paytables[name]).progressive
    assert long_run is not None
    assert base_reading.hold == 1 - (long_run.long_run or 0)


@pytest.mark.clause("V5")
def test_envy_pays_by_bettors() -> None:
    name = "PT-BJS-HCF-SF-E04"
    edges = [one("galaxy-v7", name, PRINTED).edge] + [
        one("galaxy-v7", name, "seats", seats=seats).edge for seats in range(2, 7)
    ]
    steps = {before - after for before, after in pairwise(edges)}
    assert len(steps) == 1
    assert steps.pop() > 0
    assert one("galaxy-v7", name, "envy").edge == edges[0]


@pytest.mark.clause("W5a")
def test_a_display_is_not_multiplied_by_the_base_bet() -> None:
    name = "PT-BJS-HCF-SF-03"
    nothing, ten = one("washington", name, PRINTED), one("washington", name, "display", display_cents=1_000_000)
    five = one("washington", name, "base")
    assert nothing.edge - five.edge == (nothing.edge - ten.edge) / 5
