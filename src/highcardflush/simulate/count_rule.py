"""The best rule by one count, the most unseen cards of one suit: a threshold flush for each count.

Deals are random. For a player who knows the suits of the other hands, the gain of the largest Raise over a fold is
counted exactly for each deal and summed by the count and by the cards and highest rank of the best flush. The gain of a
threshold is a sum from its flush upwards, so the best of each count is found by trying all. `seen_odds` then measures
its value over other deals, because over these it would look better than it is.
"""

from __future__ import annotations

from functools import partial
from itertools import groupby

import numpy as np
from msgspec import Struct

from highcardflush.cards import RANKS, SUIT_SIZE
from highcardflush.odds.primitives import Array
from highcardflush.odds.seen import CountRule
from highcardflush.odds.strategies import flush_code
from highcardflush.rulebook.document import MAX_SEATS
from highcardflush.rulebook.model import Rulebook
from highcardflush.simulate import seen_kernel as at
from highcardflush.simulate.chunks import Pool, Progress, in_chunks, stream
from highcardflush.simulate.kernel import DECK, LENGTHS, deal
from highcardflush.simulate.seen import raise_limits

SHAPE = (SUIT_SIZE + 1, LENGTHS, SUIT_SIZE)


class GainTotals(Struct, frozen=True):
    """Sums over deals: gains by count, cards and highest rank."""

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
    """Return the thresholds that do best over these deals with this many other hands seen."""
    gather = partial(_gather, raise_limits(rulebook), flush_code(rulebook.qualifier), hands, seed)
    totals, interrupted = in_chunks(gather, GainTotals(0, np.zeros(SHAPE)), deals, threads, progress, pool)
    if interrupted:
        raise KeyboardInterrupt
    met = [(count, _best(gains)) for count, gains in enumerate(totals.gains) if gains.any()]
    firsts = (next(group) for _, group in groupby(met, lambda pair: pair[1]))
    return CountRule(dict(firsts))


def _gather(limits: Array, qualifier: int, other_hands: int, seed: int, chunk: int, deals: int) -> GainTotals:
    hands, gains = np.zeros((deals, MAX_SEATS + 1), dtype=np.uint64), np.zeros(SHAPE)
    deal(other_hands, stream(seed, chunk), DECK.copy(), hands)
    at.raise_gains(hands, other_hands, limits, np.uint64(qualifier), gains)
    return GainTotals(deals, gains)


def _best(gains: Array) -> str:
    """Return the threshold with the greatest sum of gains from it upwards."""
    places = [(cards, top) for cards in range(2, LENGTHS) for top in range(cards - 1, SUIT_SIZE)]
    sums = np.cumsum([gains[place] for place in reversed(places)])[::-1]
    best = int(np.argmax(sums))
    if sums[best] <= 0:
        return "never"
    return "always" if best == 0 else _threshold(*places[best])


def _threshold(cards: int, top: int) -> str:
    """Return the lowest flush of this length with this highest rank."""
    if cards == 3:
        return f"{RANKS[top]}-high"
    return "-".join(RANKS[rank] for rank in (top, *range(cards - 2, -1, -1)))
