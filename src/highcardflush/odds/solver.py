"""Finds every pay table with whole pays within bounds that has the required edge, hit frequency and volatility.

A table's return is a sum with one term per line. The search first chooses the seeds and rates of a progressive's
meters. It then chooses a pay for each line, lowest first, because low lines are hit often and have the largest effect.
After each choice, it knows the minimum and maximum that the lines above can add: the minimum if each has its smallest
pay that is not below the chosen pay, the maximum if each has its largest pay. A choice is pruned if the required range
is out of reach. Both bounds rise with the pay, so the pays to try are consecutive, and bisection finds the first.

All numbers are ints: values in bets, multiplied by the number of hands and by a common denominator. Each listed
solution is priced again by the code of `hcf odds paytable`, and the two results must agree.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import reduce
from itertools import islice, product
from math import ceil, floor, lcm, prod
from typing import Annotated, NamedTuple

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from highcardflush.money import WHOLE_BP
from highcardflush.odds.counting import HANDS
from highcardflush.odds.paytable import table_odds
from highcardflush.odds.progressive import seed_cost
from highcardflush.odds.sums import Progress
from highcardflush.odds.wanted import Order, Wanted
from highcardflush.odds.whatif import Figures, bonus_figures, progressive_figures, within
from highcardflush.rulebook.paytable import MeterFigures, PayTable
from highcardflush.units import HIDDEN, Code, Figure, Number, Part

EXTRA_SOLUTIONS = 1000
"""Number of additional solutions that are stored before the worst are dropped."""


class Sums(NamedTuple):
    """Sums over parts of a table: long-run return, return and squared return at the seeds, and number of hands paid."""

    long: int
    own: int
    square: int
    hits: int

    def plus(self, other: "Sums") -> "Sums":
        return Sums(self[0] + other[0], self[1] + other[1], self[2] + other[2], self[3] + other[3])


NOTHING = Sums(0, 0, 0, 0)


class MeterRates(Struct, frozen=True):
    """Seed of a meter, and the fractions of each bet that feed the meter and its reserve."""

    seed_cents: int
    rate: float
    reserve_rate: float


class Solution(Struct, frozen=True):
    """A pay table that meets the requirements, with its figures."""

    pays: Annotated[tuple[int, ...], HIDDEN]
    """Pay of each line; 0 if a meter pays the line or the line is left out."""
    meters: Annotated[tuple[MeterFigures, ...], HIDDEN]
    figures: Annotated[Figures, HIDDEN]

    @property
    def lines(self) -> Code:
        """Pays in the format of `hcf odds paytable --lines`."""
        lines = self.figures.table.lines
        return " ".join(f"{line.cards}{'A' if line.ace_high else ''}:{line.pay}" for line in lines)

    @property
    def pay(self) -> Annotated[dict[str, int | str], Figure()]:
        return {line.name: line.pay for line in self.figures.odds.table.lines}

    @property
    def hit_frequency(self) -> Part:
        return self.figures.odds.hit_frequency

    @property
    def standard_deviation(self) -> Number:
        return self.figures.odds.standard_deviation

    @property
    def variance(self) -> Part:
        return self.figures.odds.variance

    @property
    def edge_at_seed(self) -> Part | UnsetType:
        return self.figures.odds.house_edge if self.meters else UNSET

    @property
    def meter_figures(self) -> Annotated[dict[str, MeterRates] | UnsetType, Figure(key="meters")]:
        rows = {
            name: MeterRates(int(each.seed or 0), (each.rate or 0) / WHOLE_BP, (each.reserve_rate or 0) / WHOLE_BP)
            for name, each in self.figures.table.meters.items()
        }
        return rows or UNSET

    @property
    def edge(self) -> Part:
        """House edge; for a progressive, its long-run edge."""
        progressive = self.figures.progressive
        if progressive is None:
            return self.figures.odds.house_edge
        assert progressive.long_run is not None
        return 1 - progressive.long_run


class Solved(Struct, frozen=True):
    """The first solutions in the required order, and the total number of solutions."""

    wanted: Wanted
    solutions: tuple[Solution, ...]
    count: int
    tried: Annotated[int, Figure(key="choices_tried")]
    """Number of pays that were tried."""
    complete: bool
    """False if the search was interrupted. `count` then includes only the solutions found so far."""

    @property
    def wager(self) -> Code:
        return self.wanted.table.wager

    @property
    def pays(self) -> Code:
        return self.wanted.table.pays

    @property
    def order(self) -> Code:
        return self.wanted.order


def solve(wanted: Wanted, progress: Progress | None = None) -> Solved:
    """Search all tables. If the search is interrupted, return the result so far."""
    search = _Search(wanted, progress)
    try:
        search.run()
        complete = True
    except KeyboardInterrupt:
        complete = False
    return Solved(wanted, tuple(map(search.priced, search.best())), search.count, search.tried, complete)


def price(wanted: Wanted, table: PayTable) -> Figures:
    """Return the figures of a pay table, as in `hcf odds paytable`."""
    if wanted.jackpot:
        return progressive_figures(within(table), table, seats=wanted.seats)
    return bonus_figures(within(table), table)


class _Adds(NamedTuple):
    """Amounts that one choice adds to the sums, in bets times hands, before they are scaled to ints."""

    long: Fraction
    own: Fraction
    square: Fraction
    hits: int

    def scaled(self, scale: int) -> Sums:
        return Sums(int(self.long * scale), int(self.own * scale), int(self.square * scale), self.hits)


class _Part(NamedTuple):
    """One line: its possible pays, and the sums that each pay adds."""

    pays: tuple[int, ...]
    adds: list[Sums]
    long: list[int]
    least: list[Sums | None]
    """For each pay of this line, the minimum sums that the lines above add; `None` if a line above has no pay that is
    high enough."""
    most: Sums
    """Maximum sums that the lines above can add."""


def _line_adds(wanted: Wanted) -> list[list[_Adds]]:
    """Return, for each line with a fixed pay, what each possible pay adds to the sums. The lowest line comes first."""
    # The return is linear in the pay and the squared return is quadratic, so the sums for three pays are enough.
    tables = [
        table_odds(replace(table, lines=tuple(replace(line, pay=pay) for line in table.lines)))
        for table, pay in ((wanted.table, 0), (wanted.table, 1), (wanted.table, 2))
    ]
    lines_added = []
    for pays, *lines in zip(wanted.pays, *(odds.lines for odds in tables), strict=True):
        if pays:
            count, first = lines[0].combinations, lines[0].returned
            rise = lines[1].returned - first
            s0, s1, s2 = (line.squared for line in lines)
            bend = (s2 - 2 * s1 + s0) / 2
            slope = s1 - s0 - bend
            lines_added.append([
                _Adds(back := count * (first + rise * pay), back, count * (s0 + (slope + bend * pay) * pay), count)
                if pay
                else _Adds(Fraction(0), Fraction(0), Fraction(0), 0)
                for pay in pays
            ])  # fmt: skip
    return lines_added[::-1]


def _meter_adds(wanted: Wanted) -> Iterator[_Adds]:
    """Yield what each choice of seeds and rates adds to the sums. Only the long-run sum has rates and seed costs."""
    lines = [
        line
        for line in table_odds(wanted.table, dict.fromkeys(wanted.meters, Fraction(1))).lines
        if line.line.percent_bp is not None
    ]
    hits = sum(line.combinations for line in lines)
    for figures in product(*wanted.meters.values()):
        long = own = square = Fraction(0)
        for name, meter in zip(wanted.meters, figures, strict=True):
            seed, rate, reserve = Fraction(meter.seed or 0, 100), meter.rate or 0, meter.reserve_rate or 0
            paid = [line for line in lines if line.line.meter == name]
            whole = sum(line.combinations for line in paid if line.line.percent_bp == WHOLE_BP)
            cost = seed_cost(Fraction(whole, HANDS) * seed, Fraction(reserve, WHOLE_BP))
            long += (Fraction(rate + reserve, WHOLE_BP) + cost) * HANDS
            own += sum((line.combinations * line.returned * seed for line in paid), Fraction(0))
            square += sum((line.combinations * line.squared * seed**2 for line in paid), Fraction(0))
        yield _Adds(long, own, square, hits)


class _Search:
    """Required ranges as scaled ints, and the solutions so far."""

    def __init__(self, wanted: Wanted, progress: Progress | None) -> None:
        self.wanted, self.progress = wanted, progress
        self.count = self.tried = 0
        self.solutions: list[tuple[int, ...]] = []
        """For each solution: its sort key, its pays, and the index of its choice of meters."""
        self.worst: tuple[int, ...] | None = None
        self.envy = table_odds(wanted.table, seats=wanted.seats).envy
        lines, meters = _line_adds(wanted), list(_meter_adds(wanted))
        ends = [(1 - self.envy - edge) * HANDS for edge in (*wanted.edge, *(wanted.edge_at_seed or ()))]
        sums = (number for adds in (meters, *lines) for each in adds for number in each[:3])
        scale = lcm(*{number.denominator for number in (*ends, *sums)})
        self.unit = HANDS * scale
        self.meters = [each.scaled(scale) for each in meters]
        self.parts = self._parts([[each.scaled(scale) for each in adds] for adds in lines])
        high, low, *at_seed = (int(end * scale) for end in ends)
        self.returns, self.at_seed = (low, high), tuple(at_seed[::-1])
        hits, deviation = wanted.hit_frequency, wanted.standard_deviation
        self.hits = (ceil(hits[0] * HANDS), floor(hits[1] * HANDS)) if hits else ()
        # The square of a negative bound is negated, so that it stays below every variance.
        self.variance = tuple(self.unit**2 * end * abs(end) for end in deviation) if deviation else ()

    def _parts(self, lines: list[list[Sums]]) -> list[_Part]:
        """Return the lines with fixed pays, lowest first, each with bounds on what the lines above can add."""
        pays = [values for values in self.wanted.pays[::-1] if values]
        parts = []
        for i, (line_pays, adds) in enumerate(zip(pays, lines, strict=True)):
            above = list(zip(pays[i + 1 :], lines[i + 1 :], strict=True))
            most = reduce(Sums.plus, (sums[-1] for _, sums in above), NOTHING)
            least = [_least(above, self._floor(pay)) for pay in line_pays]
            parts.append(_Part(line_pays, adds, [each.long for each in adds], least, most))
        return parts

    def _floor(self, pay: int) -> int:
        """Return the smallest pay allowed above a line with this pay. Only the lowest lines may be left out."""
        return min(pay, 1) if self.wanted.rising else pay

    def run(self) -> None:
        for number, sums in enumerate(self.meters):
            if self.parts:
                self._choose(0, 0, sums, (), number, number)
            elif self._fits(sums, NOTHING, NOTHING) and self.returns[0] <= sums.long <= self.returns[1]:
                self._keep(sums, (), number)

    def _choose(self, depth: int, least_pay: int, sums: Sums, above: tuple[int, ...], meters: int, done: int) -> None:
        """Try every pay of this line that can lead to a solution, and continue from each."""
        part, (low, high) = self.parts[depth], self.returns
        last, size = depth + 1 == len(self.parts), len(part.pays)
        start = max(bisect_left(part.pays, least_pay), bisect_left(part.long, low - sums.long - part.most.long))
        for i in range(start, size):
            least = part.least[i]
            if least is None or sums.long + part.long[i] + least.long > high:
                break
            self.tried += 1
            total, place = sums.plus(part.adds[i]), done * size + i
            if depth < 2 and self.progress:
                self.progress(place, len(self.meters) * prod(len(part.pays) for part in self.parts[: depth + 1]))
            if not self._fits(total, least, part.most):
                continue
            pays = (part.pays[i], *above)
            if last:
                self._keep(total, pays, meters)
            else:
                self._choose(depth + 1, self._floor(part.pays[i]), total, pays, meters, place)

    def _fits(self, sums: Sums, least: Sums, most: Sums) -> bool:
        """Return True if every required range can still be reached. The range of the edge is not checked here."""
        _, own, square, hits = sums
        if self.hits and not (hits + most.hits >= self.hits[0] and hits + least.hits <= self.hits[1]):
            return False
        if self.at_seed and not (own + most.own >= self.at_seed[0] and own + least.own <= self.at_seed[1]):
            return False
        if not self.variance:
            return True
        greatest = (square + most.square) * self.unit - (own + least.own) ** 2
        smallest = (square + least.square) * self.unit - (own + most.own) ** 2
        return greatest >= self.variance[0] and smallest <= self.variance[1]

    def _keep(self, sums: Sums, pays: tuple[int, ...], meters: int) -> None:
        """Count a solution, and store it if it is among the first in the required order."""
        self.count += 1
        solution = (*self._key(sums.long, sums.square * self.unit - sums.own**2), *pays, meters)
        if self.worst is not None and solution > self.worst:
            return
        self.solutions.append(solution)
        if len(self.solutions) > self.wanted.show + EXTRA_SOLUTIONS:
            self.solutions = self.best()
            self.worst = self.solutions[-1]

    def _key(self, long: int, variance: int) -> tuple[int, int]:
        keys: dict[Order, int] = {
            "edge-nearest": abs(2 * long - sum(self.returns)),
            "edge-lowest": -long,
            "edge-highest": long,
            "deviation-lowest": variance,
            "deviation-highest": -variance,
        }
        return keys[self.wanted.order], variance

    def best(self) -> list[tuple[int, ...]]:
        return sorted(self.solutions)[: self.wanted.show]

    def priced(self, row: tuple[int, ...]) -> Solution:
        """Price a solution with the code of `hcf odds paytable`. The figures must equal those of the search."""
        key, fixed = row[:2], iter(row[2:-1])
        pays = tuple(next(fixed) if values else 0 for values in self.wanted.pays)
        meters = next(islice(product(*self.wanted.meters.values()), row[-1], None))
        solution = Solution(pays, meters, price(self.wanted, self.wanted.solved(pays, meters)))
        long, variance = (1 - self.envy - solution.edge) * self.unit, solution.figures.odds.variance * self.unit**2
        if (long.denominator, variance.denominator) != (1, 1) or key != self._key(int(long), int(variance)):
            raise AssertionError(f"search and price differ: {solution}")
        return solution


def _least(above: Iterable[tuple[tuple[int, ...], list[Sums]]], least: int) -> Sums | None:
    """Return the minimum sums of these lines if each pays `least` or more, or `None` if a line cannot pay that much."""
    total = NOTHING
    for pays, sums in above:
        i = bisect_left(pays, least)
        if i == len(pays):
            return None
        total = total.plus(sums[i])
    return total
