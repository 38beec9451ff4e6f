"""Adds a side bet as data, without new code, and plays, prices, simulates, prints, shows and checks it.

The Court Bonus pays for cards from the jack up in one suit. It needs only an entry of `SIDE_BETS` and a pay table in a
document. This file contains what a newcomer would write.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from browser.test_page_proof import ask, published_record
from highcardflush import parse_rounds, replay, say
from highcardflush.cards import ACE, Hand
from highcardflush.coach.advice import Spot, advise
from highcardflush.coach.session import side_bet_value
from highcardflush.game.legal import allowed_wagers
from highcardflush.game.state import State
from highcardflush.house.commands import CreateTable
from highcardflush.house.meter.linked import table_for
from highcardflush.notation import format_round
from highcardflush.odds import table_odds
from highcardflush.odds.counting import HANDS
from highcardflush.odds.paytable import line_combinations
from highcardflush.odds.prospect import prospect
from highcardflush.odds.strategies import NAMED
from highcardflush.rulebook import Rulebook, load, wagers
from highcardflush.rulebook.settings import settings_table
from highcardflush.rulebook.wagers import SIDE_BETS, Match, SideBet
from highcardflush.web.messages.library import side_bets
from support.places.browser import Site, Visits, open_site
from support.places.floor import Floor
from support.places.hcf import Hcf
from support.places.patched_package import Change, Patch, make_change
from support.places.staged_tables import LIMITS, QUIET, STRAIGHT_IN_FLUSH, raise_, results, seated, stage
from support.places.terminal import Play
from web.test_steps import by_hand

ENTRY = """
        SideBet(
            name="court",
            title="Court Bonus",
            key="u",
            noun="court",
            smallest=2,
            match=lambda mask: Match((mask & 0b1_1110_0000_0000).bit_count()),  # jack, queen, king, ace
        ),
"""
COURT: SideBet = eval(ENTRY.strip(), vars(wagers))[0]
DOCUMENT = """
name = "palace"
title = "High Card Flush, the Palace"
extends = "oxford"

[settings]
court-minimum = 5
court-maximum = 100
cap-court-player = 400

[paytables.court]
wager = "court"
pays = "to 1"
lines = [{ cards = 4, pay = 100 }, { cards = 3, pay = 5 }]

[[offers]]
wager = "flush"
paytable = "flush"

