"""Exact numbers of hands (out of 133,784,560) that the lines of a pay table pay, and the return of the side bet.

A hand is below a line exactly when each of its suits is below it (`rulebook.wagers`). The coefficients of each suit's
polynomial (`odds.counting`) are the numbers of masks below the line, one for each number of cards.

The unit is one bet, and a return includes the stake. A line returns its pay + 1 if the bet pays to 1, and only its pay
if the bet pays for 1. A percentage line returns its share of the meter, expressed in bets. With a Dynamic table, the
drawn lines and their pays are also random, and `dynamic_returns` gives the distribution over all draws.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import comb, sqrt

from msgspec import Struct

from highcardflush.cards import HAND_SIZE
from highcardflush.odds.counting import HANDS, HELD, SUITS, add_up, ways
from highcardflush.rulebook.paytable import Line, PayTable
from highcardflush.rulebook.wagers import SIDE_BETS, Match, Reach


class LineOdds(Struct, frozen=True):
    """One line: the number of hands that it pays, and the mean and mean square of the return of a bet of 1."""

    line: Line
    combinations: int
    returned: Fraction
    squared: Fraction

    @property
    def probability(self) -> Fraction:
        return Fraction(self.combinations, HANDS)


class TableOdds(Struct, frozen=True):
    """Figures of a pay table for given amounts in the meters."""

    table: PayTable
    lines: tuple[LineOdds, ...]
    envy: Fraction = Fraction(0)
    """Mean return that a bet gets from Envy Pays for the other players' hands."""

    def at(self, reach: Reach) -> LineOdds | None:
        """Return the line that pays a hand with this reach, or `None`."""
        line = self.table.line_at(reach)
        return None if line is None else self.lines[self.table.lines.index(line)]

    @property
    def returned(self) -> Fraction:
        """Mean return of a bet of 1, including Envy Pays."""
        return sum((line.returned * line.probability for line in self.lines), self.envy)

    @property
    def house_edge(self) -> Fraction:
        return 1 - self.returned

    @property
    def hit_frequency(self) -> Fraction:
        return sum((line.probability for line in self.lines), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """Variance of the return on the player's own hand, without Envy Pays."""
        mean = self.returned - self.envy
        return sum((line.squared * line.probability for line in self.lines), Fraction(0)) - mean * mean

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)


def line_combinations(table: PayTable) -> list[int]:
    """Return the number of hands that each line pays, in the table's order."""
    bet = SIDE_BETS[table.wager]
    reached = [HANDS - _hands_below(bet.match, line.reach) for line in table.lines]
    return [count - above for count, above in zip(reached, [0, *reached], strict=False)]


@lru_cache
def _hands_below(match: Callable[[int], Match], bound: Reach) -> int:
    """Return the number of hands that do not reach a line."""
    sizes = [0] * (HAND_SIZE + 1)
    for mask in HELD:
        sizes[mask.bit_count()] += match(mask).reach < bound
    return ways([sizes] * SUITS)


def table_returns(odds: TableOdds) -> dict[Fraction, Fraction]:
    """Return the probability of each return of a bet of 1 without Envy Pays. Each Dynamic Pay is a separate return."""
    paid = [(value, chance * each.probability) for each in odds.lines for value, chance in line_returns(each)]
    return add_up([(Fraction(0), 1 - odds.hit_frequency), *paid])


def line_returns(odds: LineOdds) -> list[tuple[Fraction, Fraction]]:
    """Return the possible returns of a bet of 1 on a line, each with its probability."""
    if not odds.line.dynamic:
        return [(odds.returned, Fraction(1))]
    return list(zip(map(Fraction, (odds.line.pay_for_1, *odds.line.dynamic)), pay_chances(odds.line), strict=True))


def table_odds(
    table: PayTable, meters: dict[str, Fraction] | None = None, seats: int = 1, cap: Fraction | None = None
) -> TableOdds:
    """Return a pay table's figures. `meters` gives the meters' amounts and `cap` a hand's maximum pay, in bets."""
    lines = tuple(
        _line_odds(table, line, count, meters or {}, cap)
        for line, count in zip(table.lines, line_combinations(table), strict=True)
    )
    envy = sum((line.line.envy * line.probability for line in lines), Fraction(0)) * (seats - 1)
    return TableOdds(table, lines, envy)


def _line_odds(table: PayTable, line: Line, count: int, meters: dict[str, Fraction], cap: Fraction | None) -> LineOdds:
    if line.percent_bp is not None:
        value = Fraction(line.percent_bp, 10_000) * meters.get(line.meter, Fraction(0))
        return LineOdds(line, count, value, value * value)
    stake = 1 if table.pays == "to 1" else 0
    values = [
        stake + (Fraction(pay) if cap is None else min(Fraction(pay), cap)) for pay in (line.pay_for_1, *line.dynamic)
    ]
    mean, square = (
        sum((value**power * chance for value, chance in zip(values, pay_chances(line), strict=True)), Fraction(0))
        for power in (1, 2)
    )
    return LineOdds(line, count, mean, square)


def pay_chances(line: Line) -> list[Fraction]:
    """Return the probabilities of a line's default pay and each Dynamic Pay. A line is drawn with probability 1/2."""
    pays = len(line.dynamic)
    return [Fraction(1, 2), *[Fraction(1, 2 * pays)] * pays] if pays else [Fraction(1)]


def dynamic_returns(table: PayTable) -> dict[Fraction, Fraction]:
    """Return the probability of each mean return that a round's draw can lead to. Only fixed pays are counted."""
    lines = table.dynamic_lines
    counts = dict(zip((line.name for line in table.lines), line_combinations(table), strict=True))
    fixed = sum(line.pay_for_1 * counts[line.name] for line in lines)
    chances: dict[int, Fraction] = {}
    for count in range(1, len(lines)):
        chance = Fraction(1, (len(lines) - 1) * comb(len(lines), count))
        for choice in combinations(lines, count):
            for pays in product(*(line.dynamic for line in choice)):
                more = sum((pay - line.pay_for_1) * counts[line.name] for line, pay in zip(choice, pays, strict=True))
                chances[fixed + more] = chances.get(fixed + more, Fraction(0)) + chance / 10**count
    return {Fraction(value, HANDS): chance for value, chance in sorted(chances.items())}
