"""Show that the table page helps when chips are gone, during a break, after a lost seat, with wagers in play, and after
a refusal, and that it leads a newcomer to the first decision."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.places import staged_tables as s
from support.places.browser import PHONE, Site, Visits, own_site
from support.places.floor import Floor

TABLES = ("broke", "short", "resting", "away", "loose", "hand", "newcomer", "celebrated", "pressed")
CALL = """async ([path, body]) => {
    const headers = { "X-HCF": "1", "Content-Type": "application/json" };
    const answer = await fetch(`/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return answer.json();
}"""


def prepare(floor: Floor) -> None:
    for table in TABLES:
        s.plain_table(floor, table, "oxford", **{"ante-maximum": "10000"})


site = own_site({**s.QUIET, "pause_s": 3}, prepare)


def guide(page: Page) -> Any:
    return page.locator(".guide-text")


def seated(visits: Visits, table: str, **look: Any) -> Page:
    page = visits(**look)
    s.sit(page, table)
    return page


def test_a_player_without_chips_gets_new_ones_at_the_table(visits: Visits) -> None:
    page = seated(visits, "broke")
    s.stake(page, ante=10_000)
    s.fold(page)
    s.results(page)
    expect(guide(page)).to_have_text("You are out of chips.")
    page.get_by_role("button", name="Get new chips").click()
    s.has(page, 10_000_00)
    s.stake(page, ante=10)
    s.fold(page)
    s.results(page)


def test_a_bet_that_leaves_too_little_for_the_raise_says_so_before_it_is_placed(visits: Visits) -> None:
    page = seated(visits, "short")
    field = page.locator(".spot.ante input")
    field.fill("6000")
    field.blur()
    expect(guide(page)).to_have_text("This leaves you $4,000: too little for a Raise of $6,000.")
    s.type_stakes(page, ante=6000)
    expect(s.decision(page)).to_be_visible()
    expect(page.locator(".raises button").first).to_be_disabled()
    s.fold(page)
    s.results(page)


def test_on_a_break_there_is_no_betting_row(visits: Visits) -> None:
    page = seated(visits, "resting")
    page.evaluate(CALL, ["/break", {"minutes": 15}])
    page.reload()
    expect(guide(page)).to_contain_text("You are on a break until")
    expect(s.bets(page)).to_be_hidden()


def test_a_seat_that_was_lost_is_offered_again(visits: Visits) -> None:
    page = seated(visits, "away")
    command = {"type": "Leave", "seat": 1}
    page.evaluate(
        """async (command) => {
        const headers = { "X-HCF": "1", "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() };
        await fetch("/api/v1/commands/table/away", { method: "POST", headers, body: JSON.stringify(command) });
    }""",
        command,
    )
    expect(guide(page)).to_have_text("You lost your seat while you were away.")
    page.reload()
    expect(guide(page)).to_have_text("You lost your seat while you were away.")
    page.get_by_role("button", name="Sit down again").click()
    expect(s.bets(page)).to_be_visible()
    page.locator(".leave").click()
    expect(page.locator(".seat.own")).to_have_count(0)
    expect(guide(page)).to_have_text("You are watching. Take a free seat to play.")


def test_leaving_with_a_bet_asks_and_takes_the_bet_back(visits: Visits) -> None:
    page, other = seated(visits, "loose"), seated(visits, "loose")
    s.type_stakes(page, ante=25)
    expect(page.locator(".seat.own")).to_contain_text("$25")
    page.get_by_role("button", name="Leave").click()
    question = page.get_by_role("dialog")
    expect(question).to_contain_text("Take back $25 and leave?")
    question.get_by_role("button", name="Take back and leave").click()
    expect(page.locator(".seat.own")).to_have_count(0)
    s.has(page, 10_000_00)
    expect(other.locator(".seat:not(.free)")).to_have_count(1)


def test_during_a_hand_the_player_leaves_after_it(visits: Visits) -> None:
    page = seated(visits, "hand", size=PHONE)
    s.stake(page, ante=10)
    page.get_by_role("button", name="Leave after this hand").tap()
    expect(page.get_by_role("button", name="Leave after this hand")).to_be_disabled()
    expect(guide(page)).to_have_text("You leave as soon as this hand is over.")
    s.fold(page)
    assert "folded" in s.results(page)
    expect(page.locator(".seat.own")).to_have_count(0)


def test_a_newcomer_is_led_to_the_first_decision(visits: Visits) -> None:
    page = seated(visits, "newcomer", size=PHONE)
    expect(guide(page)).to_have_text("1. Pick a chip.")
    page.locator("button.chip-2500").tap()
    expect(guide(page)).to_contain_text("2. Tap the Ante spot")
    page.locator(".spot.ante .spot-button").tap()
    expect(guide(page)).to_contain_text("3. Press the golden button")
    page.locator(".betting .main-action").tap()
    expect(guide(page)).to_contain_text("Fold: lose the Ante. Raise: bet that you win.")
    expect(page.locator(".coach-ask.glows")).to_be_visible()
    s.fold(page)
    s.results(page)
    s.rebet(page)
    expect(guide(page)).to_contain_text("If the clock runs out")  # no more lessons
    s.fold(page)
    s.results(page)


LEVEL = """async ([results, you]) => {
    const { levelOf } = await import("/static/table/celebration.js");
    const reason = (code, cards) => ({ code, values: { cards }, text: "" });
    const facts = results.map(([wager, stake_cents, net_cents, code, cards]) =>
        ({ type: "WagerSettled", result: { seat: 1, wager, stake_cents, net_cents, reason: reason(code, cards) } }));
    return levelOf(facts, you);
}"""


@pytest.mark.parametrize(
    ("results", "you", "level"),
    [
        ([["ante", 500, -500, "", 0]], 1, ""),
        ([["ante", 500, 500, "", 0]], 1, "win"),
        ([["ante", 500, 500, "", 0]], 2, ""),
        ([["ante", 500, 500, "", 0], ["flush", 500, 5000, "pays", 4]], 1, "great"),
        ([["ante", 500, -500, "", 0], ["flush", 100, 300, "pays", 5]], 1, "great"),
        ([["ante", 500, -500, "", 0], ["progressive", 100, 99_900, "takes", 6]], 1, "jackpot"),
    ],
)
def test_wins_are_celebrated_in_three_levels(visits: Visits, results: Any, you: int, level: str) -> None:
    page = visits("/table/celebrated")
    assert page.evaluate(LEVEL, [results, you]) == level


def test_a_refusal_can_be_dismissed(visits: Visits) -> None:
    page = visits("/table/pressed")
    page.evaluate('import("/static/core/page.js").then((page) => page.complain("Finish this hand first."))')
    notice = page.locator("#notice")
    expect(notice).to_contain_text("Finish this hand first.")
    notice.get_by_role("button", name="Close").click()
    expect(notice).to_be_hidden()


def test_bets_can_be_placed_during_the_pause(visits: Visits) -> None:
    """One press after the result: the only person at the table skips the pause, and the bets are placed."""
    page = seated(visits, "pressed")
    s.stake(page, ante=10)
    s.fold(page)
    s.results(page)
    page.get_by_role("button", name=re.compile(r"^Rebet and deal \$10")).click()
    expect(s.decision(page)).to_be_visible()
    s.fold(page)
    s.results(page)


ALONE_ROUNDS = 3
INSTANT = "localStorage.setItem('hcf', JSON.stringify({ speed: 0 }))"


def test_a_player_alone_deals_with_one_button_and_waits_for_nobody(visits: Visits, site: Site) -> None:
    page = visits("/")
    page.add_init_script(INSTANT)
    page.evaluate(CALL, ["/guest", {}])
    table = page.evaluate(CALL, ["/alone", {"rulebook": "oxford"}])["table"]
    s.sit(page, table)
    expect(page.locator(".clock")).to_be_hidden()
    s.stake(page, ante=10)
    for number in range(ALONE_ROUNDS):
        cards = page.locator(".own-hand").get_attribute("aria-label")
        s.raise_(page)
        s.results(page)
        assert page.locator(".own-hand").get_attribute("aria-label") == cards  # they stay until the next bet
        if number + 1 < ALONE_ROUNDS:
            page.get_by_role("button", name=re.compile(r"^Deal \$10")).click()
            expect(s.decision(page)).to_be_visible()
