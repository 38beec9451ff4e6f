"""Adds a side bet as data, without new code, and plays, prices, simulates, prints, shows and checks it.

The Court Bonus pays for cards from the jack up in one suit. It needs only an entry of `SIDE_BETS` and a pay table in a
document. This file contains what a newcomer would write.
"""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Route, expect

from browser.test_page_proof import ask, published_record
from highcardflush import parse_rounds, replay, say
from highcardflush.cards import ACE, Hand
from highcardflush.coach.advice import Spot, advise
from highcardflush.coach.session import side_bet_value
from highcardflush.game.legal import allowed_wagers, wager_options
from highcardflush.game.state import State
from highcardflush.notation import format_round
from highcardflush.odds import table_odds
from highcardflush.odds.counting import HANDS
from highcardflush.odds.paytable import line_combinations
from highcardflush.odds.prospect import prospect
from highcardflush.odds.strategies import NAMED
from highcardflush.rulebook import Rulebook, load
from highcardflush.rulebook.settings import settings_table
from highcardflush.rulebook.wagers import SIDE_BETS, Match, SideBet
from highcardflush.web.messages.library import side_bets
from highcardflush.web.messages.parts import encode
from highcardflush.web.messages.parts import limits as limits_of
from highcardflush.web.routes.public import rulebook_data
from support.places.browser import Visits, stand_up
from support.places.hcf import Hcf
from support.places.terminal import Play
from web.test_steps import by_hand

COURT_CARDS = 0b1_1110_0000_0000
"""Jack, queen, king, ace."""
COURT = SideBet(
    name="court",
    title="Court Bonus",
    key="u",
    noun="court",
    smallest=2,
    match=lambda mask: Match((mask & COURT_CARDS).bit_count()),
)
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


def test_it_is_bet_in_the_browser(palace: Rulebook, visits: Visits) -> None:
    """A table of oxford that offers the new bet too: it has a spot, a name, a key and a pay table."""

    def place(route: Route) -> None:
        route.fulfill(json=route.fetch().json() | {"limits": limits})

    limits = json.loads(encode(limits_of(wager_options(palace))))
    page = visits()
    page.route("**/api/v1/tables/oxford", place)
    rules = encode(rulebook_data(palace)).decode()
    page.route("**/tables/oxford/rules", lambda route: route.fulfill(body=rules, content_type="application/json"))
    page.goto("/table/oxford?sit")
    expect(page.locator(".spot.court .spot-button")).to_have_accessible_name("Court Bonus")
    expect(page.locator("[data-paytable=court]")).to_contain_text("Court Bonus")
    expect(page.locator("[data-paytable=court] thead")).to_contain_text("Court")
    expect(page.locator("[data-paytable=court] [data-line='4-card']")).to_contain_text("100 to 1")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("chip on Court Bonus")
    page.keyboard.press("Escape")
    stand_up(page)
