"""The lobby and the rules in a real browser: what a newcomer finds, and how one click leads to a seat."""

import re

import pytest
from playwright.sync_api import Page, Route, TimeoutError, expect

from highcardflush.house.floor_settings import FloorSettings
from highcardflush.money import say_cents, say_display
from highcardflush.rulebook import PACKAGED, packaged
from highcardflush.web.server.default_floor import METERS, TABLES
from highcardflush.words import HOUSE_PLAYERS, pay_rows, say_line_short
from support.places.browser import DESK, PHONE, Visits, go
from support.places.staged_tables import bets, has, raise_, results

NARROW = (320, 640)
BONUS = "washington"
POLL_MS = 5000
QUICK_MS = 15_000
"""A click on a slow machine, well within the time to bet."""
HIDDEN = 'Object.defineProperty(document, "hidden", { value: true, configurable: true })'
"""Hides the page, so that it neither polls nor hears events."""


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_a_newcomer_sees_all_tables_with_their_meters(visits: Visits) -> None:
    page = visits("/")
    expect(page.locator(".placard")).to_have_count(len(TABLES))
    for name, place in TABLES.items():
        card = page.locator(f'.placard[data-table="{name}"]')
        expect(card.locator("h3")).to_have_text(name.replace("-", " ").title())
        expect(card.get_by_role("link", name="Rules at")).to_have_attribute(
            "href", f"/rules/{place.rulebook}?table={name}"
        )
        expect(card.locator(".features")).to_contain_text("Ante $5 to $500")
        expect(card.locator(".seat-arc .seat")).to_have_count(6)
        expect(card.locator(".odometer")).to_have_count(len(place.meters))
    assert set(METERS) == {meter for place in TABLES.values() for meter in place.meters}


def test_a_table_says_what_makes_it_different(visits: Visits) -> None:
    page = visits("/")
    features = {
        "oxford": ("Raise in whole Antes up to 3x", "Straight Flush Bonus", "You choose the suit to keep"),
        "atlantic-city": ("Raise set by your flush", "Lay straight flushes face up"),
        "jackpot-1": ("Raise 1x to 3x", "Progressive"),
        "washington": ("Bonus Jackpot",),
    }
    for table, texts in features.items():
        for text in texts:
            expect(page.locator(f'.placard[data-table="{table}"] .features')).to_contain_text(text)


def test_a_bonus_jackpot_has_its_notice_beside_its_amount_word_for_word(visits: Visits) -> None:
    card = visits("/").locator(f'.placard[data-table="{BONUS}"]')
    expect(card.locator(".meter .meter-name")).to_have_text("Bonus Jackpot")
    expect(card.locator(".meter .bonus-notice")).to_contain_text(packaged(BONUS).notice)
    expect(card.locator(".meter .bonus-notice")).to_be_visible()


def test_several_winners_of_a_meter_are_told_how_they_are_paid(visits: Visits) -> None:
    page = visits("/")
    for place in (page.locator(".jackpot"), page.locator('.placard[data-table="jackpot-1"] .meter')):
        expect(place.locator(".hits")).to_have_text("Several winners share the meter equally")


def test_the_meter_of_the_linked_tables_stands_above_all(visits: Visits) -> None:
    page = visits()
    page.add_init_script(HIDDEN)  # else the meter may move meanwhile
    page.goto("/")
    great = page.locator(".jackpot .odometer")
    label = great.get_attribute("aria-label") or ""
    assert re.fullmatch(r"\$[0-9,]+\.[0-9]{2}", label)
    assert great.get_attribute("role") == "img"
    wheels = "it => [...it.querySelectorAll('.wheel')].map((wheel) => wheel.style.getPropertyValue('--digit'))"
    assert "".join(great.evaluate(wheels)) == re.sub(r"\D", "", label)
    assert great.evaluate("it => !it.closest('[aria-live]')")


ODOMETER = """async (amounts) => {
    const { odometer } = await import("/static/core/odometer.js");
    const { element, draw } = odometer(0);
    return amounts.map((micros) => {
        draw(micros);
        const wheels = [...element.querySelectorAll(".wheel")].map((wheel) => wheel.style.getPropertyValue("--digit"));
        return [element.getAttribute("aria-label"), wheels.join("")];
    });
}"""


