"""Side bets as data for the pages: their names, and the hands that they pay for.

A page names, places and checks a side bet from this data alone, so that a new entry of `SIDE_BETS` needs no script.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from highcardflush.cards import RANKS, SUIT_MASK
from highcardflush.ranking import SMALLEST_STRAIGHT
from highcardflush.rulebook import Rulebook
from highcardflush.rulebook.wagers import SIDE_BETS, SideBet, straight_flush_match


def side_bets_data(*books: Rulebook) -> dict[str, dict[str, Any]]:
    """Describe every side bet that one of these rulebooks offers or has a pay table for."""
    names = {table.wager for book in books for table in book.paytables.values()}
    names |= {offer.wager for book in books for offer in book.offers}
    return {name: _side_bet_data(bet) for name, bet in SIDE_BETS.items() if name in names}


@cache
def _side_bet_data(bet: SideBet) -> dict[str, Any]:
    counts, ranks = _rule(bet)
    return {
        "title": bet.title,
        "noun": bet.noun,
        "key": bet.key,
        "counts": counts,
        "ranks": "".join(rank for at, rank in enumerate(RANKS) if ranks >> at & 1),
        "smallest": SMALLEST_STRAIGHT if counts == "run" else 1,
        "shown": bet.shown,
        "jackpot": bet.jackpot,
    }


def _rule(bet: SideBet) -> tuple[str | None, int]:
    """Find the rule that gives the bet's match for every set of ranks, and the ranks that count."""
    if all(bet.match(mask) == straight_flush_match(mask) for mask in range(SUIT_MASK + 1)):
        return "run", SUIT_MASK
    ranks = sum(1 << at for at in range(len(RANKS)) if bet.match(1 << at).cards)
    if all(bet.match(mask) == ((mask & ranks).bit_count(), 0) for mask in range(SUIT_MASK + 1)):
        return "cards", ranks
    return None, SUIT_MASK
