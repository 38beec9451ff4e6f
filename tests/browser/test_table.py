"""The table in a real browser: rounds are played by what a person sees and presses."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from highcardflush.rulebook import packaged
from support.places.browser import DESK, PHONE, SCHEMES, Scheme, Visits, axe, give_time, own_site
from support.places.staged_tables import QUIET, results, sit

KEEP_CAPTIONS = """() => {
  const caption = document.querySelector(".caption");
  const kept = document.body.dataset;
  const keep = () => { kept.captions = (kept.captions ?? "") + caption.textContent; };
  new MutationObserver(keep).observe(caption, { childList: true });
}"""
SUITS = """(palette) => {
  const root = document.documentElement;
  const before = root.dataset.palette;
  root.dataset.palette = palette ?? before;
  const style = getComputedStyle(root);
  const colours = ["clubs", "diamonds", "hearts", "spades"].map((suit) => style.getPropertyValue(`--${suit}`));
  root.dataset.palette = before;
  return colours;
}"""
POINTER = """(chip, [kind, x, y]) => {
  const pointer = { pointerId: 7, pointerType: "touch", button: 0, clientX: x, clientY: y, bubbles: true };
  if (kind === "pointerdown") chip.setPointerCapture = () => (chip.hasPointerCapture = () => true);
  chip.dispatchEvent(new PointerEvent(kind, pointer));
}"""
HOUR_AGO = """async () => {
  const { name, balance_cents } = await (await fetch("/api/v1/me")).json();
  const start = Date.now() - 61 * 60000;
  const play = { name, cents: balance_cents + 100000, start, lastSeen: Date.now(), hoursShown: 0 };
  localStorage.setItem("hcf-play", JSON.stringify(play));
}"""
HASTY = "jackpot-2"


site = own_site({**QUIET, "pause_s": 3}, lambda floor: give_time(floor, others={HASTY: 30}))


def seated(visits: Visits, table: str, *wagers: str, **look: Any) -> Page:
    """Seat a new player, who bets a chip on each of the wagers, if there are any."""
    page = visits(**look)
    sit(page, table)
    if wagers:
        stake(page, *wagers)
    return page


def stake(page: Page, *wagers: str) -> None:
    for wager in wagers:
        page.locator(f".spot.{wager} .spot-button").click()
    page.locator(".betting .main-action").click()


def decide(page: Page, choice: str = ".raises button") -> None:
    expect(page.locator(".deciding")).to_be_visible()
    page.locator(choice).first.click()


def next_bets(page: Page) -> None:
    """Wait until the betting of the next round is open."""
    expect(page.locator(".spot.ante input")).to_be_visible()


@pytest.mark.parametrize("table", ["atlantic-city", "galaxy-v7", "meadows", "oxford", "washington", "jackpot-1"])
def test_a_round_is_played_at_every_table(visits: Visits, table: str) -> None:
    page = seated(visits, table, "ante", "flush")
    decide(page)
    net_text = results(page)
    for wager in ("Ante", "Raise", "Flush"):
        assert wager in net_text


def test_colours_and_sounds_are_chosen(visits: Visits) -> None:
    """Other colours of the suits, kept on this device; a sound has its caption."""
    page = seated(visits, "oxford")
    page.evaluate(KEEP_CAPTIONS)
    stake(page, "ante")
    decide(page)
    results(page)
    assert not page.locator("body").get_attribute("data-captions")  # no sound unless it is chosen
    page.locator("header").get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="For red-green blindness").click()
    page.get_by_role("radiogroup", name="Sounds").get_by_role("radio", name="On").click()
    page.keyboard.press("Escape")
    usual, safe = (page.evaluate(SUITS, palette) for palette in ("usual", "safe"))
    assert len(set(usual)) == len(set(safe)) == 4
    assert usual != safe == page.evaluate(SUITS, None)
    expect(page.locator(".betting")).to_be_visible()
    assert axe(page) == []
    stake(page, "ante")
    expect(page.locator("body")).to_have_attribute("data-captions", re.compile("chip.*turn", re.IGNORECASE))
    decide(page)
    page.reload()
    expect(page.locator(":root")).to_have_attribute("data-palette", "safe")


def test_a_round_is_played_on_a_phone(visits: Visits) -> None:
    page = seated(visits, "galaxy-v7", "ante", size=PHONE)
    expect(page.locator(".deciding")).to_be_visible()
    hand, folds = page.locator(".own-hand").bounding_box(), page.locator(".fold").bounding_box()
    assert hand is not None
    assert folds is not None
    assert hand["y"] > 0
    assert folds["y"] + folds["height"] <= PHONE[1]  # cards and buttons without scrolling
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    decide(page, ".fold")
    assert "You folded" in results(page) or "you folded" in results(page)


def test_a_round_is_played_with_keys_alone(visits: Visits) -> None:
    page = seated(visits, "galaxy-v7")
    for key in ("3", "a", "2", "u", "b"):
        page.keyboard.press(key)
    expect(page.locator(".seat.own")).to_contain_text("Ante $25")
    expect(page.locator(".deciding")).to_be_visible()
    page.keyboard.press("h")
    expect(page.locator(".seen-not[aria-live=polite]")).to_contain_text("Your hand")
    page.keyboard.press("r")
    assert "Ante" in results(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("say my hand")


def test_no_side_bet_is_made_unless_the_player_places_one(visits: Visits) -> None:
    page = seated(visits, "jackpot-1", "ante")
    expect(page.locator(".seat.own .chips")).to_have_count(1)
    decide(page, ".fold")
    results(page)
    next_bets(page)
    expect(page.locator(".spot.staked")).to_have_count(1)  # the bets stay on the spots
    page.keyboard.press("z")
    expect(page.locator(".deciding")).to_be_visible()
    expect(page.locator(".seat.own .stake")).to_have_count(1)
    decide(page, ".fold")
    results(page)


def test_a_bet_that_may_not_be_made_is_not_offered(visits: Visits) -> None:
    page = seated(visits, "atlantic-city")
    ante = page.locator(".spot.ante input")
    bet = page.locator(".betting .main-action")
    expect(bet).to_be_disabled()
    wrong = {"3": "the minimum is $5", "700": "the maximum is $500", "7": "in steps of $5", "x": "not an amount"}
    for text, message in wrong.items():
        ante.fill(text)
        ante.blur()
        expect(page.locator(".guide-text")).to_contain_text(message)
        if text != "x":
            expect(bet).to_be_disabled()


def test_a_new_player_does_not_clear_a_half_typed_amount(visits: Visits) -> None:
    ann = seated(visits, "meadows")
    ante = ann.locator(".spot.ante input")
    ante.press_sequentially("25")
    seated(visits, "meadows")
    expect(ann.locator(".seat:not(.free)")).to_have_count(2)  # the message about the new player has redrawn the page
    expect(ante).to_have_value("25")
    ante.press("Enter")
    expect(ann.locator(".betting .main-action")).to_contain_text("$25")


def test_a_chip_is_dragged_to_its_spot(visits: Visits) -> None:
    page = seated(visits, "oxford")
    chip, spot = page.locator(".chip-2500").bounding_box(), page.locator(".spot.ante").bounding_box()
    assert chip is not None
    assert spot is not None
    page.mouse.move(chip["x"] + 20, chip["y"] + 20)
    page.mouse.down()
    page.mouse.move(spot["x"] + 30, spot["y"] + 20, steps=4)
    page.mouse.up()
    expect(page.locator(".spot.ante input")).to_have_value("25")


def test_after_a_drag_by_a_finger_the_next_tap_counts(visits: Visits) -> None:
    """A finger makes no click of a drag."""
    page = seated(visits, "oxford", size=PHONE)
    chip, spot = page.locator("button.chip-2500"), page.locator(".spot.ante").bounding_box()
    assert spot is not None
    start = chip.bounding_box()
    assert start is not None
    for kind, x, y in (
        ("pointerdown", start["x"] + 20, start["y"] + 20),
        ("pointermove", start["x"] + 60, start["y"] - 60),
        ("pointerup", spot["x"] + 30, spot["y"] + 20),
    ):
        chip.evaluate(POINTER, [kind, x, y])
    expect(page.locator(".spot.ante input")).to_have_value("25")
    page.wait_for_timeout(50)
    chip.tap()
    expect(chip).to_have_attribute("aria-checked", "true")


def test_after_an_hour_of_play_one_is_told(visits: Visits) -> None:
    page = seated(visits, "galaxy-v7")
    page.evaluate(HOUR_AGO)
    stake(page, "ante")
    decide(page, ".fold")
    check = page.get_by_role("dialog", name="You have played for an hour")
    expect(check).to_contain_text("−$1,00")
    check.get_by_role("button", name="Go on").click()
    expect(check).to_have_count(0)


def test_notices_are_those_that_hold_at_this_table(visits: Visits) -> None:
    page = seated(visits, "galaxy-v7")
    page.locator(".posted-lines").click()
    notices = page.get_by_role("dialog", name="Posted at this table")
    expect(notices).to_contain_text("The house chooses which side bets are offered")
    expect(notices).not_to_contain_text("Progressive pays")


def test_on_a_phone_notices_are_in_sight_and_pay_tables_a_tap_away(visits: Visits) -> None:
    page = seated(visits, "meadows", size=PHONE)
    expect(page.locator(".posted")).to_contain_text("Call 1-800-GAMBLER")
    expect(page.locator(".posted")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Pay tables").click()
    expect(page.locator(".paytable").first).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.locator(".paytable").first).to_be_hidden()


def test_on_a_phone_the_reasons_of_a_result_are_a_tap_away(visits: Visits) -> None:
    page = seated(visits, "galaxy-v7", "ante", size=PHONE)
    decide(page, ".fold")
    results(page)
    page.get_by_role("button", name="Why?").tap()
    sheet = page.get_by_role("dialog", name="Your result")
    expect(sheet.locator(".why").first).to_contain_text("folded", ignore_case=True)
    expect(sheet.get_by_role("link", name="Replay and proof")).to_be_visible()


def test_two_browsers_play_at_one_table(visits: Visits) -> None:
    ann, ben = seated(visits, "meadows"), seated(visits, "meadows")
    expect(ann.locator(".seat:not(.free)")).to_have_count(2)
    stake(ann, "ante")
    stake(ben, "ante")
    decide(ann)
    expect(ben.locator(".seat:not(.own) .said")).to_contain_text(["raised"])
    assert ben.locator('.seat:not(.own) .card[data-card=""]').count() > 0  # the other's cards lie face down
    decide(ben, ".fold")
    results(ann)
    results(ben)


@pytest.mark.parametrize("size", [DESK, PHONE, (1088, 700)], ids=["desk", "phone", "small desk"])
def test_the_next_bet_is_in_sight_beside_what_came_of_the_last(visits: Visits, size: tuple[int, int]) -> None:
    page = seated(visits, "washington", "ante", "flush", "straight-flush", "progressive", size=size)
    decide(page)
    results(page)
    next_bets(page)
    for part in (".results .sum", ".own-hand", ".spot.ante .spot-button", ".rack", ".betting .main-action"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    assert page.locator(".felt").evaluate("felt => felt.scrollHeight <= felt.clientHeight")


def test_the_coach_at_the_table_draws_every_part_of_its_bar(visits: Visits) -> None:
    page = seated(visits, "oxford", "ante")
    page.get_by_role("button", name="What is best?").click()
    page.get_by_text("Show numbers").click()
    expect(page.locator(".odds-bar .swatch .met")).to_have_count(4)
    for part in page.locator(".odds-bar .swatch .met").all():
        expect(part).to_be_visible()
    decide(page, ".fold")
    results(page)


def test_a_page_that_is_loaded_again_finds_everything_as_it_was(visits: Visits) -> None:
    page = seated(visits, "galaxy-v7", "ante")
    expect(page.locator(".deciding")).to_be_visible()
    cards = page.locator(".own-hand").get_attribute("aria-label")
    page.reload()
    expect(page.locator(".deciding")).to_be_visible()
    assert cards == page.locator(".own-hand").get_attribute("aria-label")
    decide(page, ".fold")
    results(page)


@pytest.mark.clause("S9")
def test_the_clock_folds_a_silent_player_as_announced(visits: Visits) -> None:
    page = seated(visits, HASTY, "ante")
    fold = page.locator(".fold")
    expect(fold).to_be_visible()
    page.evaluate("localStorage.setItem('hcf-decided', 'true')")  # who has decided before needs no help
    page.reload()
    expect(page.locator(".guide-text")).to_contain_text("If the clock runs out: Fold")
    assert "folded" in results(page)
    expect(page.locator(".results")).to_contain_text("Time ran out.")


ALL_WORDS = """() => [document.body.innerText, ...[...document.querySelectorAll("[aria-label], [title]")]
    .flatMap((each) => [each.ariaLabel, each.title])].join("\\n")"""


@pytest.mark.clause("W5a")
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_bonus_jackpot_never_passes_for_a_progressive(visits: Visits, size: tuple[int, int]) -> None:
    page = seated(visits, "washington", size=size)
    notice = " ".join((packaged("washington").notice or "").split())

    def check() -> None:
        words = page.evaluate(ALL_WORDS)
        assert "Progressive" not in words
        assert "meter" not in words.lower().replace("parameter", "")
        expect(page.locator(".meter-name")).to_have_text("Bonus Jackpot")
        expect(page.locator(".meters .notice")).to_have_text(notice)
        expect(page.locator(".meters .notice")).to_be_in_viewport(ratio=1)
        expect(page.locator(".meter .odometer")).to_be_in_viewport(ratio=1)

    check()
    expect(page.locator(".spot.progressive .spot-button")).to_have_accessible_name("Bonus Jackpot")
    expect(page.locator("[data-line='7-card']").last).to_contain_text("of display")
    stake(page, "ante", "progressive")
    expect(page.locator(".seat.own")).to_contain_text("Bonus Jackpot $1")
    expect(page.locator(".deciding")).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    check()
    page.keyboard.press("w")
    expect(page.locator(".seen-not[aria-live=polite]")).to_contain_text("Bonus Jackpot $1")
    page.keyboard.press("m")
    expect(page.locator(".seen-not[aria-live=polite]")).to_contain_text(notice)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("chip on Bonus Jackpot")
    page.keyboard.press("Escape")
    decide(page)
    assert "Bonus Jackpot" in results(page)
    check()


PRIZE = """async ([code, seat, you, notice, text]) => {
    const { celebration } = await import("/static/table/celebration.js");
    const share = { meter: "progressive", percent_bp: 10000, paid_cents: 1234500 };
    const values = { wager: "progressive", cards: 7, top: 12, seat: 2, cents: 50000, ...share };
    const result = { seat, wager: "progressive", paid_cents: 1234500, reason: { code, values, text } };
    const { element, celebrate } = celebration();
    const great = celebrate([{ type: "WagerSettled", result }], you, notice);
    return great ? element.textContent : "";
}"""


def test_jackpots_and_envy_pays_are_celebrated_and_explained(visits: Visits) -> None:
    page = visits("/table/jackpot-1")
    ours = page.evaluate(PRIZE, ["takes", 3, 3, None, "takes 100% of the progressive meter"])
    assert "You won the Progressive!$12,345takes 100% of the progressive meter" in ours
    assert "Seat 3 won the Progressive!" in page.evaluate(PRIZE, ["takes", 3, 1, None])
    bonus = page.evaluate(PRIZE, ["takes-bonus", 3, 3, "What must be said."])
    assert "You won the Bonus Jackpot!" in bonus
    assert "What must be said." in bonus
    assert "Progressive" not in bonus
    envy = page.evaluate(PRIZE, ["envy", 1, 1, None])
    assert "Envy Pay!" in envy
    assert "Somebody else's great hand pays everybody" in envy
    assert page.evaluate(PRIZE, ["envy", 1, 2, None]) == ""  # seat 2 gets it, not this player
    assert page.evaluate(PRIZE, ["no-pay", 1, 1, None]) == ""


ANY_RAISE = """async () => {
    const { actions } = await import("/static/table/actions.js");
    const { deciding } = await import("/static/table/deciding.js");
    const { guide } = await import("/static/table/guide.js");
    const { start } = await import("/static/table/state.js");
    const legal = [{ type: "Fold" }, { type: "Raise", minimum_cents: 500, maximum_cents: 3000 }];
    const seat = { number: 1, wagers: { ante: 1000 }, hand: { cards: 7, seen: "AsKs9s8s2s 6d5c" } };
    const round = { round: { number: 1 }, you: { seat: 1, legal }, view: { seats: [seat] } };
    const store = {
      state: { ...start({ name: "meadows", levels: {} }, { chip: 500, last: {} }), ...round },
      update: (change) => { store.state = change(store.state); draw(store.state); },
    };
    const acts = actions(store, (command) => { document.title = JSON.stringify(command); });
    const coach = { warn: async () => true, grade: () => null };
    const decide = (choice) => acts.decide(choice, coach);
    const raiseTyped = () => { const choice = acts.typedRaise(); if (choice) decide(choice); };
    const part = deciding({ ...acts, decide, raiseTyped }, "");
    const line = guide({});
    const draw = (state) => { part.draw(state); line.draw(state); };
    draw(store.state);
    part.element.hidden = false;
    document.querySelector(".place").replaceChildren(line.element, part.element);
}"""


def test_a_raise_of_any_amount_is_typed_and_held_to_its_limits(visits: Visits) -> None:
    page = visits("/table/meadows")
    expect(page.locator(".seats")).to_be_visible()
    page.evaluate(ANY_RAISE)
    expect(page.locator(".raises button")).to_have_text(["Raise $5", "Raise $10", "Raise $20", "Raise $30"])
    field = page.get_by_role("textbox", name="Another amount")
    wrong = {
        "lots": "“lots” is not an amount in dollars. A Raise is $5 to $30.",
        "4.99": "$4.99 cannot be raised here. A Raise is $5 to $30.",
        "31": "$31 cannot be raised here. A Raise is $5 to $30.",
    }
    for text, message in wrong.items():
        field.fill(text)
        field.press("Enter")
        expect(page.locator(".guide-text")).to_have_text(message)
        expect(field).to_have_attribute("aria-invalid", "true")
        assert "Raise" not in page.title()
    field.fill("$17.50")
    page.get_by_role("button", name="Raise this").click()
    expect(page).to_have_title('{"type":"Raise","amount_cents":1750,"seat":1}')


@pytest.mark.parametrize("size", [DESK, PHONE, (844, 390), (320, 568)], ids=["desk", "phone", "landscape", "narrow"])
def test_hand_clock_and_buttons_are_in_sight_while_deciding(visits: Visits, size: tuple[int, int]) -> None:
    page = seated(visits, "oxford", "ante", "flush", size=size, touch=size != DESK)
    expect(page.locator(".deciding")).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    for part in (".own-hand", ".clock", ".fold", ".raises button"):
        expect(page.locator(part).first).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    decide(page, ".fold")
    results(page)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_seats_lie_in_an_arc_from_the_dealers_left_hand(visits: Visits, size: tuple[int, int]) -> None:
    page = visits("/table/oxford", size=size)
    expect(page.locator(".seat")).to_have_count(6)
    boxes = [page.locator(f".seat[data-seat='{seat}']").bounding_box() for seat in range(1, 7)]
    lefts = [box["x"] for box in boxes if box]
    assert lefts[0] >= lefts[1] > lefts[2] > lefts[3] > lefts[4] >= lefts[5]  # the dealer's left is the players' right
    top = [box["y"] for box in boxes if box]
    assert max(top[0], top[5]) < min(top[1], top[4]) < min(top[2], top[3])


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_in_any_phase(visits: Visits, size: tuple[int, int], scheme: Scheme) -> None:
    page = seated(visits, "washington", size=size, scheme=scheme)
    assert axe(page) == []
    stake(page, "ante", "progressive")
    expect(page.locator(".deciding")).to_be_visible()
    assert axe(page) == []
    decide(page)
    results(page)
    assert axe(page) == []
