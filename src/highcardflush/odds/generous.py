"""Side bets on offer that cost the house: those that return more than they take, and meters that it must feed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from highcardflush.odds.paytable import table_odds
from highcardflush.odds.progressive import progressive_odds
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.settings import meter_key
from highcardflush.rulebook.wagers import SIDE_BETS


def generous(rulebook: Rulebook) -> Iterator[str]:
    """Yield a warning for each, with the exact amount."""
    for offer in rulebook.offers:
        if SIDE_BETS[offer.wager].jackpot:
            yield from _progressive(rulebook, offer.paytable)
        else:
            yield from _loss(offer.paytable, table_odds(rulebook.paytables[offer.paytable]).returned, "")


def _progressive(rulebook: Rulebook, table_id: str) -> Iterator[str]:
    """Warn of a reserve that is too small. A meter without a reserve is fed by design."""
    odds, plans = progressive_odds(rulebook), rulebook.plans
    for meter in odds.meters:
        if odds.long_run is not None and meter.house_seed_cost:
            cause = "the reserve never pays new seeds back" if plans[meter.name].reserve_rate_bp else "no reserve"
            cost = _say(meter.house_seed_cost)
            yield f"settings.{meter_key(meter.name, 'reserve-rate')}: {cause}: for new seeds the house pays {cost}"
    if odds.long_run is not None:
        yield from _loss(table_id, odds.long_run, " in the long run")


def _loss(table_id: str, returned: Fraction, when: str) -> Iterator[str]:
    if returned >= 1:
        yield f"paytables.{table_id}: pays back {_say(returned)}{when}: the house loses"


def _say(part: Fraction) -> str:
    return f"{100 * float(part):.6f} % of each bet, exactly {part}"
