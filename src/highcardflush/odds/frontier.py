"""The best simple rules: for each size, the rule with the lowest exact cost compared with the best play.

A rule has one threshold, two (the second for hands with N or more high side cards), or one for each number of high side
cards. The size of a rule is the number of ranks and numbers that it names. `J-high` has size 1, ten-nine (`T-9-2`, any
third card) 2, and `T-8-6` 3. The condition "two or more side cards of jack or higher" adds 2, and "for each side card
of jack or higher" adds 1. The rule of eleven has size 4: ten, jack, two and eleven. Always raising has size 1.

For each lowest rank of side cards, one pass over all hands gives the gain of a Raise over a fold for each flush and
number of side cards. The gain of a threshold is a sum from its flush upwards, so every threshold can be tried.
`game_odds` then counts the best rules again. A rule always makes the largest Raise. `largest_cost` is the cost of this
restriction if the best play makes a smaller Raise with some hands.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import accumulate, product
from typing import Annotated

from msgspec import Struct

from highcardflush.cards import RANKS
from highcardflush.odds.counting import DEALS, flushes
from highcardflush.odds.game import GameOdds, game_odds, summed
from highcardflush.odds.strategies import NAMED, SIDE_COUNTS, Strategy, find_strategy, flush_code, threshold_code
from highcardflush.odds.sums import Progress, count, questions
from highcardflush.rulebook.model import Rulebook
from highcardflush.units import HIDDEN, Code, Exact, Figure, Part

ELEVEN_SIZE = 4
SIDE_RANKS = "9TJQKA"
"""Candidates for the lowest rank of a counted side card. Side cards below nine carry no information."""
MOST_SIDE = 4
"""Maximum number of side cards with a three-card flush."""
Candidate = tuple[int, int, Strategy]
"""Size of a rule, its gain over folding every hand (in hundredths of the Ante, summed over all deals), and the rule."""


class Rule(Struct, frozen=True):
    """A rule on the frontier: no rule of the same size or smaller costs less."""

    size: int
    strategy: Annotated[Strategy, HIDDEN]
    odds: Annotated[GameOdds, HIDDEN]
    cost: Fraction
    """Cost compared with the best play, in Antes."""

    @property
    def name(self) -> Annotated[str, Figure(key="strategy")]:
        return self.strategy.name

    @property
    def title(self) -> Code:
        return self.strategy.title

    @property
    def side(self) -> Code | None:
        return self.strategy.side or None

    @property
    def thresholds(self) -> Annotated[list[str], Figure(key="raise")]:
        """Thresholds for raising, one for each number of counted side cards."""
        return list(self.strategy.by_side) or [self.strategy.threshold]

    @property
    def expected(self) -> Exact:
        return self.odds.expected

    @property
    def house_edge(self) -> Part:
        return self.odds.house_edge


def frontier(rulebook: Rulebook, progress: Progress | None = None) -> list[Rule]:
    """Return the best rules by size, smallest first."""
    candidates = sorted(_candidates(rulebook, progress), key=lambda candidate: (candidate[0], -candidate[1]))
    best, most, rules = game_odds(rulebook), None, list[Rule]()
    for size, gain, strategy in candidates:
        if most is None or gain > most:
            most = gain
            odds = game_odds(rulebook, strategy)
            if odds.expected != Fraction(gain, 100 * DEALS) - 1:
                raise AssertionError(f"search and price differ: {strategy}")
            rules.append(Rule(size, strategy, odds, best.expected - odds.expected))
    return rules


def largest_cost(rulebook: Rulebook) -> Fraction:
    """Return how much the best play loses if every Raise must be the largest one allowed."""
    best = game_odds(rulebook)
    if all(each.raised in (None, rulebook.raise_antes(each.cards)[1]) for each in best.choices):
        return Fraction(0)
    strategy = NAMED["optimal"]
    restricted = [question._replace(low=question.high) for question in questions(rulebook, strategy)]
    return best.expected - summed(rulebook, strategy, count(f"{rulebook.name}, the most", restricted)).expected


def _candidates(rulebook: Rulebook, progress: Progress | None) -> Iterator[Candidate]:
    """Yield the best rule of each kind and size."""
    for finished, rank in enumerate(SIDE_RANKS):
        if progress:
            progress(finished, len(SIDE_RANKS) + 1)
        gains = _gains(rulebook, rank)
        if not finished:
            yield 1, sum(_together(gains)), NAMED["always"]
            for size, (gain, text) in _bests(_together(gains)).items():
                yield size, gain, find_strategy(text.lower())
        yield from _conditions(gains, rank)
        yield from _by_count(gains, rank)
        if rank == NAMED["eleven"].side:
            codes = map(threshold_code, NAMED["eleven"].by_side)
            gain = sum(sum(row[_places()[code] :]) for row, code in zip(_rows(gains), codes, strict=True))
            yield ELEVEN_SIZE, gain, NAMED["eleven"]


def _together(rows: list[list[int]]) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)]


def _rows(gains: list[list[int]]) -> list[list[int]]:
    """Return one row for each number of side cards. The last row also covers larger numbers, which only shorter flushes
    allow."""
    return [*gains[:MOST_SIDE], _together(gains[MOST_SIDE:])]


def _conditions(gains: list[list[int]], rank: str) -> Iterator[Candidate]:
    """Yield rules with two thresholds: one for hands with few side cards, and one for hands with more."""
    for number in range(1, MOST_SIDE + 1):
        few, many = _together(gains[:number]), _together(gains[number:])
        for (size, (gain, low)), (more, (more_gain, high)) in product(_bests(few).items(), _bests(many).items()):
            title = f"Raise with {low} or better, or {high} with {number} or more side cards of {rank} or higher"
            name = f"{low}/{high}@{number}{rank}".lower()
            strategy = Strategy(name, title, low, side=rank, by_side=(low,) * number + (high,))
            yield 2 + size + more, gain + more_gain, strategy


def _by_count(gains: list[list[int]], rank: str) -> Iterator[Candidate]:
    """Yield rules with a threshold for each number of side cards."""
    for choice in product(*(_bests(row).items() for row in _rows(gains))):
        texts = tuple(text for _, (_, text) in choice)
        title = f"Raise with {', '.join(texts)} or better for 0 to {MOST_SIDE} side cards of {rank} or higher"
        size = 1 + sum(size for size, _ in choice)
        gain = sum(gain for _, (gain, _) in choice)
        yield size, gain, Strategy(f"{'/'.join(texts)}@{rank}".lower(), title, texts[0], side=rank, by_side=texts)


@cache
def _places() -> dict[int, int]:
    """Return each flush's index, keyed by its code. A threshold with one rank gets the index of its lowest flush."""
    places = {flush_code(flush): place for place, flush in enumerate(flushes())}
    return places | {threshold_code(f"{rank}-high"): places[threshold_code(f"{rank}-3-2")] for rank in RANKS[2:]}


