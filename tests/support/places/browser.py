"""Open pages of a real server in Debian's Chromium.

A test that opens pages fails at its end if anything went wrong there that the test did not announce: a console error, a
broken script, a violation of the content security policy, a refused or unanswered request.
"""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack

import pytest
from playwright import sync_api
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from highcardflush.game.actions import Raise
from highcardflush.house.commands import AddPerson, ChangeTable, Leave, SetFloor, SettleRound, Sit
from highcardflush.house.meter.linked import changed_table
from highcardflush.house.permissions import ADMINISTRATOR
from highcardflush.web.server import process, run
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
"""The error of a request whose page was left before the answer arrived."""
WATCH = """addEventListener("securitypolicyviolation", (event) =>
    console.error(`refused by the policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));"""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PLAIN_CALLS = {"house_players": 0, "betting_s": 600, "grace_s": 3600, "pause_s": 1}
"""Settings for players without a live connection: no house players, and time enough to keep their seats."""
expect.set_options(timeout=PATIENCE_SECONDS * 1000)


class Site:
    def __init__(self, server: Serving, settings: Settings) -> None:
        self._server, self._settings, self.address = server, settings, server.address

    @contextmanager
    def office(self) -> Iterator[Floor]:
        """Open the books for staff actions while the server runs."""
        with closing(process.open_books(self._settings)) as house:
            yield Floor(house, run=f"office {id(house)}")

    def get(self, path: str) -> Any:
        status, body = self._server.get(f"/api/v1{path}")
        assert status == 200, body
        return json.loads(body)


@contextmanager
def open_site(
    folder: Path, floor: Mapping[str, Any] | None = None, prepare: Callable[[Floor], None] | None = None
) -> Iterator[Site]:
    """Run `hcf serve` on the default floor, changed by these settings and then by `prepare`."""
    url = f"sqlite:///{folder / 'house.db'}"
    settings = run.resolve(Settings(db=url))
    run.prepare(settings)
    with closing(process.open_books(settings)) as house:
        if floor:
            house.submit("office", SetFloor(dict(floor), "a test"), ADMINISTRATOR, "settings of a test")
        if prepare is not None:
            prepare(Floor(house))
    with serving("--db", url, folder=folder) as server:
        yield Site(server, settings)


def own_site(floor: Mapping[str, Any], prepare: Callable[[Floor], None], scope: Any = "module") -> Any:
    """Return a fixture that starts a separate server. A module that needs one assigns it to `site`."""

    @pytest.fixture(scope=scope, name="site")
    def open_own_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
        with open_site(tmp_path_factory.mktemp("site"), floor, prepare) as site:
            yield site

    return open_own_site


def give_time(floor: Floor, seconds: int = 600, others: Mapping[str, int] | None = None) -> None:
    """Set decision clocks long enough for slow machines; `others` maps tables to other numbers of seconds."""
    for name in TABLES:
        before = floor.house.table(name).config
        meters = {str(meter): floor.house.meter(str(meter))[0] for meter in before.meters.values()}
        clock = {"clock": str((others or {}).get(name, seconds))}
        rules, levels = changed_table(before.rulebook, None, meters, settings=clock)
        floor.do(f"table/{name}", ChangeTable(rules, meters=levels))


def play_round(floor: Floor) -> None:
    """Play the first round at table oxford with a player who then leaves."""
    stream = "table/oxford"
    floor.do("office", AddPerson("cal", "cashier"))
    floor.players("ann")
    floor.do(stream, Sit(2), "ann")
    floor.deal_cards(stream, {2: {"ante": 1000, "flush": 500}})
    floor.do(stream, Raise(2, 1000), "ann")
    floor.do(stream, SettleRound(), "house")
    floor.do(stream, Leave(2), "ann")


site = own_site({}, play_round, "session")
"""One server for all tests: the default floor after one round at table oxford."""


def missing() -> str | None:
    """Return the reason why no page can be opened here, in one line, or None."""
    return None if shutil.which("chromium") else "Chromium is not installed: no chromium"


