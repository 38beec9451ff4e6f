"""Severity of a mistake, and mean cost of a bet: the Ante with the best play, a side bet at the current meters.

A cap is applied as if the side bet were the only one that wins. Percentages of a meter are never capped.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from highcardflush.jackpot import Meter
from highcardflush.money import MICROS_PER_DOLLAR
from highcardflush.odds.paytable import table_odds
from highcardflush.odds.progressive import progressive_odds
from highcardflush.odds.prospect import prospect
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import ANTE, SIDE_BETS

Severity = Literal["best", "inaccuracy", "mistake", "blunder"]
FROM_ANTES: tuple[tuple[Severity, Fraction], ...] = (("blunder", Fraction(1, 4)), ("mistake", Fraction(1, 20)))
"""Smallest costs in Antes; a smaller cost above zero is an inaccuracy."""


def severity(cost_antes: Fraction) -> Severity:
    """
    >>> [severity(Fraction(cost, 100)) for cost in (0, 4, 5, 25)]
    ['best', 'inaccuracy', 'mistake', 'blunder']
    """
    if cost_antes <= 0:
        return "best"
    return next((named for named, least in FROM_ANTES if cost_antes >= least), "inaccuracy")


def side_bet_value(
    rulebook: Rulebook, wager: str, stake_cents: int, meters: Mapping[str, Meter], envied: int = 0
) -> Fraction:
    """Return the value of a side bet in cents. `envied` is the number of other seats that made the progressive bet."""
    if SIDE_BETS[wager].jackpot:
        dollars = {name: Fraction(meter.amount_micros, MICROS_PER_DOLLAR) for name, meter in meters.items()}
        edge = progressive_odds(rulebook, dollars, seats=envied + 1).at_meters.house_edge
    else:
        paytable = rulebook.paytable(wager)
        assert paytable is not None
        lowest = min((cap.cents for cap in rulebook.settings.caps_on(wager)), default=None)
        cap = Fraction(lowest, stake_cents) if lowest is not None else None
        edge = table_odds(paytable, cap=cap).house_edge
    return -stake_cents * edge


def ante_value(rulebook: Rulebook, ante_cents: int) -> Fraction:
    return prospect(rulebook, {ANTE.name: ante_cents}, {}).mean
