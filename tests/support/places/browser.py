"""Pages in a real Chromium, Debian's, against a real server. A test that opens a page fails at its end if anything went
wrong in it that the test did not announce: an error in the console, a script that broke, something that the content
security policy refused, a request that was refused or got no answer.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

from highcardflush.game.actions import Raise
from highcardflush.house.commands import AddPerson, ChangeTable, Leave, SetFloor, SettleRound, Sit
from highcardflush.house.meter.setup import changed_table
from highcardflush.house.permissions import ADMINISTRATOR
from highcardflush.web.server import books
from highcardflush.web.server.default_floor import TABLES
from highcardflush.web.server.settings import Settings
from support.places.floor import Floor
from support.places.postgres import PATIENCE_SECONDS, need
from support.places.serving import Serving, serving

PHONE, DESK = (390, 844), (1280, 800)
SIZES = {"phone": PHONE, "desk": DESK}
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
ROOT = Path(__file__).parents[3]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
ABORTED = "net::ERR_ABORTED"
"""The page was left before the answer came."""
WATCH = """addEventListener("securitypolicyviolation", (event) =>
    console.error(`refused by the policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));"""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
"""Sets of rules of axe."""
PLAIN_CALLS = {"house_players": 0, "betting_s": 600, "grace_s": 3600, "pause_s": 1}
"""A floor for players without a live line, who would lose their seats, and on which nobody else plays."""
expect.set_options(timeout=PATIENCE_SECONDS * 1000)


# --- a server ------------------------------------------------------------------------------------


@contextmanager
def open_site(
    folder: Path, floor: Mapping[str, Any] | None = None, prepare: Callable[[Floor], None] | None = None
) -> Iterator[Serving]:
    """`hcf serve` on the default floor: with other settings of the floor, and after something was done in its books."""
    url = f"sqlite:///{folder / 'house.db'}"
    settings = books.resolve(Settings(db=url))
    books.prepare(settings)
    with closing(books.open_books(settings)) as house:
        if floor:
            house.submit("office", SetFloor(dict(floor), "a test"), ADMINISTRATOR, "settings of a test")
        if prepare is not None:
            prepare(Floor(house))
    with serving("--db", url, folder=folder) as server:
        yield server


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """One server for all tests: the floor as a newcomer finds it, after one round of oxford."""
    with open_site(tmp_path_factory.mktemp("site"), prepare=play_round) as server:
        yield server


def give_time(floor: Floor, seconds: int = 600, others: Mapping[str, int] | None = None) -> None:
    """So long for a decision that a slow machine runs out of no time; other times at other tables."""
    for name in TABLES:
        before = floor.house.table(name).config
        meters = {str(meter): floor.house.meter(str(meter))[0] for meter in before.meters.values()}
        clock = {"clock": str((others or {}).get(name, seconds))}
        rules, levels = changed_table(before.rulebook, None, meters, settings=clock)
        floor.do(f"table/{name}", ChangeTable(rules, meters=levels))


def play_round(floor: Floor) -> None:
    """The first round of oxford, by somebody who has gone."""
    stream = "table/oxford"
    floor.do("office", AddPerson("cal", "cashier"))
    floor.players("ann")
    floor.do(stream, Sit(2), "ann")
    floor.deal_cards(stream, {2: {"ante": 1000, "flush": 500}})
    floor.do(stream, Raise(2, 1000), "ann")
    floor.do(stream, SettleRound(), "house")
    floor.do(stream, Leave(2), "ann")


# --- a browser -----------------------------------------------------------------------------------


def missing() -> str | None:
    """What keeps a page from being opened here, in one line."""
    return None if shutil.which("chromium") else "Chromium is not installed: no chromium"


def need_browser() -> None:
    need(missing())


@contextmanager
def open_browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []  # as root Chromium has no sandbox
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        try:
            yield browser
        finally:
            browser.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One for a module: while it runs, nothing else of this thread has an event loop."""
    need_browser()
    with open_browser() as found:
        yield found


class Look(TypedDict, total=False):
    """How somebody looks at a page."""

    size: tuple[int, int]
    scheme: Scheme
    motion: Literal["reduce", "no-preference"]
    touch: bool


class Visits:
    """The people of a test, each with a browser of their own, and what went wrong in their pages."""

    def __init__(self, browser: Browser, address: str = "") -> None:
        self._browser, self._address = browser, address
        self._contexts: list[BrowserContext] = []
        self._announced: list[str] = []
        self.troubles: list[str] = []

    def __call__(self, path: str | None = None, address: str | None = None, **look: Unpack[Look]) -> Page:
        """A page of somebody who was never here before; without motion, if nothing else is said."""
        size = look.get("size", DESK)
        context = self._browser.new_context(
            base_url=address or self._address,
            viewport={"width": size[0], "height": size[1]},
            color_scheme=look.get("scheme", "light"),
            reduced_motion=look.get("motion", "reduce"),
            has_touch=look.get("touch", size == PHONE),
            locale="en-US",
        )
        self._contexts.append(context)
        context.set_default_timeout(PATIENCE_SECONDS * 1000)
        context.add_init_script(WATCH)
        context.on("console", self._heard)
        context.on("weberror", lambda error: self.troubles.append(f"script: {error.error}"))
        context.on("requestfailed", self._failed)
        context.on("response", self._answered)
        page = context.new_page()
        if path is not None:
            go(page, path)
        return page

    @property
    def pages(self) -> list[Page]:
        return [page for context in self._contexts for page in context.pages]

    def announce(self, pattern: str) -> None:
        """Something goes wrong in this test, and is meant to: `409`, `ERR_INTERNET_DISCONNECTED`."""
        self._announced.append(pattern)

    def check(self) -> None:
        """Nothing went wrong but what was announced."""
        unexpected = [said for said in self.troubles if not any(re.search(each, said) for each in self._announced)]
        assert not unexpected, "\n".join(unexpected)

    def close(self) -> None:
        """First every page goes to an empty one: a context that is closed on the way to a page may wait for ever."""
        for context in self._contexts:
            for page in context.pages:
                rest(page)
            context.close()

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(f"console: {message.text} {message.location.get('url', '')}")

    def _failed(self, request: Request) -> None:
        if request.failure != ABORTED:
            self.troubles.append(f"request: {request.failure} {request.method} {request.url}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.troubles.append(f"request: {response.status} {response.request.method} {response.url}")


def rest(page: Page) -> None:
    """Leave for an empty page, again if the page was on its way to another just then."""
    for _ in range(3):
        with suppress(Error):
            page.goto("about:blank")
            return


@pytest.fixture
def visits(browser: Browser, site: Serving) -> Iterator[Visits]:
    """`visits("/rules", size=PHONE, scheme="dark")` opens a page; nothing may go wrong in any."""
    found = Visits(browser, site.address)
    try:
        yield found
        found.check()
    finally:
        found.close()


@pytest.fixture
def page(visits: Visits) -> Page:
    """One page, at a desk."""
    return visits()


def go(page: Page, path: str) -> None:
    """Open a page, until it asks for nothing more."""
    page.goto(path, wait_until="load")
    page.wait_for_load_state("networkidle")


def stand_up(page: Page) -> None:
    """Leave the seat, if one has any: whoever goes without a word keeps it for a while, and others wait for them."""
    leave = page.locator(".leave")
    if leave.is_visible():
        leave.evaluate("button => button.click()")  # whatever lies over it
        expect(page.locator(".seat.own")).to_have_count(0)


def bounded(promise: str, seconds: float = PATIENCE_SECONDS) -> str:
    """A script for `evaluate` that waits for a promise, made from `args`; by itself `evaluate` waits for ever."""
    late = f"setTimeout(() => no(new Error('no answer in {seconds:g} s')), {seconds * 1000:g})"
    return f"(args) => Promise.race([{promise}, new Promise((_, no) => {late})])"


# --- what a page must be ----------------------------------------------------------------------------


def axe(page: Page) -> list[str]:
    """What axe-core finds wrong on a page as it stands, a line each."""
    need(None if AXE.exists() else "axe-core is not installed: no node_modules, which `make lint` makes")
    page.evaluate(AXE.read_text("utf-8"))
    # it would read the style sheets again into an element of its own, which the policy refuses
    found = page.evaluate(bounded("axe.run(document, {runOnly: args, preload: false})"), RULES)
    nodes = [(wrong["id"], node) for wrong in found["violations"] for node in wrong["nodes"]]
    return [f"{rule}: {node['target']} {node['failureSummary']}" for rule, node in nodes]
