"""Names of wagers and meters as they stand on the felt."""

from __future__ import annotations

from itertools import groupby

from highcardflush.report.model import Rules

WAGERS = {
    "ante": "Ante",
    "raise": "Raise",
    "main": "Ante and Raise",
    "flush": "Flush Bonus",
    "straight-flush": "Straight Flush Bonus",
    "progressive": "Progressive",
    "envy": "Envy Pays",
}


def say_wager(wager: str) -> str:
    return WAGERS.get(wager, wager)


def say_meter(meter: str) -> str:
    return "Meter" if meter == "progressive" else meter.replace("-", " ").capitalize()


def raise_lines(rules: Rules) -> tuple[tuple[str, str], ...]:
    """The Raise by the flush; neighbours with the same amounts share a line."""
    groups = [(amounts, [row.cards for row in rows]) for amounts, rows in groupby(rules.raises, lambda r: r.amounts)]
    return tuple((_span(cards), amounts) for amounts, cards in groups)


def _span(cards: list[int]) -> str:
    joint = " or " if len(cards) == 2 else " to "
    return f"{cards[0]}{joint}{cards[-1]} cards" if len(cards) > 1 else f"{cards[0]} cards"