@contextmanager
def open_browser() -> Iterator[Browser]:
    with sync_api.sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium has no sandbox when it runs as root
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        try:
            yield browser
        finally:
            browser.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for a module. While it runs, this thread can have no other event loop."""
    need(missing())
    with open_browser() as chromium:
        yield chromium


class Look(TypedDict, total=False):
    size: tuple[int, int]
    scheme: Scheme
    motion: Literal["reduce", "no-preference"]
    touch: bool


class Visits:
    """The visitors of a test, each with a browser context, and the faults reported in their pages."""

    def __init__(self, browser: Browser, address: str = "") -> None:
        self._browser, self._address = browser, address
        self._contexts: list[BrowserContext] = []
        self._announced: list[str] = []
        self.troubles: list[str] = []

    def __call__(self, path: str | None = None, address: str | None = None, **look: Unpack[Look]) -> Page:
        """Open a page as a new visitor, with reduced motion unless `look` says otherwise."""
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
        context.on("console", self._note_console)
        context.on("weberror", lambda error: self.troubles.append(f"script: {error.error}"))
        context.on("requestfailed", self._note_failure)
        context.on("response", self._note_refusal)
        page = context.new_page()
        if path is not None:
            go(page, path)
        return page

    def announce(self, pattern: str) -> None:
        """Expect a fault that matches a pattern such as `409` or `ERR_INTERNET_DISCONNECTED`."""
        self._announced.append(pattern)

    def check(self) -> None:
        announcement = re.compile("|".join(self._announced) or "(?!)")
        unexpected = [trouble for trouble in self.troubles if not announcement.search(trouble)]
        assert not unexpected, "\n".join(unexpected)

    def close(self) -> None:
        """Close all contexts. Every page first goes to an empty one, because closing during a navigation may hang."""
        for page in self.pages:
            rest(page)
        for context in self._contexts:
            context.close()

    @property
    def pages(self) -> list[Page]:
        return [page for context in self._contexts for page in context.pages]

    def _note_console(self, message: sync_api.ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(f"console: {message.text} {message.location.get('url', '')}")

    def _note_failure(self, request: sync_api.Request) -> None:
        if request.failure != ABORTED:
            self.troubles.append(f"request: {request.failure} {request.method} {request.url}")

    def _note_refusal(self, response: sync_api.Response) -> None:
        if response.status >= 400:
            self.troubles.append(f"request: {response.status} {response.request.method} {response.url}")


def rest(page: Page) -> None:
    for _ in range(3):
        with suppress(Error):
            page.goto("about:blank")
            return


@pytest.fixture
def visits(browser: Browser, site: Site) -> Iterator[Visits]:
    """Open pages: `visits("/rules", size=PHONE, scheme="dark")`. Faults fail the test; seats are freed at its end."""
    visitors = Visits(browser, site.address)
    try:
        yield visitors
        for page in visitors.pages:
            stand_up(page)
        visitors.check()
    finally:
        visitors.close()


@pytest.fixture
def page(visits: Visits) -> Page:
    return visits()


def go(page: Page, path: str) -> None:
    page.goto(path, wait_until="load")
    page.wait_for_load_state("networkidle")


def stand_up(page: Page) -> None:
    """Leave the seat, if there is one. A player who just disconnects keeps it for a while, and others must wait."""
    leave = page.locator(".leave")
    if leave.is_visible():
        leave.evaluate("button => button.click()")  # works even if another element covers the button
        take_back = page.get_by_role("button", name="Take back and leave")
        if take_back.is_visible():  # the player has bet
            take_back.click()
        expect(page.locator(".seat.own")).to_have_count(0)


def bounded(promise: str, seconds: float = PATIENCE_SECONDS) -> str:
    """Return a script for `evaluate` that waits for a promise made from `args`, but not forever."""
    late = f"setTimeout(() => no(new Error('no answer in {seconds:g} s')), {seconds * 1000:g})"
    return f"(args) => Promise.race([{promise}, new Promise((_, no) => {late})])"


def axe(page: Page) -> list[str]:
    """Return the faults that axe-core finds, one per line."""
    need(None if AXE.exists() else "axe-core is not installed: no node_modules, which `make lint` makes")
    page.evaluate(AXE.read_text("utf-8"))
    # preloading would load the style sheets into a new element, which the policy refuses
    report = page.evaluate(bounded("axe.run(document, {runOnly: args, preload: false})"), RULES)
    nodes = [(violation["id"], node) for violation in report["violations"] for node in violation["nodes"]]
    return [f"{rule}: {node['target']} {node['failureSummary']}" for rule, node in nodes]
