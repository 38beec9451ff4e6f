"""What a simulation found: for each wager mean, standard error, the exact value and how far off it is.

The seats of a round share the dealer and the deck, so hands are not independent but rounds are: the standard error
comes from the variance of the rounds' totals. A run too short to have met its rare lines underestimates that
variance; so it is never taken below what the exact odds give for independent hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt

from msgspec import Struct

from highcardflush.odds.counting import DEALS
from highcardflush.odds.game import Choice
from highcardflush.odds.paytable import TableOdds
from highcardflush.ranking import MAIN_PAYS, Showdown
from highcardflush.rulebook.wagers import ENVY, PROGRESSIVE, SIDE_BETS, Reach
from highcardflush.simulate import kernel as at
from highcardflush.simulate.plan import FLUSHES, NATIVE, STRAIGHT_FLUSHES, Plan, classes
from highcardflush.words.en import SHOWDOWNS

OUTCOMES: tuple[Showdown, ...] = ("fold", "not-qualified", "lose", "tie", "win")
"""The kernel's outcomes as the exact odds name them."""
ENOUGH = 10
"""From so many expected hits on a count is near normal."""


class Totals(Struct, frozen=True):
    """Rounds added up; see the kernel for the places in `tally`."""

    rounds: int
    tally: tuple[int, ...]
    progressive: float = 0.0
    progressive_2: float = 0.0

    def plus(self, other: Totals) -> Totals:
        return Totals(
            self.rounds + other.rounds,
            tuple(mine + more for mine, more in zip(self.tally or (0,) * len(other.tally), other.tally, strict=True)),
            self.progressive + other.progressive,
            self.progressive_2 + other.progressive_2,
        )


NOTHING = Totals(0, ())
"""What there is before the first round."""


class LineCount(Struct, frozen=True):
    """How often a line was reached, and how often it should be."""

    line: str
    observed: int
    expected_count: float
    hands: int

    @property
    def z(self) -> float | None:
        """How many standard errors the count is off; None where it is too small to be near normal."""
        error = sqrt(self.expected_count * (1 - self.expected_count / self.hands))
        return (self.observed - self.expected_count) / error if self.expected_count >= ENOUGH and error else None


class WagerResult(Struct, frozen=True):
    """One wager, in units of one Ante (ante, raise, main) or of one bet."""

    count: int
    """Hands, each with one bet."""
    mean: float
    standard_error: float
    expected: Fraction
    """The exact mean."""
    lines: tuple[LineCount, ...] = ()

    @property
    def exact(self) -> float:
        return float(self.expected)

    @property
    def z(self) -> float:
        """How many standard errors the mean is off."""
        return (self.mean - self.exact) / self.standard_error if self.standard_error else 0.0


class Simulation(Struct, frozen=True):
    """A finished run."""

    rulebook: str
    strategy: str
    seats: int
    seed: int
    threads: int
    rounds: int
    seconds: float
    """Of dealing and settling alone."""
    interrupted: bool
    wagers: dict[str, WagerResult]

    @property
    def hands(self) -> int:
        return self.rounds * self.seats

    @property
    def hands_per_second(self) -> float:
        return self.hands / self.seconds


def wager_results(plan: Plan, totals: Totals) -> dict[str, WagerResult]:
    """Every wager of the table, in its order."""
    results = _main_results(plan, totals)
    for wager, odds in plan.tables.items():
        first, reaches, counts = _places(plan, wager)
        money = totals.progressive, totals.progressive_2
        total, squares = money if wager == PROGRESSIVE else totals.tally[first : first + 2]
        own = odds.returned - odds.envy
        lines = _line_counts(totals, odds, reaches, counts, plan.rules.seats)
        results[wager] = _result(plan, totals, total, squares, own, odds.variance, stake=1, lines=lines)
    progressive = plan.tables.get(PROGRESSIVE)
    if progressive and progressive.envy and plan.rulebook.settings.envy == "on":
        total, squares = totals.tally[at.ENVY], totals.tally[at.ENVY_2]
        square = sum((line.line.envy**2 * line.probability for line in progressive.lines), Fraction(0))
        variance = square * (plan.rules.seats - 1) ** 2 - progressive.envy**2
        results[ENVY.name] = _result(plan, totals, total, squares, progressive.envy, variance)
    return results


