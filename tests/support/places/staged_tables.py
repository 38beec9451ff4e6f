"""Tables where the next cards are known, and the actions of a player there.

The round is opened in the books before the server starts, with a chosen house seed, and the page contributes a seed of
zeros. The deal can therefore be verified as in any round.
"""

import re
from typing import Any
from unittest.mock import patch

from playwright.sync_api import Locator, Page, expect

from highcardflush.cards import Hand
from highcardflush.fairness import shuffle
from highcardflush.house.commands import CreateTable, OpenRound
from highcardflush.house.meter.linked import meter_for, table_for
from highcardflush.money import MOST_MICROS, say_cents
from highcardflush.rulebook import packaged
from support.places.browser import Visits
from support.places.floor import Floor

QUIET = {"house_players": 0, "betting_s": 120, "pause_s": 1}
"""Floor settings without house players, so that no round waits for them."""
LIMITS = {"ante-minimum": "5", "ante-maximum": "500", "clock": "600"}
NO_CHANCE = "crypto.getRandomValues = (bytes) => bytes.fill(0)"
PAGE_SEED = bytes(16)

Deal = tuple[int, tuple[str, ...]]
"""A house seed, and the hands that it deals with `PAGE_SEED`: seats from 1 on, the dealer last."""
STRAIGHT_AMONG_DISCARDS: Deal = 32, ("5s4s3s KdJd9d2d", "8h5h4h3h 8d Jc3c")
"""Diamonds beat the dealer, and three spades win the Straight Flush bet."""
TWO_FLUSHES: Deal = 169, ("Ks7s6s Kh Jd7d3d", "4s2s 4h 8d Qc6c4c")
"""Spades beat the dealer, diamonds lose."""
STRAIGHT_IN_FLUSH: Deal = 84, ("AhKhQh7h4h 4d 6c", "Ts 8h Jd8d5d2d 3c")
"""The flush itself holds a three-card straight flush, for which PT-PRG-HCF-D03 draws the payout."""
SIX_STRAIGHT: Deal = 8618, ("7s6s5s4s3s2s 6c", "JhTh9h4h Td3d 2c", "Ts8s 2h 8d7d 9c5c")
"""Seat 1 has six cards of a straight flush."""


def stage(floor: Floor, table: str, deal: Deal) -> None:
    number, hands = deal
    seed = number.to_bytes(32, "big")
    deck = shuffle(seed, [PAGE_SEED] * (len(hands) - 1))
    assert [Hand.of(deck[7 * at : 7 * at + 7]) for at in range(len(hands))] == [Hand.parse(hand) for hand in hands]
    with patch("highcardflush.house.table.play.secrets") as chance:
        chance.token_bytes.return_value = seed
        floor.do(f"table/{table}", OpenRound(), "house")


def jackpot_table(floor: Floor, table: str, paytable: str, *, server_approves: bool = True) -> None:
    """Create a table of galaxy-v7 with this progressive, and a meter with the same name as the table."""
    book = packaged("galaxy-v7")
    meter = meter_for(book.paytables[paytable], server_approves=server_approves, second_above_micros=MOST_MICROS)
    floor.do(f"meter/{table}", meter)
    rules, levels = table_for(book, {table: floor.house.meter(table)[0]}, None, LIMITS)
    floor.do(f"table/{table}", CreateTable(rules, meters=levels))


def plain_table(floor: Floor, table: str, rulebook: str, **settings: str) -> None:
    """Create another table for a rulebook, with the rulebook's own side bets."""
    rules, _ = table_for(packaged(rulebook), {}, None, {**LIMITS, **settings})
    floor.do(f"table/{table}", CreateTable(rules))


def seated(visits: Visits, table: str, **look: Any) -> Page:
    """Seat a new player, whose page has no randomness, at the table's first free seat."""
    page = visits(**look)
    page.context.add_init_script(NO_CHANCE)
    sit(page, table)
    return page


def sit(page: Page, table: str) -> None:
    page.goto(f"/table/{table}?sit")
    expect(page.locator(".spot.ante input")).to_be_visible()  # the betting is open


def bets(page: Page) -> Locator:
    return page.get_by_role("region", name="Your bets")


def decision(page: Page) -> Locator:
    return page.get_by_role("region", name="Your decision")


def type_stakes(page: Page, **dollars: int) -> None:
    for wager, amount in dollars.items():
        spot = page.locator(f"[data-wager='{wager.replace('_', '-')}'] input")
        spot.fill(str(amount))
        spot.blur()
    bets(page).get_by_role("button", name=re.compile(r"^(Bet|Deal|Rebet and deal) \$")).click()


def stake(page: Page, **dollars: int) -> None:
    """Place the stakes and wait until a decision is due."""
    type_stakes(page, **dollars)
    expect(decision(page)).to_be_visible()


def rebet(page: Page) -> None:
    """Bet as in the round before, with one press, and wait until a decision is due."""
    bets(page).get_by_role("button", name=re.compile(r"^(Deal|Rebet and deal) \$")).click()
    expect(decision(page)).to_be_visible()


def fold(page: Page) -> None:
    decision(page).get_by_role("button", name="Fold").click()


def raise_(page: Page) -> None:
    decision(page).get_by_role("button", name=re.compile(r"^Raise \$")).first.click()


def own_card(page: Page, card: str) -> Locator:
    return page.locator(f".own-hand [data-card='{card}']")


def results(page: Page) -> str:
    """Wait for the player's result and return all of it, with the reasons that a sheet shows."""
    expect(page.locator(".results .sum")).to_be_visible()
    return page.locator(".reasons").text_content() or ""


def has(page: Page, cents: int) -> None:
    expect(page.locator("header .purse strong")).to_have_text(say_cents(cents))
