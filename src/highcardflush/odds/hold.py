"""The hold: how much of each wager the house kept, compared with the exact expectation.

The odds give the exact mean, variance and third central moment of every settled bet. The sums over all bets give z, the
deviation from the expectation in standard deviations. An Envy Pay is judged by the odds of the hand that causes it.
Seats that play against one dealer tend to win and lose together, so the variance of the Ante is set to at least the
variance observed over the rounds. High pays are rare, so z means little if there are few bets. z is judged only after
30 rounds, and only if the skewness of the sum is at most 0.2.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Literal

from msgspec import Struct

from highcardflush.game.state import Result
from highcardflush.odds.counting import DEALS, add_up
from highcardflush.odds.paytable import table_odds, table_returns
from highcardflush.odds.prospect import class_choice, deal_classes
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.paytable import Line, PayTable

JUDGED = {
    "ante": "best play, with the Raise",
    "flush": "pay table",
    "straight-flush": "pay table",
    "progressive": "fixed pays alone",
    "envy": "pay table",
}
"""Odds by which the hold of each wager is judged."""
TOO_FAR = 5.0
SKEWED = 0.2
LEAST_ROUNDS = 30
ANTE_CENTS = 10_000
"""Ante for which the best play is computed. It is large enough for any increment."""


class Odds(Struct, frozen=True, cache_hash=True):
    """Mean, variance and third central moment of a player's gain on a bet of 1."""

    mean: Fraction
    variance: Fraction
    third: Fraction