def _gains(rulebook: Rulebook, rank: str) -> list[list[int]]:
    """Return the gain of a Raise over a fold, indexed by number of side cards of this rank or higher, then by flush."""
    from highcardflush.odds.kernel import length_pass  # numba is slow to import.

    never = Strategy("", "", "never", side=rank, by_side=("never",))
    gains: list[list[int]] = [[] for _ in range(SIDE_COUNTS)]
    for question in questions(rulebook, never):
        *_, gains_by_flush = length_pass(*question)
        for row, more in zip(gains, gains_by_flush.T.tolist(), strict=True):
            row.extend(more)
    return gains


def _bests(row: list[int]) -> dict[int, tuple[int, str]]:
    """For each number of ranks that a three-card threshold can name, return the gain and the text of the best such
    threshold."""
    sums, bests = list(accumulate(reversed(row)))[::-1], dict[int, tuple[int, str]]()
    for flush in flushes():
        if flush.length != 3:
            continue
        high, second, third = (RANKS[rank] for rank in range(12, -1, -1) if flush.ranks >> rank & 1)
        size = 1 if second + third == "32" else 2 if third == "2" else 3
        text = f"{high}-high" if size == 1 else f"{high}-{second}-{third}"
        gain = sums[_places()[flush_code(flush)]]
        if size not in bests or gain > bests[size][0]:
            bests[size] = gain, text
    return bests
