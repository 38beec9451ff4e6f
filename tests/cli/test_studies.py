"""`hcf odds sensitivity`, `errors`, `treasury`: as data, on the screen, and what they refuse."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from support.places.hcf import Hcf

EDGE = "1348050875653/50592437455560"


def test_sensitivity_as_data(hcf: Hcf) -> None:
    rows = hcf("odds", "sensitivity", "oxford", "--json").data["rows"]
    assert [row["subject"] for row in rows if row["lever"] == "printed"] == ["main", "flush", "straight-flush"]
    assert rows[0]["edge_exact"] == EDGE
    assert Fraction(rows[1]["edge_exact"]) == Fraction(rows[1]["hold_exact"])


@pytest.mark.clause("W5a")
def test_a_display_has_its_notice(hcf: Hcf) -> None:
    assert "Player wagers do not accrue" in hcf("odds", "sensitivity", "washington").words
    said = hcf("odds", "treasury", "washington/PT-BJS-HCF-SF-01", "--set", "seed", "10000")
    assert "bonus jackpot" in said.words
    assert "Player wagers do not accrue" in said.words
    assert "progressive" not in said.words.split("Player")[0].replace("any progressive prize", "")
    assert hcf("odds", "treasury", "washington/PT-BJS-HCF-SF-01", "--json").data["notice"]


@pytest.mark.clause("W5a")
def test_an_own_rulebook_has_the_notice_too(hcf: Hcf, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('name = "own"\nextends = "washington"\n')
    said = hcf("odds", "sensitivity", file)
    assert (said.status, said.err) == (0, "")
    assert "Player wagers do not accrue" in said.words


def test_where_envy_pays_count_the_deviation_says_that_it_leaves_them_out(hcf: Hcf) -> None:
    assert "standard deviations are those of a bet on one's own hand" in hcf("odds", "sensitivity", "galaxy-v7").words
    assert "own hand" not in hcf("odds", "sensitivity", "oxford").words
    words = ("odds", "paytable", "galaxy-v7/PT-BJS-HCF-SF-E04")
    assert "standard deviation, without Envy Pays" in hcf(*words, "--seats", 6).words
    assert "without Envy Pays" not in hcf(*words).words


def test_errors_as_data(hcf: Hcf) -> None:
    data = hcf("odds", "errors", "oxford", "--rate", "folds", "2%", "--rate", "keeps-lower", ".1", "--json").data
    assert data["house_edge_exact"] == EDGE
    costs = {
        kind: sum(Fraction(row["cost_exact"]) for row in data["errors"] if row["kind"] == kind)
        for kind in ("folds", "keeps-lower")
    }
    assert Fraction(data["player"]["cost_exact"]) == costs["folds"] / 50 + costs["keeps-lower"] / 10
    assert hcf("odds", "errors", "washington", "--json").data["player"] is None


def test_treasury_as_data(hcf: Hcf) -> None:
    words = ("galaxy-v7/PT-BJS-HCF-SF-09", "--bets-an-hour", "100", "--seats", "2", "--cap", "1", "--json")
    data = hcf("odds", "treasury", *words).data
    (meter,) = data["meters"]
    assert round(meter["mean_advance_dollars"]) == 289_769
    assert meter["hours_between_hits"] == pytest.approx(meter["bets_between_hits"] / 100)
    assert [row["winners"] for row in data["several_winners"]] == [1, 2]
    assert data["caps_save"][0]["cap_cents"] == 100
    (none,) = hcf("odds", "treasury", "galaxy-v7/PT-PRG-HCF-D03", "--json").data["meters"]
    assert (none["load_exact"], none["mean_advance_dollars"], none["hours_between_hits"]) == (None, None, None)


# command | what is said
REFUSED = """
errors oxford --rate naps 1%                   | error: read 'naps', expected one of folds, raises, raises-little
errors oxford --rate folds much                | rate: read 'much', expected a part such as 5% or 0.05
errors oxford --rate folds 101%                | rate of folds: read 101/100, expected 0 to 1
errors washington --rate keeps-lower 1%        | expected one that washington has: folds, raises, raises-little
treasury SF-09                                 | pay table: read 'SF-09', expected RULEBOOK/ID
treasury oxford/flush                          | a flush bet, expected one of a progressive
treasury galaxy-v7/PT-BJS-HCF-SF-09 --cap 0    | read '0'
"""


@pytest.mark.parametrize("row", REFUSED.strip().splitlines())
def test_what_is_refused(hcf: Hcf, row: str) -> None:
    command, said = (part.strip() for part in row.split("|"))
    refused = hcf("odds", *command.split())
    assert refused.status in (1, 2)
    assert said in " ".join(refused.err.split())
