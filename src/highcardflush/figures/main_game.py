"""The figures of the main game: best play, other strategies, other settings of the smallest Raise, and sessions."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from highcardflush.cards import FULL_DECK
from highcardflush.figures.spread import Hold, Session, session
from highcardflush.odds import NAMED
from highcardflush.odds.counting import DEALS, HANDS
from highcardflush.odds.game import FlushCounts, GameOdds, game_odds
from highcardflush.odds.hand import dealer_hands_below
from highcardflush.odds.risk import main_nets
from highcardflush.ranking import FlushRank, Showdown
from highcardflush.rulebook import Rulebook
from highcardflush.rulebook.document import Multiple

SESSIONS = (100, 1_000, 10_000)
Tell = Callable[[str], None]


class RaiseMinima(Struct, frozen=True):
    """House edge for each setting of the smallest Raise, if the rulebook leaves it open."""

    in_force: Fraction
    edges: dict[Fraction, Fraction]

    @property
    def turn(self) -> Fraction | None:
        """Lowest setting of the smallest Raise that gives the house an edge."""
        return next((minimum for minimum, edge in self.edges.items() if edge > 0), None)


class MainGame(Struct, frozen=True, kw_only=True):
    qualifier: FlushRank
    best: GameOdds
    strategies: tuple[GameOdds, ...]
    minima: RaiseMinima | None
    sessions: tuple[Session, ...]

    @property
    def frequencies(self) -> dict[Showdown, Fraction]:
        return {result: Fraction(count, DEALS) for result, count in self.best.deals().items()}

    @property
    def win_frequency(self) -> Fraction:
        """Frequency with which the Ante is paid, because the dealer does not qualify or the player wins."""
        return self.frequencies["not-qualified"] + self.frequencies["win"]

    @property
    def dealer_qualifies(self) -> Fraction:
        """Probability that the dealer qualifies, before any cards are known."""
        return 1 - Fraction(dealer_hands_below(FULL_DECK.suits, self.qualifier), HANDS)

    @property
    def flush_lengths(self) -> dict[int, int]:
        """Number of hands, out of 133,784,560, for each length of the longest flush."""
        counts = Counter[int]()
        for each in self.best.flushes:
            counts[each.flush.length] += each.raised + each.folded
        return dict(counts)

    @property
    def hold(self) -> Hold:
        return Hold(self.best.house_edge, self.best.standard_deviation, tuple(main_nets(self.best).items()))

    @property
    def other_cards_decide(self) -> list[FlushCounts]:
        return [counts for counts in self.best.flushes if counts.decision == "other-cards"]


def main_game(rulebook: Rulebook, tell: Tell) -> MainGame:
    tell("main game, every hand")
    best, strategies = game_odds(rulebook), []
    for strategy in NAMED.values():
        tell(f"strategy {strategy.name}")
        strategies.append(best if strategy.name == best.strategy else game_odds(rulebook, strategy))
    return MainGame(
        qualifier=rulebook.qualifier,
        best=best,
        strategies=tuple(strategies),
        minima=_raise_minima(rulebook, tell) if rulebook.raise_.minimum_open else None,
        sessions=tuple(session(main_nets(best), rounds) for rounds in SESSIONS),
    )


def _raise_minima(rulebook: Rulebook, tell: Tell) -> RaiseMinima:
    """Return the edge for smallest Raises in steps of 0.1, and for the two hundredths between which it changes sign."""

    def edge(hundredths: int) -> Fraction:
        tell(f"smallest Raise {hundredths / 100:g}x")
        settings = replace(rulebook.settings, raise_minimum=Multiple(hundredths))
        return game_odds(replace(rulebook, settings=settings)).house_edge

    edge_by_minimum = {minimum: edge(minimum) for minimum in range(0, 101, 10)}
    low = max((minimum for minimum, value in edge_by_minimum.items() if value < 0), default=0)
    high = min((minimum for minimum, value in edge_by_minimum.items() if value >= 0), default=low)
    while high - low > 1:
        middle = (low + high) // 2
        edge_by_minimum[middle] = edge(middle)
        low, high = (middle, high) if edge_by_minimum[middle] < 0 else (low, middle)
    listed = [minimum for minimum in edge_by_minimum if minimum % 10 == 0 or minimum in (low, high)]
    edges = {Fraction(each, 100): edge_by_minimum[each] for each in sorted(listed)}
    return RaiseMinima(Fraction(int(rulebook.settings.raise_minimum), 100), edges)
