"""Tables whose next cards are known, and what a player does there.

The round is open in the books before the server begins, with a seed of the house that was looked for; and a page
without chance names a seed of zeros. So what is dealt is proved as in any round.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from playwright.sync_api import Browser, Locator, Page, expect

from highcardflush.cards import Hand
from highcardflush.fairness import shuffle
from highcardflush.house.commands import CreateTable, OpenRound
from highcardflush.house.meter.setup import meter_for, table_for
from highcardflush.money import MOST_MICROS, say_cents
from highcardflush.rulebook import packaged
from highcardflush.web.server import books
from highcardflush.web.server.settings import Settings
from support.places.browser import Visits, open_site, stand_up
from support.places.floor import Floor
from support.places.serving import Serving

QUIET = {"house_players": 0, "betting_s": 120, "pause_s": 1}
"""Settings of a floor on which nobody else plays, so that a round waits for nobody."""
LIMITS = {"ante-minimum": "5", "ante-maximum": "500", "clock": "600"}
NO_CHANCE = "crypto.getRandomValues = (bytes) => bytes.fill(0)"
PAGE_SEED = bytes(16)
"""What a page without chance names."""

Deal = tuple[int, tuple[str, ...]]
"""A seed of the house, and the hands that it gives where pages name `PAGE_SEED`: seats from 1, the dealer last."""
STRAIGHT_AMONG_DISCARDS: Deal = 32, ("5s4s3s KdJd9d2d", "8h5h4h3h 8d Jc3c")
"""Diamonds beat the dealer, and three spades win the Straight Flush bet."""
TWO_FLUSHES: Deal = 169, ("Ks7s6s Kh Jd7d3d", "4s2s 4h 8d Qc6c4c")
"""Spades beat the dealer, diamonds lose."""
STRAIGHT_IN_FLUSH: Deal = 84, ("AhKhQh7h4h 4d 6c", "Ts 8h Jd8d5d2d 3c")
"""Three cards of a straight flush in the flush itself: of PT-PRG-HCF-D03 its pay is among those that are drawn."""
SIX_STRAIGHT: Deal = 8618, ("7s6s5s4s3s2s 6c", "JhTh9h4h Td3d 2c", "Ts8s 2h 8d7d 9c5c")
"""Seat 1 has six cards of a straight flush."""


# --- a floor -------------------------------------------------------------------------------------


def stage(floor: Floor, table: str, deal: Deal) -> None:
    """The next round of a table is open and has this seed."""
    number, hands = deal
    seed = number.to_bytes(32, "big")
    deck = shuffle(seed, [PAGE_SEED] * (len(hands) - 1))
    assert [Hand.of(deck[7 * at : 7 * at + 7]) for at in range(len(hands))] == [Hand.parse(hand) for hand in hands]
    with patch("highcardflush.house.table.play.secrets") as chance:
        chance.token_bytes.return_value = seed
        floor.do(f"table/{table}", OpenRound(), "house")


def jackpot_table(floor: Floor, table: str, paytable: str, *, server_approves: bool = True) -> None:
    """A table of galaxy-v7 with this progressive, and a meter of its own that has its name."""
    book = packaged("galaxy-v7")
    made = meter_for(book.paytables[paytable], server_approves=server_approves, second_above_micros=MOST_MICROS)
    floor.do(f"meter/{table}", made)
    rules, levels = table_for(book, {table: floor.house.meter(table)[0]}, None, LIMITS)
    floor.do(f"table/{table}", CreateTable(rules, meters=levels))


def plain_table(floor: Floor, table: str, rulebook: str, **settings: str) -> None:
    """Another table of a rulebook, with its own side bets."""
    rules, _ = table_for(packaged(rulebook), {}, None, {**LIMITS, **settings})
    floor.do(f"table/{table}", CreateTable(rules))


class Place:
    """A server on a quiet floor, and its books."""

    def __init__(self, server: Serving, folder: Path) -> None:
        self.server, self._folder = server, folder

    @contextmanager
    def office(self) -> Iterator[Floor]:
        """For what staff do while it runs."""
        settings = books.resolve(Settings(db=f"sqlite:///{self._folder / 'house.db'}"))
        with closing(books.open_books(settings)) as house:
            yield Floor(house, run=f"office {id(house)}")

    def get(self, path: str) -> Any:
        status, said = self.server.get(f"/api/v1{path}")
        assert status == 200, said
        return json.loads(said)


@contextmanager
def open_place(folder: Path, prepare: Callable[[Floor], None] | None = None, **settings: Any) -> Iterator[Place]:
    with open_site(folder, {**QUIET, **settings}, prepare) as server:
        yield Place(server, folder)


class Players(Visits):
    """Visits of people who leave their seats when they go: else others would wait for them."""

    def __init__(self, browser: Browser, place: Place) -> None:
        super().__init__(browser, place.server.address)
        self.place = place

    def seated(self, table: str, **look: Any) -> Page:
        """Somebody new at the first free seat of a table, whose page has no chance."""
        page = self(**look)
        page.context.add_init_script(NO_CHANCE)
        sit(page, table)
        return page

    def leave(self) -> None:
        for page in self.pages:
            stand_up(page)


@contextmanager
def open_players(browser: Browser, place: Place) -> Iterator[Players]:
    found = Players(browser, place)
    try:
        yield found
        found.leave()
        found.check()
    finally:
        found.close()


# --- what a player does and sees, by roles and names --------------------------------------------------


def sit(page: Page, table: str) -> None:
    """At the first free seat, until bets can be made."""
    page.goto(f"/table/{table}?sit")
    expect(bets(page)).to_be_visible()


def bets(page: Page) -> Locator:
    return page.get_by_role("region", name="Your bets")


def decision(page: Page) -> Locator:
    return page.get_by_role("region", name="Your decision")


def type_stakes(page: Page, **dollars: int) -> None:
    """Type amounts, and bet."""
    for wager, amount in dollars.items():
        spot = page.locator(f"[data-wager='{wager.replace('_', '-')}'] input")
        spot.fill(str(amount))
        spot.blur()
    bets(page).get_by_role("button", name=re.compile(r"^Bet \$")).click()


def stake(page: Page, **dollars: int) -> None:
    """The same, until one must decide."""
    type_stakes(page, **dollars)
    expect(decision(page)).to_be_visible()


def fold(page: Page) -> None:
    decision(page).get_by_role("button", name="Fold").click()


def raise_(page: Page) -> None:
    """The least that may be raised."""
    decision(page).get_by_role("button", name=re.compile(r"^Raise \$")).first.click()


def own_card(page: Page, card: str) -> Locator:
    return page.locator(f".own-hand [data-card='{card}']")


def results(page: Page) -> str:
    """What one is told of the round that is over."""
    expect(page.locator(".results .sum")).to_be_visible()
    return page.locator(".results").text_content() or ""


def has(page: Page, cents: int) -> None:
    """The page says that one has this much."""
    expect(page.locator("header .purse strong")).to_have_text(say_cents(cents))
