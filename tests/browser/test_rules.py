"""The special rules of each rulebook in a real browser, by hand: what is kept and what lies face up is chosen by
tapping cards, and what comes of it is what the engine and its slow twin say."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from highcardflush.fairness import draw_dynamic
from highcardflush.money import say_cents
from highcardflush.rulebook import packaged
from support.places.browser import PHONE
from support.places.floor import Floor
from support.places.staged import (
    PAGE_SEED,
    STRAIGHT_AMONG_DISCARDS,
    STRAIGHT_IN_FLUSH,
    TWO_FLUSHES,
    Place,
    Players,
    decision,
    fold,
    jackpot_table,
    open_place,
    open_players,
    own_card,
    plain_table,
    raise_,
    results,
    stage,
    stake,
)
from support.twins.oracle import settle_text

KEEPERS = ("atlantic-city", "meadows", "oxford")
"""Rulebooks where one flush is kept."""
SHOWERS = ("atlantic-city", "meadows")
"""Those where a straight flush among the rest pays only face up."""
DYNAMIC = "PT-PRG-HCF-D03"
SCENES = {
    **{f"{name}-safe": (name, STRAIGHT_AMONG_DISCARDS) for name in KEEPERS},
    **{f"{name}-hidden": (name, STRAIGHT_AMONG_DISCARDS) for name in KEEPERS},
    **{f"{name}-folded": (name, STRAIGHT_AMONG_DISCARDS) for name in SHOWERS},
    **{f"{name}-shown": (name, STRAIGHT_IN_FLUSH) for name in SHOWERS},
    **{f"{name}-lost": (name, STRAIGHT_IN_FLUSH) for name in SHOWERS},
    **{f"{name}-chosen": (name, TWO_FLUSHES) for name in KEEPERS},
}
"""A table for each test: its rulebook, and the cards of its first round."""


def prepare(floor: Floor) -> None:
    for table, (rulebook, deal) in SCENES.items():
        plain_table(floor, table, rulebook)
        stage(floor, table, deal)
    jackpot_table(floor, "dynamic", DYNAMIC)
    stage(floor, "dynamic", STRAIGHT_IN_FLUSH)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with open_place(tmp_path_factory.mktemp("rules"), prepare) as found:
        yield found


@pytest.fixture
def players(browser: Browser, place: Place) -> Iterator[Players]:
    with open_players(browser, place) as found:
        yield found


def settled(page: Page, place: Place, table: str) -> dict[str, int]:
    """Return the net of each wager of seat 1 in dollars, after checking that the page, the record and the slow twin
    agree."""
    results(page)
    shown = page.locator(".results .nets strong").all_inner_texts()
    said = {text.rpartition(" ")[0]: text.rpartition(" ")[2].replace("−", "-") for text in shown}
    record = place.get(f"/rounds/{table}/1")
    twin, _ = settle_text("".join(row for row in record["notation"].splitlines(keepends=True) if row[0] != "="))
    assert {result["wager"]: result["net_cents"] for result in record["results"]} == {
        wager: net for (_, wager), net in twin.items()
    }
    words = {"ante": "Ante", "raise": "Raise", "straight-flush": "Straight Flush Bonus", "progressive": "Progressive"}
    found = {wager: net // 100 for (_, wager), net in twin.items()}
    assert {words[wager]: f"{'+' * (net > 0)}${net}".replace("$-", "-$") for wager, net in found.items()} == said
    return found


def kept(page: Page) -> Locator:
    """The suit that is chosen."""
    return decision(page).get_by_role("radio", checked=True)


def face_up(page: Page) -> Locator:
    """Return the element that describes the cards that lie face up."""
    return decision(page).locator(".face-up")


@pytest.mark.clause("A3", "M3", "O9")
@pytest.mark.parametrize("rulebook", KEEPERS)
def test_the_safe_choice_is_made_already(players: Players, place: Place, rulebook: str) -> None:
    page = players.seated(table := f"{rulebook}-safe")
    stake(page, ante=10, straight_flush=5)
    expect(kept(page)).to_contain_text("diamonds (4)")
    for card in ("5♠", "4♠", "3♠"):
        expect(face_up(page)).to_contain_text(card)
    raise_(page)
    assert settled(page, place, table) == {"ante": 10, "raise": 10, "straight-flush": 35}
    expect(decision(page).get_by_role("alert")).to_be_hidden()


@pytest.mark.clause("A3", "M3")
@pytest.mark.parametrize("rulebook", SHOWERS)
def test_before_money_is_thrown_away_the_page_says_so(players: Players, place: Place, rulebook: str) -> None:
    """A tap takes a card down, the first Raise is not sent, the second is: the bet is lost."""
    page = players.seated(table := f"{rulebook}-hidden", size=PHONE)
    stake(page, ante=10, straight_flush=5)
    own_card(page, "5s").tap()
    expect(face_up(page)).not_to_contain_text("5♠")
    own_card(page, "5s").tap()  # up again: spades are not kept for it
    expect(face_up(page)).to_contain_text("5♠")
    expect(kept(page)).to_contain_text("diamonds (4)")
    own_card(page, "5s").tap()
    expect(face_up(page)).not_to_contain_text("5♠")
    raise_(page)
    expect(decision(page).get_by_role("alert")).to_contain_text("throws away a straight flush")
    expect(decision(page)).to_be_visible()
    assert place.get(f"/tables/{table}")["phase"] in ("dealt", "acting")
    raise_(page)
    assert settled(page, place, table) == {"ante": 10, "raise": 10, "straight-flush": -5}
    assert "no straight flush was kept or laid face up" in results(page)


@pytest.mark.clause("O9")
def test_where_all_seven_cards_count_anyway_nobody_is_warned(players: Players, place: Place) -> None:
    page = players.seated(table := "oxford-hidden")
    stake(page, ante=10, straight_flush=5)
    page.keyboard.press("e")
    expect(face_up(page)).not_to_contain_text("5♠")
    raise_(page)
    assert settled(page, place, table) == {"ante": 10, "raise": 10, "straight-flush": 35}


@pytest.mark.clause("A3", "M3")
@pytest.mark.parametrize("rulebook", SHOWERS)
def test_who_folds_shows_what_wins(players: Players, place: Place, rulebook: str) -> None:
    page = players.seated(table := f"{rulebook}-folded")
    stake(page, ante=10, straight_flush=5)
    fold(page)
    assert settled(page, place, table) == {"ante": -10, "straight-flush": 35}


@pytest.mark.clause("A3", "M3")
@pytest.mark.parametrize("rulebook", SHOWERS)
def test_who_folds_shows_what_wins_in_the_flush_too(players: Players, place: Place, rulebook: str) -> None:
    """Folding discards the flush as well: its straight flush lies face up unless the player turns it."""
    page = players.seated(table := f"{rulebook}-shown")
    stake(page, ante=10, straight_flush=5)
    expect(face_up(page)).to_contain_text("If you fold, face up: A♥ K♥ Q♥")
    own_card(page, "Kh").click()
    expect(face_up(page)).to_contain_text("If you fold, face up: A♥ Q♥")
    fold(page)
    expect(decision(page).get_by_role("alert")).to_contain_text("throws away a straight flush")
    own_card(page, "Kh").click()
    expect(decision(page).get_by_role("alert")).to_be_hidden()  # it is put right
    fold(page)
    assert settled(page, place, table) == {"ante": -10, "straight-flush": 35}


@pytest.mark.clause("A3", "M3")
@pytest.mark.parametrize("rulebook", SHOWERS)
def test_who_folds_and_hides_it_all_the_same_loses_it(players: Players, place: Place, rulebook: str) -> None:
    page = players.seated(table := f"{rulebook}-lost")
    stake(page, ante=10, straight_flush=5)
    page.keyboard.press("e")
    expect(face_up(page)).to_contain_text("Nothing lies face up")
    fold(page)
    fold(page)
    assert settled(page, place, table) == {"ante": -10, "straight-flush": -5}


@pytest.mark.clause("A4", "O9")
@pytest.mark.parametrize("rulebook", KEEPERS)
def test_the_flush_that_is_kept_plays_even_if_a_better_one_was_thrown_away(
    players: Players, place: Place, rulebook: str
) -> None:
    page = players.seated(table := f"{rulebook}-chosen", size=PHONE)
    stake(page, ante=10)
    expect(kept(page)).to_contain_text("spades (3)")
    own_card(page, "Jd").tap()
    expect(kept(page)).to_contain_text("diamonds (3)")
    raise_(page)
    assert settled(page, place, table) == {"ante": -10, "raise": -10}


@pytest.mark.clause("V7")
def test_dynamic_pays_are_shown_as_drawn_and_paid_so(players: Players, place: Place) -> None:
    paytable = packaged("galaxy-v7").paytables[DYNAMIC]
    drawn = dict(draw_dynamic(STRAIGHT_IN_FLUSH[0].to_bytes(32, "big"), paytable, [PAGE_SEED]))
    page = players.seated("dynamic")
    rows = page.get_by_role("table", name=re.compile(DYNAMIC)).get_by_role("row")
    expect(rows.filter(has_text="now $")).to_have_count(0)
    stake(page, ante=10, progressive=1)
    expect(rows.filter(has_text="now $")).to_have_count(len(drawn))
    for line, dollars in drawn.items():
        expect(rows.filter(has_text=f"now {say_cents(dollars * 100)}")).to_contain_text(line.partition("-")[0])
    raise_(page)
    assert settled(page, place, "dynamic")["progressive"] == drawn["3-card"] - 1
