"""The special rules of each rulebook, played by hand in a real browser, agree with the engine and its slow twin."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from highcardflush.fairness import draw_dynamic
from highcardflush.money import say_cents
from highcardflush.rulebook import packaged
from support.places import staged_tables as s
from support.places.browser import PHONE, Site, Visits, own_site
from support.places.floor import Floor
from support.twins.oracle import settle_text

KEEPERS = ("atlantic-city", "meadows", "oxford")
"""Rulebooks where one flush is kept."""
SHOWERS = ("atlantic-city",)
"""Those where a straight flush among the other cards pays only face up."""
DYNAMIC = "PT-PRG-HCF-D03"
SCENES = {
    **{f"{name}-safe": (name, s.STRAIGHT_AMONG_DISCARDS) for name in KEEPERS},
    **{f"{name}-hidden": (name, s.STRAIGHT_AMONG_DISCARDS) for name in KEEPERS},
    **{f"{name}-folded": (name, s.STRAIGHT_AMONG_DISCARDS) for name in SHOWERS},
    **{f"{name}-shown": (name, s.STRAIGHT_IN_FLUSH) for name in SHOWERS},
    **{f"{name}-lost": (name, s.STRAIGHT_IN_FLUSH) for name in SHOWERS},
    **{f"{name}-chosen": (name, s.TWO_FLUSHES) for name in KEEPERS},
}
"""A table for each test: its rulebook, and the cards of its first round."""


def prepare(floor: Floor) -> None:
    for table, (rulebook, deal) in SCENES.items():
        s.plain_table(floor, table, rulebook)
        s.stage(floor, table, deal)
    s.jackpot_table(floor, "drawn-pays", DYNAMIC)
    s.stage(floor, "drawn-pays", s.STRAIGHT_IN_FLUSH)


site = own_site(s.QUIET, prepare)


def settled(page: Page, site: Site, table: str) -> dict[str, int]:
    """Return the net of each wager of seat 1 in dollars; the page, the record and the slow twin must agree."""
    s.results(page)
    net_texts = page.locator(".reasons .nets strong").all_text_contents()
    nets = {text.rpartition(" ")[0]: text.rpartition(" ")[2].replace("−", "-") for text in net_texts}
    record = site.get(f"/rounds/{table}/1")
    twin, _ = settle_text("".join(row for row in record["notation"].splitlines(keepends=True) if row[0] != "="))
    assert {result["wager"]: result["net_cents"] for result in record["results"]} == {
        wager: net for (_, wager), net in twin.items()
    }
    words = {"ante": "Ante", "raise": "Raise", "straight-flush": "Straight Flush Bonus", "progressive": "Progressive"}
    expected_nets = {wager: net // 100 for (_, wager), net in twin.items()}
    assert {
        words[wager]: f"{'+' * (net > 0)}${net}".replace("$-", "-$") for wager, net in expected_nets.items()
    } == nets
    return expected_nets


def kept_flush(page: Page) -> Locator:
    return page.locator(".own-name")


def warning(page: Page) -> Locator:
    return page.locator(".guide.urgent")


def face_up(page: Page) -> Locator:
    return s.decision(page).locator(".face-up")


@pytest.mark.clause("A3", "M3", "O9")
@pytest.mark.parametrize("rulebook", KEEPERS)
def test_the_safe_choice_is_made_already(visits: Visits, site: Site, rulebook: str) -> None:
    page = s.seated(visits, table := f"{rulebook}-safe")
    s.stake(page, ante=10, straight_flush=5)
    expect(kept_flush(page)).to_contain_text("four diamonds")
    for card in ("5♠", "4♠", "3♠"):
        expect(face_up(page)).to_contain_text(card)
    s.raise_(page)
    assert settled(page, site, table) == {"ante": 10, "raise": 10, "straight-flush": 35}
    expect(warning(page)).to_be_hidden()


@pytest.mark.clause("A3")
@pytest.mark.parametrize("rulebook", SHOWERS)
def test_before_money_is_thrown_away_the_page_says_so(visits: Visits, site: Site, rulebook: str) -> None:
    """A tap takes a card down, the first Raise is not sent, the second is: the bet is lost."""
    page = s.seated(visits, table := f"{rulebook}-hidden", size=PHONE)
    s.stake(page, ante=10, straight_flush=5)
    s.own_card(page, "5s").tap()
    expect(face_up(page)).not_to_contain_text("5♠")
    s.own_card(page, "5s").tap()  # up again: spades are not kept for it
    expect(face_up(page)).to_contain_text("5♠")
    expect(kept_flush(page)).to_contain_text("four diamonds")
    s.own_card(page, "5s").tap()
    expect(face_up(page)).not_to_contain_text("5♠")
    s.raise_(page)
    expect(warning(page)).to_contain_text("gives up a winning straight flush")
    expect(s.decision(page)).to_be_visible()
    assert site.get(f"/tables/{table}")["phase"] in ("dealt", "acting")
    s.raise_(page)
    assert settled(page, site, table) == {"ante": 10, "raise": 10, "straight-flush": -5}
    assert "no straight flush was kept or laid face up" in s.results(page)


@pytest.mark.clause("M3", "O9")
@pytest.mark.parametrize("rulebook", ["meadows", "oxford"])
def test_hiding_cards_gives_no_warning_where_all_seven_count(visits: Visits, site: Site, rulebook: str) -> None:
    page = s.seated(visits, table := f"{rulebook}-hidden")
    s.stake(page, ante=10, straight_flush=5)
    page.keyboard.press("e")
    expect(face_up(page)).not_to_contain_text("5♠")
    s.raise_(page)
    assert settled(page, site, table) == {"ante": 10, "raise": 10, "straight-flush": 35}


@pytest.mark.clause("A3")
@pytest.mark.parametrize("rulebook", SHOWERS)
@pytest.mark.parametrize(("scene", "hides", "straight_flush"), [("folded", False, 35), ("lost", True, -5)])
def test_folding_shows_a_winning_straight_flush_unless_it_is_hidden(
    visits: Visits, site: Site, rulebook: str, scene: str, hides: bool, straight_flush: int
) -> None:
    page = s.seated(visits, table := f"{rulebook}-{scene}")
    s.stake(page, ante=10, straight_flush=5)
    if hides:
        page.keyboard.press("e")
        expect(face_up(page)).to_contain_text("Nothing lies face up")
        s.fold(page)
    s.fold(page)
    assert settled(page, site, table) == {"ante": -10, "straight-flush": straight_flush}


@pytest.mark.clause("A3")
@pytest.mark.parametrize("rulebook", SHOWERS)
def test_folding_shows_a_winning_straight_flush_within_the_flush(visits: Visits, site: Site, rulebook: str) -> None:
    """Folding discards the flush as well: its straight flush lies face up unless the player turns it."""
    page = s.seated(visits, table := f"{rulebook}-shown")
    s.stake(page, ante=10, straight_flush=5)
    expect(face_up(page)).to_contain_text("If you fold, face up: A♥ K♥ Q♥")
    s.own_card(page, "Kh").click()
    expect(face_up(page)).to_contain_text("If you fold, face up: A♥ Q♥")
    s.fold(page)
    expect(warning(page)).to_contain_text("gives up a winning straight flush")
    s.own_card(page, "Kh").click()
    expect(warning(page)).to_be_hidden()  # it is put right
    s.fold(page)
    assert settled(page, site, table) == {"ante": -10, "straight-flush": 35}


@pytest.mark.clause("A4", "O9")
@pytest.mark.parametrize("rulebook", KEEPERS)
def test_the_flush_that_is_kept_plays_even_if_a_better_one_was_thrown_away(
    visits: Visits, site: Site, rulebook: str
) -> None:
    page = s.seated(visits, table := f"{rulebook}-chosen", size=PHONE)
    s.stake(page, ante=10)
    expect(kept_flush(page)).to_contain_text("three spades")
    s.own_card(page, "Jd").tap()
    expect(kept_flush(page)).to_contain_text("three diamonds")
    s.raise_(page)
    assert settled(page, site, table) == {"ante": -10, "raise": -10}


@pytest.mark.clause("V7")
def test_dynamic_pays_are_shown_as_drawn_and_paid_so(visits: Visits, site: Site) -> None:
    paytable = packaged("galaxy-v7").paytables[DYNAMIC]
    pays = dict(draw_dynamic(s.STRAIGHT_IN_FLUSH[0].to_bytes(32, "big"), paytable, [s.PAGE_SEED]))
    page = s.seated(visits, "drawn-pays")
    rows = page.get_by_role("table", name=re.compile(DYNAMIC)).get_by_role("row")
    expect(rows.filter(has_text="now $")).to_have_count(0)
    s.stake(page, ante=10, progressive=1)
    page.get_by_role("button", name="Pay tables").click()
    expect(rows.filter(has_text="now $")).to_have_count(len(pays))
    for line, dollars in pays.items():
        expect(rows.filter(has_text=f"now {say_cents(dollars * 100)}")).to_contain_text(line.partition("-")[0])
    s.raise_(page)
    assert settled(page, site, "drawn-pays")["progressive"] == pays["3-card"] - 1