class Hold(Struct):
    """Totals of one wager."""

    wager: str
    rounds: int = 0
    bets: int = 0
    stakes_cents: int = 0
    held_cents: int = 0
    cut_cents: int = 0
    """Cents that the house kept because of caps. The odds ignore caps, so z leaves out these cents."""
    powers: dict[Odds, tuple[int, int, int]] = {}
    """Sums of the stakes, of their squares and of their cubes, keyed by the odds of the bets."""
    by_rounds: float = 0.0
    """Sum of the squared differences between the rounds' holds and their expectations."""
    one_sided: bool = False
    """True if players can only do worse than the odds, for example by bad play."""

    def add(self, odds: Odds, stake: int) -> None:
        """Count a bet of `stake` cents, whatever its outcome."""
        first, second, third = self.powers.get(odds, (0, 0, 0))
        self.powers[odds] = first + stake, second + stake**2, third + stake**3

    def join(self, other: "Hold") -> None:
        """Add other totals of the same wager."""
        for name in ("rounds", "bets", "stakes_cents", "held_cents", "cut_cents", "by_rounds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.one_sided |= other.one_sided
        for odds, sums in other.powers.items():
            own = self.powers.get(odds, (0, 0, 0))
            self.powers[odds] = own[0] + sums[0], own[1] + sums[1], own[2] + sums[2]

    @property
    def expected_cents(self) -> Fraction:
        return -sum((odds.mean * first for odds, (first, _, _) in self.powers.items()), Fraction(0))

    @property
    def variance(self) -> Fraction:
        return sum((odds.variance * second for odds, (_, second, _) in self.powers.items()), Fraction(0))

    @property
    def z(self) -> float:
        spread = sqrt(max(float(self.variance), self.by_rounds))
        return float(self.held_cents - self.cut_cents - self.expected_cents) / spread if spread else 0.0

    @property
    def enough(self) -> bool:
        """True if there are enough bets for z to be judged."""
        third = sum((odds.third * cubes for odds, (_, _, cubes) in self.powers.items()), Fraction(0))
        return self.rounds >= LEAST_ROUNDS and abs(float(third)) <= SKEWED * float(self.variance) ** 1.5

    @property
    def is_far_off(self) -> bool:
        """True if luck alone can hardly explain the hold."""
        return self.enough and (self.z < -TOO_FAR or (self.z > TOO_FAR and not self.one_sided))


def empty() -> dict[str, Hold]:
    """Return totals of zero for every wager."""
    return {wager: Hold(wager, one_sided=wager == "ante") for wager in JUDGED}


def join(rows: Mapping[str, Hold], more: Mapping[str, Hold]) -> None:
    """Add the totals of another table."""
    for wager, row in rows.items():
        row.join(more[wager])


def count_round(
    rows: Mapping[str, Hold], rulebook: Rulebook, results: Iterable[Result], seats: Collection[int] = range(7)
) -> None:
    """Count the bets of some seats in a settled round."""
    settlements = [result for result in results if result.outcome not in ("returned", "forfeited")]
    seat_results = [result for result in settlements if result.seat in seats]
    _main(rows["ante"], rulebook, seat_results)
    for wager in ("flush", "straight-flush", "progressive"):
        _side(rows[wager], rulebook.paytable(wager), seat_results)
    if rulebook.settings.envy == "on":
        _envy(rows["envy"], rulebook.paytable("progressive"), settlements, seat_results)
    if rulebook.expose == "required" or rulebook.exposing_ends_bet:
        rows["straight-flush"].one_sided = True  # A player can hide a straight flush, or expose a worse one.


def _of(results: Iterable[Result], *wagers: str) -> list[Result]:
    return [result for result in results if result.wager in wagers]


def _count(row: Hold, bets: Sequence[Result], results: Iterable[Result]) -> None:
    """Count the bets and their results. A pay from a meter is not the house's money."""
    row.rounds += 1
    row.bets += len(bets)
    row.stakes_cents += sum(bet.stake_cents for bet in bets)
    for result in results:
        row.held_cents += result.meter_cents - result.net_cents
        row.cut_cents += result.full_cents - result.paid_cents


def _main(row: Hold, rulebook: Rulebook, results: Sequence[Result]) -> None:
    if antes := _of(results, "ante"):
        odds, before = main_odds(rulebook), row.held_cents - row.cut_cents
        for ante in antes:
            row.add(odds, ante.stake_cents)
        _count(row, antes, _of(results, "ante", "raise"))
        held_cents, stakes = row.held_cents - row.cut_cents - before, sum(ante.stake_cents for ante in antes)
        row.by_rounds += (held_cents + float(odds.mean) * stakes) ** 2


def _side(row: Hold, table: PayTable | None, results: Sequence[Result]) -> None:
    bets = _of(results, row.wager)
    if bets and table is not None:
        odds = pay_odds(table.wager, table.pays, table.lines)
        for bet in bets:
            row.add(odds, bet.stake_cents)
        _count(row, bets, bets)


def _envy(row: Hold, table: PayTable | None, results: Sequence[Result], own_results: Sequence[Result]) -> None:
    """Count Envy Pays to bets in `own_results`. Each hand with a bet may earn one Envy Pay for every other bet."""
    bets, own_bets = _of(results, "progressive"), _of(own_results, "progressive")
    if table is None or not own_bets or len(bets) < 2 or not any(line.envy for line in table.lines):
        return
    odds = envy_odds(table.wager, table.lines)
    for bet in bets:
        row.add(odds, sum(other.stake_cents for other in own_bets if other.seat != bet.seat))
    _count(row, own_bets, _of(own_results, "envy"))


def main_odds(rulebook: Rulebook) -> Odds:
    """Return the odds of Ante and Raise combined, under the best play, for an Ante of 1."""
    if rulebook.table_hash in _MAIN:
        return _MAIN[rulebook.table_hash]
    choices = [class_choice(rulebook, each) for each in deal_classes(rulebook, ANTE_CENTS)]
    nets = add_up((net, Fraction(count, DEALS)) for choice in choices for _, net, count in choice.nets())
    odds = _moments(list(nets.items()))
    _MAIN[rulebook.table_hash] = odds
    return odds


_MAIN: dict[str, Odds] = {}


@lru_cache
def pay_odds(wager: str, pays: Literal["to 1", "for 1"], lines: tuple[Line, ...]) -> Odds:
    """Return the odds of a side bet's fixed pays, for a bet of 1."""
    returns = table_returns(table_odds(PayTable(wager=wager, pays=pays, lines=lines)))
    return _moments([(returned - 1, chance) for returned, chance in returns.items()])


@lru_cache
def envy_odds(wager: str, lines: tuple[Line, ...]) -> Odds:
    """Return the odds of a side bet's Envy Pays, for a bet of 1."""
    odds = table_odds(PayTable(wager=wager, pays="for 1", lines=lines))
    paid = [(Fraction(each.line.envy), each.probability) for each in odds.lines]
    return _moments([(Fraction(0), 1 - odds.hit_frequency), *paid])


def _moments(chances: Sequence[tuple[Fraction, Fraction]]) -> Odds:
    """Return the moments of a gain, given the probability of each value."""
    mean = sum((value * chance for value, chance in chances), Fraction(0))
    variance, third = (
        sum(((value - mean) ** power * chance for value, chance in chances), Fraction(0)) for power in (2, 3)
    )
    return Odds(mean, variance, third)
