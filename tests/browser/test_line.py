"""Interruptions of a round in a real browser: nothing is lost or bet twice, and the page says what happened."""

import re

import pytest
from playwright.sync_api import Page, expect

from highcardflush.game.actions import Void
from highcardflush.house.commands import AddPerson
from support.places import staged_tables as s
from support.places.browser import PHONE, Site, Visits, own_site
from support.places.floor import Floor

TABLES = ("away", "placing", "asleep", "tabs", "void", "aloud")
NO_LINE = "ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|WebSocket|Failed to fetch"
MINUTES_S = 150
"""Longer than any wait of the page."""
SLEEPS = """asleep => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => asleep });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def prepare(floor: Floor) -> None:
    floor.do("office", AddPerson("sue", "supervisor"))
    for table in TABLES:
        s.plain_table(floor, table, "oxford")


site = own_site({**s.QUIET, "pause_s": 5}, prepare)


def hand(page: Page) -> str | None:
    return page.locator(".own-hand").get_attribute("aria-label")


def kinds(site: Site, table: str) -> list[str]:
    return [row["kind"] for row in site.get(f"/tables/{table}/events?after=0")]


def test_a_player_offline_for_minutes_returns_to_the_current_moment(visits: Visits, site: Site) -> None:
    visits.announce(NO_LINE)
    page = visits()
    page.clock.install()
    s.sit(page, "away")
    s.stake(page, ante=10)
    cards, banner = hand(page), page.locator(".banner")
    page.context.set_offline(True)
    expect(banner).to_contain_text("Your seat and your bets are safe")
    page.clock.run_for(MINUTES_S * 1000)  # it has tried again and again
    expect(banner).to_be_visible()
    s.raise_(page)  # to be sent when the line is back
    page.context.set_offline(False)
    page.clock.run_for(5_000)
    assert "Raise" in s.results(page)
    expect(banner).to_be_hidden()
    assert kinds(site, "away").count("raise") == 1
    assert kinds(site, "away").count("wagers") == 1
    record = site.get("/rounds/away/1")
    assert [result["stake_cents"] for result in record["results"]] == [1000, 1000]
    assert cards == hand(page) is not None


def test_a_bet_that_is_made_without_a_line_is_made_once(visits: Visits, site: Site) -> None:
    visits.announce(NO_LINE)
    page = visits()
    s.sit(page, "placing")
    page.context.set_offline(True)
    expect(page.locator(".banner")).to_be_visible()
    s.type_stakes(page, ante=10)
    page.context.set_offline(False)
    expect(s.decision(page)).to_be_visible()
    s.has(page, 9_990_00)
    assert kinds(site, "placing").count("wagers") == 1
    s.fold(page)
    s.results(page)


def test_a_phone_that_slept_comes_back_to_the_right_moment(visits: Visits, site: Site) -> None:
    """The connection was lost without a notice while the phone slept, and the round continued."""
    visits.announce(NO_LINE)
    page = visits(size=PHONE)
    s.sit(page, "asleep")
    s.stake(page, ante=10)
    cards = hand(page)
    page.evaluate(SLEEPS, True)
    page.context.set_offline(True)
    page.context.set_offline(False)
    page.evaluate(SLEEPS, False)
    expect(page.locator(".banner")).to_be_hidden()
    expect(s.decision(page)).to_be_visible()
    assert hand(page) == cards
    s.fold(page)
    assert "folded" in s.results(page)


def test_two_tabs_of_one_person_do_not_fight(visits: Visits, site: Site) -> None:
    """Actions in one tab show in the other, both stay connected, and nothing is done twice."""
    first = visits()
    s.sit(first, "tabs")
    second = first.context.new_page()
    second.goto("/table/tabs?sit")
    expect(s.bets(second)).to_be_visible()
    s.type_stakes(second, ante=10)
    for page in (first, second):
        expect(s.decision(page)).to_be_visible()
    assert hand(first) == hand(second)
    s.fold(first)
    for page in (first, second):
        s.results(page)
        expect(page.locator(".banner")).to_be_hidden()
        s.has(page, 9_990_00)
    event_kinds = kinds(site, "tabs")
    assert (event_kinds.count("sit"), event_kinds.count("wagers"), event_kinds.count("fold")) == (1, 1, 1)


@pytest.mark.clause("S6")
def test_a_round_that_is_voided_says_why_gives_back_and_goes_on(visits: Visits, site: Site) -> None:
    page = visits()
    s.sit(page, "void")
    s.stake(page, ante=10, flush=5)
    s.has(page, 9_985_00)
    with site.office() as office:
        office.do("table/void", Void("other", "a card lay on the floor"), "sue")
    why = page.get_by_text("The round is void: a card lay on the floor. All wagers go back.").filter(visible=True)
    expect(why.first).to_be_visible()
    s.has(page, 10_000_00)
    s.stake(page, ante=10)  # in the next round
    s.fold(page)
    s.results(page)
    assert [result["outcome"] for result in site.get("/rounds/void/1")["results"]] == ["returned", "returned"]


class Aloud:
    """A player who reads only the accessibility tree of a page, its roles and names, and acts on it."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session = page.context.new_cdp_session(page)

    def nodes(self) -> list[tuple[str, str, int]]:
        """Return role, name and node of everything that is announced."""
        tree = self._session.send("Accessibility.getFullAXTree")["nodes"]
        return [
            (node["role"]["value"], node.get("name", {}).get("value", ""), node["backendDOMNodeId"])
            for node in tree
            if not node.get("ignored") and "role" in node and "backendDOMNodeId" in node
        ]

    def find(self, role: str, name: str) -> tuple[str, int]:
        """Return the first of a role with such a name, as soon as there is one."""
        for _ in range(600):
            for node_role, node_name, node in self.nodes():
                if node_role == role and re.search(name, node_name):
                    return node_name, node
            self._page.wait_for_timeout(100)
        raise AssertionError(f"no {role} {name}: {self.nodes()}")

    def press(self, role: str, name: str) -> None:
        self.focus(role, name)
        self._page.keyboard.press("Enter")

    def type(self, role: str, name: str, text: str) -> None:
        self.focus(role, name)
        self._page.keyboard.type(text)
        self._page.keyboard.press("Tab")

    def focus(self, role: str, name: str) -> None:
        self._session.send("DOM.focus", {"backendNodeId": self.find(role, name)[1]})


def test_a_round_is_played_from_the_accessibility_tree_alone(visits: Visits) -> None:
    """The player starts in the lobby, sits down, bets, hears the cards, raises and hears the result."""
    page = visits("/")
    reader = Aloud(page)
    reader.press("button", "^Sit down at Aloud")
    reader.find("region", "^Your bets$")
    reader.type("textbox", "^Ante", "10")
    reader.press("button", r"^Bet \$10")
    cards, _ = reader.find("group", "^Your hand: ")
    card_names = [name for role, name, _ in reader.nodes() if role in ("image", "img") and " of " in name]
    assert len({name for name in card_names if name.split()[0] in cards}) == 7  # one by one as well
    assert any(role == "StaticText" and "Fold: lose the Ante" in name for role, name, _ in reader.nodes())
    reader.press("button", r"^Raise \$10")
    assert "Ante" in reader.find("StaticText", r"^Ante [+−$]")[0]
    reader.find("StaticText", r"^You (win|lose) \$|^Push$")
    names = [name for role, name, _ in reader.nodes() if role == "StaticText" and "Dealer" in name]
    assert names
