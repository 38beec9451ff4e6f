"""The coach in the browser: its numbers are those of `hcf odds hand`, it warns and grades; and one's own play, on its
page."""

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from support.places.browser import PLAIN_CALLS, bounded, give_time, open_site, rest
from support.places.hcf import MAIN
from support.places.postgres import PATIENCE_SECONDS

TABLE = "oxford"
COACH_PAGE = """<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/static/core/style.css"><title>a test</title>
<script type="module">
import { coach } from "/static/table/coach.js";
import { choose } from "/static/core/prefs.js";
window.setMode = (mode) => choose({ coach: mode });
window.coach = coach("oxford");
document.querySelector("main").append(window.coach.element);
</script></head><body><main></main></body></html>"""
"""A page with the coach alone."""
CLIENT = """
const call = async (method, path, body) => {
  const headers = { "X-HCF": "1", "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() };
  const answer = await fetch("/api/v1" + path, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer.status === 204 ? null : answer.json();
};
const until = async (table, ready) => {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await call("GET", `/tables/${table}`);
    if (ready(found)) return found;
    if (performance.now() > end) throw new Error(`not so in ${PATIENCE_MS} ms: ${ready}, ${JSON.stringify(found)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
const may = (type) => (found) => found.you?.legal.some((option) => option.type === type);
"""
"""A client's actions, for scripts in a page of the server."""


LEAVE = """const { you } = await call("GET", `/tables/${args[0]}`);
    if (you) await call("POST", `/commands/table/${args[0]}`, { type: "Leave", seat: you.seat }).catch(() => null);"""
