"""Take screenshots of every page and every phase of a round, on a phone and on a desktop, in light and dark, into the
folder `screenshots`. The actions at the table are calls, so that no screenshot depends on a button.

python tools/screenshots.py [WORD ...]   only those whose names contain one of the words
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.places import browser as b
from support.places.postgres import use_memory
from support.places.serving import Player

FOLDER = Path(__file__).parent.parent / "screenshots"
TABLE, SEAT = "galaxy-v7", 3
SETTLE_MS = 600
"""The time for a page to finish drawing."""
FLOOR = {"pause_s": 10, "betting_s": 60}
"""Times that leave a finished round on the screen."""
Step = Callable[[Page, Player], object]


def goes(path: str) -> Step:
    return lambda page, _: b.go(page, path)


def does(kind: str, **fields: Any) -> Step:
    return lambda _, player: player.do(type=kind, seat=SEAT, **fields)


def waits(phase: str) -> Step:
    return lambda _, player: player.until(phase)


def begins(page: Page, player: Player) -> None:
    page.context.add_cookies([player.cookie])
    page.evaluate("localStorage.setItem('hcf-here', '1')")


def presses(name: str) -> Step:
    return lambda page, _: page.get_by_role("button", name=name).click()


PICTURES: dict[str, tuple[Step, ...]] = {
    "lobby": (goes("/"),),
    "how-to-play": (goes("/how-to-play"), presses("Place the Ante"), presses("spades"), presses("Raise $10")),
    "rules": (goes("/rules"),),
    "rulebook": (goes(f"/rules/{TABLE}"),),
    "rules-at-table": (goes("/rules/washington?table=washington"),),
    "round": (goes("/round/oxford/1"),),
    "account": (goes("/account"), begins, goes("/account")),
    "account-break": (presses("Take a break"), lambda page, _: page.get_by_label("7 days").check()),
    "settings": (goes("/account"), presses("Settings")),
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
        for look, options in looks():
            visits = b.Visits(browser, site.address)
            page, player = visits(**options), Player(site.address, TABLE)
            for name, steps in PICTURES.items():
                for step in steps:
                    step(page, player)
                page.wait_for_timeout(SETTLE_MS)
                if not words or any(word in f"{name}-{look}" for word in words):
                    page.screenshot(path=FOLDER / f"{name}-{look}.png", full_page=True)
                    print(f"screenshots/{name}-{look}.png")
            for trouble in visits.troubles:
                print(f"{look}: {trouble}", file=sys.stderr)
            visits.close()
            player.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
