"""The progressive's page: each meter's plan and what it comes to, Envy by players, the Dynamic draws.

At the seeds the return is a straight line in each meter, so two points give its slope, and with it the break-even
meter when Envy Pays come on top.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, log, log10, sqrt

from highcardflush.jackpot import Plan, plans
from highcardflush.money import WHOLE_BP
from highcardflush.odds.paytable import dynamic_returns
from highcardflush.odds.progressive import MeterOdds, ProgressiveOdds, progressive_odds
from highcardflush.report.model import Bar, Dynamic, EnvyRow, MeterPage, MeterReturn, ProgressivePage
from highcardflush.rulebook.model import MAX_SEATS, PayTable, Rulebook

STEPS = 6


def progressive_page(rulebook: Rulebook) -> ProgressivePage | None:
    table, offer = rulebook.table("progressive"), rulebook.offer("progressive")
    if table is None or offer is None:
        return None
    odds, known = progressive_odds(rulebook), plans(rulebook)
    return ProgressivePage(
        base_cents=int(offer.base),
        fixed=odds.fixed,
        contributions=odds.contributions,
        seed_cost=sum((meter.house_seed_cost for meter in odds.meters), Fraction(0)),
        long_run_return=odds.long_run,
        meters=tuple(_meter_page(rulebook, known[meter.name], meter, odds) for meter in odds.meters),
        envy=_envy(rulebook, table, odds),
        dynamic=_dynamic(table) if table.dynamic_lines else None,
    )


def _meter_page(rulebook: Rulebook, plan: Plan, meter: MeterOdds, odds: ProgressiveOdds) -> MeterPage:
    to_hit = [_bets_to_hit(1 / meter.bets_between_hits, part) for part in (0.1, 0.5, 0.9)]
    return MeterPage(
        name=meter.name,
        seed_micros=plan.seed_micros,
        reseed_micros=plan.reseed_micros,
        rate=Fraction(plan.rate_bp, WHOLE_BP),
        reserve_rate=Fraction(plan.reserve_rate_bp, WHOLE_BP),
        bonus=plan.bonus,
        break_even_meter=meter.break_even,
        bets_between_hits=meter.bets_between_hits,
        bets_to_hit_10=to_hit[0],
        bets_to_hit_50=to_hit[1],
        bets_to_hit_90=to_hit[2],
        mean_start=meter.start,
        expected_meter_at_hit=meter.expected_at_hit,
        house_seed_cost=meter.house_seed_cost,
        returns=_returns(rulebook, plan, meter),
    )


def _bets_to_hit(chance: Fraction, part: float) -> float:
    """After so many bets a 100 % win has come with this chance."""
    return float(ceil(log(1 - part) / log(1 - chance)))


def return_at(rulebook: Rulebook, meter: str, dollars: Fraction) -> Fraction:
    """The return with this much in one meter, the others at their seeds, one player."""
    return progressive_odds(rulebook, {meter: dollars}).at_meters.returned


def _returns(rulebook: Rulebook, plan: Plan, meter: MeterOdds) -> tuple[MeterReturn, ...]:
    """Round amounts, and those that have a name."""
    marks = {meter.seed: "seed"} if meter.seed else {}
    if not plan.bonus:
        marks.setdefault(meter.expected_at_hit, "expected at a 100 % win")
    if meter.break_even > 0:
        marks.setdefault(meter.break_even, "break-even")
    found = []
    for amount in sorted({*marks, *_round_amounts(max(marks, default=Fraction(1)))}):
        value = return_at(rulebook, plan.name, amount)
        found.append(MeterReturn(meter=amount, mark=marks.get(amount, ""), returned=value, house_edge=1 - value))
    return tuple(found)


def _round_amounts(top: Fraction) -> list[Fraction]:
    """Some round amounts up to somewhat above the top."""
    rough = float(top) / STEPS
    size = Fraction(10) ** floor(log10(rough))
    step = next(size * nice for nice in (1, 2, Fraction(5, 2), 5, 10) if float(size * nice) >= rough)
    return [step * number for number in range(1, STEPS + 2) if step * number <= top * Fraction(6, 5)]


def _envy(rulebook: Rulebook, table: PayTable, odds: ProgressiveOdds) -> tuple[EnvyRow, ...]:
    """By players who made the bet, up to the table's seats; the first meter's break-even."""
    if rulebook.settings.envy == "off" or not any(line.envy for line in table.lines):
        return ()
    meter = odds.meters[0]
    slope = return_at(rulebook, meter.name, meter.seed + 1) - return_at(rulebook, meter.name, meter.seed)
    rows = []
    for seats in range(1, MAX_SEATS + 1):
        found = progressive_odds(rulebook, seats=seats)
        rows.append(
            EnvyRow(
                seats=seats,
                envy=found.at_meters.envy,
                return_at_seed=found.at_meters.returned,
                long_run_return=found.long_run,
                break_even_meter=meter.break_even - found.at_meters.envy / slope,
            )
        )
    return tuple(rows)


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
    """Steps of 10 % of the bet; a return of exactly 100 % does not exceed it and stands below."""
    last = ceil(max(returns) * 10)
    counts = [Fraction(0)] * (last + 1)
    for value, chance in returns.items():
        counts[max(ceil(value * 10) - 1, 0)] += chance
    first = next(i for i, chance in enumerate(counts) if chance)
    return tuple(
        Bar(low=i / 10, high=(i + 1) / 10, chance=float(chance)) for i, chance in enumerate(counts) if first <= i < last
    )
