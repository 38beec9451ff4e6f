"""What it is worth to see other hands, or a card of the dealer: the edge against one who plays best on what is seen.

Deals are drawn at random, but each is weighed exactly (`simulate.seen_kernel`): the value of the best decision, over
all of the dealer's hands that are left. Two things known exactly take away most of the error:

- Who sees no more than the own hand has a habit, the decision that is best then. On average over all deals the habit
  is worth the exact value of the game, so only the gain over it is sampled, and that is zero in most deals.
- The hand's own value to such a player has that same exact mean: a sample whose hands are better or worse than the
  mean is put right by it (a control variate, its factor the regression of the gain on it).
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import sqrt

import numpy as np
from msgspec import Struct

from highcardflush.cards import SUIT_SIZE
from highcardflush.errors import HcfError, TextError
from highcardflush.odds.game import game_odds
from highcardflush.odds.strategies import OPTIMAL, flush_code, threshold_code
from highcardflush.rulebook.model import MAX_SEATS, Rulebook
from highcardflush.rulebook.qualifier import PRINTED
from highcardflush.simulate import seen_kernel as at
from highcardflush.simulate.chunks import Pool, Progress, in_chunks, stream
from highcardflush.simulate.kernel import DECK, LENGTHS, Array, deal


class Sight(Struct, frozen=True):
    """What a player sees beside the own hand."""

    hands: int
    """Other players' hands."""
    dealer_cards: int = 0
    """Cards of the dealer, none or one."""
    suits_only: bool = False
    """Whether of the other hands only the suits are known, all together: how many cards of each."""

    exposed_only: bool = False
    """Whether of the other hands only those straight flushes are seen that atlantic-city and meadows lay face up."""

    def __post_init__(self) -> None:
        if self.exposed_only and (self.suits_only or self.dealer_cards):
            raise HcfError("exposed cards", read="something else seen too", expected="nothing but them")
        for name, value, most in (("hands", self.hands, MAX_SEATS - 1), ("dealer cards", self.dealer_cards, 1)):
            if not 0 <= value <= most:
                raise HcfError(f"{name} seen", read=str(value), expected=f"0 to {most}")

    @property
    def nothing(self) -> bool:
        return not self.hands and not self.dealer_cards


class CountRule(Struct, frozen=True):
    """From which flush on to raise, by one count: the most cards of one suit that the player does not see.

    A threshold holds from its count up to the next one, the first for all smaller counts too. A Raise is the largest.
    """

    thresholds: dict[int, str]

    @classmethod
    def parse(cls, text: str) -> CountRule:
        """A rule such as `3:always 4:J-high 5:K-high 6:5-4-3-2 7:never`."""
        pairs = [word.split(":") for word in text.split()]
        counts = [int(pair[0]) for pair in pairs if len(pair) == 2 and pair[0].isascii() and pair[0].isdigit()]
        if not pairs or len(counts) < len(pairs) or counts != sorted(set(counts)) or counts[-1] > SUIT_SIZE:
            expected = f"COUNT:THRESHOLD by rising count up to {SUIT_SIZE}, such as 3:always 4:J-high 5:K-high 7:never"
            raise TextError("rule", read=repr(text), expected=expected)
        rule = cls({count: threshold for count, (_, threshold) in zip(counts, pairs, strict=True)})
        if OPTIMAL in rule.codes:
            raise TextError("rule", read="optimal", expected="a flush from which on to raise, always or never")
        return rule

    @property
    def codes(self) -> list[int]:
        """The threshold of each count from 0 on, as a number."""
        named = {count: threshold_code(threshold) for count, threshold in self.thresholds.items()}
        first = min(named)
        return [named[max((c for c in named if c <= count), default=first)] for count in range(SUIT_SIZE + 1)]

    def __str__(self) -> str:
        return " ".join(f"{count}:{threshold}" for count, threshold in self.thresholds.items())


class SeenTotals(Struct, frozen=True):
    """Deals added up; see the kernel for the places in `tally`."""

    rounds: int
    tally: tuple[float, ...] = (0.0,) * at.TALLY

    def plus(self, other: SeenTotals) -> SeenTotals:
        tally = tuple(mine + more for mine, more in zip(self.tally, other.tally, strict=True))
        return SeenTotals(self.rounds + other.rounds, tally)

    def mean(self, place: int) -> float:
        return self.tally[place] / self.rounds


