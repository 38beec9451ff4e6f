"""Side bets and progressives: exact combinations, returns, meters."""

import json
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from highcardflush.fairness import draw_dynamic, round_seed
from highcardflush.jackpot import Hit as MeterHit
from highcardflush.jackpot import Meter, contribution, pay_hits
from highcardflush.odds.counting import HANDS
from highcardflush.odds.paytable import dynamic_returns, line_combinations, table_odds
from highcardflush.odds.progressive import _expected_at_hit, generous, progressive_odds
from highcardflush.rulebook import PACKAGED, PayTable, Rulebook, configure, packaged, parse_offer

COUNTS = json.loads((Path(__file__).parents[1] / "data" / "exact-counts.json").read_text("utf-8"))
TABLES = [table for name in PACKAGED for table in packaged(name).paytables.values()]
GALAXY = packaged("galaxy-v7")


def offered(key: str, base: str = "1", **settings: str) -> Rulebook:
    return configure(
        GALAXY, [parse_offer("progressive", key, base)], {k.replace("_", "-"): v for k, v in settings.items()}
    )


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.full_id)
def test_combinations_agree_with_the_exact_counts(table: PayTable) -> None:
    flushes = {int(cards): count for cards, count in COUNTS["longest_flush"].items()}
    runs = {int(cards): count for cards, count in COUNTS["longest_straight_flush"].items()}
    exact_counts = flushes if table.wager == "flush" else runs
    top = runs[7] + COUNTS["six_card_straight_flush_ace_high"]
    above = 0
    for line, count in zip(table.lines, line_combinations(table), strict=True):
        hands_at_least = (
            top if line.ace_high else sum(hands for cards, hands in exact_counts.items() if cards >= line.cards)
        )
        assert count == hands_at_least - above, line.name
        above = hands_at_least


@pytest.mark.parametrize(
    ("key", "edge"),
    [
        ("washington/PT-FLT-HCF-FB-01", "7.807158"),
        ("washington/PT-FLT-HCF-FB-10", "4.046829"),
        ("washington/PT-FLT-HCF-SF-01", "13.086386"),
        ("washington/PT-FLT-HCF-SF-04", "6.267258"),
        ("oxford/flush", "7.807158"),
        ("meadows/straight-flush", "13.086386"),
    ],
)
@pytest.mark.clause("W4", "O12", "M4")
def test_published_edges(key: str, edge: str) -> None:
    owner, _, table = key.partition("/")
    assert f"{100 * float(table_odds(packaged(owner).paytables[table]).house_edge):.6f}" == edge


def test_variance_by_hand() -> None:
    table = packaged("oxford").paytables["flush"]
    counts = line_combinations(table)
    nets = [*(int(line.pay) for line in table.lines), -1]
    chances = [Fraction(count, HANDS) for count in [*counts, HANDS - sum(counts)]]
    mean = sum(net * chance for net, chance in zip(nets, chances, strict=True))
    square = sum(net * net * chance for net, chance in zip(nets, chances, strict=True))
    odds = table_odds(table)
    assert odds.house_edge == -mean
    assert odds.variance == square - mean * mean
    assert odds.hit_frequency == 1 - chances[-1]


@pytest.mark.clause("O13", "A7")
def test_a_cap_takes_from_the_return() -> None:
    table = packaged("oxford").paytables["straight-flush"]
    assert table_odds(table, cap=Fraction(250)).returned < table_odds(table).returned
    assert table_odds(table, cap=Fraction(8000)).returned == table_odds(table).returned


@pytest.mark.clause("V13")
@pytest.mark.parametrize("key", ["PT-BJS-HCF-SF-07", "PT-BJS-HCF-SF-08a", "PT-BJS-HCF-SF-09"])
def test_long_run_return_of_a_table_with_a_reserve(key: str) -> None:
    odds = progressive_odds(offered(key))
    assert odds.long_run == odds.fixed + odds.contributions
    assert f"{100 * float(odds.long_run):.2f}" == "80.12"


def test_break_even_meter() -> None:
    (meter,) = progressive_odds(offered("PT-BJS-HCF-SF-07")).meters
    assert f"{float(meter.break_even):.2f}" == "335020.73"
    at_it = progressive_odds(offered("PT-BJS-HCF-SF-07"), {"progressive": meter.break_even})
    assert at_it.at_meters.returned == 1


