"""Estimates the edge against a player who sees other hands or a dealer card and uses this information optimally.

Deals are random, but each deal is evaluated exactly (`simulate.seen_kernel`): the value of the best decision is its
mean over all remaining dealer hands. Two exact values remove most of the sampling error:

- A player who sees only their own hand has a habit: the best decision without further information. The mean value of
  the habit is the exact value of the game. Only the gain over the habit is sampled, and it is zero in most deals.
- The value of a deal to a player with this habit also has this exact mean. It is a control variate for the gain.

A counting rule chooses its threshold by the largest number of unseen cards of one suit. The best rule is also found
with random deals. The gain of the largest Raise over a fold, exact for a player who knows the suits of the other hands,
is summed for each such number and each length and highest rank of the best flush. The gain of a threshold is the sum
from its flush upwards, so every threshold is tried. `seen_odds` then measures the rule over other deals, because the
rule would look better than it is over the deals to which it was fitted.
"""

from functools import partial
from itertools import groupby
from math import sqrt

import numpy as np

from highcardflush.cards import RANKS, SUIT_SIZE
from highcardflush.errors import HcfError
from highcardflush.odds.game import game_odds
from highcardflush.odds.primitives import Array
from highcardflush.odds.seen import CountRule, SeenOdds, Sight, nothing_seen
from highcardflush.odds.strategies import flush_code
from highcardflush.rulebook.document import MAX_SEATS, PRINTED
from highcardflush.rulebook.model import Rulebook
from highcardflush.simulate import seen_kernel as at
from highcardflush.simulate.chunks import Pool, Progress, Totals, in_chunks, require_least, stream
from highcardflush.simulate.kernel import DECK, LENGTHS, deal

LEAST_DEALS = 1_000
"""Minimum number of deals. With fewer, the standard error is meaningless: the regression fits two deals perfectly."""
GAINS = (SUIT_SIZE + 1, LENGTHS, SUIT_SIZE)
"""Shape of an array of gains. Its axes: the number of unseen cards, the length of the flush, and its highest rank."""


def seen_odds(
    rulebook: Rulebook,
    sight: Sight,
    deals: int,
    seed: int = 0,
    threads: int = 1,
    rule: CountRule | None = None,
    progress: Progress | None = None,
    pool: Pool | None = None,
) -> SeenOdds:
    """Return the edge against a player who sees these cards and follows a rule or, without one, decides optimally.

    The best flush plays. `progress` receives the number of finished deals and the total. If interrupted, return the
    result so far. A `pool` replaces the threads.
    """
    require_least(deals=(deals, LEAST_DEALS), seed=(seed, 0), threads=(threads, 1))
    other_seats = rulebook.settings.seats - 1
    if sight.hands > other_seats:
        raise HcfError("hands seen", read=str(sight.hands), expected=f"0 to {other_seats}, the number of other seats")
    if rule and (sight.dealer_cards or sight.exposed_only):
        read = "a dealer's card" if sight.dealer_cards else "exposed cards"
        raise HcfError("cards seen", read=read, expected="other hands or their suits, because a rule counts only these")
    if sight.exposed_only and not (rulebook.expose == "required" or rulebook.exposing_ends_bet):
        expected = "a rulebook whose players lay straight flushes face up, such as atlantic-city or meadows"
        raise HcfError("exposed cards", read=rulebook.name, expected=expected)
    if sight.nothing and rule is None:
        return nothing_seen(rulebook, sight, seed)
    edge = game_odds(rulebook).house_edge
    weigh = partial(weigh_chunk, raise_limits(rulebook), sight, rule, seed, qualifier=flush_code(rulebook.qualifier))
    totals, interrupted = in_chunks(weigh, deals, threads, progress, pool)
    gain, error = estimate(totals, -float(edge))
    changes, folded = totals.mean(at.CHANGED), totals.mean(at.FOLDED)
    return SeenOdds(rulebook.name, sight, rule, seed, totals.rounds, edge, gain, error, changes, folded, interrupted)


def raise_limits(rulebook: Rulebook) -> Array:
    """Return the smallest and the largest Raise in Antes, for each length of the flush."""
    limits = np.zeros((2, LENGTHS))
    for cards in range(2, LENGTHS):
        limits[:, cards] = [float(antes) for antes in rulebook.raise_antes(cards)]
    return limits


def weigh_chunk(
    limits: Array, sight: Sight, rule: CountRule | None, seed: int, chunk: int, deals: int, *, qualifier: int = PRINTED
) -> Totals:
    """Deal and evaluate one chunk."""
    hands, tally = np.zeros((deals, MAX_SEATS + 1), dtype=np.uint64), np.zeros(at.TALLY)
    deal(sight.hands + sight.dealer_cards, stream(seed, chunk), DECK.copy(), hands)
    by_count = np.array(rule.codes if rule else [], dtype=np.int64)
    sights = (sight.hands, bool(sight.dealer_cards), sight.suits_only, sight.exposed_only)
    at.weigh(hands, *sights, limits, np.uint64(qualifier), by_count, tally)
    return Totals(deals, tuple(tally.tolist()))


def estimate(totals: Totals, mean: float) -> tuple[float, float]:
    """Return the mean gain and its standard error. `mean` is the habit's exact mean value."""
    gain, own_mean = totals.mean(at.GAIN), totals.mean(at.OWN)
    gains = totals.mean(at.GAIN_2) - gain * gain
    owns = totals.mean(at.OWN_2) - own_mean * own_mean
    both = totals.mean(at.GAIN_OWN) - gain * own_mean
    factor = both / owns if owns > 0.0 else 0.0
    return gain - factor * (own_mean - mean), sqrt(max(gains - factor * both, 0.0) / (totals.rounds - 1))


def find_rule(
    rulebook: Rulebook,
    hands: int,
    deals: int,
    seed: int = 0,
    threads: int = 1,
    progress: Progress | None = None,
    pool: Pool | None = None,
) -> CountRule:
    """Return the counting rule that gains the most over random deals, for a player who sees `hands` other hands."""
    gather = partial(_gather, raise_limits(rulebook), flush_code(rulebook.qualifier), hands, seed)
    totals, interrupted = in_chunks(gather, deals, threads, progress, pool)
    if interrupted:
        raise KeyboardInterrupt
    best = [(count, _best(gains)) for count, gains in enumerate(np.reshape(totals.tally, GAINS)) if gains.any()]
    return CountRule(dict(next(group) for _, group in groupby(best, lambda pair: pair[1])))


def _gather(limits: Array, qualifier: int, other_hands: int, seed: int, chunk: int, deals: int) -> Totals:
    hands, gains = np.zeros((deals, MAX_SEATS + 1), dtype=np.uint64), np.zeros(GAINS)
    deal(other_hands, stream(seed, chunk), DECK.copy(), hands)
    at.raise_gains(hands, other_hands, limits, np.uint64(qualifier), gains)
    return Totals(deals, tuple(gains.ravel().tolist()))


def _best(gains: Array) -> str:
    """Return the threshold with the greatest sum of gains from its flush upwards."""
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
