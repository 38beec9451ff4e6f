"""The staged table of the demonstration: the printed one would keep an audience waiting for years.

Nothing but the pay table is staged. Its chance and that of the printed one are counted exactly, hand by hand.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from highcardflush.money import MICROS_PER_DOLLAR, WHOLE_BP
from highcardflush.odds.counting import HANDS
from highcardflush.odds.paytable import table_odds
from highcardflush.rulebook import PayTable, Rulebook, load, packaged, parse_offer

METER = "demo"
TABLES = ("demo-1", "demo-2", "demo-3", "demo-4")
SEATS = 6
SUPERVISORS = ("demo-sam", "demo-sue")
BASE_CENTS = 500
SECOND_ABOVE_MICROS = 5_000 * MICROS_PER_DOLLAR
OFFERS = (parse_offer("flush", "washington/PT-FLT-HCF-FB-01"),)
SETTINGS = {"mandatory": "progressive"}
"""Every hand makes the bet, so that the chance of a bet is that of a hand."""
STAGED = """
name = "demo-staged"
extends = "galaxy-v7"
title = "High Card Flush, staged for a demonstration"
version = "demo"

[source]
document = "hcf house demo"
publisher = "highcardflush"

[paytables.STAGED]
wager = "progressive"
pays = "for 1"
lines = [
  { cards = 4, ace-high = true, pay = "100%", label = "5-card, or 4-card ace high" },
  { cards = 4, pay = "1%", label = "4-card, king high or lower" },
  { cards = 3, pay = 3 },
]
meters.progressive = { seed = 2000, rate = "23%", reserve-rate = "5%" }
"""


class Chance(Struct, frozen=True):
    """How many of all hands win the whole meter."""

    paytable: str
    hands: int

    @property
    def exact(self) -> Fraction:
        return Fraction(self.hands, HANDS)

    @property
    def one_in(self) -> int:
        return round(1 / self.exact)


def staged_rulebook() -> Rulebook:
    return load(STAGED, file="hcf house demo")


def staged_table() -> PayTable:
    return staged_rulebook().paytables["STAGED"]


def staged() -> Chance:
    return _chance(staged_table())


def printed() -> Chance:
    return _chance(packaged("galaxy-v7").paytables["PT-BJS-HCF-SF-07"])


def _chance(table: PayTable) -> Chance:
    lines = table_odds(table).lines
    return Chance(table.full_id, sum(line.combinations for line in lines if line.line.percent_bp == WHOLE_BP))