@pytest.mark.clause("V13")
def test_without_a_reserve_the_house_gives_the_reseed() -> None:
    odds = progressive_odds(offered("PT-BJS-HCF-SF-08b"))
    chance = Fraction(1592 + 32, HANDS)
    assert odds.long_run == odds.fixed + Fraction(25, 100) + chance * 2500
    assert odds.meters[0].house_seed_cost == chance * 2500


SF03 = {"jackpot": "progressive", "seed": "30000", "rate": "23%", "reserve-rate": "5%"}


def washington(**changes: str) -> Rulebook:
    settings = SF03 | {key.replace("_", "-"): value for key, value in changes.items()}
    return configure(packaged("washington"), [parse_offer("progressive", "PT-BJS-HCF-SF-03")], settings)


@pytest.mark.clause("V13")
def test_a_reserve_that_does_not_cover_new_seeds() -> None:
    odds = progressive_odds(washington())
    assert odds.long_run == Fraction(43893464, 41807675)
    (meter,) = odds.meters
    assert meter.house_seed_cost == 30_000 / meter.bets_between_hits - Fraction(5, 100)
    assert meter.advance is None
    assert progressive_odds(washington(reserve_rate="40%")).meters[0].house_seed_cost == 0


@pytest.mark.clause("V13")
@pytest.mark.parametrize("key", [key for key, table in GALAXY.paytables.items() if table.wager == "progressive"])
def test_at_its_mean_meters_a_table_returns_the_long_run(key: str) -> None:
    for seats in 1, 6:
        odds = progressive_odds(offered(key), seats=seats)
        assert odds.at_mean_meters is not None
        assert odds.at_mean_meters.returned == odds.long_run


@pytest.mark.clause("V13")
@pytest.mark.parametrize(
    ("key", "level", "dollars"),
    [("PT-BJS-HCF-SF-09", 0, 289_769), ("PT-BJS-HCF-SF-E05", 0, 289_769), ("PT-PRG-HCF-MLP-01", 1, 296_689)],
)
def test_the_advance_after_a_reseed_is_exact(key: str, level: int, dollars: int) -> None:
    advance = progressive_odds(offered(key)).meters[level].advance
    assert advance is not None
    assert round(advance) == dollars


def test_the_advance_against_the_reserve_itself() -> None:
    """Reserve rate 1 %, reseed $40 and a win in 5,000 bets: 8/10 of the reserve goes into seeds."""
    rng, reserve, advances = Random(7), 0.0, []
    for _ in range(400_000):
        reserve += 0.01 * max(1, round(rng.expovariate(1 / 5000)))
        reserve -= max(40.0, reserve)
        advances.append(-reserve)
    assert sum(advances) / len(advances) == pytest.approx(40 * 0.8 / (2 * (1 - 0.8)), rel=0.03)


WARNED = [
    (washington(), [
        "settings.reserve-rate: new seeds cost the house 31.416758 % of each stake (exactly 1501099/4778020), because "
        "the reserve is too small",
        "paytables.PT-BJS-HCF-SF-03: the bet returns 104.989010 % of each stake in the long run (exactly "
        "43893464/41807675), so the house loses",
    ]),
    (washington(reserve_rate="0%"), [
        "settings.reserve-rate: new seeds cost the house 36.41",
        "paytables.PT-BJS-HCF-SF-03: the bet returns 104.989",
    ]),
    (offered("PT-BJS-HCF-SF-08b"), ["settings.reserve-rate: new seeds cost the house 3.03"]),
    (offered("PT-BJS-HCF-SF-07"), []),
    (offered("PT-PRG-HCF-MLP-01", level_2_reserve_rate="3%"), [
        "settings.level-2-reserve-rate: new seeds cost the house 2.94"
    ]),
    (packaged("oxford"), []),
]  # fmt: skip


@pytest.mark.clause("V13")
@pytest.mark.parametrize(("book", "expected"), WARNED)
def test_generous_terms_give_warnings(book: Rulebook, expected: list[str]) -> None:
    messages = list(generous(book))
    assert len(messages) == len(expected)
    assert all(text.startswith(begin) for text, begin in zip(messages, expected, strict=True)), messages