class SeenOdds(Struct, frozen=True):
    """The house's edge against a player who sees more, in Antes."""

    rulebook: str
    sight: Sight
    rule: CountRule | None
    """By which the player decides; None: by the best decision."""
    seed: int
    deals: int
    """Sampled; none where the edge is exact."""
    unseen: Fraction
    """The exact edge if nothing is seen."""
    gain: float
    """What seeing is worth to the player, over the best play with nothing seen."""
    standard_error: float
    changed: float
    """The part of deals in which another decision is made than with nothing seen, and is not worth the same."""
    fold_frequency: float
    interrupted: bool = False

    @property
    def sampled(self) -> bool:
        return bool(self.deals)

    @property
    def edge(self) -> float:
        return float(self.unseen) - self.gain


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
    """The edge when one player sees so much and decides best, the best flush played; or decides by a rule.

    The best decisions are exact where nothing is seen.
    `progress` is told deals done and all. An interrupt ends the run and gives the result so far. A `pool` works
    instead of threads.
    """
    for name, value, least in (("deals", deals, 2), ("seed", seed, 0), ("threads", threads, 1)):
        if value < least:
            raise HcfError(name, read=str(value), expected=f"{least} or more")
    others = rulebook.settings.seats - 1
    if sight.hands > others:
        raise HcfError("hands seen", read=str(sight.hands), expected=f"0 to {others}, as many as other seats")
    if rule and (sight.dealer_cards or sight.exposed_only):
        read = "a card of the dealer" if sight.dealer_cards else "exposed cards"
        raise HcfError("what is seen", read=read, expected="other hands or their suits: a rule counts these alone")
    game = game_odds(rulebook)
    edge = game.house_edge
    if sight.nothing and rule is None:
        return SeenOdds(rulebook.name, sight, rule, seed, 0, edge, 0.0, 0.0, 0.0, float(game.fold_frequency))
    weigh = partial(weigh_chunk, raise_limits(rulebook), sight, rule, seed, qualifier=flush_code(rulebook.qualifier))
    totals, interrupted = in_chunks(weigh, SeenTotals(0), deals, threads, progress, pool)
    gain, error = estimate(totals, -float(edge))
    changed, folded = totals.mean(at.CHANGED), totals.mean(at.FOLDED)
    return SeenOdds(rulebook.name, sight, rule, seed, totals.rounds, edge, gain, error, changed, folded, interrupted)


def raise_limits(rulebook: Rulebook) -> Array:
    """The smallest and the largest Raise in Antes, by length."""
    limits = np.zeros((2, LENGTHS))
    for cards in range(2, LENGTHS):
        limits[:, cards] = [float(antes) for antes in rulebook.raise_antes(cards)]
    return limits


def weigh_chunk(
    limits: Array,
    sight: Sight,
    rule: CountRule | None,
    seed: int,
    chunk: int,
    deals: int,
    *,
    qualifier: int = PRINTED,
) -> SeenTotals:
    """Deal and weigh one chunk."""
    hands, tally = np.zeros((deals, MAX_SEATS + 1), dtype=np.uint64), np.zeros(at.TALLY)
    deal(sight.hands + sight.dealer_cards, stream(seed, chunk), DECK.copy(), hands)
    by_count = np.array(rule.codes if rule else [], dtype=np.int64)
    sights = (sight.hands, bool(sight.dealer_cards), sight.suits_only, sight.exposed_only)
    at.weigh(hands, *sights, limits, np.uint64(qualifier), by_count, tally)
    return SeenTotals(deals, tuple(tally.tolist()))


def estimate(totals: SeenTotals, mean: float) -> tuple[float, float]:
    """The mean gain and its standard error; `mean` is the exact mean of the hands' own values."""
    gain, own = totals.mean(at.GAIN), totals.mean(at.OWN)
    gains = totals.mean(at.GAIN_2) - gain * gain
    owns = totals.mean(at.OWN_2) - own * own
    both = totals.mean(at.GAIN_OWN) - gain * own
    factor = both / owns if owns > 0.0 else 0.0
    return gain - factor * (own - mean), sqrt(max(gains - factor * both, 0.0) / (totals.rounds - 1))