def test_an_odometer_rolls_to_whole_cents(visits: Visits) -> None:
    amounts = [0, 9_999_999_999, 10_000_000_000, 10_000_009_999, 1_234_567_890_000, 50_000_000]
    digits = visits("/").evaluate(ODOMETER, amounts)
    assert [label for label, _ in digits] == [say_display(micros) for micros in amounts]
    assert [wheels for _, wheels in digits] == [re.sub(r"\D", "", label) for label, _ in digits]


def test_one_click_sits_down_as_a_guest(visits: Visits) -> None:
    page = visits("/")
    with page.expect_request("**/table/meadows?sit"):  # the table's page takes the word away when it has heard it
        page.get_by_role("button", name="Sit down at Meadows").click()
    page.wait_for_url(re.compile(r"/table/meadows(\?sit)?$"))
    assert "hcf-session" in {cookie.get("name") for cookie in page.context.cookies()}


FIRST_ROUNDS = 4
"""More than one, because the clock of the default floor runs for everybody."""


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_newcomers_first_round_among_house_players(visits: Visits, size: tuple[int, int]) -> None:
    """A newcomer to the default floor plays from the lobby to the proof of the round, using only visible controls."""
    page = visits("/", size=size)
    page.get_by_role("button", name="Sit down at Jackpot 1").click()
    names = re.compile("|".join(HOUSE_PLAYERS))
    expect(page.locator(".seat:not(.own)", has_text=names)).to_have_count(FloorSettings().house_players)
    has(page, 10_000_00)
    net_text = next(filter(None, (play(page) for _ in range(FIRST_ROUNDS))), "too slow")
    assert "Ante" in net_text
    assert "Raise" in net_text
    page.get_by_role("button", name="Why?").click()
    sheet = page.get_by_role("dialog", name="Your result")
    round_page = sheet.get_by_role("link", name="Replay and proof").get_attribute("href") or ""
    sheet.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Leave", exact=True).click()  # else others would wait for us
    expect(page.locator(".seat.own")).to_have_count(0)
    page.goto(round_page)
    expect(page.locator(".verdict")).to_have_attribute("data-state", "good")
    expect(page.locator(".place:not(.own) .card").first).to_be_visible()  # house players have played


def play(page: Page) -> str:
    """Play a round and return its results, or nothing if the clock was faster."""
    expect(bets(page)).to_be_visible()
    try:
        page.locator(".spot.ante .spot-button").click(timeout=QUICK_MS)
        bets(page).get_by_role("button", name=re.compile(r"^Bet \$[1-9]")).click(timeout=QUICK_MS)
        raise_(page)
    except TimeoutError:
        return ""
    net_text = results(page)
    return net_text if "Raise" in net_text else ""


def test_the_first_button_opens_a_table_to_play_alone(visits: Visits) -> None:
    page = visits("/", size=PHONE)
    alone = page.get_by_role("region", name="Play alone")
    expect(alone).to_contain_text("Start here")
    expect(alone.get_by_label("Rules of")).to_have_value("oxford")
    alone.get_by_label("Rules of").select_option("Meadows")
    expect(alone).to_contain_text("Your best suit is kept unless you choose another")
    with page.expect_request("**/api/v1/alone") as request:
        alone.get_by_role("button", name="Play alone").tap()
    assert request.value.post_data_json == {"rulebook": "meadows"}
    page.wait_for_url(re.compile(r"/table/alone-\d+(\?sit)?$"))
    expect(bets(page)).to_be_visible()
    go(page, "/")
    page.get_by_role("link", name="Back to your table").click()
    page.wait_for_url(re.compile(r"/table/alone-\d+$"))


