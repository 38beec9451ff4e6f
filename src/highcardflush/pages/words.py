"""How the codes of the figures and their values are said on a page."""

from __future__ import annotations

from fractions import Fraction

from highcardflush.figures.meters import Mark
from highcardflush.money import say_dollars
from highcardflush.odds.game import Choice
from highcardflush.ranking import NUMBER_NAMES, Showdown

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
EXPOSE = {
    "refused": "The best flush plays; nothing is kept or laid face up.",
    "optional": "The player keeps one flush. A bonus win among the discards may be shown early; it is paid either way.",
    "required": "The player keeps one flush. A straight flush outside it is paid only if it is laid face up. "
    "The figures take it that every winning hand is shown and the best flush kept.",
}


def say_choice(choice: Choice) -> str:
    """`Five-card flush, Raise 2x`."""
    cards = f"{NUMBER_NAMES[choice.cards]}-card flush".capitalize()
    return f"{cards}, fold" if choice.raised is None else f"{cards}, Raise {float(choice.raised):g}x"


def say_percent(value: Fraction | float, digits: int = 2) -> str:
    return f"{100 * float(value):.{digits}f} %".replace("-", MINUS)


def say_prize(value: Fraction | float) -> str:
    """A computed amount, without cents where there are none: `$335,020.73`, `−$30,000`."""
    return say_dollars(value).replace("-", MINUS).removesuffix(".00")
