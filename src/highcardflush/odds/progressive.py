"""What a progressive is worth: at a given meter, at the break-even meter, and in the long run.

All contributions come back to the players in the end, through percentage pays and new seeds. So in the long run
a table with a reserve returns its fixed pays, the main rate and the reserve rate; without one the house gives the
reseed, and the return is fixed pays, main rate and the chance of a 100 % win times the reseed.

Between two 100 % wins the meter grows with each bet and loses its share at each percentage win. Both are linear in
the meter, so its expected amount at a 100 % win is a straight line in the amount it started with.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from highcardflush.money import MICROS_PER_DOLLAR, WHOLE_BP
from highcardflush.odds.paytable import TableOdds, table_odds
from highcardflush.rulebook.model import PayTable, Plan, Rulebook


class MeterOdds(Struct, frozen=True):
    """One meter of a progressive, in dollars and bets."""

    name: str
    seed: Fraction
    break_even: Fraction
    """The amount at which the bet returns 1, the other meters at their seeds."""
    bets_between_hits: Fraction
    start: Fraction
    """The mean amount after a 100 % win."""
    expected_at_hit: Fraction
    house_seed_cost: Fraction
    """What the house gives for new seeds, as a part of each bet."""


class ProgressiveOdds(Struct, frozen=True):
    """A progressive on offer at a table."""

    base: Fraction
    fixed: Fraction
    contributions: Fraction
    at_meters: TableOdds
    meters: tuple[MeterOdds, ...]
    long_run: Fraction | None
    """None where no rates are known, as for a bonus jackpot."""
    bonus: bool = False


def progressive_odds(rulebook: Rulebook, meters: dict[str, Fraction] | None = None, seats: int = 1) -> ProgressiveOdds:
    """The figures of the progressive on offer; `meters` in dollars, at its seed where not given."""
    offer, table = rulebook.offer("progressive"), rulebook.paytable("progressive")
    assert offer is not None
    assert table is not None
    base = Fraction(int(offer.base), 100)
    known = rulebook.plans
    amounts = {name: (meters or {}).get(name, _dollars(plan.seed_micros)) for name, plan in known.items()}
    envied = seats if rulebook.settings.envy == "on" else 1
    at_meters = table_odds(table, {name: amount / base for name, amount in amounts.items()}, envied)
    rates = sum((Fraction(plan.rate_bp + plan.reserve_rate_bp, WHOLE_BP) for plan in known.values()), Fraction(0))
    by_meter = tuple(_meter_odds(table, plan, known, base) for plan in known.values())
    fixed = table_odds(table).returned
    long_run = fixed + rates + sum((meter.house_seed_cost for meter in by_meter), Fraction(0)) + at_meters.envy
    bonus = rulebook.bonus_jackpot
    return ProgressiveOdds(base, fixed, rates, at_meters, by_meter, long_run if rates else None, bonus)


def _dollars(micros: int) -> Fraction:
    return Fraction(micros, MICROS_PER_DOLLAR)


def _chances(table: PayTable, meter: str) -> tuple[Fraction, list[tuple[Fraction, Fraction]]]:
    """The chance of a 100 % line, and each percentage line's chance and share."""
    whole, parts = Fraction(0), []
    for line in table_odds(table).lines:
        share = Fraction(line.line.percent_bp or 0, WHOLE_BP)
        if line.line.meter == meter and share == 1:
            whole += line.probability
        elif line.line.meter == meter and share:
            parts.append((line.probability, share))
    return whole, parts


def _meter_odds(table: PayTable, plan: Plan, known: dict[str, Plan], base: Fraction) -> MeterOdds:
    whole, parts = _chances(table, plan.name)
    weight = whole + sum((chance * share for chance, share in parts), Fraction(0))
    others = {name: _dollars(other.seed_micros) / base for name, other in known.items() if name != plan.name}
    rate, reserve_rate = Fraction(plan.rate_bp, WHOLE_BP), Fraction(plan.reserve_rate_bp, WHOLE_BP)
    reseed = _dollars(plan.reseed_micros)
    start = max(reseed, reserve_rate * base / whole)
    return MeterOdds(
        name=plan.name,
        seed=_dollars(plan.seed_micros),
        break_even=(1 - table_odds(table, others).returned) / weight * base,
        bets_between_hits=1 / whole,
        start=start,
        expected_at_hit=_expected_at_hit(whole, parts, rate * base, start),
        house_seed_cost=Fraction(0) if reserve_rate or plan.bonus else whole * reseed / base,
    )


def _expected_at_hit(
    whole: Fraction, parts: list[tuple[Fraction, Fraction]], growth: Fraction, start: Fraction
) -> Fraction:
    """f(m) = whole (m + growth) + (1 - whole) f(keep (m + growth)) has the solution slope * m + rest."""
    lost = sum((chance * share for chance, share in parts), Fraction(0)) / (1 - whole)
    keep = (1 - whole) * (1 - lost)
    slope = whole / (1 - keep)
    rest = growth * (whole + keep * slope) / whole
    return slope * start + rest