def test_the_lobby_leads_back_to_my_seat(visits: Visits) -> None:
    page = visits("/")
    page.get_by_role("button", name="Sit down at Meadows").click()
    expect(page.locator(".seat.own")).to_be_visible()
    go(page, "/")
    expect(page.get_by_role("group", name="Your seats").get_by_role("link")).to_have_text("Back to your table, Meadows")
    card = page.locator('.placard[data-table="meadows"]')
    expect(card.locator(".seat-arc .own")).to_have_count(1)
    expect(card.locator(".players")).to_contain_text(re.compile(r"\byou\b", re.IGNORECASE))
    expect(card.get_by_role("button")).to_have_count(0)
    card.get_by_role("link", name="Back to your table").click()
    page.wait_for_url("**/table/meadows")


def test_a_player_without_chips_gets_new_ones(visits: Visits) -> None:
    """Refilling is possible in the lobby, and the purse shows the new chips."""
    page = visits("/account")
    assert page.request.post("/api/v1/guest", headers={"X-HCF": "1"}).ok
    page.evaluate("localStorage.setItem('hcf-here', '1')")
    refilled = False

    def poor(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"balance_cents": 1_000_000 if refilled else 499})

    def refill(route: Route) -> None:
        nonlocal refilled
        refilled = True
        route.fulfill(json={"balance_cents": 1_000_000})

    page.route("**/api/v1/me", poor)
    page.route("**/api/v1/refill", refill)
    for path in ("/", "/account"):
        refilled = False
        go(page, path)
        expect(page.get_by_text("You are out of chips.")).to_be_visible()
        page.get_by_role("button", name="Get new chips").click()
        expect(page.get_by_text("You are out of chips.")).to_be_hidden()
        expect(page.locator("header .purse strong")).to_have_text("$10,000")


def test_a_watcher_gets_no_account(visits: Visits) -> None:
    page = visits("/")
    page.get_by_role("link", name="Watch Oxford").click()
    page.wait_for_url("**/table/oxford")


def test_a_full_table_and_a_closed_one_say_so(visits: Visits) -> None:
    page = visits()

    def change(route: Route) -> None:
        answer = route.fetch()
        places = answer.json()
        by_name = {place["name"]: place for place in places}
        by_name["atlantic-city"]["taken"] = {str(seat): f"p{seat}" for seat in range(1, 7)}
        by_name["galaxy-v7"]["open"] = False
        route.fulfill(response=answer, json=places)

    page.route("**/api/v1/tables", change)
    page.goto("/")
    full, closed_table = (page.locator(f'.placard[data-table="{name}"]') for name in ("atlantic-city", "galaxy-v7"))
    expect(full.get_by_role("button")).to_be_disabled()
    expect(full.get_by_role("button")).to_have_text("Full")
    expect(full.locator(".players")).to_have_text("P1, p2, p3, p4, p5 and p6")
    expect(closed_table.get_by_role("button")).to_have_text("Closed")
    expect(closed_table.get_by_role("button")).to_be_disabled()


