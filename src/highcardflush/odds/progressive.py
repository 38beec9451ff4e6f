"""Value of a progressive at given meter amounts and in the long run, and the amount at which the bet breaks even.

All contributions eventually return to the players, through percentage pays and new seeds. A new seed is taken from the
reserve, and the house advances what the reserve lacks. In the long run a meter therefore returns its main rate plus the
larger of its reserve rate and the cost of new seeds. That cost is the probability of a 100 % win times the reseed.

Between two 100 % wins the meter grows with each bet and loses a share at each percentage win. Its expected amount at a
100 % win is therefore linear in its amount at the start. Winning does not depend on the meter, so the mean amount at a
percentage win is the same. With the meters at these amounts, the return of the pay table is the long-run return.

The house's mean advance after a reseed is load x reseed / (2 (1 - load)), where the load is the share of the reserve
rate that new seeds need. This is an M/D/1 queue's mean waiting time (`odds.treasury`), if contributions are steady.

`generous` warns of side bets that return at least their stakes, and of seeds that the reserve does not cover.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from msgspec import Struct

from highcardflush.money import MICROS_PER_DOLLAR, WHOLE_BP
from highcardflush.odds.paytable import TableOdds, table_odds
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.paytable import PayTable, Plan
from highcardflush.rulebook.settings import meter_key
from highcardflush.rulebook.wagers import SIDE_BETS


class MeterOdds(Struct, frozen=True):
    """Figures of one meter of a progressive, in dollars and bets."""

    name: str
    seed: Fraction
    break_even: Fraction
    """Amount at which the bet returns 100 %, including Envy Pays, with the other meters at their seeds."""
    bets_between_hits: Fraction
    start: Fraction
    """Mean amount after a 100 % win."""
    expected_at_hit: Fraction
    kept: Fraction
    """Mean fraction of the starting amount that is still in the meter at the 100 % win."""
    house_seed_cost: Fraction
    """Cost of new seeds that the house never gets back, as a fraction of each bet."""
    advance: Fraction | None
    """Mean house advance after a reseed; `None` if the reserve never pays it back."""


class ProgressiveOdds(Struct, frozen=True):
    """Figures of a progressive on offer at a table."""

    base: Fraction
    fixed: Fraction
    contributions: Fraction
    at_meters: TableOdds
    meters: tuple[MeterOdds, ...]
    long_run: Fraction | None
    """Long-run return; `None` for a bonus jackpot, because bets do not feed it."""
    at_mean_meters: TableOdds | None = None
    """Figures if every meter has its expected amount at a 100 % win. Their return is the long-run return."""
    notice: str = ""
    """Exact text of the notice posted next to the amount of a bonus jackpot."""

    @property
    def bonus(self) -> bool:
        return self.long_run is None


def progressive_odds(
    rulebook: Rulebook, meters: Mapping[str, Fraction] | None = None, seats: int = 1
) -> ProgressiveOdds:
    """Return the figures of the progressive on offer. `meters` gives amounts in dollars; the default is the seed."""
    offer, table = rulebook.progressive
    base = Fraction(int(offer.base), 100)
    plans = rulebook.plans
    amounts = {name: (meters or {}).get(name, _dollars(plan.seed_micros)) for name, plan in plans.items()}
    envied = seats if rulebook.settings.envy == "on" else 1
    at_meters = table_odds(table, {name: amount / base for name, amount in amounts.items()}, envied)
    rates = sum((Fraction(plan.rate_bp + plan.reserve_rate_bp, WHOLE_BP) for plan in plans.values()), Fraction(0))
    by_meter = tuple(_meter_odds(table, plan, plans, base, at_meters.envy) for plan in plans.values())
    fixed = table_odds(table).returned
    if rulebook.bonus_jackpot:
        return ProgressiveOdds(base, fixed, rates, at_meters, by_meter, None, notice=rulebook.bonus_notice)
    long_run = fixed + rates + sum((meter.house_seed_cost for meter in by_meter), Fraction(0)) + at_meters.envy
    at_mean = table_odds(table, {meter.name: meter.expected_at_hit / base for meter in by_meter}, envied)
    return ProgressiveOdds(base, fixed, rates, at_meters, by_meter, long_run, at_mean)


def _dollars(micros: int) -> Fraction:
    return Fraction(micros, MICROS_PER_DOLLAR)


def _chances(table: PayTable, meter: str) -> tuple[Fraction, Fraction]:
    """Return the probability of a 100 % win, and the mean share of the meter that the other percentage lines take."""
    whole, part = Fraction(0), Fraction(0)
    for each in table_odds(table).lines:
        if each.line.meter == meter and each.line.percent_bp == WHOLE_BP:
            whole += each.probability
        elif each.line.meter == meter:
            part += each.probability * Fraction(each.line.percent_bp or 0, WHOLE_BP)
    return whole, part


def _meter_odds(table: PayTable, plan: Plan, plans: dict[str, Plan], base: Fraction, envy: Fraction) -> MeterOdds:
    whole, part = _chances(table, plan.name)
    other_seeds = {name: _dollars(other.seed_micros) / base for name, other in plans.items() if name != plan.name}
    reserve_rate, reseed = Fraction(plan.reserve_rate_bp, WHOLE_BP), _dollars(plan.reseed_micros)
    start, seeds = max(reseed, reserve_rate * base / whole), Fraction(0) if plan.bonus else whole * reseed / base
    return MeterOdds(
        name=plan.name,
        seed=_dollars(plan.seed_micros),
        break_even=(1 - table_odds(table, other_seeds).returned - envy) / (whole + part) * base,
        bets_between_hits=1 / whole,
        start=start,
        expected_at_hit=_expected_at_hit(whole, part, Fraction(plan.rate_bp, WHOLE_BP) * base, start),
        kept=whole / (whole + part),
        house_seed_cost=seed_cost(seeds, reserve_rate),
        advance=reseed * seeds / (2 * (reserve_rate - seeds)) if seeds < reserve_rate else None,
    )


def seed_cost(seeds: Fraction, reserve_rate: Fraction) -> Fraction:
    """Return the cost of new seeds beyond the contributions to the reserve. All amounts are fractions of a bet."""
    return max(Fraction(0), seeds - reserve_rate)


def _expected_at_hit(whole: Fraction, part: Fraction, growth: Fraction, start: Fraction) -> Fraction:
    """Return f(start), where f(m) = whole (m + growth) + (1 - whole) f(rest of m + growth) = kept m + grown."""
    kept = whole / (whole + part)
    grown = growth * (whole + (1 - whole - part) * kept) / whole
    return kept * start + grown


def generous(rulebook: Rulebook) -> Iterator[str]:
    """Yield a warning for each side bet that returns at least its stake, and each meter with too small a reserve."""
    for offer in rulebook.offers:
        if SIDE_BETS[offer.wager].jackpot:
            odds = progressive_odds(rulebook)
            if odds.long_run is None:  # The house pays for a bonus jackpot by design.
                continue
            for meter in odds.meters:
                if meter.house_seed_cost:
                    reserve = rulebook.plans[meter.name].reserve_rate_bp
                    cause = "the reserve is too small" if reserve else "there is no reserve"
                    key, cost = meter_key(meter.name, "reserve-rate"), _say_part(meter.house_seed_cost)
                    yield f"settings.{key}: new seeds cost the house {cost}, because {cause}"
            returned, when = odds.long_run, " in the long run"
        else:
            returned, when = table_odds(rulebook.paytables[offer.paytable]).returned, ""
        if returned >= 1:
            yield f"paytables.{offer.paytable}: the bet returns {_say_part(returned, when)}, so the house loses"


def _say_part(part: Fraction, when: str = "") -> str:
    return f"{100 * float(part):.6f} % of each stake{when} (exactly {part})"
