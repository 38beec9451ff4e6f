"""The hold: what the house kept of each wager, against what the odds say it should keep.

docs/audit.md says what z is, and when it is noted. For every bet that was settled the odds give mean, variance and
third moment, exactly, and they are added up. An Envy Pay is judged by the hand that causes it. Seats that meet one
dealer win and lose together, so the Ante's variance is never taken below what the rounds themselves show. A pay table
has rare high pays, so z means little on few bets: it is judged once the sum is near normal, its skewness below 0.2,
and never before 30 rounds, the usual bound for that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Any, Literal

from msgspec import Struct, field

from highcardflush.house.audit.books import Event
from highcardflush.house.audit.findings import Finding, Note
from highcardflush.house.audit.wire import Rulebooks
from highcardflush.money import say_cents
from highcardflush.odds.counting import DEALER_HANDS, DEALS
from highcardflush.odds.paytable import table_odds, table_returns
from highcardflush.odds.prospect import deal_classes
from highcardflush.rulebook.model import Line, PayTable, Rulebook

JUDGED = {
    "ante": "Raise too, best play",
    "flush": "pay table",
    "straight-flush": "pay table",
    "progressive": "fixed pays alone",
    "envy": "pay table",
}
"""Each wager, and what it is judged by."""
TOO_FAR = 5.0
SKEWED = 0.2
LEAST_ROUNDS = 30
ANTE_CENTS = 10_000
"""The Ante for which best play is worked out: large enough that no increment matters."""
Results = list[dict[str, Any]]


class Odds(Struct, frozen=True, cache_hash=True):
    """What a player gains with a bet of 1: mean, variance and third central moment."""

    mean: Fraction
    variance: Fraction
    third: Fraction


class Hold(Struct):
    """One wager of the whole house. Amounts are cents."""

    wager: str
    rounds: int = 0
    bets: int = 0
    stakes_cents: int = 0
    held_cents: int = 0
    cut_cents: int = 0
    """What the house kept because of caps; the odds know none, so z leaves it out."""
    powers: dict[Odds, tuple[int, int, int]] = {}
    """Under each odds, the sums of the stakes, of their squares and of their cubes."""
    by_rounds: float = 0.0
    one_sided: bool = False

    def add(self, odds: Odds, stake: int) -> None:
        """A bet of so many cents, before it is known how it went."""
        first, second, third = self.powers.get(odds, (0, 0, 0))
        self.powers[odds] = first + stake, second + stake**2, third + stake**3

    def join(self, other: Hold) -> None:
        for name in ("rounds", "bets", "stakes_cents", "held_cents", "cut_cents", "by_rounds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.one_sided |= other.one_sided
        for odds, sums in other.powers.items():
            mine = self.powers.get(odds, (0, 0, 0))
            self.powers[odds] = mine[0] + sums[0], mine[1] + sums[1], mine[2] + sums[2]

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
        """Whether z means something."""
        third = sum((odds.third * cubes for odds, (_, _, cubes) in self.powers.items()), Fraction(0))
        return self.rounds >= LEAST_ROUNDS and abs(float(third)) <= SKEWED * float(self.variance) ** 1.5


def empty() -> dict[str, Hold]:
    return {wager: Hold(wager, one_sided=wager == "ante") for wager in JUDGED}


class Table(Struct):
    """A table as far as its stream has been read."""

    rulebooks: Rulebooks
    covered: Counter[str]
    since: int = 0
    """Rounds that were over with this event were counted before."""
    rows: dict[str, Hold] = field(default_factory=empty)
    opening: Event | None = None


def follow(table: Table, event: Event) -> Iterator[Finding]:
    if event.kind == "open":
        table.opening = event
    elif event.kind == "settle" and table.opening is not None and event.seq > table.since:
        table.covered["rounds"] += 1
        results = [fact["result"] for fact in event.body["told"] if fact["type"] == "WagerSettled"]
        settled(table.rows, table.rulebooks.of(table.opening), results)
    yield from ()


def join(rows: Mapping[str, Hold], more: Mapping[str, Hold]) -> None:
    """Add what another table held."""
    for wager, row in rows.items():
        row.join(more[wager])


def notes(rows: Mapping[str, Hold]) -> Iterator[Finding]:
    for row in rows.values():
        if row.enough and (row.z < -TOO_FAR or (row.z > TOO_FAR and not row.one_sided)):
            read = f"z {row.z:+.1f}: {say_cents(row.held_cents)} held"
            expected = f"about {say_cents(round(row.expected_cents))}"
            yield Note(f"hold of {row.wager}", "far from its odds", read, expected)


# --- a round -------------------------------------------------------------------------------------


def settled(rows: Mapping[str, Hold], rulebook: Rulebook, told: Results, seats: Collection[int] = range(7)) -> None:
    """Count a round that was settled; of all its results those of some seats."""
    results = [result for result in told if result["outcome"] not in ("returned", "forfeited")]
    mine = [result for result in results if result["seat"] in seats]
    _main(rows["ante"], rulebook, mine)
    for wager in ("flush", "straight-flush", "progressive"):
        _side(rows[wager], rulebook.paytable(wager), mine)
    if rulebook.settings.envy == "on":
        _envy(rows["envy"], rulebook.paytable("progressive"), results, mine)
    if rulebook.expose == "required":
        rows["straight-flush"].one_sided = True  # what is not laid open is not paid


def _of(results: Results, *wagers: str) -> Results:
    return [result for result in results if result["wager"] in wagers]


def _take(row: Hold, bets: Results, results: Results) -> None:
    """Count the bets, and what became of them; what a meter paid was not the house's."""
    row.rounds += 1
    row.bets += len(bets)
    row.stakes_cents += sum(bet["stake_cents"] for bet in bets)
    row.held_cents += sum(result["meter_cents"] - result["net_cents"] for result in results)
    row.cut_cents += sum(result["full_cents"] - result["paid_cents"] for result in results)


