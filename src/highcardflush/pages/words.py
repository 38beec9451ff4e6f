"""Words for the codes and values of figures."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from highcardflush.money import say_dollars
from highcardflush.odds.counting import DEALS
from highcardflush.ranking import Showdown
from highcardflush.words.en import NOT_QUALIFIED

if TYPE_CHECKING:  # NumPy is slow to load
    from highcardflush.figures.side_bets import Mark

MINUS = "\u2212"
SHOWDOWNS: dict[Showdown, str] = {
    "fold": "player folds",
    "not-qualified": NOT_QUALIFIED,
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
COUNTED = f"Method: all {DEALS:,} deals are counted, so the figures are exact."
ENVY_LEFT_OUT = (
    "Edge and hold include Envy Pays. Standard deviations are for the bet on one's own hand, without Envy Pays."
)
EXPOSE = {
    "refused": "The best flush plays. The player keeps no flush, and no cards are laid face up.",
    "optional": "The player keeps one flush. A bonus win among the discards may be shown early; it is always paid.",
    "required": "The player keeps one flush. A straight flush outside it is paid only if it is laid face up. "
    "The figures assume that every winning hand is shown and that the best flush is kept.",
}
ENDS_BET = (
    "A straight flush that is laid face up with a Raise ends its bet, whatever else the hand holds. The figures assume "
    "that no player gives up a better one in this way."
)


def say_percent(value: Fraction | float, digits: int = 2) -> str:
    return f"{100 * float(value):.{digits}f} %".replace("-", MINUS)


def plural(number: int, word: str) -> str:
    return f"{number:,} {word}{'s' * (number != 1)}"


def say_prize(value: Fraction | float) -> str:
    """Return a computed amount in dollars, without cents if they are zero: `$335,020.73`, `−$30,000`."""
    return say_dollars(value).replace("-", MINUS).removesuffix(".00")
