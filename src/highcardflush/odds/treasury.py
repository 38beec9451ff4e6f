"""Costs of a progressive to the house: advances to the reserve, several winners in one round, and the effect of a cap.

At a reseed the house advances what the reserve lacks. The outstanding advance is max(0, previous advance + reseed -
reserve contributions since the previous reseed). The waiting times in an M/D/1 queue (random arrivals, constant service
time) follow the same recursion. With a load of r, the probability of an advance of at most u reseeds is Erlang's sum

    P(advance <= u) = (1 - r) sum over k = 0 .. u of exp(r (u - k)) (-r (u - k))^k / k!

Its terms are large and alternate in sign, so they are calculated as decimals with many digits. Beyond a few reseeds the
tail of the distribution is one exponential: with d > 0 and r (exp(d) - 1) = d,

    P(advance > u) = (1 - r) / (r + d - 1) exp(-d u)

up to terms that fall by a factor of more than eight with each reseed. If the reserve is empty at first, the mean
advance after the n-th win follows from Spitzer's identity: it is the sum over k = 1 .. n of the mean of max(0, k
reseeds - reserve contributions in k gaps) / k. A gap is the time between two wins. Contributions are treated as a
steady stream, and the number of bets until a win is geometric.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from math import ceil, exp, expm1, factorial, floor, lgamma, log, log1p
from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from highcardflush.cards import HAND_SIZE
from highcardflush.jackpot import Hit, Meter, pay_hits
from highcardflush.money import MICROS_PER_CENT, MICROS_PER_DOLLAR, WHOLE_BP
from highcardflush.odds.counting import SUITS
from highcardflush.odds.paytable import table_odds
from highcardflush.odds.progressive import MeterOdds, ProgressiveOdds, progressive_odds
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.paytable import PayTable, Plan
from highcardflush.rulebook.wagers import Reach
from highcardflush.units import HIDDEN, Code, Count, Figure, Number, Part

DIGITS = 50
"""Number of decimal digits used to compute a probability. Longer sums use more, because their terms are larger."""
TAIL_RESEEDS = 16
"""Advance, in reseeds, above which the tail is one exponential to within 1e-13."""


def hands_together(reach: Reach) -> int | None:
    """Return how many hands of a round can have this straight flush or flush at once, or `None` for no limit."""
    # In each suit, only one hand can have seven of the thirteen cards, and only one has the ace.
    return SUITS if reach[0] == HAND_SIZE or reach[1] else None


def seed_load(plan: Plan, odds: MeterOdds, base: Fraction) -> Fraction | None:
    """Return the cost of new seeds as a fraction of the contributions to the reserve.

    Return `None` if there is no reserve.
    """
    if not plan.reserve_rate_bp:
        return None
    reseed, gathered = Fraction(plan.reseed_micros, 10**6), Fraction(plan.reserve_rate_bp, WHOLE_BP) * base
    return reseed / (odds.bets_between_hits * gathered)


def advance_below(load: Fraction, reseeds: Fraction) -> float:
    """Return the probability that the advance after a reseed is at most `reseeds` reseeds. `load` must be below 1."""
    if reseeds < 0:
        return 0.0
    with localcontext() as context:
        context.prec = DIGITS + floor(reseeds) + 10
        rate, total = _decimal(load), Decimal(0)
        for k in range(floor(reseeds) + 1):
            exponent = rate * _decimal(reseeds - k)
            total += exponent.exp() * (-exponent) ** k / factorial(k) if k else exponent.exp()
        return float((1 - rate) * total)


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def advance_tail(load: Fraction) -> tuple[float, float]:
    """Return c and d, where c exp(-d u) is the probability of an advance of more than `u` reseeds, for a large `u`."""
    low, high = 0.0, 1.0

    def grows(decay: float) -> bool:
        return float(load) * expm1(decay) > decay

    while not grows(high):
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if grows(middle) else (middle, high)
    spare = float(1 - load)
    return spare / (high - spare), high


def advance_quantile(load: Fraction, part: float) -> float | None:
    """Return a quantile of the advance, in reseeds, or `None` if it is infinite because the load is 1 or more."""
    if load >= 1:
        return None
    low, high = Fraction(0), Fraction(TAIL_RESEEDS)
    if advance_below(load, low) >= part:
        return 0.0
    if advance_below(load, high) < part:
        scale, decay = advance_tail(load)
        return log(scale / (1 - part)) / decay
    for _ in range(24):
        middle = (low + high) / 2
        low, high = (low, middle) if advance_below(load, middle) >= part else (middle, high)
    return float(high)


def advance_quantiles(load: Fraction | None, plan: Plan, parts: Iterable[float]) -> dict[float, float | None]:
    """Return quantiles of the advance in dollars, keyed by probability.

    A quantile is `None` if it is infinite or if there is no reserve.
    """
    quantiles = {part: None if load is None else advance_quantile(load, part) for part in parts}
    reseed = plan.reseed_micros / MICROS_PER_DOLLAR
    return {part: None if each is None else each * reseed for part, each in quantiles.items()}


def advance_after(load: Fraction, wins: int) -> float:
    """Return the mean advance, in reseeds, after `wins` wins, starting from an empty reserve. The load may exceed 1."""
    return sum(_short(float(load), gaps) / gaps for gaps in range(1, wins + 1))


def _short(load: float, gaps: int) -> float:
    """Return the mean of max(0, reseeds - gamma-distributed contributions) over `gaps` gaps, in reseeds."""
    need = gaps * load
    terms = [exp(j * log(need) - need - lgamma(j + 1)) for j in range(gaps + 1)]  # Terms of a Poisson distribution.
    below = 1 - sum(terms[:gaps])
    return max(0.0, need * below - gaps * (below - terms[gaps])) / load


def bets_to_win(odds: MeterOdds, part: float) -> int:
    """Return the number of bets within which a 100 % win occurs with the probability `part`."""
    return ceil(log1p(-part) / log1p(-1 / odds.bets_between_hits))


class SeveralWinners(Struct, frozen=True, kw_only=True):
    """Costs, in cents, of a round in which several hands win 100 % of one meter."""

    meter: str
    winners: Annotated[int, Figure("count", "number of 100 % winners of a meter in one round")]
    paid_cents: Annotated[int, Figure("cents", "amount paid to all winners of a meter together")]
    house_cents: Annotated[int, Figure("cents", "amount that the house pays or advances, including new seeds")]
    envy_cents: int
    """Envy Pays to all players, which the house pays in addition."""


def mean_meters(odds: ProgressiveOdds) -> dict[str, Meter]:
    """Return each meter, with an empty reserve, at its mean amount at a 100 % win; a bonus jackpot is as displayed."""
    amounts = {each.name: each.seed if odds.bonus else each.expected_at_hit for each in odds.meters}
    return {name: Meter(int(amount * MICROS_PER_DOLLAR)) for name, amount in amounts.items()}


def several_winners(rulebook: Rulebook, seats: int, meters: Mapping[str, Meter]) -> tuple[SeveralWinners, ...]:
    """Return the costs for each meter and each possible number of winners in a round with `seats` bettors."""
    offer, table = rulebook.progressive
    rows = []
    for name, plan in rulebook.plans.items():
        lines = [line for line in table.lines if line.meter == name and line.percent_bp == WHOLE_BP]
        envy = int(offer.base) * (seats - 1) * (rulebook.settings.envy == "on")
        # A hand that reaches a higher line also reaches the lower lines, so only the largest limit counts.
        most = [(line.envy, min(seats, hands_together(line.reach) or seats)) for line in lines]
        for winners in range(1, max((hands for _, hands in most), default=0) + 1):
            paid, house = _cost(plan, meters[name], winners)
            envies = sorted((envy_pay for envy_pay, hands in most for _ in range(min(winners, hands))), reverse=True)
            envied = sum(envies[:winners]) * envy
            costs = {"paid_cents": paid, "house_cents": house, "envy_cents": envied}
            rows.append(SeveralWinners(meter=name, winners=winners, **costs))
    return tuple(rows)


def _cost(plan: Plan, meter: Meter, winners: int) -> tuple[int, int]:
    """Return, in cents, the amount paid to this many winners and the amount that the house pays or advances."""
    after, moves = pay_hits(plan, meter, [Hit(seat, WHOLE_BP) for seat in range(winners, 0, -1)])
    house = -sum(move.house_micros for move in moves)
    advanced = max(0, -after.reserve_micros) - max(0, -meter.reserve_micros)
    return sum(move.player_cents for move in moves), -(-(house + advanced) // MICROS_PER_CENT)


def cap_saves(table: PayTable, bet_cents: int, cap_cents: int) -> Fraction:
    """Return the fraction of each bet that a cap on one hand's pay saves. Percentages of a meter are never capped."""
    return table_odds(table).returned - table_odds(table, cap=Fraction(cap_cents, bet_cents)).returned