def _places(plan: Plan, wager: str) -> tuple[int, Sequence[Reach], int]:
    """Where the two sums of a side bet stand in the tally, what is counted of it, and where the counts begin."""
    if wager in NATIVE:
        straight = at.STRAIGHT, STRAIGHT_FLUSHES, at.STRAIGHTS_AT
        return (at.FLUSH, FLUSHES, at.LENGTHS_AT) if wager == "flush" else straight
    others = [name for name in plan.tables if name not in NATIVE]
    first = at.COUNTS + at.OTHER * others.index(wager)
    return first, classes(SIDE_BETS[wager]), first + 2


def _result(
    plan: Plan,
    totals: Totals,
    total: float,
    squares: float,
    expected: Fraction,
    variance: Fraction,
    *,
    stake: int = 0,
    scale: int = 1,
    lines: tuple[LineCount, ...] = (),
) -> WagerResult:
    """A wager from the sum and the sum of squares of rounds' totals in 1/scale; `variance` is the exact one of a hand.

    Where the totals count what comes back, `stake` is what to take off; the expected value is then a return too.
    """
    rounds, seats = totals.rounds, plan.rules.seats
    mean = float(Fraction(total) / (rounds * seats * scale)) - stake
    spread = Fraction(squares) - Fraction(total) ** 2 / rounds
    by_rounds = spread / max(rounds - 1, 1) / scale**2
    error = sqrt(max(by_rounds, variance * seats) / rounds) / seats
    return WagerResult(rounds * seats, mean, error, expected - stake, lines)


def _main_results(plan: Plan, totals: Totals) -> dict[str, WagerResult]:
    tally, choices = totals.tally, plan.game.choices
    ante, raised = tally[at.ANTE], tally[at.RAISE]
    ante_2, raised_2, product = tally[at.ANTE_2], tally[at.RAISE_2], tally[at.ANTE_RAISE]
    sums = {
        "main": (100 * ante + raised, 10_000 * ante_2 + 200 * product + raised_2, 100),
        "ante": (ante, ante_2, 1),
        "raise": (raised, raised_2, 100),
    }
    lines = _outcome_counts(choices, totals, plan.rules.seats)
    results = {}
    for wager, (total, squares, scale) in sums.items():
        mean = _moment(choices, wager, 1)
        variance = _moment(choices, wager, 2) - mean * mean
        known = lines if wager == "main" else ()
        results[wager] = _result(plan, totals, total, squares, mean, variance, scale=scale, lines=known)
    return results


def _moment(choices: tuple[Choice, ...], wager: str, power: int) -> Fraction:
    """The exact mean of a power of the net on the Ante, the Raise or both."""
    total = Fraction(0)
    for choice in choices:
        for case, net, count in choice.nets():
            ante, _ = MAIN_PAYS[case]
            part = {"main": net, "ante": Fraction(ante), "raise": net - ante}[wager]
            total += part**power * count
    return total / DEALS


def _outcome_counts(choices: tuple[Choice, ...], totals: Totals, seats: int) -> tuple[LineCount, ...]:
    deals = dict.fromkeys(OUTCOMES, 0)
    for choice in choices:
        for case, _, count in choice.nets():
            deals[case] += count
    hands = totals.rounds * seats
    return tuple(
        LineCount(SHOWDOWNS[case], totals.tally[at.OUTCOMES_AT + i], float(Fraction(hands * deals[case], DEALS)), hands)
        for i, case in enumerate(OUTCOMES)
    )


def _line_counts(
    totals: Totals, odds: TableOdds, reaches: Sequence[Reach], first: int, seats: int
) -> tuple[LineCount, ...]:
    reached = [(odds.table.line_at(reach), place) for place, reach in enumerate(reaches, first)]
    hands = totals.rounds * seats
    return tuple(
        LineCount(
            each.line.name,
            sum(totals.tally[place] for line, place in reached if line is each.line),
            float(hands * each.probability),
            hands,
        )
        for each in odds.lines
    )
