"""Figures of side bets: pay tables with each meter at its seed, the effect of caps, and the meters of a progressive."""

from fractions import Fraction
from math import ceil, floor, log10, sqrt
from typing import Annotated, Literal

from msgspec import Struct

from highcardflush.figures.spread import Bar, Hold
from highcardflush.game.legal import allowed_wagers
from highcardflush.odds.counting import add_up
from highcardflush.odds.paytable import TableOdds, dynamic_returns, table_odds, table_returns
from highcardflush.odds.progressive import MeterOdds, ProgressiveOdds, progressive_odds
from highcardflush.odds.treasury import bets_to_win
from highcardflush.rulebook import MAX_SEATS, SIDE_BETS, Offer, PayTable, Rulebook
from highcardflush.rulebook.paytable import Plan
from highcardflush.units import Figure, Part

STEPS = 6
"""Approximate number of amounts in round figures, up to a meter's highest mark."""
BETS_CENTS = (100, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000)
Mark = Literal["seed", "expected-at-hit", "break-even"]


class MeterReturn(Struct, frozen=True):
    """The bet's return if one meter has this amount and the other meters are at their seeds."""

    meter: Annotated[Fraction, Figure("dollars", "amount in the meter")]
    mark: Annotated[Mark | None, Figure("code", "name of the amount: seed, expected at a 100 % win, or break-even")]
    returned: Annotated[Fraction, Figure(key="return", form="exact")]

    @property
    def house_edge(self) -> Part:
        return 1 - self.returned


class Meter(Struct, frozen=True, kw_only=True):
    plan: Plan
    odds: MeterOdds
    bets_to_hit: dict[int, float]
    """Number of bets within which a 100 % win comes, keyed by probability in percent."""
    returns: tuple[MeterReturn, ...]


class Dynamic(Struct, frozen=True, kw_only=True):
    draws: Annotated[int, Figure("count", "number of different returns that a draw can give")]
    mean: Fraction
    lowest: Annotated[Fraction, Figure("part", "lowest return of a draw")]
    highest: Annotated[Fraction, Figure("part", "highest return of a draw")]
    over_one: Annotated[Fraction, Figure("part", "probability of a draw whose fixed pays return more than the bet")]
    standard_deviation: float
    bars: tuple[Bar, ...]


