"""Measure how quick the pages are in Chromium on the loopback, without judging.

    python bench/browser.py

For lobby and table it prints the time from the navigation until the page can be used: the median of some first loads,
each by a new visitor. Then it plays whole rounds with all motion and prints the longest task while cards move and
results appear.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, expect

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests")]

from support.places import browser as b  # noqa: E402
from support.places import staged_tables as s  # noqa: E402
from support.places.postgres import use_memory  # noqa: E402

LOADS, ROUNDS = 7, 3
TABLE = "oxford"
USABLE = {"/": "Sit down", f"/table/{TABLE}": "Sit"}
"""Label of a button that is present once the page can be used, by path."""
READY = """word => new Promise((resolve) => {
    const isThere = (button) => button.textContent.startsWith(word) && button.offsetParent && !button.disabled;
    const look = () => [...document.querySelectorAll("button")].some(isThere)
        ? resolve(performance.now()) : requestAnimationFrame(look);
    look();
})"""
WATCH = """globalThis.tasks = [];
new PerformanceObserver((list) => globalThis.tasks.push(...list.getEntries().map((each) => each.duration)))
    .observe({ entryTypes: ["longtask"] });"""
LONG_MS = 50
"""Duration from which a browser reports a long task."""


def usable_ms(visits: b.Visits, path: str) -> float:
    page = visits()
    page.goto(path, wait_until="commit")
    ready_ms: float = page.evaluate(READY, USABLE[path])
    page.context.close()
    return ready_ms


def play(page: Page) -> list[float]:
    """Return the long tasks of a round, from the first chip to the last result."""
    expect(s.bets(page)).to_be_visible()
    page.evaluate("globalThis.tasks.length = 0")
    s.stake(page, ante=10, flush=5)
    s.raise_(page)
    s.results(page)
    tasks: list[float] = page.evaluate("globalThis.tasks")
    return tasks


def main() -> int:
    if absent := b.missing():
        print(absent)
        return 1
    use_memory()
    with (
        tempfile.TemporaryDirectory() as folder,
        b.open_site(Path(folder), s.QUIET) as site,
        b.open_browser() as chromium,
    ):
        visits = b.Visits(chromium, site.address)
        for path in USABLE:
            times = sorted(usable_ms(visits, path) for _ in range(LOADS))
            print(
                f"{path:16} usable after {median(times):5.0f} ms  ({times[0]:.0f} to {times[-1]:.0f} ms, {LOADS} loads)"
            )
        page = visits(motion="no-preference")
        page.context.add_init_script(WATCH)
        s.sit(page, TABLE)
        tasks = [task for _ in range(ROUNDS) for task in play(page)]
        longest = f"{max(tasks):.0f} ms" if tasks else f"under {LONG_MS} ms"
        print(f"{ROUNDS} rounds         longest task {longest}, {len(tasks)} of {LONG_MS} ms or more")
        visits.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
