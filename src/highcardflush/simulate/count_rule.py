"""The best rule by one count: the most cards of one suit that are not seen, and for each count a flush to raise from.

Deals are drawn at random; what the largest Raise gains over a fold, for one who knows the suits of the other hands, is
counted exactly for each and added up by the count and by the cards and the highest rank of the best flush. What a
threshold gains is a sum from its flush upwards, so the best of each count is found by looking at all. Its worth is then
told by `seen_odds` over other deals: over these it would look better than it is.
"""

from __future__ import annotations

from functools import partial
from itertools import groupby

import numpy as np
from msgspec import Struct

from highcardflush.cards import RANKS, SUIT_SIZE
from highcardflush.odds.seen import CountRule
from highcardflush.odds.strategies import flush_code
from highcardflush.rulebook.model import MAX_SEATS, Rulebook
from highcardflush.simulate import seen_kernel as at
from highcardflush.simulate.chunks import Pool, Progress, in_chunks, stream
from highcardflush.simulate.kernel import DECK, LENGTHS, Array, deal
from highcardflush.simulate.seen import raise_limits

SHAPE = (SUIT_SIZE + 1, LENGTHS, SUIT_SIZE)


class GainTotals(Struct, frozen=True):
    """Deals added up: gains by count, cards and highest rank."""

    rounds: int
    gains: Array

    def plus(self, other: GainTotals) -> GainTotals:
        return GainTotals(self.rounds + other.rounds, self.gains + other.gains)


def find_rule(
    rulebook: Rulebook,
    hands: int,
    deals: int,
    seed: int = 0,
    threads: int = 1,
    progress: Progress | None = None,
    pool: Pool | None = None,
) -> CountRule:
    """The thresholds that do best over so many deals with so many other hands seen."""
    gather = partial(_gather, raise_limits(rulebook), flush_code(rulebook.qualifier), hands, seed)
    totals, interrupted = in_chunks(gather, GainTotals(0, np.zeros(SHAPE)), deals, threads, progress, pool)
    if interrupted:
        raise KeyboardInterrupt
    met = [(count, _best(gains)) for count, gains in enumerate(totals.gains) if gains.any()]
    firsts = (next(group) for _, group in groupby(met, lambda pair: pair[1]))
    return CountRule(dict(firsts))


def _gather(limits: Array, qualifier: int, others: int, seed: int, chunk: int, deals: int) -> GainTotals:
    hands, gains = np.zeros((deals, MAX_SEATS + 1), dtype=np.uint64), np.zeros(SHAPE)
    deal(others, stream(seed, chunk), DECK.copy(), hands)
    at.raise_gains(hands, others, limits, np.uint64(qualifier), gains)
    return GainTotals(deals, gains)


def _best(gains: Array) -> str:
    """The threshold with the greatest sum from it upwards."""
    places = [(cards, top) for cards in range(2, LENGTHS) for top in range(cards - 1, SUIT_SIZE)]
    sums = np.cumsum([gains[place] for place in reversed(places)])[::-1]
    best = int(np.argmax(sums))
    if sums[best] <= 0:
        return "never"
    return "always" if best == 0 else _threshold(*places[best])


def _threshold(cards: int, top: int) -> str:
    """The lowest flush of so many cards with this highest one."""
    if cards == 3:
        return f"{RANKS[top]}-high"
    return "-".join(RANKS[rank] for rank in (top, *range(cards - 2, -1, -1)))
