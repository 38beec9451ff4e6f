"""The library's what-if analysis: rules and pays typed in."""

from fractions import Fraction

import pytest

from highcardflush.errors import HcfError
from highcardflush.odds import table_odds
from highcardflush.odds.whatif import (
    bonus_figures,
    parse_meters,
    parse_raise_rule,
    progressive_figures,
    typed_table,
    with_raise_rule,
)
from highcardflush.rulebook import packaged

GALAXY, OXFORD = packaged("galaxy-v7"), packaged("oxford")


def test_a_raise_rule() -> None:
    rule = with_raise_rule(OXFORD, parse_raise_rule("exact 1 1 1 2 3 3")).raise_
    assert (rule.kind, rule.maximum["5"], rule.minimum_open) == ("exact", 2, False)
    assert parse_raise_rule("between 1 1 1 2 3 3").minimum_open
    for text in ("", "exact 1 1", "often 1 1 1 2 3 3", "exact 1 1 1 2 3 x", "exact ² 1 1 2 3 3"):
        with pytest.raises(HcfError, match="raise"):
            with_raise_rule(OXFORD, parse_raise_rule(text))


def test_a_pay_table() -> None:
    _, table = typed_table("flush", "7:300 6:100 5:10 4:1")
    assert table_odds(table).returned == table_odds(OXFORD.paytables["flush"]).returned
    _, jackpot = typed_table("progressive", "6A:100% 6:10% 5:9")
    assert [(line.cards, line.ace_high, line.pay) for line in jackpot.lines] == [
        (6, True, "100%"),
        (6, False, "10%"),
        (5, False, 9),
    ]
    assert jackpot.pays == "for 1"


@pytest.mark.parametrize("lines", ["4", "4:", "8:1", "4:0", "4:1,5:10", "A:1", "6AA:1"])
def test_pays_that_cannot_be_read(lines: str) -> None:
    with pytest.raises(HcfError, match=r"lines: read .*, expected CARDS:PAY"):
        typed_table("flush", lines)


def test_lines_in_the_wrong_order() -> None:
    with pytest.raises(HcfError):
        typed_table("flush", "4:1 5:10")


def test_caps_count_with_a_bet() -> None:
    table = OXFORD.paytables["straight-flush"]
    assert bonus_figures(OXFORD, table).cap is None
    assert bonus_figures(OXFORD, table, 10_000).cap == Fraction(2_500_000, 10_000)  # $25,000 to one player
    assert bonus_figures(GALAXY, table, 10_000).cap is None
    assert bonus_figures(OXFORD, table, 10_000).odds.returned < bonus_figures(OXFORD, table).odds.returned


def test_meters() -> None:
    table = GALAXY.paytables["PT-PRG-HCF-MLP-03"]
    first = table.meter_names[0]
    assert parse_meters(table, ["100.50"]) == {first: Fraction(201, 2)}
    assert parse_meters(table, [f"{name}=7" for name in table.meter_names]) == dict.fromkeys(table.meter_names, 7)
    with pytest.raises(HcfError, match="meter: read 'main'"):
        parse_meters(table, ["main=7"])
    seeds = progressive_figures(GALAXY, table)
    more = progressive_figures(GALAXY, table, meters=["1000000"])
    assert more.odds.returned > seeds.odds.returned
    assert more.meters[first] == 1_000_000


def test_dynamic_draws() -> None:
    figures = progressive_figures(GALAXY, GALAXY.paytables["PT-PRG-HCF-D01a"])
    assert f"{float(figures.dynamic_over_one):.3f}" == "0.219"
    assert progressive_figures(GALAXY, GALAXY.paytables["PT-BJS-HCF-SF-07"]).dynamic_over_one == 0
