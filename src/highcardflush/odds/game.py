"""The whole game, exact: a rulebook and a strategy give every figure of the Ante and the Raise."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb, sqrt

from msgspec import Struct

from highcardflush.cards import DECK_SIZE, HAND_SIZE
from highcardflush.odds.hand import HandOdds
from highcardflush.odds.shapes import SHAPES
from highcardflush.odds.strategies import NAMED, Strategy, shape_thresholds
from highcardflush.ranking import FlushRank
from highcardflush.rulebook.model import Rulebook

HANDS = comb(DECK_SIZE, HAND_SIZE)
DEALER_HANDS = comb(DECK_SIZE - HAND_SIZE, HAND_SIZE)
DEALS = HANDS * DEALER_HANDS


class Choice(Struct, frozen=True):
    """All deals in which a flush of so many cards took one decision: `raised` is the Raise in Antes, None a fold."""

    cards: int
    raised: Fraction | None
    odds: HandOdds

    def nets(self) -> list[tuple[str, Fraction, int]]:
        """Each result with the net in Antes and its number of deals."""
        odds = self.odds
        if self.raised is None:
            return [("fold", Fraction(-1), odds.total)]
        bet = 1 + self.raised
        return [
            ("dealer does not qualify", Fraction(1), odds.not_qualified),
            ("win", bet, odds.win),
            ("tie", Fraction(0), odds.tie),
            ("lose", -bet, odds.lose),
        ]


class Decided(Struct, frozen=True):
    """How many hands with one best flush are raised and folded."""

    flush: FlushRank
    raised: int
    folded: int


class GameOdds(Struct, frozen=True):
    """The figures of a game. Units are Antes."""

    rulebook: str
    strategy: str
    choices: tuple[Choice, ...]
    decided: tuple[Decided, ...]

    def _mean(self, value: Callable[[Choice, Fraction], Fraction]) -> Fraction:
        whole = sum(
            (value(choice, net) * count for choice in self.choices for _, net, count in choice.nets()), Fraction(0)
        )
        return whole / DEALS

    @property
    def expected(self) -> Fraction:
        """What the player wins on average, in Antes."""
        return self._mean(lambda _, net: net)

    @property
    def house_edge(self) -> Fraction:
        return -self.expected

    @property
    def average_bet(self) -> Fraction:
        """Ante and Raise together."""
        return self._mean(lambda choice, _: 1 + (choice.raised or Fraction(0)))

    @property
    def element_of_risk(self) -> Fraction:
        """The house's part of all that is bet."""
        return self.house_edge / self.average_bet

    @property
    def variance(self) -> Fraction:
        return self._mean(lambda _, net: net * net) - self.expected * self.expected

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def fold_frequency(self) -> Fraction:
        return self._mean(lambda choice, _: Fraction(choice.raised is None))

    def zones(self) -> list[tuple[str, str, str, int]]:
        """The strategy from the lowest flush to the highest: decision, first and last flush, hands."""
        found: list[tuple[str, str, str, int]] = []
        for decided in self.decided:
            zone, ranks, hands = _zone(decided), decided.flush.short, decided.raised + decided.folded
            if found and found[-1][0] == zone:
                found[-1] = (zone, found[-1][1], ranks, found[-1][3] + hands)
            else:
                found.append((zone, ranks, ranks, hands))
        return found


def _zone(decided: Decided) -> str:
    if decided.raised and decided.folded:
        return "the other cards decide"
    return "always raise" if decided.raised else "always fold"


def raise_range(rulebook: Rulebook, cards: int) -> tuple[Fraction, Fraction]:
    """The smallest and largest Raise with a flush of so many cards, in Antes."""
    rule = rulebook.raise_
    high = Fraction(rule.maximum[str(cards)])  # type: ignore[index]
    low = {"exact": high, "multiples": Fraction(1), "between": Fraction(int(rulebook.settings.raise_minimum), 100)}
    return min(low[rule.kind], high), high


def game_odds(
    rulebook: Rulebook, strategy: Strategy | None = None, progress: Callable[[int, int], None] | None = None
) -> GameOdds:
    """Every deal of the game, with the best decisions or with a strategy's; `progress` is told hands done and all."""
    from highcardflush.odds.kernel import shape_pass  # numba takes its time to load

    strategy = strategy or NAMED["optimal"]
    choices: dict[tuple[int, Fraction | None], list[int]] = {}
    raised: dict[FlushRank, int] = {}
    folded: dict[FlushRank, int] = {}
    done = 0
    for number, threshold in enumerate(shape_thresholds(strategy)):
        cards = SHAPES[number][0]
        low, high = raise_range(rulebook, cards)
        outcomes, up, down = shape_pass(number, threshold, int(low * 100), int(high * 100))
        for multiple, row in zip((None, low, high), outcomes.tolist(), strict=True):
            counts = choices.setdefault((cards, multiple), [0] * 4)
            counts[:] = [have + more for have, more in zip(counts, row, strict=True)]
        for mask in range(len(up)):
            if up[mask] or down[mask]:
                flush = FlushRank(cards, mask)
                raised[flush] = raised.get(flush, 0) + int(up[mask])
                folded[flush] = folded.get(flush, 0) + int(down[mask])
        done += int(up.sum() + down.sum())
        if progress:
            progress(done, HANDS)
    return GameOdds(
        rulebook.name,
        strategy.name,
        tuple(
            Choice(cards, multiple, HandOdds(*counts))
            for (cards, multiple), counts in sorted(choices.items(), key=lambda item: (item[0][0], item[0][1] or -1))
            if sum(counts)
        ),
        tuple(Decided(flush, raised[flush], folded[flush]) for flush in sorted(raised)),
    )
