"""`hcf odds`: the promised keys, exact values as n/d, what-ifs typed in, and what is refused."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from highcardflush.cards import Hand
from highcardflush.odds import hand_odds, raise_value
from highcardflush.rulebook import PACKAGED, packaged
from support.data.bonus_jackpot_notice import QUOTED, words
from support.places.hcf import Hcf, Write, assert_error

SF_07, SF_09 = "galaxy-v7/PT-BJS-HCF-SF-07", "galaxy-v7/PT-BJS-HCF-SF-09"
EDGE = "1348050875653/50592437455560"


def data(hcf: Hcf, *args: str) -> Any:
    result = hcf("odds", *args, "--json")
    assert result.status == 0
    return result.data


def lines(hcf: Hcf, *args: str) -> list[str]:
    result = hcf("odds", *args)
    assert result.status == 0
    return [line.rstrip() for line in result.out.splitlines()]


@pytest.mark.parametrize(
    ("rulebook", "cards", "raises", "raised"),
    [
        ("washington", "AsKs9s7s2s 7d8d", ["1", "2"], 2),
        ("washington", "2h3h 4d5d 6h7d 8s", ["1"], None),
        ("atlantic-city", "AsKs9s7s2s 7d8d", ["2"], 2),
        ("half.toml", "AsKs9s7s 6d7d8d", ["0.5", "1"], 1),
        ("half.toml", "AsKs9s7s3s2s 6d", ["0.5", "1", "2", "3"], 3),
    ],
)
def test_every_raise_is_weighed(
    hcf: Hcf, write: Write, rulebook: str, cards: str, raises: list[str], raised: int | None
) -> None:
    write("half.toml", 'name = "half"\nextends = "galaxy-v7"\n[settings]\nraise-minimum = "0.5x"\nincrement = 5\n')
    answer = data(hcf, "hand", cards, "--seen", "2c3c", "--rulebook", rulebook)
    assert data(hcf, "hand", *cards.split(), "--seen", "2c3c", "--rulebook", rulebook) == answer
    assert list(answer) == ["not_qualified", "win", "tie", "lose", "fold", "raise", "best", "raised"]
    assert (answer["fold"], list(answer["raise"]), answer["raised"]) == ("-1/1", raises, raised)
    assert answer["best"] == ("raise" if raised else "fold")
    odds = hand_odds(Hand.parse(cards), Hand.parse("2c3c"))
    assert tuple(answer.values())[:4] == odds.counts
    for multiple, value in answer["raise"].items():
        assert Fraction(value) == raise_value(odds, Fraction(multiple))


def test_game(hcf: Hcf) -> None:
    odds = data(hcf, "game", "washington")
    assert Fraction(odds["expected"]) == Fraction(-161_766_105_078_360, 133_784_560 * 45_379_620)
    assert odds["expected"] == f"-{EDGE}"
    for key in ("house_edge", "element_of_risk", "average_bet", "fold_frequency"):
        assert odds[key] == pytest.approx(float(Fraction(odds[f"{key}_exact"])))
    assert sum(row["combinations"] for row in odds["outcomes"]) == odds["deals"] == 6_071_092_494_667_200
    mean = sum(Fraction(row["net_exact"]) * row["combinations"] for row in odds["outcomes"]) / odds["deals"]
    assert mean == Fraction(odds["expected"])


def test_a_what_if_says_that_it_is_one(hcf: Hcf) -> None:
    rule = ["--raise", "multiples 1 1 1 3 3 3"]
    assert data(hcf, "game", "washington")["what_if"] is None
    assert data(hcf, "game", "washington", *rule)["what_if"] == {"raise": "multiples 1 1 1 3 3 3"}
    assert data(hcf, "strategy", "washington", "t-8-6", *rule)["what_if"] == {"raise": "multiples 1 1 1 3 3 3"}
    assert data(hcf, "paytable", "flush", "--lines", "4:1")["what_if"] == {"lines": "4:1"}
    assert data(hcf, "paytable", "oxford/flush")["what_if"] is None
    first = "What-if figures with the Raise rule 'multiples 1 1 1 3 3 3', not the figures of washington."
    for args in (["game", "washington"], ["strategy", "washington", "t-8-6"]):
        assert lines(hcf, *args, *rule)[0] == first
    first = "What-if figures with the pay table '4:1', not the figures of any rulebook."
    assert lines(hcf, "paytable", "flush", "--lines", "4:1")[0] == first


def test_figures_name_the_settings_they_are_for(hcf: Hcf) -> None:
    half, hand = ["--set", "raise-minimum", "0.5x"], "AsKs9s7s2s 7d8d"
    first = "With the setting raise-minimum 0.5x."
    for args in (["game", "galaxy-v7"], ["strategy", "galaxy-v7", "always"], ["hand", hand, "--rulebook", "galaxy-v7"]):
        assert lines(hcf, *args, *half)[0] == first
        assert first not in lines(hcf, *args)
    assert lines(hcf, "game", "galaxy-v7", "--raise-minimum", "0.5")[0] == "With the setting raise-minimum 0.5."


@pytest.mark.clause("W5a")
def test_a_bonus_jackpot_is_called_so(hcf: Hcf) -> None:
    page = lines(hcf, "paytable", "washington/PT-BJS-HCF-SF-01", "--set", "jackpot", "bonus", "--set", "seed", "30000")
    assert page[:3] == [
        "With the setting jackpot bonus.",
        "With the setting seed 30000.",
        "washington/PT-BJS-HCF-SF-01: bonus jackpot, pays for 1. Unit: one bet.",
    ]
    text = {" ".join(line.split()).partition(" / ")[0] for line in page}
    figures = {each.rpartition(" ")[0] for each in text} | text
    assert figures >= {
        "return at the display below 51.353188 %",
        "house edge at the display below 48.646812 %",
        "hit frequency 6.996855 %",
        "fixed pays 47.065697 %",
        "bonus jackpot: break-even display $370,386.63",
        "bonus jackpot: bets between 100 % wins 4,180,768",
        "standard deviation, in bets 18.693363",
        "bonus jackpot: valued at $30,000.00",
    }
    assert words(" ".join(page[-3:])) == QUOTED


def test_a_dynamic_table_says_what_it_counts(hcf: Hcf) -> None:
    page = [" ".join(line.split()) for line in lines(hcf, "paytable", "galaxy-v7/PT-PRG-HCF-D01a")]
    assert page[1] == "The pays listed are the defaults; the return includes the Dynamic Pays."
    assert any(line.startswith("return at the meters below 66.903814 %") for line in page)
    assert any(line.startswith("long-run house edge 22.292138 %") for line in page)


def test_game_what_if(hcf: Hcf) -> None:
    assert data(hcf, "game", "galaxy-v7", "--raise-minimum", "0.5")["house_edge"] == pytest.approx(-0.065273307)
    generous = data(hcf, "game", "washington", "--raise", "multiples 1 1 1 3 3 3")
    assert generous["house_edge"] < data(hcf, "game", "washington")["house_edge"]


def test_strategy(hcf: Hcf, write: Write) -> None:
    odds = data(hcf, "strategy", "washington", "t-8-6")
    assert f"{100 * odds['house_edge']:.10f}" == "2.7113820571"
    assert Fraction(odds["cost_exact"]) == -Fraction(EDGE) - Fraction(odds["expected"])
    assert data(hcf, "strategy", "washington", write("mine.toml", 'raise = "T-8-6"\n'))["expected"] == odds["expected"]


def test_a_threshold_is_typed(hcf: Hcf) -> None:
    named_odds, typed_odds = (data(hcf, "strategy", "washington", name) for name in ("j-high", "J-3-2"))
    assert typed_odds["expected"] == named_odds["expected"]
    assert data(hcf, "strategy", "washington", "j-3-2")["expected"] == named_odds["expected"]
    assert typed_odds["title"] == "Raise with J-3-2 or better"
    never = data(hcf, "strategy", "washington", "never")
    assert (never["expected"], never["title"]) == ("-1/1", "Never raise")
    other = data(hcf, "strategy", "washington", "j-high", "--raise", "exact 1 1 1 1 1 1")
    assert other["house_edge"] > named_odds["house_edge"]
    assert lines(hcf, "strategy", "washington", "Q-high") == [
        "washington, Raise with Q-high or better. Unit: one Ante.",
        "",
        "figure                      value   exact",
        "────────────────────────────────────────────────────────────────────",
        "house edge             4.273247 %   21619399032233 / 505924374555600",
        "cost over best play    1.608717 %   739899115973 / 45993124959600",
        "hands folded          40.861325 %   262818 / 643195",
    ]


def test_paytable(hcf: Hcf) -> None:
    odds = data(hcf, "paytable", "washington/PT-FLT-HCF-FB-01")
    rows = [(row["combinations"], row["pay"]) for row in odds["lines"]]
    assert rows == [(6864, 300), (267696, 100), (3814668, 10), (26137540, 1)]
    assert 1 - Fraction(odds["return"]) == Fraction(odds["house_edge_exact"])
    assert f"{100 * odds['house_edge']:.6f}" == "7.807158"


def test_progressive(hcf: Hcf) -> None:
    odds = data(hcf, "paytable", SF_07)
    assert round(odds["break_even_meter"], 2) == 335020.73
    assert f"{100 * float(Fraction(odds['long_run_return'])):.2f}" == "80.12"
    assert abs(data(hcf, "paytable", SF_07, "--meter", "335020.73")["house_edge"]) < 1e-8
    five = data(hcf, "paytable", SF_07, "base=5")
    assert five["base_cents"] == 500
    assert five["return"] == odds["return"]
    envy = data(hcf, "paytable", "galaxy-v7/PT-BJS-HCF-SF-E04", "--seats", "6")
    assert Fraction(envy["envy_exact"]) == 1000 * Fraction(1624, 133784560)


def test_a_jackpot_without_printed_rates(hcf: Hcf) -> None:
    assert data(hcf, "paytable", "washington/PT-BJS-HCF-SF-01", "--meter", "50000")["long_run_return"] is None
    sets = "--set jackpot progressive --set seed 5000 --set rate 20% --set reserve-rate 5%"
    assert data(hcf, "paytable", "washington/PT-BJS-HCF-SF-01", *sets.split())["long_run_return"] is not None


def test_every_pay_table_has_figures(hcf: Hcf) -> None:
    for name in PACKAGED:
        for key in packaged(name).paytables:
            assert 0 < Fraction(data(hcf, "paytable", f"{name}/{key}")["return"]) < 1


def test_paytable_what_if(hcf: Hcf) -> None:
    own_odds = data(hcf, "paytable", "flush", "--lines", "7:300 6:100 5:10 4:1")
    assert own_odds["return"] == data(hcf, "paytable", "oxford/flush")["return"]
    assert data(hcf, "paytable", "oxford/straight-flush", "--bet", "100")["house_edge"] > 0.13086386


def test_sensitivity_as_data(hcf: Hcf) -> None:
    rows = hcf("odds", "sensitivity", "oxford", "--json").data["rows"]
    assert [row["subject"] for row in rows if row["lever"] == "printed"] == ["main", "flush", "straight-flush"]
    assert rows[0]["edge_exact"] == EDGE
    assert Fraction(rows[1]["edge_exact"]) == Fraction(rows[1]["hold_exact"])


@pytest.mark.clause("W5a")
def test_a_display_has_its_notice(hcf: Hcf) -> None:
    assert "Player wagers do not accrue" in hcf("odds", "sensitivity", "washington").words
    result = hcf("odds", "treasury", "washington/PT-BJS-HCF-SF-01", "--set", "seed", "10000")
    assert "bonus jackpot" in result.words
    assert "Player wagers do not accrue" in result.words
    assert "progressive" not in result.words.split("Player")[0].replace("any progressive prize", "")
    assert hcf("odds", "treasury", "washington/PT-BJS-HCF-SF-01", "--json").data["notice"]


@pytest.mark.clause("W5a")
def test_an_own_rulebook_has_the_notice_too(hcf: Hcf, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('name = "own"\nextends = "washington"\n')
    result = hcf("odds", "sensitivity", file)
    assert (result.status, result.err) == (0, "")
    assert "Player wagers do not accrue" in result.words


def test_the_deviation_says_that_it_leaves_out_envy_pays(hcf: Hcf) -> None:
    assert "Standard deviations are for the bet on one's own hand" in hcf("odds", "sensitivity", "galaxy-v7").words
    assert "own hand" not in hcf("odds", "sensitivity", "oxford").words
    command = ("odds", "paytable", "galaxy-v7/PT-BJS-HCF-SF-E04")
    assert "standard deviation, without Envy Pays" in hcf(*command, "--seats", 6).words
    assert "without Envy Pays" not in hcf(*command).words


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
    options = (SF_09, "--bets-an-hour", "100", "--seats", "2", "--cap", "1", "--json")
    data = hcf("odds", "treasury", *options).data
    (meter,) = data["meters"]
    assert round(meter["mean_advance_dollars"]) == 289_769
    assert meter["hours_between_hits"] == pytest.approx(meter["bets_between_hits"] / 100)
    assert [row["winners"] for row in data["several_winners"]] == [1, 2]
    assert data["caps_save"][0]["cap_cents"] == 100
    (none,) = hcf("odds", "treasury", "galaxy-v7/PT-PRG-HCF-D03", "--json").data["meters"]
    assert (none["load_exact"], none["mean_advance_dollars"], none["hours_between_hits"]) == (None, None, None)
    assert none["advance_quantiles_dollars"] == {"0.5": None, "0.95": None, "0.99": None}


FLUSH = "paytable oxford/flush"
NO_BASE = "expected none of these options, which are only for a progressive"
ONLY_BASE = "expected base=AMOUNT after the pay table, because a progressive takes only its base bet"
A_CARD = "a rank (23456789TJQKA) and a suit (cdhs), such as As"
STRATEGIES = "a threshold such as T-8-6, J-high, A-K, always, never or optimal; or a .toml file"


@pytest.mark.parametrize(
    ("code", "args", "message"),
    [
        ("bad-text", "hand AsKs", "hand: read 2 cards, expected 7 cards"),
        ("bad-rulebook", "paytable oxford/nope", "pay table: read 'nope', expected a pay table of oxford: flush,"),
        ("bad-rulebook", f"{FLUSH} --meter 1 --seats 2", f"flush bet: read --meter and --seats, {NO_BASE}"),
        ("bad-rulebook", f"{FLUSH} base=5", f"flush bet: read base=5, {NO_BASE}"),
        ("bad-rulebook", f"paytable {SF_07} --bet 5", f"progressive bet: read --bet, {ONLY_BASE}"),
        ("bad-rulebook", f"paytable {SF_07} --meter level-1=5", "meter: read 'level-1', expected one of progressive"),
        ("bad-rulebook", "game washington --raise-minimum 0.5", "settings.raise-minimum: read 0.5x, expected 1x"),
        ("bad-rulebook", "game washington --raise multiples_1_1_1_2_3", "raise.maximum"),
        ("bad-text", "game nowhere", "rulebook: read 'nowhere', expected one of"),
        ("usage", f"{FLUSH} --bet 1e400", "'--bet': amount: read '1e400', expected dollars such as 25"),
        ("usage", f"{FLUSH} --bet 0", "'--bet': amount: read '0', expected an amount above zero"),
        ("usage", "game washington --raise multiples_²_1_1_1_1_1", "'--raise': raise.maximum.2: read '²', expected"),
        ("usage", "game washington --raise often", "'--raise': raise.kind: read 'often', expected"),
        ("usage", "game washington --set seats ²", "seats: read '²', expected a whole number"),
        ("usage", "hand XsKs", f"'CARDS...': card: read 'Xs', expected {A_CARD}"),
        ("usage", "hand AsKs9s7s6d7d8d --seen 1x", f"'--seen': card: read '1x', expected {A_CARD}"),
        ("usage", "strategy washington nope", f"'STRATEGY': strategy: read 'nope', expected {STRATEGIES}"),
        ("bad-text", "paytable flush", "pay table: read 'flush', expected RULEBOOK/ID"),
        ("bad-text", "paytable flush --lines 4:1,5:10", "lines: read '4:1,5:10', expected CARDS:PAY"),
        ("bad-text", "paytable ante --lines 4:1", "wager: read 'ante', expected a wager that --lines accepts"),
        ("usage", f"paytable {SF_07} base=5 x", f"offer: read '{SF_07} base=5 x', expected 'PAYTABLE' or '"),
        ("usage", "errors oxford --rate naps 1%", "error: read 'naps', expected one of folds, raises, raises-little"),
        ("usage", "errors oxford --rate folds much", "rate: read 'much', expected a rate such as 5% or 0.05"),
        ("error", "errors oxford --rate folds 101%", "rate of folds: read 101/100, expected 0 to 1"),
        ("error", "errors washington --rate keeps-lower 1%", "an error possible in washington: folds, raises"),
        ("bad-text", "treasury SF-09", "pay table: read 'SF-09', expected RULEBOOK/ID"),
        ("bad-rulebook", "treasury oxford/flush", "a flush bet, expected a progressive bet"),
        ("usage", f"treasury {SF_09} --cap 0", "read '0'"),
    ],
)
def test_refused(hcf: Hcf, code: str, args: str, message: str) -> None:
    """The exit status is 2 if the command line itself is wrong. `_` stands for a blank."""
    result = hcf("odds", *(word.replace("_", " ") for word in args.split()), "--json")
    error = result.data["error"]
    assert_error(error, code=code)
    assert result.status == (1 if code in ("bad-rulebook", "error") else 2)
    assert message in result.err
    assert f"read {error['read']}, expected {error['expected']}" in result.err
