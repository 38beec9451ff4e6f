"""Every page in a real browser: small, silent on the console, without a finding of axe-core, in all looks."""

import time

import pytest
from playwright.sync_api import expect

from support.places.browser import PHONE, SCHEMES, SIZES, Scheme, Visits, axe, go
from support.places.postgres import PATIENCE_SECONDS

PAGES = (
    *("/", "/table/oxford", "/round/oxford/1", "/how-to-play"),
    *("/rules", "/rules/galaxy-v7", "/rules/washington", "/account"),
)
MOST_BYTES = 300_000
"""Limit on the bytes of a first load, everything included."""
MOST_REQUESTS = 60
LOADED = """() => performance.getEntriesByType("navigation").concat(performance.getEntriesByType("resource"))
    .map((each) => [each.name, each.transferSize])"""


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("path", PAGES)
def test_a_page_loads_and_axe_finds_nothing(visits: Visits, path: str, size: str, scheme: Scheme) -> None:
    page = visits(path, size=SIZES[size], scheme=scheme)
    assert page.title().endswith("High Card Flush")
    assert axe(page) == []


@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_the_narrowest_phone(visits: Visits, path: str) -> None:
    page = visits(path, size=(320, 568), touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("path", PAGES)
def test_a_first_load_is_small(visits: Visits, path: str) -> None:
    page = visits(size=PHONE)
    go(page, path)
    sizes = dict(page.evaluate(LOADED))
    assert 0 < sum(sizes.values()) < MOST_BYTES, sizes
    assert len(sizes) <= MOST_REQUESTS, sizes


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("path", PAGES)
def test_settings_open_from_the_head_of_every_page(visits: Visits, path: str, size: str) -> None:
    page = visits(path, size=SIZES[size])
    page.locator("header").get_by_role("button", name="Settings").click()
    dialog = page.get_by_role("dialog", name="Settings")
    dialog.get_by_role("radio", name="Dark").click()
    dialog.get_by_role("radio", name="Red and black").click()
    dialog.get_by_role("radiogroup", name="Result speed").get_by_role("radio", name="Instant").click()
    assert page.evaluate("Object.assign({}, document.documentElement.dataset)")["theme"] == "dark"
    assert axe(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.locator("header").get_by_role("button", name="Settings")).to_be_focused()
    page.reload()
    assert page.evaluate("Object.assign({}, document.documentElement.dataset)")["deck"] == "two"
    assert page.evaluate("JSON.parse(localStorage.getItem('hcf')).speed") == 0


def test_the_head_marks_the_current_page_and_leads_back_to_the_table(visits: Visits) -> None:
    page = visits("/table/oxford")
    for path, tab in {
        "/": "Tables",
        "/how-to-play": "Learn",
        "/rules": "Learn",
        "/rules/oxford": "Learn",
        "/account": "You",
    }.items():
        go(page, path)
        expect(page.locator("header [aria-current]")).to_have_text(tab)
        back = page.get_by_role("navigation", name="Back").get_by_role("link")
        expect(back).to_have_count(0 if path == "/" else 1)
    back.click()
    page.wait_for_url("**/table/oxford")


FACES = """async (cards) => {
    const { card } = await import("/static/core/cards.js");
    return cards.map((text) => {
        const face = card(text);
        const pips = face.querySelectorAll(".pip").length - 2;  // without those of the two indices
        return [face.getAttribute("aria-label"), face.querySelector(".rank")?.textContent, pips];
    });
}"""


def test_a_card_has_its_rank_in_the_corner_and_pips_by_rank(visits: Visits) -> None:
    drawn = visits("/").evaluate(FACES, ["As", "2c", "3d", "4h", "5s", "6c", "7d", "8h", "9s", "Tc"])
    assert [pips for *_, pips in drawn] == list(range(1, 11))
    assert [index for _, index, _ in drawn] == ["A", *map(str, range(2, 11))]
    assert [name for name, *_ in drawn][:2] == ["ace of spades", "two of clubs"]


def test_a_court_card_looks_alike_from_both_ends(visits: Visits) -> None:
    halves = """async (card) => {
        const { drawFace } = await import("/static/core/card-art.js");
        return drawFace(card).filter((part) => part.tagName === "g").map((part) => part.innerHTML);
    }"""
    page = visits("/")
    for rank in "JQK":
        first, second, upper, lower = page.evaluate(halves, f"{rank}h")
        assert (first, upper) == (second, lower)
        assert "suit" in upper


STACKS = """async (amounts) => {
    const { breakdown, stack } = await import("/static/core/chips.js");
    const count = (cents) => stack(cents).querySelectorAll(".side-chip").length;
    return amounts.map((cents) => [breakdown(cents), count(cents)]);
}"""


def test_an_amount_is_a_stack_of_the_fewest_chips(visits: Visits) -> None:
    amounts = {6_000: [2500, 2500, 500, 500], 950_000: [500_000, *[100_000] * 4, 50_000], 25: [100], 0: []}
    assert visits("/").evaluate(STACKS, list(amounts)) == [[chips, len(chips)] for chips in amounts.values()]


def test_an_error_in_a_page_fails_the_test(visits: Visits) -> None:
    """A script that breaks, a word in the console, what the policy refuses, and what is not there."""
    page = visits("/")
    page.evaluate("() => { setTimeout(() => { throw new Error('broken') }); console.error('said') }")
    page.evaluate("() => document.body.setAttribute('style', 'color: red')")
    page.evaluate("() => fetch('/api/v1/tables/nowhere').then((answer) => answer.status)")
    with page.expect_event("pageerror"):
        page.evaluate("() => { setTimeout(() => { throw new Error('again') }) }")
    for trouble in ("script: broken", "console: said", "refused by the policy: style-src-attr", "request: 404 GET"):
        end = time.monotonic() + PATIENCE_SECONDS
        while trouble not in "\n".join(visits.troubles):
            assert time.monotonic() < end, (trouble, visits.troubles)
            page.wait_for_timeout(20)
    with pytest.raises(AssertionError):
        visits.check()
    visits.announce("broken|again|said|style|404")
