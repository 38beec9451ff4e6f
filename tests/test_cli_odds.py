"""`hcf odds`: the promised keys, exact values as n/d, and what-ifs typed in."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from highcardflush.cards import Hand
from highcardflush.cli import run
from highcardflush.odds import hand_odds, raise_value
from support.notice import QUOTED, words


def data(capsys: pytest.CaptureFixture[str], *args: str) -> Any:
    assert run(["odds", *args, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_hand(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "hand", "AsKs9s7s2s 7d8d", "--seen", "2c3c")
    assert data(capsys, "hand", "As", "Ks", "9s7s2s", "7d8d", "--seen", "2c3c") == found
    assert set(found) == {"not_qualified", "win", "tie", "lose", "fold", "raise", "best"}
    assert found["fold"] == "-1/1"
    assert set(found["raise"]) == {"1", "2"}
    assert found["best"] == "raise 2"
    total = found["not_qualified"] + found["win"] + found["tie"] + found["lose"]
    assert Fraction(found["raise"]["1"]) == Fraction(found["not_qualified"] + 2 * (found["win"] - found["lose"]), total)


@pytest.mark.parametrize(
    ("rulebook", "cards", "raises", "best"),
    [
        ("washington", "AsKs9s7s2s 7d8d", ["1", "2"], "raise 2"),
        ("washington", "2h3h 4d5d 6c7c 8s", ["1"], "fold"),
        ("atlantic-city", "AsKs9s7s2s 7d8d", ["2"], "raise 2"),
        ("half.toml", "AsKs9s7s 6d7d8d", ["0.5", "1"], "raise 1"),
        ("half.toml", "AsKs9s7s3s2s 6d", ["0.5", "1", "2", "3"], "raise 3"),
    ],
)
def test_every_raise_is_weighed(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    rulebook: str,
    cards: str,
    raises: list[str],
    best: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    text = 'name = "half"\nextends = "galaxy-v7"\n[settings]\nraise-minimum = "0.5x"\nincrement = 5\n'
    Path("half.toml").write_text(text)
    found = data(capsys, "hand", cards, "--rulebook", rulebook)
    assert list(found["raise"]) == raises
    assert found["best"] == best
    odds = hand_odds(Hand.parse(cards))
    for multiple, value in found["raise"].items():
        assert Fraction(value) == raise_value(odds, Fraction(multiple))


def test_game(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "game", "washington")
    assert Fraction(found["expected"]) == Fraction(-161_766_105_078_360, 133_784_560 * 45_379_620)
    assert found["expected"] == "-1348050875653/50592437455560"
    for key in ("house_edge", "element_of_risk", "average_bet", "fold_frequency"):
        assert found[key] == pytest.approx(float(Fraction(found[f"{key}_exact"])))
    assert sum(row["combinations"] for row in found["outcomes"]) == found["deals"] == 6_071_092_494_667_200
    mean = sum(Fraction(row["net_exact"]) * row["combinations"] for row in found["outcomes"]) / found["deals"]
    assert mean == Fraction(found["expected"])


def test_a_hand_with_settings(capsys: pytest.CaptureFixture[str]) -> None:
    half = data(capsys, "hand", "AsKs9s7s2s 7d8d", "--rulebook", "galaxy-v7", "--set", "raise-minimum", "0.5x")
    assert list(half["raise"]) == ["0.5", "1", "2"]


def test_a_what_if_says_that_it_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    rule = ["--raise", "multiples 1 1 1 3 3 3"]
    assert data(capsys, "game", "washington")["what_if"] is None
    assert data(capsys, "game", "washington", *rule)["what_if"] == {"raise": "multiples 1 1 1 3 3 3"}
    assert data(capsys, "strategy", "washington", "t-8-6", *rule)["what_if"] == {"raise": "multiples 1 1 1 3 3 3"}
    assert data(capsys, "paytable", "flush", "--lines", "4:1")["what_if"] == {"lines": "4:1"}
    assert data(capsys, "paytable", "oxford/flush")["what_if"] is None
    first = "What if, not a figure of washington: Raise rule typed in, 'multiples 1 1 1 3 3 3'."
    for args in (["game", "washington"], ["strategy", "washington", "t-8-6"]):
        assert run(["odds", *args, *rule]) == 0
        assert capsys.readouterr().out.splitlines()[0] == first
    assert run(["odds", "paytable", "flush", "--lines", "4:1"]) == 0
    assert (
        capsys.readouterr().out.splitlines()[0] == "What if, not a figure of any rulebook: pay table typed in, '4:1'."
    )


def lines(capsys: pytest.CaptureFixture[str], *args: str) -> list[str]:
    assert run(["odds", *args]) == 0
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def test_figures_name_the_settings_they_are_for(capsys: pytest.CaptureFixture[str]) -> None:
    half, hand = ["--set", "raise-minimum", "0.5x"], "AsKs9s7s2s 7d8d"
    first = "With the setting raise-minimum 0.5x."
    for args in (["game", "galaxy-v7"], ["strategy", "galaxy-v7", "always"], ["hand", hand, "--rulebook", "galaxy-v7"]):
        assert lines(capsys, *args, *half)[0] == first
        assert first not in lines(capsys, *args)
    assert lines(capsys, "game", "galaxy-v7", "--raise-minimum", "0.5")[0] == "With the setting raise-minimum 0.5."


@pytest.mark.clause("W5a")
def test_a_bonus_jackpot_is_called_so(capsys: pytest.CaptureFixture[str]) -> None:
    page = lines(
        capsys, "paytable", "washington/PT-BJS-HCF-SF-01", "--set", "jackpot", "bonus", "--set", "seed", "30000"
    )
    assert page[:3] == [
        "With the setting jackpot bonus.",
        "With the setting seed 30000.",
        "washington/PT-BJS-HCF-SF-01: bonus jackpot, pays for 1. Unit: one bet.",
    ]
    assert [" ".join(line.split()) for line in page[page.index("") + 3 : -4]] == [
        "return, display as below 51.353188 %",
        "house edge, display as below 48.646812 %",
        "hit frequency 6.996855 %",
        "standard deviation 18.6934 bets",
        "fixed pays 47.065697 %",
        "bonus jackpot: valued at $30,000.00",
        "bonus jackpot: break-even display $370,386.63",
        "bonus jackpot: bets between 100 % wins 4,180,768",
    ]
    assert words(" ".join(page[-4:])) == QUOTED


def test_a_dynamic_table_says_what_it_counts(capsys: pytest.CaptureFixture[str]) -> None:
    page = [" ".join(line.split()) for line in lines(capsys, "paytable", "galaxy-v7/PT-PRG-HCF-D01a")]
    assert page[1] == "Pays are the defaults; the return counts the Dynamic draws."
    assert {"return, meters as below 66.903814 %", "long-run house edge 22.292138 %"} <= set(page)


def test_game_what_if(capsys: pytest.CaptureFixture[str]) -> None:
    assert data(capsys, "game", "galaxy-v7", "--raise-minimum", "0.5")["house_edge"] == pytest.approx(-0.065273307)
    generous = data(capsys, "game", "washington", "--raise", "multiples 1 1 1 3 3 3")
    assert generous["house_edge"] < data(capsys, "game", "washington")["house_edge"]


def test_strategy(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = data(capsys, "strategy", "washington", "t-8-6")
    assert f"{100 * found['house_edge']:.10f}" == "2.7113820571"
    assert Fraction(found["cost_exact"]) == Fraction(-1348050875653, 50592437455560) - Fraction(found["expected"])
    file = tmp_path / "mine.toml"
    file.write_text('raise = "T-8-6"\n', encoding="utf-8")
    assert data(capsys, "strategy", "washington", str(file))["expected"] == found["expected"]


def test_a_threshold_is_typed(capsys: pytest.CaptureFixture[str]) -> None:
    known, typed = (data(capsys, "strategy", "washington", name) for name in ("j-high", "J-3-2"))
    assert typed["expected"] == known["expected"]
    assert data(capsys, "strategy", "washington", "j-3-2")["expected"] == known["expected"]
    assert typed["title"] == "Raise with J-3-2 or better"
    never = data(capsys, "strategy", "washington", "never")
    assert (never["expected"], never["title"]) == ("-1/1", "Never raise")
    other = data(capsys, "strategy", "washington", "j-high", "--raise", "exact 1 1 1 1 1 1")
    assert other["house_edge"] > known["house_edge"]
    assert run(["odds", "strategy", "washington", "Q-high"]) == 0
    assert (
        capsys.readouterr().out
        == """\
