"""The progressive: plan and figures of each meter, Envy Pays by players, Dynamic draws."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, log10, sqrt
from typing import Annotated, Literal

from msgspec import Struct

from highcardflush.figures.spread import Bar
from highcardflush.odds.paytable import dynamic_returns
from highcardflush.odds.progressive import MeterOdds, ProgressiveOdds, progressive_odds
from highcardflush.odds.treasury import bets_to_win
from highcardflush.rulebook.document import MAX_SEATS
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.paytable import PayTable, Plan
from highcardflush.units import Figure, Part

STEPS = 6
Mark = Literal["seed", "expected-at-hit", "break-even"]


class MeterReturn(Struct, frozen=True):
    """Return with this amount in the meter, the others at their seeds."""

    meter: Annotated[Fraction, Figure("dollars", "amount in the meter")]
    mark: Annotated[Mark | None, Figure("code", "amount with a name: seed, expected at a 100 % win, break-even")]
    returned: Annotated[Fraction, Figure(key="return", form="exact")]

    @property
    def house_edge(self) -> Part:
        return 1 - self.returned


class Meter(Struct, frozen=True, kw_only=True):
    plan: Plan
    odds: MeterOdds
    bets_to_hit: dict[int, float]
    """Number of bets within which a 100 % win comes, by the percentage of cases."""
    returns: tuple[MeterReturn, ...]


class Dynamic(Struct, frozen=True, kw_only=True):
    draws: Annotated[int, Figure("count", "different returns that a draw can give")]
    mean: Fraction
    lowest: Annotated[Fraction, Figure("part", "of the draws' returns")]
    highest: Annotated[Fraction, Figure("part", "of the draws' returns")]
    over_one: Annotated[Fraction, Figure("part", "chance of a draw that returns more than the bet on fixed pays")]
    standard_deviation: float
    bars: tuple[Bar, ...]


class EnvyRow(Struct, frozen=True):
    seats: Annotated[int, Figure("count", "players who made the bet, or who are simulated")]
    envy: Annotated[Fraction, Figure("part", "of the bet that Envy Pays return, by the number of bettors")]
    return_at_seed: Annotated[Fraction, Figure("part", "of the bet, with Envy Pays and every meter at its seed")]
    long_run_return: Annotated[
        Fraction | None, Figure("part", "of the bet, null where no bet feeds the display", form="exact")
    ]
    break_even_meter: Fraction


class Progressive(Struct, frozen=True, kw_only=True):
    odds: ProgressiveOdds
    meters: tuple[Meter, ...]
    envy: tuple[EnvyRow, ...]
    dynamic: Dynamic | None

    @property
    def seed_cost(self) -> Fraction:
        return sum((meter.odds.house_seed_cost for meter in self.meters), Fraction(0))


def progressive(rulebook: Rulebook) -> Progressive:
    odds, plans = progressive_odds(rulebook), rulebook.plans
    table = odds.at_meters.table
    return Progressive(
        odds=odds,
        meters=tuple(_meter(rulebook, plans[meter.name], meter) for meter in odds.meters),
        envy=_envy(rulebook, table),
        dynamic=_dynamic(table) if table.dynamic_lines else None,
    )


def _meter(rulebook: Rulebook, plan: Plan, odds: MeterOdds) -> Meter:
    to_hit = {percent: float(bets_to_win(odds, percent / 100)) for percent in (10, 50, 90)}
    return Meter(plan=plan, odds=odds, bets_to_hit=to_hit, returns=_returns(rulebook, plan, odds))


def _returns(rulebook: Rulebook, plan: Plan, meter: MeterOdds) -> tuple[MeterReturn, ...]:
    marks: dict[Fraction, Mark] = {meter.seed: "seed"} if meter.seed else {}
    if not plan.bonus:
        marks.setdefault(meter.expected_at_hit, "expected-at-hit")
    if meter.break_even > 0:
        marks.setdefault(meter.break_even, "break-even")
    amounts = sorted({*marks, *_round_amounts(max(marks, default=Fraction(1)))})
    valued = {each: progressive_odds(rulebook, {plan.name: each}).at_meters for each in amounts}
    return tuple(MeterReturn(each, marks.get(each), odds.returned) for each, odds in valued.items())


def _round_amounts(top: Fraction) -> list[Fraction]:
    """Return some round amounts up to slightly above the top."""
    rough = float(top) / STEPS
    size = Fraction(10) ** floor(log10(rough))
    step = next(size * nice for nice in (1, 2, Fraction(5, 2), 5, 10) if float(size * nice) >= rough)
    return [step * number for number in range(1, STEPS + 2) if step * number <= top * Fraction(6, 5)]


def _envy(rulebook: Rulebook, table: PayTable) -> tuple[EnvyRow, ...]:
    if rulebook.settings.envy == "off" or not any(line.envy for line in table.lines):
        return ()
    by_seats = ((seats, progressive_odds(rulebook, seats=seats)) for seats in range(1, MAX_SEATS + 1))
    return tuple(
        EnvyRow(seats, odds.at_meters.envy, odds.at_meters.returned, odds.long_run, odds.meters[0].break_even)
        for seats, odds in by_seats
    )


def _dynamic(table: PayTable) -> Dynamic:
    returns = dynamic_returns(table)
    mean = sum((value * chance for value, chance in returns.items()), Fraction(0))
    square = sum((value * value * chance for value, chance in returns.items()), Fraction(0))
    return Dynamic(
        draws=len(returns),
        mean=mean,
        lowest=min(returns),
        highest=max(returns),
        over_one=sum((chance for value, chance in returns.items() if value > 1), Fraction(0)),
        standard_deviation=sqrt(square - mean * mean),
        bars=_dynamic_bars(returns),
    )


def _dynamic_bars(returns: dict[Fraction, Fraction]) -> tuple[Bar, ...]:
    """Return bars of 10 % of the bet. A return of exactly 100 % belongs to the bar below."""
    last = ceil(max(returns) * 10)
    counts = [Fraction(0)] * (last + 1)
    for value, chance in returns.items():
        counts[max(ceil(value * 10) - 1, 0)] += chance
    first = next(i for i, chance in enumerate(counts) if chance)
    return tuple(
        Bar(low=i / 10, high=(i + 1) / 10, chance=float(chance)) for i, chance in enumerate(counts) if first <= i < last
    )
