"""Words for the codes and values of figures."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from highcardflush.money import say_dollars
from highcardflush.odds.counting import DEALS
from highcardflush.ranking import Showdown

if TYPE_CHECKING:  # NumPy takes its time to load
    from highcardflush.figures.side_bets import Mark

MINUS = "\u2212"
SHOWDOWNS: dict[Showdown, str] = {
    "fold": "player folds",
    "not-qualified": "dealer does not qualify",
    "win": "player wins",
    "tie": "tie",
    "lose": "dealer wins",
}
MARKS: dict[Mark | None, str] = {
    None: "",
    "seed": "seed",
    "expected-at-hit": "expected at a 100 % win",
    "break-even": "break-even",
}
COUNTED = f"Method: every one of the {DEALS:,} deals is counted; no figure here has an error."
ENVY_LEFT_OUT = (
    "Envy Pays count in edge and hold; standard deviations are those of a bet on one's own hand, without them."
)
EXPOSE = {
    "refused": "The best flush plays; nothing is kept or laid face up.",
    "optional": "The player keeps one flush. A bonus win among the discards may be shown early; it is paid either way.",
    "required": "The player keeps one flush. A straight flush outside it is paid only if it is laid face up. "
    "The figures take it that every winning hand is shown and the best flush kept.",
}


def say_percent(value: Fraction | float, digits: int = 2) -> str:
    return f"{100 * float(value):.{digits}f} %".replace("-", MINUS)


def plural(number: int, word: str) -> str:
    return f"{number:,} {word}{'s' * (number != 1)}"


def say_prize(value: Fraction | float) -> str:
    """Return a computed amount, without cents where there are none: `$335,020.73`, `−$30,000`."""
    return say_dollars(value).replace("-", MINUS).removesuffix(".00")