[[offers]]
wager = "court"
paytable = "court"
"""
ROUND = """hcf 1
rulebook palace
seat 1 ante 25 flush 5 court 5
seat 4 ante 10 court 5
deal 1 AsKsQs9s7s 8d7d
deal 4 5s KhJh4h Qd 9c2c
deal dealer 9h8h6h Td2d Kc3c
1 raise 50
4 fold
= 1 ante +25 raise +50 flush +50 court +25
= 4 ante -10 court -5
"""


@pytest.fixture(autouse=True)
def _court(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SIDE_BETS, COURT.name, COURT)


@pytest.fixture
def palace() -> Rulebook:
    return load(DOCUMENT)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "palace.toml"
    path.write_text(DOCUMENT, encoding="utf-8")
    return path


def test_it_is_played(palace: Rulebook) -> None:
    (text,) = parse_rounds(ROUND)
    game = replay(text, find=lambda _: palace)
    assert game.differences == ()
    assert format_round(palace, game.state) == ROUND
    assert game.state.settlement is not None
    reasons = [say(result.reason) for result in game.state.settlement.results if result.wager == "court"]
    assert reasons == ["two-card court does not pay", "three-card court pays 5 to 1"]
    assert [r.wager for r in game.state.settlement.results if r.seat == 1] == ["ante", "raise", "flush", "court"]


def test_it_has_limits_caps_and_settings(palace: Rulebook) -> None:
    assert allowed_wagers(palace)["court"].maximum_cents == 10_000
    assert [cap.key for cap in palace.settings.caps_on("court")] == ["cap-court-player", "cap-player"]
    keys = {row.key: row.description for row in settings_table()}
    assert keys["court-minimum"] == "Smallest Court Bonus bet"
    with pytest.raises(Exception, match=r"settings\.court-maximum: read 'many'"):
        load(DOCUMENT.replace("court-maximum = 100", 'court-maximum = "many"'))


def test_it_is_priced(palace: Rulebook) -> None:
    table = palace.paytables["court"]
    odds = table_odds(table)
    assert odds.house_edge == 1 - Fraction(101 * line_combinations(table)[0] + 6 * line_combinations(table)[1], HANDS)
    assert side_bet_value(palace, "court", 100, {}) == -100 * odds.house_edge
    assert odds.hit_frequency == Fraction(sum(line_combinations(table)), HANDS)


def test_the_count_is_right_for_a_small_deck_of_courts() -> None:
    """Every choice of court cards by hand: which of them hold three or four of a suit."""
    courts = [suit * 13 + rank for suit in range(4) for rank in range(9, 13)]
    counts_reached = {3: 0, 4: 0}
    for size in range(3, 8):
        for cards in combinations(courts, size):
            best = COURT.best(Hand.of(cards)).cards
            if best >= 3:
                counts_reached[best] += comb(36, 7 - size)
    assert line_combinations(load(DOCUMENT).paytables["court"]) == [counts_reached[4], counts_reached[3]]


def test_the_coach_counts_it(palace: Rulebook) -> None:
    wagers = {"ante": 1000, "court": 100}
    edge = table_odds(palace.paytables["court"]).house_edge
    assert prospect(palace, wagers, {}).mean == prospect(palace, {"ante": 1000}, {}).mean - 100 * edge
    assert advise(Spot(palace, wagers, Hand.parse("AsKsQs9s7s 8d7d"))).best.raise_cents == 2000


def test_it_is_simulated(palace: Rulebook) -> None:
    pytest.importorskip("numba")
    from highcardflush.simulate import simulate

    result = simulate(palace, 200_000, 6, NAMED["t-8-6"]).wagers["court"]
    assert result.expected == -table_odds(palace.paytables["court"]).house_edge
    assert abs(result.z) < 4
    assert [line.observed for line in result.lines] == [
        pytest.approx(line.expected_count, rel=0.05, abs=40) for line in result.lines
    ]
    assert all(abs(each.z) < 5 for each in simulate(palace, 50_000, 2, NAMED["always"]).wagers.values())


def test_it_is_printed(file: Path, tmp_path: Path, hcf: Hcf) -> None:
    card = hcf("rules", "show", str(file)).out
    assert all(words in card for words in ("court: palace/court, pays to 1", "4-card court", "court-minimum"))
    assert "3-card court" in hcf("odds", "paytable", f"{file}/court").out
    pytest.importorskip("altair")
    for name, words in (("sheet.html", "Court Bonus, palace/court"), ("card.html", "Court Bonus")):
        card_option = ["--card"] if name == "card.html" else []
        result = hcf("par", str(file), "--rounds", "1000", "-o", str(tmp_path / name), *card_option)
        assert result.status == 0, result.err
        assert words in (tmp_path / name).read_text("utf-8")


def test_it_is_bet_at_the_terminal(file: Path, play: Play) -> None:
    output = play("--rulebook", str(file), "--seed", "2a", answers="u 5 . f q").out
    assert "court $5" in output
    assert "3-card court" in play("--rulebook", str(file), "--seed", "2a", answers="? q").out


def test_the_pages_get_its_rule(palace: Rulebook) -> None:
    bets = side_bets(palace)
    assert {name: (bet.counts, bet.ranks) for name, bet in bets.items()} == {
        "flush": ("cards", "23456789TJQKA"),
        "straight-flush": ("run", "23456789TJQKA"),
        "court": ("cards", "JQKA"),
    }
    assert (bets["court"].title, bets["court"].noun) == ("Court Bonus", "court")


def state_of(book: Rulebook, text: str = ROUND) -> State:
    return replay(parse_rounds(text)[0], find=lambda _: book).state


def test_the_page_of_a_round_checks_it(palace: Rulebook) -> None:
    honest = published_record(palace, by_hand(palace, state_of(palace)))
    false = {**honest, "proof": honest["proof"].replace("court +25", "court +50")}
    false["notation"] = honest["notation"].replace("court +25", "court +50")
    false["results"] = [
        {**each, "net_cents": 5000} if (each["seat"], each["wager"]) == (1, "court") else each
        for each in honest["results"]
    ]
    good, bad = ask([honest, false])
    assert (good["good"], good["left"]) == (True, 0)
    assert bad["wrong"]["code"] == "results"
    assert bad["wrong"]["values"] == {"read": "5000", "expected": "2500", "seat": 1, "wager": "court"}


def test_a_rule_that_the_page_does_not_know_is_left_unchecked(
    palace: Rulebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match of this bet counts court cards only where the suit has the ace."""
    odd = replace(COURT, match=lambda mask: COURT.match(mask) if mask >> ACE else Match(0))
    monkeypatch.setitem(SIDE_BETS, COURT.name, odd)
    assert side_bets(palace)["court"].counts is None
    (check,) = ask([published_record(palace, by_hand(palace, state_of(palace)))])
    assert (check["good"], check["left"]) == (True, 2)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, palace: Rulebook) -> Iterator[Site]:
    """Serve a table of the palace with a copy of the package to which only the entry of `SIDE_BETS` was added."""
    last = "_of_straights(name=PROGRESSIVE"
    patch = Patch("rulebook/wagers.py", last, "jackpot=True),\n", f"jackpot=True),{ENTRY}")
    monkeypatch.setenv("PYTHONPATH", str(make_change(Change("a side bet", (patch,), ""), tmp_path)))

    def prepare(floor: Floor) -> None:
        floor.do("table/palace", CreateTable(table_for(palace, {}, None, LIMITS)[0]))
        stage(floor, "palace", STRAIGHT_IN_FLUSH)

    with open_site(tmp_path, QUIET, prepare) as place:
        yield place


