"""Exact figures of the whole main game (Ante and Raise) for a rulebook and a strategy."""

from collections import Counter
from fractions import Fraction
from itertools import groupby
from math import sqrt
from typing import Annotated

from msgspec import Struct

from highcardflush.odds.counting import DEALS, flush_hands, flushes
from highcardflush.odds.hand import RAISED, HandOdds
from highcardflush.odds.strategies import NAMED, Strategy, flush_code
from highcardflush.odds.sums import GameSums, Progress, game_sums
from highcardflush.ranking import MAIN_PAYS, FlushRank, Showdown
from highcardflush.rulebook.model import Rulebook
from highcardflush.units import HIDDEN, Count, Exact, Figure, Number, Part
from highcardflush.words.en import ZoneDecision


class Choice(Struct, frozen=True):
    """All deals with one decision and a flush of this length. `raised` is the Raise in Antes, or `None` for a fold."""

    cards: int
    raised: Fraction | None
    odds: HandOdds

    def nets(self) -> list[tuple[Showdown, Fraction, int]]:
        """Return each case with its net in Antes and its number of deals."""
        if self.raised is None:
            return [("fold", Fraction(-1), self.odds.total)]
        cases = zip(RAISED, self.odds.counts, strict=True)
        return [(case, MAIN_PAYS[case][0] + MAIN_PAYS[case][1] * self.raised, count) for case, count in cases]


class FlushCounts(Struct, frozen=True):
    """For one best flush, the number of its hands that are raised and the number that are folded."""

    flush: Annotated[FlushRank, Figure("code", "flush, given by its ranks")]
    raised: int
    folded: Annotated[int, Figure("count", "number of hands that the best play folds")]

    @property
    def decision(self) -> ZoneDecision:
        if self.raised and self.folded:
            return "other-cards"
        return "raise" if self.raised else "fold"


class Zone(Struct, frozen=True):
    """Consecutive flushes with the same decision, and how many of their hands are raised and how many folded."""

    decision: Annotated[ZoneDecision, Figure("code", "best play in a zone")]
    first: Annotated[FlushRank, Figure("code", "lowest flush of a zone, given by its ranks")]
    last: Annotated[FlushRank, Figure("code", "highest flush of a zone, given by its ranks")]
    raised: int
    folded: int

    @property
    def hands(self) -> Count:
        return self.raised + self.folded


class GameOdds(Struct, frozen=True):
    """Figures of a game, in Antes."""

    rulebook: str
    strategy: str
    choices: Annotated[tuple[Choice, ...], HIDDEN]
    flushes: Annotated[tuple[FlushCounts, ...], HIDDEN]

    def nets(self) -> list[tuple[Showdown, Fraction, int]]:
        """Return the cases of all choices, each with its net in Antes and its number of deals."""
        return [case for choice in self.choices for case in choice.nets()]

    def deals(self) -> Counter[Showdown]:
        """Return the number of deals for each outcome."""
        deals = Counter[Showdown]()
        for case, _, count in self.nets():
            deals[case] += count
        return deals

    @property
    def expected(self) -> Exact:
        """Player's mean net result, in Antes."""
        return sum((net * count for _, net, count in self.nets()), Fraction(0)) / DEALS

    @property
    def house_edge(self) -> Part:
        return -self.expected

    @property
    def average_bet(self) -> Part:
        """Mean total of Ante and Raise, in Antes."""
        raised = sum(((each.raised or Fraction(0)) * each.odds.total for each in self.choices), Fraction(0))
        return 1 + raised / DEALS

    @property
    def element_of_risk(self) -> Part:
        """Fraction of all money bet that the house keeps."""
        return self.house_edge / self.average_bet

    @property
    def variance(self) -> Part:
        square = sum((net * net * count for _, net, count in self.nets()), Fraction(0)) / DEALS
        return square - self.expected * self.expected

    @property
    def standard_deviation(self) -> Number:
        return sqrt(self.variance)

    @property
    def fold_frequency(self) -> Part:
        return Fraction(self.deals()["fold"], DEALS)

    def zones(self) -> list[Zone]:
        """Return the zones of the strategy, from the lowest flush to the highest."""
        zones = []
        for decision, members in groupby(self.flushes, lambda counts: counts.decision):
            flushes = list(members)
            raised, folded = sum(each.raised for each in flushes), sum(each.folded for each in flushes)
            zones.append(Zone(decision, flushes[0].flush, flushes[-1].flush, raised, folded))
        return zones


def game_odds(rulebook: Rulebook, strategy: Strategy | None = None, progress: Progress | None = None) -> GameOdds:
    """Return the figures of all deals under a strategy. The default strategy is the best play."""
    strategy = strategy or NAMED["optimal"]
    return summed(rulebook, strategy, game_sums(rulebook, strategy, progress))


def summed(rulebook: Rulebook, strategy: Strategy, sums: GameSums) -> GameOdds:
    """Compute the figures of a game from its sums."""
    folded = [sums.folded.get(flush_code(flush), 0) for flush in flushes()]
    return GameOdds(
        rulebook.name,
        strategy.name,
        tuple(
            Choice(cards, None if size is None else Fraction(size, 100), HandOdds(*counts))
            for cards, size, counts in sums.choices
        ),
        tuple(map(FlushCounts, flushes(), map(int.__sub__, flush_hands(), folded), folded)),
    )
