"""A player's page on their own play in a real browser: sessions, mistakes to decide again, history and statement."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from highcardflush.money import say_cents
from support.places.browser import DESK, PHONE, PLAIN_CALLS, Site, Visits, axe, give_time, own_site
from support.places.serving import Player

TABLE, ROUNDS = "oxford", 5


class WorstPlayer(Player):
    """Somebody who always decides as badly as can be."""

    def __init__(self, site: Site) -> None:
        super().__init__(site.address, TABLE)
        self.sit(1)
        for number in range(1, ROUNDS + 1):
            assert self.deal(ante=1000, flush=500)["round"]["number"] == number
            self.decide(number, **self.worst())
        self.do(type="Leave")

    def mistakes(self) -> list[dict[str, Any]]:
        """List the decisions of the session, the most costly first."""
        rounds = sorted(self.read("/me/session")["rounds"], key=lambda each: -each["cost_cents"])
        steps = [self.read(f"/rounds/{TABLE}/{each['number']}/steps")["steps"] for each in rounds if each["cost_cents"]]
        return [step["weighed"] for each in steps for step in each if "weighed" in step]


site = own_site(PLAIN_CALLS, give_time)


@pytest.fixture(scope="module")
def player(site: Site) -> Iterator[WorstPlayer]:
    player = WorstPlayer(site)
    yield player
    player.close()


def open_account(visits: Visits, player: WorstPlayer, **look: Any) -> Page:
    page = visits(**look)
    page.context.add_cookies([player.cookie])
    page.add_init_script("localStorage.setItem('hcf-here', '1')")
    return page


def key_of(evaluation: dict[str, Any], answer: dict[str, Any]) -> str:
    """Return the key of a choice: f folds, the others are counted."""
    names = ("type", "amount_cents", "keep")
    at = [[each.get(name) for name in names] for each in evaluation["options"]].index([answer.get(n) for n in names])
    return str(at) if at else "f"


def test_mistakes_are_drilled_by_keys_alone(visits: Visits, player: WorstPlayer) -> None:
    """The first is answered well, the others as badly as at the table; then those come again."""
    page, mistakes = open_account(visits, player), player.mistakes()
    page.goto("/account")
    page.get_by_role("button", name=f"Practise these {len(mistakes)} decisions").press("Enter")
    drill, head = page.locator(".drill"), page.locator("#drill-head")
    for at, mistake in enumerate(mistakes):
        expect(head).to_have_text(f"Decision {at + 1} of {len(mistakes)}")
        expect(head).to_be_focused()
        cards = drill.locator(".card").evaluate_all("cards => cards.map((card) => card.dataset.card)")
        assert sorted(cards) == sorted(mistake["hand"].replace(" ", "")[i : i + 2] for i in range(0, 14, 2))
        expect(drill.locator(".choices")).to_have_count(0)
        page.keyboard.press(key_of(mistake, mistake["best"] if at == 0 else mistake["made"]))
        expect(drill.get_by_role("status")).to_contain_text("is best." if at == 0 else "costs")
        expect(drill.get_by_role("status")).to_contain_text(mistake["why"][0]["text"])
        exact = drill.locator(".choices tbody tr").evaluate_all("rows => rows.map((row) => row.dataset.exact)")
        assert exact == [option["value_cents_exact"] for option in mistake["options"]]
        page.keyboard.press("n")
    expect(head).to_have_text(f"1 of {len(mistakes)} right")
    page.keyboard.press("n")
    expect(head).to_have_text(f"Decision 1 of {len(mistakes) - 1}")
    page.get_by_role("button", name="Fold").click()
    page.get_by_role("button", name="Stop practising").click()
    expect(page.get_by_role("button", name="Practise these")).to_be_focused()


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), (DESK, "light")])
def test_nothing_of_it_stands_in_anybodys_way(visits: Visits, player: WorstPlayer, size: Any, scheme: Any) -> None:
    page = open_account(visits, player, size=size, scheme=scheme)
    page.goto("/account")
    expect(page.locator(".rounds li")).to_have_count(ROUNDS)
    page.get_by_text("Statement", exact=True).click()
    assert axe(page) == []
    page.get_by_role("button", name="Practise these").click()
    assert axe(page) == []
    page.get_by_role("button", name="Fold").click()
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_session_is_told_in_parts_that_add_up(visits: Visits, player: WorstPlayer) -> None:
    page, session = open_account(visits, player), player.read("/me/session")
    page.goto("/account")
    expect(page.locator(".equation .term")).to_have_count(4)
    expect(page.locator(".chart polyline.result")).to_be_visible()
    expect(page.locator(".mistakes li").first).to_contain_text("Oxford, round")
    expect(page.locator(".rounds a").first).to_have_attribute("href", re.compile("^/round/oxford/"))
    amounts = [text.replace("−", "-") for text in page.locator(".term .net").all_inner_texts()]
    result, *parts = (float(text.replace("$", "").replace("+", "").replace(",", "")) for text in amounts)
    assert result == session["net_cents"] / 100 == pytest.approx(sum(parts))
    assert not any(text.count("+") > 1 or "+ −" in text for text in page.locator(".term dd").all_inner_texts())
    z = page.get_by_text(f"z = {session['z']:.2f}".replace("-", "−"))
    expect(z).to_be_hidden()
    page.get_by_text("More", exact=True).click()
    expect(z).to_be_visible()
    words = page.locator(".chart svg[role='img']").get_attribute("aria-label") or ""
    assert words.startswith(f"Your result after {ROUNDS} rounds: ")


def test_rounds_and_statement_go_on_beyond_the_first_page(visits: Visits, player: WorstPlayer) -> None:
    page = open_account(visits, player)

    def fewer(route: Route) -> None:
        route.continue_(url=re.sub(r"last=\d+", "last=2", route.request.url))

    page.route("**/api/v1/me/rounds*", fewer)
    page.route("**/api/v1/me/statement*", fewer)
    page.goto("/account")
    rounds = page.locator(".rounds li")
    expect(rounds).to_have_count(2)
    for count in (4, ROUNDS):
        page.locator(".panel:has(.rounds)").get_by_role("button", name="Older").press("Enter")
        expect(rounds).to_have_count(count)
    expect(page.locator(".panel:has(.rounds)").get_by_role("button", name="Older")).to_be_hidden()
    expect(rounds.last).to_contain_text(f"{TABLE.capitalize()}, round 1")
    expect(rounds.last.locator("time")).to_contain_text("UTC")
    page.get_by_text("Statement", exact=True).click()
    lines, older = page.locator(".statement tbody tr"), page.locator(".statement > button")
    expect(lines.first).to_be_visible()  # from then on one sees whether there are older ones
    while older.is_visible():
        before = lines.count()
        older.click()
        expect(lines.nth(before)).to_be_visible()
        expect(older).to_be_enabled()
    expect(lines.last).to_contain_text("Buy-in")
    expect(lines).to_have_count(ROUNDS + 1)  # one line for each round, and one for the chips


def test_a_line_of_the_statement_is_a_whole_round_with_its_net(visits: Visits, player: WorstPlayer) -> None:
    page = open_account(visits, player)
    page.goto("/account")
    page.get_by_text("Statement", exact=True).click()
    nets = {each["number"]: each["net_cents"] for each in player.read("/me/session")["rounds"]}
    rows = page.locator(".statement tbody tr")
    expect(rows).to_have_count(ROUNDS + 1)
    for row, (number, net) in zip(rows.all(), reversed(nets.items()), strict=False):
        expect(row.locator(".round")).to_have_text(f"Oxford, round {number}")
        expect(row.locator(".what")).to_have_text("Won" if net > 0 else "Lost" if net < 0 else "Even")
        sign = "+" if net > 0 else "−" if net < 0 else ""
        expect(row.locator(".amount")).to_have_text(f"{sign}{say_cents(abs(net))}")


def test_a_newcomer_is_shown_the_way_to_a_table(visits: Visits) -> None:
    page = visits("/account")
    assert page.request.post("/api/v1/guest", headers={"X-HCF": "1"}).ok
    page.evaluate("localStorage.setItem('hcf-here', '1')")
    page.reload()
    expect(page.get_by_text("You have not played a round yet.")).to_be_visible()
    page.get_by_role("link", name="To the tables").click()
    page.wait_for_url("**/")


def test_whoever_has_an_account_can_sign_out_and_in_again(visits: Visits) -> None:
    """Nobody with an account is called a guest, and a shared computer can be left."""
    page, password = visits("/account"), "correct horse battery staple"
    who = page.locator(".who-is")

    def fill_in(name: str) -> None:
        form = page.locator("form.signing").filter(has=page.get_by_role("button", name=name))
        form.get_by_label("Name").fill("Dora Two")
        form.get_by_label("Password").fill(password)
        form.get_by_role("button", name=name).click()

    expect(who).to_contain_text("You are not signed in.")
    fill_in("Create account")
    for _ in range(2):  # also after a reload
        expect(who).to_contain_text("You play as Dora Two.")
        expect(who).not_to_contain_text("Guest")
        expect(page.locator("form.signing")).to_have_count(0)
        page.reload()
    page.get_by_role("button", name="Sign out").click()
    expect(who).to_contain_text("You are not signed in.")
    fill_in("Sign in")
    expect(who).to_contain_text("You play as Dora Two.")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_break_asks_before_it_begins(visits: Visits, size: tuple[int, int]) -> None:
    """The player sees when the break would end. The longest one is apart from the others."""
    page = visits("/account", size=size)
    assert page.request.post("/api/v1/guest", headers={"X-HCF": "1"}).ok
    page.evaluate("localStorage.setItem('hcf-here', '1')")
    page.reload()
    page.get_by_role("button", name="Take a break").click()
    dialog = page.get_by_role("dialog", name="Take a break")
    expect(dialog.get_by_role("button", name="Start the break")).to_be_disabled()
    expect(dialog.get_by_role("group", name="A long break").get_by_role("radio")).to_have_count(1)
    dialog.get_by_label("7 days").check()
    expect(dialog.get_by_role("status")).to_contain_text(
        re.compile(r"You cannot bet until .*202\d.*cannot be shortened")
    )
    assert axe(page) == []
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.locator(".resting")).to_be_hidden()
    page.get_by_role("button", name="Take a break").click()
    dialog.get_by_label("15 minutes").check()
    dialog.get_by_role("button", name="Start the break").click()
    expect(page.locator(".resting")).to_contain_text("You are on a break until")
    expect(page.get_by_role("button", name="Make the break longer")).to_be_visible()
