"""What a simulation found: for each wager mean, standard error, the exact value and how far off it is.

The seats of a round share the dealer and the deck, so hands are not independent but rounds are: the standard error
comes from the variance of the rounds' totals. A run too short to have met its rare lines underestimates that
variance; so it is never taken below what the exact odds give for independent hands.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import sqrt

from msgspec import Struct

from highcardflush.cards import Hand
from highcardflush.game.sidebets import flush_line, straight_flush_line
from highcardflush.odds.game import DEALS, Choice
from highcardflush.odds.paytable import TableOdds
from highcardflush.rulebook.model import Line
from highcardflush.simulate import kernel as at
from highcardflush.simulate.plan import CLASSES, Plan

OUTCOMES = ("fold", "dealer does not qualify", "lose", "tie", "win")
"""The kernel's outcomes as the exact odds name them."""


class Totals(Struct, frozen=True):
    """Rounds added up; see the kernel for the places in `tally`."""

    rounds: int = 0
    tally: tuple[int, ...] = (0,) * at.COUNTS
    progressive: float = 0.0
    progressive_2: float = 0.0

    def plus(self, other: Totals) -> Totals:
        return Totals(
            self.rounds + other.rounds,
            tuple(mine + more for mine, more in zip(self.tally, other.tally, strict=True)),
            self.progressive + other.progressive,
            self.progressive_2 + other.progressive_2,
        )


class LineCount(Struct, frozen=True):
    """How often a line was reached, and how often it should be."""

    line: str
    observed: int
    expected_count: float


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
    found = _main_results(plan, totals)
    places = {"flush": (at.FLUSH, at.FLUSH_2), "straight-flush": (at.STRAIGHT, at.STRAIGHT_2)}
    for wager, odds in plan.tables.items():
        total, squares = totals.progressive, totals.progressive_2
        if wager in places:
            total, squares = (totals.tally[place] for place in places[wager])
        own = odds.returned - odds.envy
        lines = _line_counts(plan, totals, odds)
        found[wager] = _result(plan, totals, total, squares, own, odds.variance, stake=1, lines=lines)
    progressive = plan.tables.get("progressive")
    if progressive and progressive.envy and plan.rulebook.settings.envy == "on":
        total, squares = totals.tally[at.ENVY], totals.tally[at.ENVY_2]
        square = sum((line.line.envy**2 * line.probability for line in progressive.lines), Fraction(0))
        variance = square * (plan.rules.seats - 1) ** 2 - progressive.envy**2
        found["envy"] = _result(plan, totals, total, squares, progressive.envy, variance)
    return found


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
    found = {}
    for wager, (total, squares, scale) in sums.items():
        mean = _moment(choices, wager, lambda net: net)
        variance = _moment(choices, wager, lambda net: net * net) - mean * mean
        known = lines if wager == "main" else ()
        found[wager] = _result(plan, totals, total, squares, mean, variance, scale=scale, lines=known)
    return found


def _moment(choices: tuple[Choice, ...], wager: str, power: Callable[[Fraction], Fraction]) -> Fraction:
    """The exact mean of a power of the net on the Ante, the Raise or both."""
    whole = Fraction(0)
    for choice in choices:
        for outcome, net, count in choice.nets():
            ante = {"win": 1, "dealer does not qualify": 1, "tie": 0}.get(outcome, -1)
            part = {"main": net, "ante": Fraction(ante), "raise": net - ante}[wager]
            whole += power(part) * count
    return whole / DEALS


def _outcome_counts(choices: tuple[Choice, ...], totals: Totals, seats: int) -> tuple[LineCount, ...]:
    deals = dict.fromkeys(OUTCOMES, 0)
    for choice in choices:
        for outcome, _, count in choice.nets():
            deals[outcome] += count
    hands = totals.rounds * seats
    return tuple(
        LineCount(outcome, totals.tally[at.OUTCOMES_AT + i], float(Fraction(hands * deals[outcome], DEALS)))
        for i, outcome in enumerate(OUTCOMES)
    )


def _line_counts(plan: Plan, totals: Totals, odds: TableOdds) -> tuple[LineCount, ...]:
    reached: list[tuple[Line | None, int]]
    if odds.table.wager == "flush":
        hands = [Hand((1 << cards) - 1) for cards in range(at.LENGTHS)]
        reached = [(flush_line(odds.table, hand), at.LENGTHS_AT + hand.bit_count()) for hand in hands]
    else:
        reached = [(straight_flush_line(odds.table, run), at.STRAIGHTS_AT + i) for i, run in enumerate(CLASSES)]
    count = totals.rounds * plan.rules.seats
    return tuple(
        LineCount(
            each.line.name,
            sum(totals.tally[place] for line, place in reached if line is each.line),
            float(count * each.probability),
        )
        for each in odds.lines
    )