ADVANCE_PARTS, WIN_PARTS, WINS = (0.5, 0.95, 0.99), (0.05, 0.5, 0.95), (1, 10, 100)


class MeterTreasury(Struct, frozen=True, kw_only=True):
    """Figures of one meter, with amounts in dollars."""

    odds: Annotated[MeterOdds, HIDDEN]
    load: Fraction | None
    """Cost of new seeds as a fraction of the contributions to the reserve, or `None` if there is no reserve."""
    advance: Annotated[dict[float, float | None], Figure(key="advance_quantiles_dollars")]
    """Long-run quantiles of the advance after a reseed, keyed by probability; `None` if infinite or without reserve."""
    after_wins: Annotated[dict[int, float], Figure(key="mean_advance_after_wins_dollars")]
    """Mean advance, keyed by the number of wins since the reserve was empty."""
    bets: Annotated[dict[float, int], Figure(key="bets_to_hit")]
    """Number of bets within which a win occurs, keyed by probability."""
    bets_an_hour: Annotated[int | None, HIDDEN] = None

    @property
    def meter(self) -> Code:
        return self.odds.name

    @property
    def mean_advance_dollars(self) -> Part | None:
        return self.odds.advance

    @property
    def bets_between_hits(self) -> Part:
        return self.odds.bets_between_hits

    @property
    def hours_between_hits(self) -> Number | None:
        return float(self.odds.bets_between_hits) / self.bets_an_hour if self.bets_an_hour else None