def test_tables_come_change_and_go_without_a_reload(visits: Visits) -> None:
    """The lobby sends no requests while nobody looks."""
    page, requests, hidden_tables = visits(), list[str](), {"oxford", "jackpot-1"}
    shut = set[str]()

    def change(route: Route) -> None:
        requests.append(route.request.url)
        answer = route.fetch()
        places = [place for place in answer.json() if place["name"] not in hidden_tables]
        for place in places:
            place["open"] = place["name"] not in shut
        route.fulfill(response=answer, json=places)

    page.route("**/api/v1/tables", change)
    page.clock.install()
    page.goto("/")
    cards = page.locator(".placard")
    expect(cards).to_have_count(len(TABLES) - 2)
    page.get_by_role("link", name="Watch Meadows").focus()
    hidden_tables.clear()
    shut.add("meadows")
    page.clock.run_for(POLL_MS)
    expect(cards).to_have_count(len(TABLES))
    expect(cards.first).to_have_attribute("data-table", "dynamic")
    expect(cards.last).to_have_attribute("data-table", "oxford")
    expect(page.get_by_role("button", name="Closed")).to_be_visible()
    expect(page.get_by_role("link", name="Watch Meadows")).to_be_focused()
    hidden_tables.update(TABLES)
    page.clock.run_for(POLL_MS)
    expect(page.get_by_text("No table is open now.")).to_be_visible()
    look = """seen => {
        Object.defineProperty(document, "hidden", { value: !seen, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    page.evaluate(look, False)
    so_far = len(requests)
    page.clock.run_for(10 * POLL_MS)
    assert len(requests) == so_far
    hidden_tables.clear()
    page.evaluate(look, True)
    expect(cards).to_have_count(len(TABLES))


@pytest.mark.parametrize("width", [320, 390, 768, 1024, 1280, 1440, 2560])
def test_the_buttons_of_a_row_of_cards_are_at_one_height(visits: Visits, width: int) -> None:
    """All cards are alike, whether they show the notice of a bonus jackpot, a meter, or neither."""
    page = visits("/", size=(width, 800))
    boxes = page.locator(".placard article").evaluate_all(
        "cards => cards.map((card) => [card, card.querySelector('.doors')]"
        ".map((it) => Math.round(it.getBoundingClientRect().bottom)))"
    )
    doors = dict[int, set[int]]()
    for bottom, door in boxes:
        doors.setdefault(bottom, set()).add(door)
    assert all(len(heights) == 1 for heights in doors.values())
    assert fits(page)


def test_the_lobby_is_short_on_a_phone(visits: Visits) -> None:
    page = visits("/", size=PHONE)
    expect(page.locator(".placard")).to_have_count(len(TABLES))
    assert page.evaluate("document.documentElement.scrollHeight") < 1000 + 270 * len(TABLES)
    expect(page.locator(".comparison")).to_be_hidden()
    page.get_by_role("heading", name="Five rulebooks, one game").click()
    expect(page.locator(".comparison")).to_be_visible()


def test_every_page_of_these_fits_a_narrow_phone(visits: Visits) -> None:
    for path in ("/", "/rules", *(f"/rules/{name}" for name in PACKAGED)):
        page = visits(path, size=NARROW)
        expect(page.locator("h1")).to_be_visible()
        assert fits(page), path


def test_the_rulebooks_side_by_side(visits: Visits) -> None:
    page = visits("/rules")
    rows = page.locator(".comparison tbody tr")
    expect(rows).to_have_count(len(PACKAGED))
    for row, name in zip(rows.all(), PACKAGED, strict=True):
        expect(row.get_by_role("rowheader")).to_have_text(packaged(name).title)
    expect(rows.nth(PACKAGED.index("galaxy-v7"))).to_contain_text("Envy Pays")
    expect(rows.nth(PACKAGED.index("washington"))).to_contain_text("Bonus Jackpot")
    expect(rows.nth(PACKAGED.index("atlantic-city"))).to_contain_text("paid only if you keep it or lay it face up")


@pytest.mark.parametrize("name", PACKAGED)
def test_a_rulebook_has_every_line_of_every_pay_table(visits: Visits, name: str) -> None:
    book, page = packaged(name), visits(f"/rules/{name}")
    expect(page.locator("h1")).to_have_text(book.title)
    page_rows = page.evaluate(
        """() => Object.fromEntries(
            [...document.querySelectorAll("[data-paytable]")].map((table) => [
                table.dataset.paytable,
                [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent)),
            ]))"""
    )
    assert page_rows == {
        key: [
            [say_line_short(line), *(cell or "–" for cell in list(row.values())[1:])]
            for line, row in zip(table.lines, pay_rows(table, 100, every_dynamic=True), strict=True)
        ]
        for key, table in book.paytables.items()
    }
    text = page.locator("main").inner_text()
    for step in book.procedure:
        assert step.text in text
        assert ", ".join(step.clauses) in text
    for rule in (*book.rules, *book.notices, *book.record):
        assert str(rule) in text
    for cap in book.settings.caps_in_force:
        assert say_cents(cap.cents) in text


def test_a_rulebook_that_nobody_wrote(visits: Visits) -> None:
    visits.announce("404")
    page = visits("/rules/nowhere")
    expect(page.locator("h1")).to_have_text("There is no such rulebook.")
