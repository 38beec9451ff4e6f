"""A bonus jackpot's name and notice (W5a), wherever its amount is shown: the whole text, in every output."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from highcardflush.game import legal_actions, open_round
from highcardflush.game.actions import PlaceWagers
from highcardflush.game.legal import WagerOption
from highcardflush.jackpot import Meter
from highcardflush.rulebook import configure, packaged, parse_offer
from support.data.bonus_jackpot_notice import NOTICE, QUOTED, words
from support.places.hcf import Hcf
from support.places.terminal import Play
from support.walkers.rounds import finish, reason, refused

pytestmark = pytest.mark.clause("W5a")
BONUS = ("--offer", "progressive", "PT-BJS-HCF-SF-01", "--set", "jackpot", "bonus", "--set", "seed", "10000")
OTHERWISE = re.compile("progressive", re.IGNORECASE)


def progressives(text: str) -> list[str]:
    """List the mentions of a progressive in a text, except in the notice and in the meaning of the setting."""
    for phrase in (QUOTED, NOTICE, "any progressive prize contest", "progressive: the meter grows with the bets"):
        text = text.replace(phrase, "")
    return [text[max(0, match.start() - 30) : match.end() + 30] for match in OTHERWISE.finditer(text)]


def test_a_round_in_the_terminal(play: Play) -> None:
    result = play("--rulebook", "washington", *BONUS, "--seed", "2a", answers=". . p . r q", coach=True)
    rest = result.words.partition("Bonus jackpot $10,000.00")[2]
    assert rest.partition(QUOTED)[0].strip(" ·-").startswith("Bankroll $1,000"), "beside the amount"
    rounds = len(re.findall(r"^\S+ Round \d+ ", result.out, re.MULTILINE))
    assert result.words.count(QUOTED) == rounds + 2, "posted first, in each round, and with the amount at the end"
    assert progressives(result.words) == []


def test_a_win_in_words() -> None:
    game = finish("""
        rulebook washington
        offer progressive PT-BJS-HCF-SF-03
        set jackpot bonus
        meter progressive 500
        seat 1 ante 5 progressive 1
        seat 2 ante 5 progressive 1
        deal 1 2s3s4s5s6s7s Kh
        deal 2 2d3d4d5d6d7d8d
        deal dealer Kc3cAdTd5h3hJs
        1 fold
        2 fold""")
    assert reason(game, 1, "progressive") == (
        "six-card straight flush, seven high, takes 100% of the bonus jackpot displayed: $500 (2 winners: each)"
    )


@pytest.mark.clause("S12")
def test_a_display_of_nothing_is_not_offered() -> None:
    offers = [parse_offer("progressive", "PT-BJS-HCF-SF-03")]
    book = configure(packaged("washington"), offers, {"jackpot": "bonus", "seed": "500"})
    both = ["ante", "progressive"]
    for micros, wagers_on_offer in ((500_000000, both), (10_000, both), (9_999, ["ante"])):
        options = legal_actions(book, open_round(book, {"progressive": Meter(micros)}), 1)
        assert [option.wager for option in options if isinstance(option, WagerOption)] == wagers_on_offer
    only = configure(packaged("washington"), offers, {"jackpot": "bonus", "play": "progressive-only"})
    assert legal_actions(only, open_round(only), 1) == ()
    assert "a wager is missing" in refused(only, open_round(only), PlaceWagers(1, {}))


@pytest.fixture
def table(hcf: Hcf, sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Hcf:
    monkeypatch.setenv("HCF_DB", sqlite_url)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("HCF_KEY", raising=False)
    paytable = "washington/PT-BJS-HCF-SF-01"
    for command in (
        ("person", "add", "dan", "dealer"),
        ("meter", "add", "sign", "--paytable", paytable, "--bonus", "--seed", "10000"),
        ("table", "add", "one", "--meter", "sign", "--rulebook", "washington", "--physical", "--dealer", "dan"),
    ):
        assert hcf("house", *command).status == 0
    for stream_command in (
        {"type": "Sit", "seat": 1},
        {"type": "OpenRound"},
        {"type": "PlaceWagers", "seat": 1, "wagers": {"ante": 500, "progressive": 100}},
    ):
        assert hcf("house", "submit", "table/one", json.dumps(stream_command), "--as", "dan").status == 0
    return hcf


SCREENS = (("status",), ("meter", "list"), ("meter", "show", "sign"), ("meter", "reconcile", "sign"), ("view", "one"))


@pytest.mark.parametrize("command", SCREENS, ids=" ".join)
def test_the_screens_and_data_of_a_house(table: Hcf, command: tuple[str, ...]) -> None:
    screen = words(table("house", *command).out)
    assert QUOTED in screen
    assert progressives(screen) == []
    assert NOTICE in notices(table("house", *command, "--json").data)


@pytest.mark.parametrize("command", [("wins",), ("meter", "hits", "sign")], ids=" ".join)
def test_wins_of_a_house(table: Hcf, command: tuple[str, ...]) -> None:
    assert QUOTED not in words(table("house", *command).out), "no amount yet"
    for stream_command in (
        {"type": "Lock"},
        {"type": "DealHand", "seat": 1, "hand": "2s3s4s5s6s7s8s"},
        {"type": "DealHand", "seat": 0, "hand": "Kc3cAdTd5h3hJs"},
        {"type": "Fold", "seat": 1},
        {"type": "SettleRound"},
    ):
        assert table("house", "submit", "table/one", json.dumps(stream_command), "--as", "dan").status == 0
    screen = words(table("house", *command).out)
    assert "$10,000.00" in screen
    assert screen.endswith(f"sign: {QUOTED}")
    assert notices(table("house", *command, "--json").data) == [NOTICE]


def test_the_odds_of_its_pay_table(hcf: Hcf) -> None:
    command = ("odds", "paytable", "washington/PT-BJS-HCF-SF-01", "--set", "jackpot", "bonus", "--set", "seed", "10000")
    screen = words(hcf(*command).out)
    assert "bonus jackpot: valued at $10,000.00" in screen
    assert screen.endswith(QUOTED)
    assert progressives(screen) == []
    assert notices(hcf(*command, "--json").data) == [NOTICE]
    assert notices(hcf("odds", "paytable", "galaxy-v7/PT-BJS-HCF-SF-07", "--json").data) == []


def notices(data: Any) -> list[str]:
    if isinstance(data, list):
        return [notice for each in data for notice in notices(each)]
    if not isinstance(data, dict):
        return []
    own = [value for key, value in data.items() if key == "notice"]
    return own + [notice for value in data.values() for notice in notices(value)]


def test_a_progressive_meter_has_no_notice(table: Hcf) -> None:
    assert table("house", "meter", "add", "mega", "--paytable", "galaxy-v7/PT-BJS-HCF-SF-07").status == 0
    assert table("house", "meter", "show", "mega", "--json").data["notice"] == ""
    assert "Bonus" not in table("house", "meter", "show", "mega").out


@pytest.mark.parametrize(
    ("form", "card"), [("html", False), ("pdf", False), ("json", False), ("csv", False), ("html", True), ("pdf", True)]
)
def test_paper(hcf: Hcf, tmp_path: Path, form: str, card: bool) -> None:
    path = tmp_path / f"sheet.{form}"
    result = hcf("par", "washington", *BONUS, "--rounds", "1000", *["--card"] * card, "-o", str(path))
    assert (result.status, result.err) == (0, "")
    if form == "json":
        data = json.loads(path.read_text())
        assert data["progressive"]["notice"] == NOTICE
        assert f'"{NOTICE}"' in data["rules"]["notices"]
        return
    if form == "html":
        text = unescape(re.sub("<[^>]*>", " ", path.read_text()))
    elif form == "csv":
        text = path.read_text().replace('""', '"')
    else:
        text = " ".join(page.extract_text() for page in PdfReader(path).pages)
    text = words(text)
    assert "".join(QUOTED.split()) in "".join(text.split())
    assert progressives(text) == []


def test_a_replay(hcf: Hcf, tmp_path: Path) -> None:
    text = "hcf 1\nrulebook washington\noffer progressive PT-BJS-HCF-SF-01\nset jackpot bonus\nmeter progressive 500\n"
    text += "seat 1 ante 5\ndeal 1 2s3s4s5s6s7s Kh\ndeal dealer Kc3cAdTd5h3hJs\n1 fold\n"
    (tmp_path / "round.hcf").write_text(text)
    assert QUOTED in words(hcf("replay", "round.hcf").out)
    assert notices(hcf("replay", "round.hcf", "--json").data) == [NOTICE]
