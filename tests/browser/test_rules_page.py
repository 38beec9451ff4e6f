"""The rules of a table in a real browser: what is posted there, its settings, and its own rulebook."""

import re

import pytest
from playwright.sync_api import expect

from highcardflush.house.commands import ChangeTable
from highcardflush.rulebook import configure, load
from support.places.browser import PHONE, Site, Visits, axe, own_site
from support.places.floor import Floor

OWN = """name = "harbour"
title = "Harbour Rules"
extends = "oxford"
version = "1"
"""
SETTINGS = {"ante-minimum": "10", "ante-maximum": "500", "cap-player": "9000"}


def prepare(floor: Floor) -> None:
    book = configure(load(OWN), settings=SETTINGS)
    floor.do("table/oxford", ChangeTable(book))


site = own_site({"house_players": 0}, prepare)


@pytest.mark.clause("O4", "O13")
def test_a_table_of_an_own_rulebook_has_a_rules_page(visits: Visits, site: Site) -> None:
    page = visits("/", size=PHONE)
    page.get_by_role("link", name="Rules at Oxford").click()
    page.wait_for_url("**/rules/harbour?table=oxford")
    expect(page.locator("h1")).to_have_text("Rules at Oxford")
    expect(page.locator("main")).to_contain_text("Harbour Rules")
    rules = site.get("/tables/oxford/rules")
    expect(page.locator("#posted li")).to_have_text([line["text"] for line in rules["posted"]])
    expect(page.locator('[data-setting="ante-minimum"]')).to_contain_text("$10")
    expect(page.locator('[data-setting="cap-player"]')).to_contain_text("$9,000")
    expect(page.locator("[data-paytable]")).to_have_count(len(rules["offers"]))
    assert axe(page) == []
    page.get_by_role("navigation", name="Back").get_by_role("link", name="Back to Oxford").click()
    page.wait_for_url("**/table/oxford")


@pytest.mark.clause("W2", "W5a")
def test_a_bonus_jackpot_is_posted_under_its_name(visits: Visits, site: Site) -> None:
    page = visits("/rules/washington?table=washington")
    texts = [line["text"] for line in site.get("/tables/washington/rules")["posted"]]
    expect(page.locator("#posted li")).to_have_text(texts)
    expect(page.locator("#posted .bonus-notice")).to_be_visible()
    expect(page.locator("#bets caption").filter(has_text="Bonus Jackpot")).to_have_count(1)
    expect(page.locator("#bets caption").filter(has_text="Progressive")).to_have_count(0)


def test_a_rulebook_names_the_tables_that_use_it(visits: Visits) -> None:
    page = visits("/rules/galaxy-v7")
    page.locator(".played-at").get_by_role("link", name="Jackpot 1").click()
    page.wait_for_url("**/rules/galaxy-v7?table=jackpot-1")
    expect(page.locator("#posted")).to_contain_text(re.compile("share", re.IGNORECASE))


def test_the_five_steps_have_pictures(visits: Visits) -> None:
    steps = visits("/rules").locator(".steps li")
    expect(steps).to_have_count(5)
    expect(steps.locator(".picture > *")).to_have_count(5)
    expect(steps.nth(1).locator(".card")).to_have_count(7)
    expect(steps.nth(3)).to_contain_text("less than three suited cards, nine high")