def test_it_is_bet_in_the_browser(visits: Visits, site: Site) -> None:
    """Play a round whose hand has three hearts from the queen up: spot, words, bet, settlement and proof."""
    page = seated(visits, "palace")
    expect(page.locator(".spot.court .spot-button")).to_have_accessible_name("Court Bonus")
    expect(page.locator("[data-paytable=court]")).to_contain_text("Court Bonus")
    expect(page.locator("[data-paytable=court] thead")).to_contain_text("Court")
    expect(page.locator("[data-paytable=court] [data-line='4-card']")).to_contain_text("100 to 1")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("chip on Court Bonus")
    page.keyboard.press("Escape")
    for wager in ("ante", "court"):
        page.locator(f".spot.{wager} .spot-button").click()
    page.locator(".betting .main-action").click()
    expect(page.locator(".seat.own")).to_contain_text("Court Bonus $5")
    raise_(page)
    assert "Court Bonus +$25" in results(page)
    page.get_by_role("button", name="Why?").click()
    with page.expect_popup() as popup:
        page.get_by_role("link", name="Replay and proof").click()
    page = popup.value
    expect(page.locator(".verdict")).to_have_attribute("data-state", "good")
    expect(page.locator("[data-check=results] p")).to_have_text("3 results worked out here from the cards.")
    expect(page.locator(".settled [data-wager=court]")).to_contain_text("+$25")
    expect(page.locator(".settled")).to_contain_text("Three-card court pays 5 to 1.")
    record = site.get("/rounds/palace/1")
    assert "court +25" in record["notation"]
    assert {result["wager"]: result["net_cents"] for result in record["results"]}["court"] == 25_00
