"""Amounts that a player may bet: the default, the next chip up or down, and what the bankroll covers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from highcardflush.game.actions import Wagers
from highcardflush.game.legal import WagerOption
from highcardflush.game.wagers import Amounts

CHIPS = {"1": 500, "2": 1000, "3": 2500, "4": 10000}
FIRST_ANTE = 1000
FIRST_SIDE_BET = 500
DOLLAR = 100


def nudge(cents: int, amounts: Amounts, up: bool) -> int:
    """One chip more or less: five dollars, single ones below five."""
    chip = 5 * DOLLAR if cents > 5 * DOLLAR or (up and cents == 5 * DOLLAR) else DOLLAR
    chip = max(chip, amounts.step_cents)
    wanted = cents + chip if up else max(cents - chip, min(cents, DOLLAR))
    return amounts.nearest(wanted)


def first_wagers(options: Sequence[WagerOption]) -> Wagers:
    """What a newcomer bets: $10, and $5 on each side bet."""
    return Wagers.of(
        {
            option.wager: option.amounts.nearest(FIRST_ANTE if option.wager == "ante" else FIRST_SIDE_BET)
            for option in options
        }
    )


def total(wagers: Wagers) -> int:
    return sum(cents for _, cents in wagers.items())


def lowered(options: Sequence[WagerOption], wagers: Wagers, bankroll_cents: int) -> Wagers | None:
    """The wagers cut to the bankroll, with room for a Raise of one Ante if possible; None if it covers no bet.

    Side bets go first, the last one before the others, then the Ante gets smaller.
    """
    for antes in (2, 1):
        made = dict(wagers.items())
        for option in reversed(options):
            if _cost(made, antes) > bankroll_cents and not option.required:
                made.pop(option.wager, None)
        if _cost(made, antes) <= bankroll_cents:
            return Wagers.of(made)
        rest = bankroll_cents - sum(cents for name, cents in made.items() if name != "ante")
        ante = next(option for option in options if option.wager == "ante")
        share = rest // antes
        made["ante"] = ante.amounts.nearest(share - share % DOLLAR if share >= DOLLAR else share)
        if _cost(made, antes) <= bankroll_cents:
            return Wagers.of(made)
    return None


def _cost(made: Mapping[str, int], antes: int) -> int:
    return sum(cents * (antes if name == "ante" else 1) for name, cents in made.items())
