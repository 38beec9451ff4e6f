"""Warnings about side bets that cost the house: bets that return more than they take, and meters whose seeds the
reserve does not cover."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from highcardflush.odds.paytable import table_odds
from highcardflush.odds.progressive import progressive_odds
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.settings import meter_key
from highcardflush.rulebook.wagers import SIDE_BETS


def generous(rulebook: Rulebook) -> Iterator[str]:
    """Yield one warning for each such bet or meter, with the exact amount."""
    for offer in rulebook.offers:
        if SIDE_BETS[offer.wager].jackpot:
            odds = progressive_odds(rulebook)
            if odds.long_run is None:  # A bonus jackpot is fed by design.
                continue
            for meter in odds.meters:
                if meter.house_seed_cost:
                    reserve = rulebook.plans[meter.name].reserve_rate_bp
                    cause = "the reserve is too small" if reserve else "there is no reserve"
                    key, cost = meter_key(meter.name, "reserve-rate"), _say(meter.house_seed_cost)
                    yield f"settings.{key}: new seeds cost the house {cost}, because {cause}"
            returned, when = odds.long_run, " in the long run"
        else:
            returned, when = table_odds(rulebook.paytables[offer.paytable]).returned, ""
        if returned >= 1:
            yield f"paytables.{offer.paytable}: the bet returns {_say(returned, when)}, so the house loses"


def _say(part: Fraction, when: str = "") -> str:
    return f"{100 * float(part):.6f} % of each stake{when} (exactly {part})"