class EnvyRow(Struct, frozen=True):
    seats: Annotated[int, Figure("count", "number of players who made the bet, or who are simulated")]
    envy: Annotated[Fraction, Figure("part", "return of Envy Pays for this number of bettors")]
    return_at_seed: Annotated[Fraction, Figure("part", "return including Envy Pays, with every meter at its seed")]
    long_run_return: Annotated[
        Fraction | None, Figure("part", "long-run return, null if no bet feeds the display", form="exact")
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
    has_envy = rulebook.settings.envy == "on" and any(line.envy for line in table.lines)
    by_seats = ((seats, progressive_odds(rulebook, seats=seats)) for seats in range(1, has_envy * MAX_SEATS + 1))
    return Progressive(
        odds=odds,
        meters=tuple(
            Meter(
                plan=plans[meter.name],
                odds=meter,
                bets_to_hit={percent: float(bets_to_win(meter, percent / 100)) for percent in (10, 50, 90)},
                returns=_returns(rulebook, plans[meter.name], meter),
            )
            for meter in odds.meters
        ),
        envy=tuple(
            EnvyRow(seats, odds.at_meters.envy, odds.at_meters.returned, odds.long_run, odds.meters[0].break_even)
            for seats, odds in by_seats
        ),
        dynamic=_dynamic(table) if table.dynamic_lines else None,
    )


def _returns(rulebook: Rulebook, plan: Plan, meter: MeterOdds) -> tuple[MeterReturn, ...]:
    """Return the bet's return at each mark, and at amounts in round figures up to slightly above the highest mark."""
    marks: dict[Fraction, Mark] = {meter.seed: "seed"} if meter.seed else {}
    if not plan.bonus:
        marks.setdefault(meter.expected_at_hit, "expected-at-hit")
    if meter.break_even > 0:
        marks.setdefault(meter.break_even, "break-even")
    top = max(marks, default=Fraction(1))
    size = Fraction(10) ** floor(log10(float(top) / STEPS))
    step = next(size * nice for nice in (1, 2, Fraction(5, 2), 5, 10) if float(size * nice) >= float(top) / STEPS)
    round_amounts = (step * number for number in range(1, STEPS + 2))
    amounts = sorted({*marks, *(each for each in round_amounts if each <= top * Fraction(6, 5))})
    valued = {each: progressive_odds(rulebook, {plan.name: each}).at_meters for each in amounts}
    return tuple(MeterReturn(each, marks.get(each), odds.returned) for each, odds in valued.items())


def _dynamic(table: PayTable) -> Dynamic:
    returns = dynamic_returns(table)
    # A return of exactly 100 % belongs to the bar below.
    tenths = add_up((max(ceil(value * 10) - 1, 0), chance) for value, chance in returns.items())
    mean = sum((value * chance for value, chance in returns.items()), Fraction(0))
    square = sum((value * value * chance for value, chance in returns.items()), Fraction(0))
    return Dynamic(
        draws=len(returns),
        mean=mean,
        lowest=min(returns),
        highest=max(returns),
        over_one=sum((chance for value, chance in returns.items() if value > 1), Fraction(0)),
        standard_deviation=sqrt(square - mean * mean),
        bars=tuple(Bar(i / 10, (i + 1) / 10, float(tenths.get(i, 0))) for i in range(min(tenths), max(tenths) + 1)),
    )


class CapRow(Struct, frozen=True):
    """The return of a bet of this size under the caps, if no other wager is paid."""

    bet_cents: Annotated[int, Figure("cents", "size of the bet")]
    most_paid: Annotated[Fraction, Figure("bet", "maximum pay on one hand, for a bet of this size")]
    returned: Annotated[Fraction, Figure(key="return", form="exact")]
    house_edge: Fraction


class SideBet(Struct, frozen=True, kw_only=True):
    odds: TableOdds
    base_cents: int
    envy: bool
    uncapped_cents: int | None
    """Largest bet, in cents, that no cap can reduce; `None` if there is no cap, 0 if every bet can be reduced."""
    caps: tuple[CapRow, ...]
    progressive: Progressive | None
    """Figures of the progressive; `None` for other bets."""

    @property
    def table(self) -> PayTable:
        return self.odds.table

    @property
    def wager(self) -> str:
        return self.odds.table.wager

    @property
    def long_run(self) -> TableOdds:
        """Long-run figures, for which each meter of a progressive is set to its mean amount at a 100 % win."""
        return (self.progressive and self.progressive.odds.at_mean_meters) or self.odds

    @property
    def named_odds(self) -> dict[str, TableOdds]:
        """Figures, keyed by the words that describe the amounts in the meters."""
        if self.progressive is None:
            return {"": self.odds}
        if self.bonus:
            return {", as displayed": self.odds}
        return {", long run": self.long_run, ", meters at seed": self.odds}

    @property
    def bonus(self) -> bool:
        return self.progressive is not None and self.progressive.odds.bonus

    @property
    def hold(self) -> Hold:
        """Long-run hold. A percentage of a meter is counted at the meter's mean amount and rounded to whole bets."""
        returns = table_returns(self.long_run).items()
        nets = add_up((Fraction(round(returned)) - 1, chance) for returned, chance in returns)
        return Hold(self.long_run.house_edge, self.long_run.standard_deviation, tuple(nets.items()))


def side_bet(rulebook: Rulebook, offer: Offer) -> SideBet:
    table = rulebook.paytables[offer.paytable]
    meters = progressive(rulebook) if SIDE_BETS[offer.wager].jackpot else None
    caps = () if meters else rulebook.settings.caps_on(offer.wager)
    cap_cents = min((cap.cents for cap in caps), default=0)
    amounts, rows, uncapped_cents = allowed_wagers(rulebook)[offer.wager], list[CapRow](), None
    if cap_cents:
        best_pay = max(line.pay_for_1 for line in table.lines)
        most_cents = cap_cents // best_pay
        uncapped_cents = amounts.nearest(most_cents) if most_cents >= amounts.minimum_cents else 0
        for bet_cents in filter(amounts.__contains__, BETS_CENTS):
            cap = Fraction(cap_cents, bet_cents)
            odds = table_odds(table, cap=cap)
            rows.append(CapRow(bet_cents, min(cap, Fraction(best_pay)), odds.returned, odds.house_edge))
    return SideBet(
        odds=meters.odds.at_meters if meters else table_odds(table),
        base_cents=int(offer.base),
        envy=rulebook.settings.envy == "on",
        uncapped_cents=uncapped_cents,
        caps=tuple(rows),
        progressive=meters,
    )