@pytest.mark.clause("V5")
def test_envy_pays_lower_the_break_even_meter() -> None:
    book = offered("PT-BJS-HCF-SF-E04")
    one, six = (progressive_odds(book, seats=seats).meters[0].break_even for seats in (1, 6))
    assert (f"{float(one):.2f}", f"{float(six):.2f}") == ("43607.10", "42607.10")
    assert progressive_odds(book, {"progressive": six}, seats=6).at_meters.returned == 1


@pytest.mark.clause("V9")
def test_another_base_bet_changes_only_the_dollars() -> None:
    one, five = progressive_odds(offered("PT-BJS-HCF-SF-07")), progressive_odds(offered("PT-BJS-HCF-SF-07", "5"))
    assert one.at_meters.returned == five.at_meters.returned
    assert one.long_run == five.long_run
    assert five.meters[0].break_even == 5 * one.meters[0].break_even
    assert five.meters[0].expected_at_hit == 5 * one.meters[0].expected_at_hit


@pytest.mark.clause("V5")
def test_envy_comes_on_top_by_the_number_of_players() -> None:
    odds_alone, six = (progressive_odds(offered("PT-BJS-HCF-SF-E04"), seats=seats) for seats in (1, 6))
    assert six.at_meters.returned - odds_alone.at_meters.returned == 5 * 200 * Fraction(1592 + 32, HANDS)
    without = progressive_odds(offered("PT-BJS-HCF-SF-E04", envy="off"), seats=6)
    assert without.at_meters.returned == odds_alone.at_meters.returned


@pytest.mark.clause("V10")
def test_levels_are_meters_of_their_own() -> None:
    first, second = progressive_odds(offered("PT-PRG-HCF-MLP-01")).meters
    assert (first.bets_between_hits, second.bets_between_hits) == (Fraction(HANDS, 32), Fraction(HANDS, 1592))


@pytest.mark.clause("V7")
def test_dynamic_returns_over_all_draws() -> None:
    table = GALAXY.paytables["PT-PRG-HCF-D01a"]
    returns = dynamic_returns(table)
    assert sum(returns.values()) == 1
    assert sum(value * chance for value, chance in returns.items()) == table_odds(table).returned
    assert f"{100 * float(sum(chance for value, chance in returns.items() if value > 1)):.1f}" == "21.9"


@pytest.mark.clause("V7")
def test_dynamic_draws_of_the_shuffle_have_that_mean() -> None:
    table = GALAXY.paytables["PT-PRG-HCF-D03"]
    counts = dict(zip((line.name for line in table.lines), line_combinations(table), strict=True))
    rounds, total = 4000, 0.0
    for number in range(rounds):
        pays = dict(draw_dynamic(round_seed(bytes(32), number), table))
        total += sum(pays.get(line.name, int(line.pay)) * counts[line.name] for line in table.dynamic_lines) / HANDS
    assert abs(total / rounds - float(table_odds(table).returned)) < 0.02


@pytest.mark.clause("V13")
def test_expected_meter_at_a_hit_against_the_meter_itself() -> None:
    """A table on which hits are common, played through the meter arithmetic many times."""
    book = offered("PT-BJS-HCF-SF-07", seed="50", rate="20%", reserve_rate="0%")
    plan = book.plans["progressive"]
    whole, part, random = 0.01, 0.05, Random(3)
    meters: list[int] = []
    meter = Meter(plan.seed_micros)
    while len(meters) < 4000:
        meter = meter.plus(contribution(plan, 100))
        draw = random.random()
        if draw < whole:
            meters.append(meter.amount_micros)
            meter, _ = pay_hits(plan, meter, [MeterHit(1, 10_000)])
        elif draw < whole + part:
            meter, _ = pay_hits(plan, meter, [MeterHit(1, 1_000)])
    exact = _expected_at_hit(Fraction(1, 100), Fraction(5, 1000), Fraction(20, 100), Fraction(50))
    assert abs(sum(meters) / len(meters) / 1e6 / float(exact) - 1) < 0.03