class CapSaving(Struct, frozen=True):
    """Fraction of each bet that a cap on the pay of one hand saves."""

    cap_cents: int
    saved: Fraction


class Treasury(Struct, frozen=True, kw_only=True):
    """Costs of the offered progressive to the house."""

    odds: Annotated[ProgressiveOdds, HIDDEN]
    meters: tuple[MeterTreasury, ...]
    several: Annotated[tuple[SeveralWinners, ...], Figure(key="several_winners")]
    caps: Annotated[tuple[CapSaving, ...], Figure(key="caps_save")]

    @property
    def notice(self) -> Code | UnsetType:
        return self.odds.notice or UNSET

    @property
    def base_cents(self) -> Count:
        return int(100 * self.odds.base)


def treasury(
    rulebook: Rulebook, seats: int, caps_cents: Iterable[int] = (), bets_an_hour: int | None = None
) -> Treasury:
    """Return what the offered progressive can cost the house, with `seats` bettors per round and these caps."""
    odds, (offer, table) = progressive_odds(rulebook), rulebook.progressive
    return Treasury(
        odds=odds,
        meters=tuple(_meter_treasury(rulebook.plans[each.name], each, odds.base, bets_an_hour) for each in odds.meters),
        several=several_winners(rulebook, seats, mean_meters(odds)),
        caps=tuple(CapSaving(cap, cap_saves(table, int(offer.base), cap)) for cap in caps_cents),
    )


def _meter_treasury(plan: Plan, odds: MeterOdds, base: Fraction, bets_an_hour: int | None) -> MeterTreasury:
    load, reseed = seed_load(plan, odds, base), plan.reseed_micros / MICROS_PER_DOLLAR
    return MeterTreasury(
        odds=odds,
        load=load,
        advance=advance_quantiles(load, plan, ADVANCE_PARTS),
        after_wins={wins: reseed * advance_after(load, wins) for wins in WINS} if load is not None else {},
        bets={part: bets_to_win(odds, part) for part in WIN_PARTS},
        bets_an_hour=bets_an_hour,
    )
