"""Setting up meters and tables: as printed where nothing is said, and nothing said twice."""

from typing import Any

import pytest

from highcardflush.errors import HcfError, HouseError, RulebookError
from highcardflush.house import commands as c
from highcardflush.house.meter.linked import meter_for, table_for
from highcardflush.house.meter.state import MeterState
from highcardflush.rulebook import PACKAGED, PayTable, load, packaged, parse_offer
from support.places.floor import Floor, dollars

PAYTABLES = [table for name in PACKAGED for table in packaged(name).paytables.values()]
PROGRESSIVES = [table for table in PAYTABLES if table.wager == "progressive"]
SF_07 = packaged("galaxy-v7").paytables["PT-BJS-HCF-SF-07"]
LEVELS = packaged("galaxy-v7").paytables["PT-PRG-HCF-MLP-01"]
FLUSH = packaged("oxford").paytables["flush"]
UNPRINTED = packaged("washington").paytables["PT-BJS-HCF-SF-01"]


def meters_of(file_floor: Floor, *commands: c.CreateMeter) -> dict[str, MeterState]:
    for number, command in enumerate(commands):
        file_floor.do(f"meter/m{number}", command)
    return {f"m{number}": file_floor.house.meter(f"m{number}")[0] for number in range(len(commands))}


def test_a_meter_is_as_printed_for_its_bet() -> None:
    assert meter_for(SF_07) == c.CreateMeter(SF_07.full_id, dollars(30_000), 2300, 500)
    for_five = meter_for(SF_07, base_cents=500)
    assert (for_five.seed_micros, for_five.rate_bp) == (dollars(150_000), 2300)
    assert meter_for(LEVELS, level="level-2").seed_micros == dollars(5_000)
    assert meter_for(packaged("galaxy-v7").paytables["PT-BJS-HCF-SF-08b"]).reserve_rate_bp == 0


def test_given_terms_override_the_pay_table() -> None:
    terms = meter_for(SF_07, seed_micros=dollars(7), rate_bp=100, reserve_rate_bp=0, reseed_micros=dollars(3))
    assert terms == c.CreateMeter(SF_07.full_id, dollars(7), 100, 0, reseed_micros=dollars(3))
    assert meter_for(SF_07, second_above_micros=0).second_above_micros == 0
    bonus = meter_for(UNPRINTED, seed_micros=dollars(7), bonus=True)
    assert (bonus.rate_bp, bonus.reserve_rate_bp) == (0, 0)


@pytest.mark.clause("W5")
@pytest.mark.parametrize(
    ("table", "terms", "expected"),
    [
        (UNPRINTED, {}, "Pay table washington/PT-BJS-HCF-SF-01 prints no seed; give one."),
        (UNPRINTED, {"seed_micros": 1}, "Pay table washington/PT-BJS-HCF-SF-01 prints no rate; give one."),
        (
            UNPRINTED,
            {"seed_micros": 1, "rate_bp": 1},
            "Pay table washington/PT-BJS-HCF-SF-01 prints no reserve rate; give one.",
        ),
        (LEVELS, {}, "Choose a level of pay table galaxy-v7/PT-PRG-HCF-MLP-01: level-1, level-2."),
        (SF_07, {"level": "level-1"}, "Choose a level of pay table galaxy-v7/PT-BJS-HCF-SF-07: progressive."),
        (FLUSH, {}, "Pay table oxford/flush does not pay from a meter; choose the pay table of a jackpot."),
    ],
)
def test_terms_missing_from_the_pay_table_are_required(table: PayTable, terms: dict[str, int], expected: str) -> None:
    with pytest.raises(HouseError) as error_info:
        meter_for(table, **terms)  # type: ignore[arg-type]
    assert str(error_info.value) == expected


@pytest.mark.parametrize(
    ("table", "mode"),
    [(table, mode) for table in PROGRESSIVES for mode in packaged(table.rulebook).jackpot_modes],
    ids=lambda value: value if isinstance(value, str) else value.full_id,
)
def test_every_progressive_has_its_table(file_floor: Floor, table: PayTable, mode: str) -> None:
    rulebook, bonus = packaged(table.rulebook), mode == "bonus"
    rates = {} if bonus else {"rate_bp": 1234, "reserve_rate_bp": 500}
    figures = {} if table.meters else {"seed_micros": dollars(5000)} | rates
    options: list[Any] = [{"level": level, "base_cents": 250, **figures} for level in table.meter_names]
    meters = meters_of(file_floor, *(meter_for(table, bonus=bonus, **each) for each in options))
    rules, levels = table_for(rulebook, meters)
    assert list(levels) == list(table.meter_names)
    offer = rules.offer("progressive")
    assert offer is not None
    assert (offer.paytable, offer.base) == (table.id, 250)
    file_floor.do("table/one", c.CreateTable(rules, False, levels))
    file_floor.do("table/one", c.OpenRound(), "house")


@pytest.mark.clause("S25")
def test_a_rulebook_of_your_own_may_offer_a_progressive(file_floor: Floor) -> None:
    meters = meters_of(file_floor, meter_for(SF_07, base_cents=500))
    with pytest.raises(RulebookError, match="no progressive bet, because oxford prints none"):
        table_for(packaged("oxford"), meters)
    club = load('name = "club"\nextends = "oxford"\n')
    rules, levels = table_for(club, meters, None, {"ante-minimum": "5", "ante-maximum": "100"})
    assert [(offer.wager, offer.paytable) for offer in rules.offers] == [
        ("flush", "flush"),
        ("straight-flush", "straight-flush"),
        ("progressive", "galaxy-v7/PT-BJS-HCF-SF-07"),
    ]
    file_floor.do("table/one", c.CreateTable(rules, False, levels))


def test_offers_and_settings_that_are_said_stay(file_floor: Floor) -> None:
    meters = meters_of(file_floor, meter_for(UNPRINTED, seed_micros=dollars(100), rate_bp=1000, reserve_rate_bp=0))
    rules, _ = table_for(packaged("washington"), meters, [parse_offer("flush", "PT-FLT-HCF-FB-01")], {"seed": "77"})
    assert [offer.wager for offer in rules.offers] == ["flush", "progressive"]
    plan = rules.plans["progressive"]
    assert (plan.seed_micros, plan.rate_bp, rules.settings.jackpot) == (77_000000, 1000, "progressive")
    offers = [parse_offer("progressive", "PT-BJS-HCF-SF-02")]
    assert table_for(packaged("washington"), meters, offers)[0].offers == tuple(offers)


def test_a_table_without_meters_is_its_rulebook() -> None:
    rules, levels = table_for(packaged("oxford"), {}, None, {"clock": "20"})
    assert (rules.offers, rules.settings.clock, levels) == (packaged("oxford").offers, 20, {})


def test_two_meters_of_one_level_are_refused(file_floor: Floor) -> None:
    meters = meters_of(file_floor, meter_for(SF_07), meter_for(SF_07))
    with pytest.raises(HouseError) as error_info:
        table_for(packaged("galaxy-v7"), meters)
    assert str(error_info.value) == "m0 and m1 are both meters for progressive; link one meter to each level."


def test_a_pay_table_that_nobody_knows_is_refused(file_floor: Floor) -> None:
    (state,) = meters_of(file_floor, c.CreateMeter("club/JACKPOT", dollars(100), 1000)).values()
    with pytest.raises(HcfError) as error_info:
        table_for(packaged("galaxy-v7"), {"m0": state})
    assert "offers.progressive.paytable" in str(error_info.value)
