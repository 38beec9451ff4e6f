"""Take screenshots of every page and every phase of a round, on a phone and on a desktop, in light and dark, into the
folder `screenshots`. The actions at the table are calls, so that no screenshot depends on a button.

python tools/screenshots.py [WORD ...]   only those whose names contain one of the words
"""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests")]

from support.places import browser as b  # noqa: E402
from support.places.memory import use_memory  # noqa: E402
from support.places.postgres import PATIENCE_SECONDS  # noqa: E402

FOLDER = ROOT / "screenshots"
TABLE, SEAT = "galaxy-v7", 3
SETTLE_MS = 600
"""The time for a page to finish drawing."""
FLOOR = {"pause_s": 10, "betting_s": 60}
"""Times that leave a finished round on the screen."""
Step = Callable[[Page], None]
_KEYS = count(1)


def goes(path: str) -> Step:
    return lambda page: b.go(page, path)


def does(kind: str, **fields: Any) -> Step:
    """Send a command as the player at the table."""

    def step(page: Page) -> None:
        headers = {"X-HCF": "1", "Idempotency-Key": f"picture {next(_KEYS)}"}
        body = {"type": kind, "seat": SEAT, **fields}
        answer = page.request.post(f"/api/v1/commands/table/{TABLE}", headers=headers, data=body)
        assert answer.ok, answer.text()

    return step


def begins(page: Page) -> None:
    """Become a guest."""
    assert page.request.post("/api/v1/guest", headers={"X-HCF": "1"}).ok
    page.evaluate("localStorage.setItem('hcf-here', '1')")


def waits(phase: str) -> Step:
    def step(page: Page) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while page.request.get(f"/api/v1/tables/{TABLE}").json()["phase"] != phase:
            assert time.monotonic() < until, phase
            time.sleep(0.1)

    return step


PICTURES: dict[str, tuple[Step, ...]] = {
    "lobby": (goes("/"),),
    "rules": (goes("/rules"),),
    "rulebook": (goes(f"/rules/{TABLE}"),),
    "round": (goes("/round/oxford/1"),),
    "account": (goes("/account"), begins, goes("/account")),
    "table-0-open": (goes(f"/table/{TABLE}"),),
    "table-1-seated": (does("Sit"), waits("betting"), goes(f"/table/{TABLE}")),
    "table-2-bet": (does("PlaceWagers", wagers={"ante": 2500, "flush": 500}), waits("betting")),
    "table-3-decision": (waits("acting"),),
    "table-4-settled": (does("Raise", amount_cents=2500), waits("settled")),
    "table-5-next": (waits("betting"),),
    "table-6-left": (does("Leave"), goes("/account")),
}
"""The screenshots in order: each begins in the state in which the one before has ended."""


def looks() -> Iterator[tuple[str, b.Look]]:
    for size, pixels in b.SIZES.items():
        for scheme in b.SCHEMES:
            yield f"{size}-{scheme}", b.Look(size=pixels, scheme=scheme)


def main(words: list[str]) -> int:
    if absent := b.missing():
        print(absent)
        return 1
    use_memory()
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        b.open_site(Path(folder), FLOOR, b.play_round) as site,
        b.open_browser() as browser,
    ):
        for look, how in looks():
            visits = b.Visits(browser, site.address)
            page = visits(**how)
            for name, steps in PICTURES.items():
                for step in steps:
                    step(page)
                page.wait_for_timeout(SETTLE_MS)
                if not words or any(word in f"{name}-{look}" for word in words):
                    page.screenshot(path=FOLDER / f"{name}-{look}.png", full_page=True)
                    print(f"screenshots/{name}-{look}.png")
            for trouble in visits.troubles:
                print(f"{look}: {trouble}", file=sys.stderr)
            visits.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