def _main(row: Hold, rulebook: Rulebook, results: Results) -> None:
    antes = _of(results, "ante")
    if antes:
        odds, before = main_odds(rulebook), row.held_cents - row.cut_cents
        for ante in antes:
            row.add(odds, ante["stake_cents"])
        _take(row, antes, _of(results, "ante", "raise"))
        held, stakes = row.held_cents - row.cut_cents - before, sum(ante["stake_cents"] for ante in antes)
        row.by_rounds += (held + float(odds.mean) * stakes) ** 2


def _side(row: Hold, table: PayTable | None, results: Results) -> None:
    bets = _of(results, row.wager)
    if bets and table is not None:
        odds = pay_odds(table.wager, table.pays, table.lines)
        for bet in bets:
            row.add(odds, bet["stake_cents"])
        _take(row, bets, bets)


def _envy(row: Hold, table: PayTable | None, results: Results, mine: Results) -> None:
    """Each hand with a bet may cause an Envy Pay to every other bet, of which some are counted."""
    bets, own = _of(results, "progressive"), _of(mine, "progressive")
    if table is None or not own or len(bets) < 2 or not any(line.envy for line in table.lines):
        return
    odds = envy_odds(table.wager, table.lines)
    for bet in bets:
        row.add(odds, sum(other["stake_cents"] for other in own if other["seat"] != bet["seat"]))
    _take(row, own, _of(mine, "envy"))


# --- the odds ------------------------------------------------------------------------------------


def main_odds(rulebook: Rulebook) -> Odds:
    """Ante with Raise, played best, for an Ante of 1."""
    if rulebook.table_hash in _MAIN:
        return _MAIN[rulebook.table_hash]
    counts: dict[Fraction, int] = {}
    for each in deal_classes(rulebook, ANTE_CENTS):
        low, high = rulebook.raise_antes(each.cards)
        bet = 1 + (high if each.choice == "high" else low)
        bad, win, tie = each.met
        whole = each.hands * DEALER_HANDS
        nets = [(Fraction(1), bad), (bet, win), (Fraction(0), tie), (-bet, whole - bad - win - tie)]
        for net, count in nets if each.choice != "fold" else [(Fraction(-1), whole)]:
            counts[net] = counts.get(net, 0) + count
    odds = _moments([(net, Fraction(count, DEALS)) for net, count in counts.items()])
    _MAIN[rulebook.table_hash] = odds
    return odds


_MAIN: dict[str, Odds] = {}


@lru_cache
def pay_odds(wager: str, pays: Literal["to 1", "for 1"], lines: tuple[Line, ...]) -> Odds:
    """A side bet's fixed pays for a bet of 1."""
    returns = table_returns(table_odds(PayTable(wager=wager, pays=pays, lines=lines)))
    return _moments([(returned - 1, chance) for returned, chance in returns.items()])


@lru_cache
def envy_odds(wager: str, lines: tuple[Line, ...]) -> Odds:
    """A side bet's Envy Pays for a bet of 1."""
    odds = table_odds(PayTable(wager=wager, pays="for 1", lines=lines))
    paid = [(Fraction(each.line.envy), each.probability) for each in odds.lines]
    return _moments([(Fraction(0), 1 - odds.hit_frequency), *paid])


def _moments(chances: Sequence[tuple[Fraction, Fraction]]) -> Odds:
    """Of what can be gained, each with its chance."""
    mean = sum((value * chance for value, chance in chances), Fraction(0))
    variance, third = (
        sum(((value - mean) ** power * chance for value, chance in chances), Fraction(0)) for power in (2, 3)
    )
    return Odds(mean, variance, third)