washington, Raise with Q-high or better. Unit: one Ante.
figure                     value   exact                          \x20
───────────────────────────────────────────────────────────────────
house edge            4.273247 %   21619399032233 / 505924374555600
cost over the best    1.608717 %   739899115973 / 45993124959600  \x20
hands folded         40.861325 %   262818 / 643195                \x20
"""
    )


def test_paytable(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "paytable", "washington/PT-FLT-HCF-FB-01")
    assert [row["combinations"] for row in found["lines"]] == [6864, 267696, 3814668, 26137540]
    assert [row["pay"] for row in found["lines"]] == [300, 100, 10, 1]
    assert 1 - Fraction(found["return"]) == Fraction(found["house_edge_exact"])
    assert f"{100 * found['house_edge']:.6f}" == "7.807158"


def test_progressive(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "paytable", "galaxy-v7/PT-BJS-HCF-SF-07")
    assert round(found["break_even_meter"], 2) == 335020.73
    assert f"{100 * float(Fraction(found['long_run_return'])):.2f}" == "80.12"
    at_it = data(capsys, "paytable", "galaxy-v7/PT-BJS-HCF-SF-07", "--meter", "335020.73")
    assert abs(at_it["house_edge"]) < 1e-8
    five = data(capsys, "paytable", "galaxy-v7/PT-BJS-HCF-SF-07", "base=5")
    assert five["base_cents"] == 500
    assert five["return"] == found["return"]
    envy = data(capsys, "paytable", "galaxy-v7/PT-BJS-HCF-SF-E04", "--seats", "6")
    assert Fraction(envy["envy_exact"]) == 1000 * Fraction(1624, 133784560)


def test_a_jackpot_without_printed_rates(capsys: pytest.CaptureFixture[str]) -> None:
    found = data(capsys, "paytable", "washington/PT-BJS-HCF-SF-01", "--meter", "50000")
    assert found["long_run_return"] is None
    sets = [
        "--set",
        "jackpot",
        "progressive",
        "--set",
        "seed",
        "5000",
        "--set",
        "rate",
        "20%",
        "--set",
        "reserve-rate",
        "5%",
    ]
    assert data(capsys, "paytable", "washington/PT-BJS-HCF-SF-01", *sets)["long_run_return"] is not None


def test_every_pay_table_has_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "list", "--json"]) == 0
    for book in json.loads(capsys.readouterr().out):
        for key in book["paytables"]:
            found = data(capsys, "paytable", f"{book['name']}/{key}")
            assert 0 < Fraction(found["return"]) < 1


def test_paytable_what_if(capsys: pytest.CaptureFixture[str]) -> None:
    typed = data(capsys, "paytable", "flush", "--lines", "7:300 6:100 5:10 4:1")
    assert typed["return"] == data(capsys, "paytable", "oxford/flush")["return"]
    assert data(capsys, "paytable", "oxford/straight-flush", "--bet", "100")["house_edge"] > 0.13086386


@pytest.mark.parametrize(
    ("status", "args", "message"),
    [
        (2, "hand AsKs", "hand: read 2 cards, expected 7 cards"),
        (1, "paytable oxford/nope", "pay table: read 'nope', expected a pay table of oxford: flush, straight-flush"),
        (1, "paytable oxford/flush --meter 100 --seats 2", "flush bet: read --meter and --seats, expected none of it"),
        (1, "paytable oxford/flush base=5", "flush bet: read base=5, expected none of it: only a progressive has it"),
        (
            1,
            "paytable galaxy-v7/PT-BJS-HCF-SF-07 --bet 5",
            "progressive bet: read --bet, expected base=AMOUNT after the pay table: a progressive takes its base bet "
            "and nothing else",
        ),
        (
            1,
            "paytable galaxy-v7/PT-BJS-HCF-SF-07 --meter level-1=5",
            "meter: read 'level-1', expected one of progressive",
        ),
        (1, "game washington --raise-minimum 0.5", "settings.raise-minimum: read 0.5x, expected 1x"),
        (2, "game nowhere", "rulebook: read 'nowhere', expected one of"),
        (2, "paytable oxford/flush --bet 1e400", "amount: read '1e400', expected dollars such as 25 or 12.50"),
        (2, "game washington --raise multiples_²_1_1_1_1_1", "raise.maximum.2: read '²', expected"),
        (2, "game washington --set seats ²", "seats: read '²', expected a whole number"),
    ],
)
def test_refused(capsys: pytest.CaptureFixture[str], status: int, args: str, message: str) -> None:
    """2 for what the command line alone shows to be wrong."""
    assert run(["odds", *(word.replace("_", " ") for word in args.split()), "--json"]) == status
    said = capsys.readouterr()
    assert message in said.err
    assert set(json.loads(said.out)["error"]) == {"code", "message", "file", "line", "read", "expected"}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("hand XsKs", "'CARDS...': card: read 'Xs', expected a rank of 23456789TJQKA and a suit of cdhs, such as As"),
        ("hand AsKs9s7s6d7d8d --seen 1x", "'--seen': card: read '1x', expected"),
        (
            "strategy washington nope",
            "'STRATEGY': strategy: read 'nope', expected a threshold such as T-8-6, J-high, A-K, always, never or "
            "optimal; or a .toml file",
        ),
        ("game washington --raise often", "'--raise': raise.kind: read 'often', expected"),
        ("paytable flush", "pay table: read 'flush', expected RULEBOOK/ID"),
        ("paytable flush --lines 4:1,5:10", "lines: read '4:1,5:10', expected CARDS:PAY"),
        ("paytable ante --lines 4:1", "wager: read 'ante', expected with --lines one of"),
        ("paytable flush --lines 4", "lines: read '4', expected CARDS:PAY"),
        ("paytable oxford/flush --bet 0", "'--bet': amount: read '0', expected an amount above zero"),
        (
            "paytable galaxy-v7/PT-BJS-HCF-SF-07 base=5 junk",
            "offer: read 'galaxy-v7/PT-BJS-HCF-SF-07 base=5 junk', expected 'PAYTABLE' or 'PAYTABLE base=AMOUNT'",
        ),
    ],
)
def test_what_the_line_alone_shows_to_be_wrong(capsys: pytest.CaptureFixture[str], args: str, message: str) -> None:
    assert run(["odds", *args.split(), "--json"]) == 2
    said = capsys.readouterr()
    assert message in said.err
    error = json.loads(said.out)["error"]
    assert error["code"] == ("usage" if message.startswith(("'", "offer")) else "bad-text")
    assert f"read {error['read']}, expected {error['expected']}" in said.err


@pytest.mark.parametrize(
    "args",
    [
        "hand AsKs9s7s6d7d8d",
        "game oxford",
        "strategy oxford j-high",
        "paytable galaxy-v7/PT-PRG-HCF-D01a",
        "paytable oxford/flush --bet 5",
    ],
)
def test_text_fits_and_names_its_unit(capsys: pytest.CaptureFixture[str], args: str) -> None:
    assert run(["odds", *args.split()]) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 100
    assert "Unit: one" in text or "value in Antes" in text


def test_a_raise_rule_that_is_short_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["odds", "game", "washington", "--raise", "multiples 1 1 1 2 3"]) == 1
    assert "raise.maximum" in capsys.readouterr().err
