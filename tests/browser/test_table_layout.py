"""The table's layout: nothing moves while rounds are played, everything posted stays visible, and the buttons can be
reached with a thumb."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.places import staged_tables as s
from support.places.browser import PHONE, Site, Visits, own_site
from support.places.floor import Floor

DESK = (1440, 900)
SIZES = pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
ROUNDS = 3
MOST_SHIFT = 0.05
SHIFTS = """globalThis.shifts = [];
new PerformanceObserver((list) => globalThis.shifts.push(...list.getEntries()))
    .observe({ type: "layout-shift", buffered: true });"""
SHIFT = """() => globalThis.shifts.map(({ value, sources }) =>
    [value, sources.map(({ node }) => node?.parentElement?.className + " > " + node?.className)])"""
PLACES = (".own-hand", ".spots", ".status", ".buttons", ".dealer-hand", ".seats", ".posted-lines")
SMALL = """() => {
    const shown = (each) => each.offsetParent && getComputedStyle(each).visibility === "visible";
    const targets = [...document.querySelectorAll("main button, main input, main a, main select, main label")];
    const isSmall = (each) => { const box = each.getBoundingClientRect(); return box.height < 43.5 || box.width < 36; };
    return targets.filter((each) => shown(each) && !each.closest("label input") && isSmall(each))
        .filter((each) => each.type !== "checkbox").map((each) => each.outerHTML.slice(0, 90));
}"""
LETTERS = """() => {
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    const sizes = {};
    while (walker.nextNode()) {
        const { parentElement: at, data } = walker.currentNode;
        if (!data.trim() || !at.offsetParent || at.closest("svg, .seen-not")) continue;
        sizes[parseFloat(getComputedStyle(at).fontSize)] = data.slice(0, 30);
    }
    return sizes;
}"""
CAPPED = {"cap-flush-player": "1000", "cap-straight-flush-table": "5000"}


def prepare(floor: Floor) -> None:
    for table in ("still-390", "still-1440", "targets", "text-390", "text-1440"):
        s.plain_table(floor, table, "oxford")
    s.plain_table(floor, "capped", "washington", **CAPPED)


site = own_site({**s.QUIET, "pause_s": 2}, prepare)


def places(page: Page) -> list[Any]:
    return [page.locator(part).bounding_box() for part in PLACES]


@SIZES
def test_nothing_moves_in_three_rounds(visits: Visits, size: tuple[int, int]) -> None:
    page = visits(size=size, motion="no-preference")
    page.context.add_init_script(SHIFTS)
    s.sit(page, f"still-{size[0]}")
    before = places(page)
    s.stake(page, ante=10, flush=5)
    for number in range(ROUNDS):
        assert places(page) == before
        s.raise_(page)
        s.results(page)
        assert places(page) == before
        if number + 1 < ROUNDS:
            s.rebet(page)
    shifts = page.evaluate(SHIFT)
    assert sum(value for value, _ in shifts) < MOST_SHIFT, shifts


def test_targets_on_a_phone_are_large_enough(visits: Visits) -> None:
    page = visits(size=PHONE)
    s.sit(page, "targets")
    assert page.evaluate(SMALL) == []
    s.stake(page, ante=10, flush=5)
    assert page.evaluate(SMALL) == []
    s.fold(page)
    s.results(page)
    assert page.evaluate(SMALL) == []


@pytest.mark.parametrize(("size", "least"), [(PHONE, 12), (DESK, 14)], ids=["phone", "desk"])
def test_text_is_large_enough(visits: Visits, size: tuple[int, int], least: int) -> None:
    page = visits(size=size, touch=size == PHONE)
    s.sit(page, f"text-{size[0]}")
    s.stake(page, ante=10, flush=5)
    sizes = {float(pixels): text for pixels, text in page.evaluate(LETTERS).items()}
    assert {pixels: text for pixels, text in sizes.items() if pixels < least} == {}
    s.fold(page)
    s.results(page)


def sees_everything_posted(page: Page, site: Site, table: str) -> None:
    """Check that each posted line is visible, without a tap and without scrolling."""
    for line in site.get(f"/tables/{table}/rules")["posted"]:
        if line["code"] == "limit":
            spot = page.locator(f".spot.{line['values']['wager']} .limit")
            expect(spot).to_be_in_viewport(ratio=1)
            assert spot.inner_text() in line["short"]
        elif line["code"] == "raise":
            expect(page.locator(".spot.raise .limit")).to_be_in_viewport(ratio=1)
        elif line["code"] == "bonus-notice":
            expect(page.locator(".meters .notice")).to_have_text(line["text"].strip('"'))
            expect(page.locator(".meters .notice")).to_be_in_viewport(ratio=1)
        else:
            shown = page.locator(".posted-line", has_text=line["short"])
            expect(shown).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(
    "table",
    [
        pytest.param("washington", marks=pytest.mark.clause("W2", "W5a", "S26")),
        pytest.param("capped", marks=pytest.mark.clause("W9")),
        pytest.param("oxford", marks=pytest.mark.clause("O4", "O13")),
        pytest.param("atlantic-city", marks=pytest.mark.clause("A7")),
        pytest.param("jackpot-1", marks=pytest.mark.clause("S24", "S26")),
    ],
)
@SIZES
def test_everything_posted_is_visible_in_every_phase(
    visits: Visits, site: Site, table: str, size: tuple[int, int]
) -> None:
    watcher = visits(f"/table/{table}", size=size)
    sees_everything_posted(watcher, site, table)
    page = visits(size=size)
    s.sit(page, table)
    sees_everything_posted(page, site, table)
    s.stake(page, ante=5)
    for each in (page, watcher):
        sees_everything_posted(each, site, table)
    s.fold(page)
    s.results(page)
    for each in (page, watcher):
        sees_everything_posted(each, site, table)


@pytest.mark.clause("S24")
def test_a_tap_on_a_posted_line_opens_the_full_texts(visits: Visits, site: Site) -> None:
    page = visits("/table/oxford", size=PHONE)
    page.locator(".posted-lines").tap()
    sheet = page.get_by_role("dialog", name="Posted at this table")
    for line in site.get("/tables/oxford/rules")["posted"]:
        expect(sheet).to_contain_text(line["text"])