"""Whoever goes without a word keeps the seat for a while, and others wait for them."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("coach")
    with open_site(folder, PLAIN_CALLS, give_time) as server:
        yield server.address


@pytest.fixture
def page(browser: Browser, site: str) -> Iterator[Page]:
    """A page in which nothing goes wrong unseen."""
    context = browser.new_context(base_url=site, viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE_SECONDS * 1000)
    found, troubles = context.new_page(), list[str]()
    found.on("pageerror", lambda error: troubles.append(str(error)))
    found.route("**/coach-page", lambda route: route.fulfill(content_type="text/html", body=COACH_PAGE))
    try:
        yield found
        do(found, LEAVE, TABLE)
    finally:
        rest(found)
        context.close()
    assert troubles == []


def do(page: Page, script: str, *args: Any) -> Any:
    """Run a script that is a client of the server."""
    client = f"const PATIENCE_MS = {PATIENCE_SECONDS * 1000:g};{CLIENT}"
    return page.evaluate(bounded(f"(async () => {{ {client} {script} }})()", 3 * PATIENCE_SECONDS), list(args))


def sit(page: Page) -> None:
    page.goto("/coach-page")
    do(
        page,
        """const [table] = args;
        await call("POST", "/guest");
        localStorage.setItem("hcf-here", "1");
        const place = await call("GET", `/tables/${table}`);
        const seat = [1, 2, 3, 4, 5, 6].find((each) => !place.taken[each]);
        await call("POST", `/commands/table/${table}`, { type: "Sit", seat });""",
        TABLE,
    )


def deal(page: Page) -> dict[str, Any]:
    """Bet ten dollars and wait for the cards; the table as it is then. The coach is told."""
    found: dict[str, Any] = do(
        page,
        """const [table] = args;
        const { you } = await until(table, may("PlaceWagers"));
        await call("POST", `/commands/table/${table}`, { type: "PlaceWagers", seat: you.seat, wagers: { ante: 1000 } });
        const found = await until(table, may("Fold"));
        window.coach?.draw(found);
        return found;""",
        TABLE,
    )
    return found


def decide(page: Page, found: dict[str, Any], command: dict[str, Any]) -> None:
    do(
        page,
        """const [table, command, number] = args;
        await call("POST", `/commands/table/${table}`, command);
        await until(table, (found) => found.round.number > number || found.view.phase === "settled");""",
        TABLE,
        {"seat": found["you"]["seat"], **command},
        found["round"]["number"],
    )


def hand_of(found: dict[str, Any]) -> str:
    seat = found["you"]["seat"]
    hand: str = next(each["hand"]["seen"] for each in found["view"]["seats"] if each["number"] == seat)
    return hand


def printed(hand: str) -> dict[str, Any]:
    """Return the output of the command for a hand."""
    words = [sys.executable, "-c", MAIN, "odds", "hand", "--rulebook", TABLE, "--json", hand]
    said = subprocess.run(words, capture_output=True, check=True, timeout=PATIENCE_SECONDS)
    found: dict[str, Any] = json.loads(said.stdout)
    return found


def worse(page: Page) -> dict[str, Any]:
    """The decision that costs most."""
    advice = do(page, "return call('GET', `/tables/${args[0]}/advice`);", TABLE)
    option = max(advice["options"], key=lambda each: each["cost_cents"])
    return {key: option[key] for key in ("type", "amount_cents", "keep") if key in option}


def test_the_coachs_numbers_are_those_of_the_command(page: Page) -> None:
    sit(page)
    found = deal(page)
    page.get_by_role("button", name="What is best?").click()
    rows = page.locator(".coach-options tbody tr")
    expect(rows.first).to_be_visible()
    odds = printed(hand_of(found))
    exact = rows.evaluate_all("rows => rows.map(row => row.querySelector('[data-exact]').dataset.exact)")
    assert exact[: 1 + len(odds["raise"])] == [odds["fold"], *odds["raise"].values()]  # then flushes that are worse
    total = sum(odds[name] for name in ("not_qualified", "win", "tie", "lose"))
    told = page.locator(".odds-bar li strong").all_text_contents()
    assert told == [f"{100 * odds[name] / total:.1f} %" for name in ("not_qualified", "win", "tie", "lose")]
    best = "fold" if odds["best"] == "fold" else f"raise ${10 * float(odds['best'].split()[1]):g}"
    expect(page.locator(".coach-best")).to_contain_text(f"Best: {best}")
    expect(page.locator(".coach-why")).to_contain_text("The simple rule (raise with 10-8-6 or better)")
    decide(page, found, {"type": "Fold"})


def test_before_a_mistake_the_coach_asks(page: Page) -> None:
    sit(page)
    found = deal(page)
    command = worse(page)
    for answer, goes_on in (("Think again", False), ("Do it anyway", True)):
        page.evaluate("command => { setMode('warn'); window.going = coach.warn(command); }", command)
        warning = page.get_by_role("dialog")
        expect(warning).to_contain_text("That gives away $")
        warning.get_by_role("button", name=answer).click()
        assert page.evaluate("going") is goes_on
    decide(page, found, command)
    page.evaluate("command => coach.grade(command)", command)
    expect(page.locator(".coach-grade")).to_contain_text("That gave away $")


def test_what_is_best_is_graded_so_and_nobody_is_asked(page: Page) -> None:
    sit(page)
    found = deal(page)
    best = do(page, "return (await call('GET', `/tables/${args[0]}/advice`)).best;", TABLE)
    command = {key: best[key] for key in ("type", "amount_cents", "keep") if key in best}
    for mode in ("off", "ask", "warn", "grade"):
        script = "([mode, command]) => { setMode(mode); return coach.warn(command); }"
        assert page.evaluate(script, [mode, command]) is True
    page.evaluate("command => coach.grade(command)", command)
    expect(page.locator(".coach-grade")).to_have_text("Best Nothing was given away.")
    decide(page, found, command)


def test_what_side_bets_cost(page: Page) -> None:
    page.goto("/coach-page")
    do(page, "await call('POST', '/guest');")
    page.evaluate("coach.draw({ you: { seat: 1, legal: [] }, round: { number: 1 } })")
    page.get_by_text("House edge of the side bets").click()
    expect(page.locator(".coach-bets li").first).to_contain_text("Flush Bonus")
    expect(page.locator(".coach-bets li").first).to_contain_text("a round on average")


def test_ones_own_play_is_told(page: Page) -> None:
    sit(page)
    for _ in range(2):
        found = deal(page)
        decide(page, found, worse(page))
    page.goto("/account")
    expect(page.locator(".equation .term")).to_have_count(4)
    expect(page.locator(".chart polyline.result")).to_be_visible()
    expect(page.locator(".mistakes li").first).to_contain_text("Oxford, round")
    expect(page.locator(".rounds li")).to_have_count(2)
    assert page.locator(".rounds a").first.get_attribute("href").startswith("/round/oxford/")  # type: ignore[union-attr]
    page.get_by_text("Statement").click()
    expect(page.locator(".statement tbody tr").last).to_contain_text("Play money")
    expect(page.locator(".statement tbody tr")).not_to_have_count(0)


def test_a_guest_keeps_the_money_and_takes_a_break(page: Page) -> None:
    sit(page)
    page.goto("/account")
    page.get_by_text("Keep your money under a name").click()
    form = page.locator("form.signing").first
    form.get_by_label("Name").fill("Ann of the test")
    form.get_by_label("Password").fill("correct horse battery staple")
    form.get_by_role("button", name="Keep it").click()
    expect(page.locator(".who-is")).to_contain_text("You play as Ann of the test.")
    page.get_by_role("button", name="15 minutes").click()
    expect(page.locator(".resting")).to_contain_text("Your break lasts until")
    page.reload()
    expect(page.locator(".resting")).to_contain_text("Your break lasts until")
    bet = """const found = await until(args[0], may("PlaceWagers"));
        const command = { type: "PlaceWagers", seat: found.you.seat, wagers: { ante: 1000 } };
        return call("POST", `/commands/table/${args[0]}`, command).catch((error) => error.message);"""
    assert "on-break" in do(page, bet, TABLE)


def test_a_stranger_is_told_how_to_begin(page: Page) -> None:
    page.goto("/account")
    expect(page.locator(".who-is")).to_contain_text("You do not play here yet.")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
