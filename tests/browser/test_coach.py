"""The coach in the browser: its numbers are those of `hcf odds hand`, and it warns and grades."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.places.browser import PLAIN_CALLS, Site, Visits, give_time, own_site
from support.places.hcf import MAIN
from support.places.postgres import PATIENCE_SECONDS
from support.places.serving import Player, command_of

TABLE = "oxford"
COACH_PAGE = """<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/static/core/style.css"><title>a test</title>
<script type="module">
import { coach } from "/static/table/coach.js";
import { start } from "/static/table/state.js";
import { setPrefs } from "/static/core/prefs.js";
const store = {
  state: start({ name: "oxford", levels: {}, limits: {} }, {}),
  update: (change) => { store.state = change(store.state); window.coach?.draw(store.state); },
};
window.setMode = (mode) => setPrefs({ coach: mode });
window.show = (table) => store.update((state) => ({ ...state, ...table }));
window.coach = coach(store, () => {});
const { ask, chip, element, question } = window.coach;
document.querySelector("main").append(ask, chip, element, question);
</script></head><body><main></main></body></html>"""
"""A page with the coach alone."""
site = own_site(PLAIN_CALLS, give_time)


@pytest.fixture
def player(site: Site) -> Iterator[Player]:
    player = Player(site.address, TABLE)
    held_seats = player.read(f"/tables/{TABLE}")["taken"]
    player.sit(next(seat for seat in range(1, 7) if str(seat) not in held_seats))
    yield player
    player.send(type="Leave")  # refused in mid-round
    player.close()


@pytest.fixture
def page(visits: Visits, player: Player) -> Page:
    page = visits()
    page.context.add_cookies([player.cookie])
    page.add_init_script("localStorage.setItem('hcf-here', '1')")
    page.route("**/coach-page", lambda route: route.fulfill(content_type="text/html", body=COACH_PAGE))
    page.goto("/coach-page")
    return page


def deal(page: Page, player: Player) -> dict[str, Any]:
    """Bet ten dollars, wait for the cards, show the table to the coach and return it."""
    table: dict[str, Any] = player.deal(ante=1000)
    page.evaluate("table => show(table)", table)
    return table


def printed(hand: str) -> Any:
    words = [sys.executable, "-c", MAIN, "odds", "hand", "--rulebook", TABLE, "--json", hand]
    return json.loads(subprocess.run(words, capture_output=True, check=True, timeout=PATIENCE_SECONDS).stdout)


def test_the_coachs_numbers_are_those_of_the_command(page: Page, player: Player) -> None:
    table = deal(page, player)
    page.get_by_role("button", name="What is best?").click()
    page.get_by_text("Show numbers").click()
    rows = page.locator(".coach-options tbody tr")
    expect(rows.first).to_be_visible()
    odds = printed(next(seat["hand"]["seen"] for seat in table["view"]["seats"] if seat["number"] == player.seat))
    exact = rows.evaluate_all("rows => rows.map(row => row.querySelector('[data-exact]').dataset.exact)")
    assert exact[: 1 + len(odds["raise"])] == [odds["fold"], *odds["raise"].values()]  # then flushes that are worse
    total = sum(odds[name] for name in ("not_qualified", "win", "tie", "lose"))
    shares = page.locator(".odds-bar li strong").all_text_contents()
    assert shares == [f"{100 * odds[name] / total:.1f} %" for name in ("not_qualified", "win", "tie", "lose")]
    best = "Fold." if odds["best"] == "fold" else f"Raise ${10 * odds['raised']:g}"
    expect(page.locator(".coach-best")).to_contain_text(best)
    expect(page.locator(".coach-best")).to_contain_text("On average you")
    expect(page.locator(".coach-why")).to_contain_text("The simple rule (raise with 10-8-6 or better)")
    player.decide(table["round"]["number"], type="Fold")


def test_before_a_mistake_the_coach_asks(page: Page, player: Player) -> None:
    table = deal(page, player)
    command = player.worst()
    for answer, goes_on in (("Think again", False), ("Do it anyway", True)):
        page.evaluate("command => { setMode('warn'); window.going = coach.warn(command); }", command)
        warning = page.get_by_role("dialog")
        expect(warning).to_contain_text("That gives away $")
        warning.get_by_role("button", name=answer).click()
        assert page.evaluate("going") is goes_on
    player.decide(table["round"]["number"], **command)
    page.evaluate("coach.grade()")
    expect(page.locator(".grade-chip")).to_have_text(re.compile(r"^(Inaccuracy|Mistake|Blunder), −\$.* why\?$"))
    expect(page.locator(".coach-grade")).to_contain_text("That gave away $")


def test_the_best_decision_is_graded_best_and_not_questioned(page: Page, player: Player) -> None:
    table = deal(page, player)
    command = command_of(player.read(f"/tables/{TABLE}/advice")["best"])
    for mode in ("off", "ask", "warn", "grade"):
        script = "([mode, command]) => { setMode(mode); return coach.warn(command); }"
        assert page.evaluate(script, [mode, command]) is True
    page.evaluate("coach.grade()")
    expect(page.locator(".grade-chip")).to_have_text("Best")
    expect(page.locator(".coach-grade")).to_have_text("Best Nothing was given away.")
    player.decide(table["round"]["number"], **command)


def test_the_coach_shows_the_house_edge_of_side_bets(page: Page) -> None:
    page.evaluate("show({ you: { seat: 1, legal: [] }, round: { number: 1 } })")
    page.get_by_text("House edge of the side bets").click()
    expect(page.locator(".coach-bets li").first).to_contain_text("Flush Bonus")
    expect(page.locator(".coach-bets li").first).to_contain_text("a round on average")


def test_a_guest_keeps_the_money_and_takes_a_break(page: Page, player: Player) -> None:
    page.goto("/account")
    page.get_by_text("Sign up or sign in").click()
    form = page.locator("form.signing").first
    form.get_by_label("Name").fill("Ann of the test")
    form.get_by_label("Password").fill("correct horse battery staple")
    form.get_by_role("button", name="Create account").click()
    expect(page.locator(".who-is")).to_contain_text("You play as Ann of the test.")
    expect(page.locator(".who-is")).not_to_contain_text("Guest chips expire")
    page.get_by_role("button", name="Take a break").click()
    page.get_by_label("15 minutes").check()
    page.get_by_role("button", name="Start the break").click()
    expect(page.locator(".resting")).to_contain_text("You are on a break until")
    page.reload()
    expect(page.locator(".resting")).to_contain_text("You are on a break until")
    player.use_session(page)
    player.until("betting")
    assert "on-break" in player.send(type="PlaceWagers", wagers={"ante": 1000}).text


def test_a_stranger_is_told_how_to_begin(visits: Visits) -> None:
    page = visits("/account")
    expect(page.locator(".who-is")).to_contain_text("You are not signed in.")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
