"""Exact meter arithmetic in micro-dollars: contributions, pays, reseeds, and several hits in one round.

A rulebook's `Plan` holds the configuration of a meter at one table: its seed, its rates, and how a 100 % win is
divided. A `Meter` holds the amounts of the meter and of its reserve. `pay_hits` goes through the winning hands in
settlement order and returns every move. In each move of a progressive, the player's gain and the changes of meter,
reserve and house add up to zero. The meter is therefore always seed + contributions + reseeds - pays from the meter.

The display of a bonus jackpot is not money: the house pays, and the display is lowered by the same amount, but not
below zero. Every pay is a percentage of what was displayed when the wagers locked, so winners do not affect each other.

Percentage pays are rounded up to the cent, but not above the meter. A 100 % pay leaves parts of a cent in the meter.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from highcardflush.money import MICROS_PER_CENT, WHOLE_BP
from highcardflush.rulebook.paytable import Plan


class Meter(Struct, frozen=True, gc=False):
    """Amounts of a meter and its reserve. A negative reserve is an advance from the house."""

    amount_micros: int
    reserve_micros: int = 0

    def plus(self, other: "Meter") -> "Meter":
        return Meter(self.amount_micros + other.amount_micros, self.reserve_micros + other.reserve_micros)

    def minus(self, other: "Meter") -> "Meter":
        return Meter(self.amount_micros - other.amount_micros, self.reserve_micros - other.reserve_micros)


class Hit(Struct, frozen=True, gc=False):
    """A hand that wins a percentage of the meter."""

    seat: int
    percent_bp: int


class Move(Struct, frozen=True, gc=False):
    """One pay or reseed of a meter, with each party's gain or loss. For a reseed, `seat` and `percent_bp` are 0."""

    kind: Literal["pay", "reseed"]
    seat: int
    percent_bp: int
    player_cents: int
    meter_micros: int
    reserve_micros: int
    house_micros: int
    before_micros: int
    after_micros: int


def contribution(plan: Plan, stake_cents: int) -> Meter:
    """Return the contribution of one bet to the meter and to its reserve."""
    return Meter(stake_cents * plan.rate_bp, stake_cents * plan.reserve_rate_bp)


def pay_hits(plan: Plan, meter: Meter, hits: Sequence[Hit]) -> tuple[Meter, tuple[Move, ...]]:
    """Pay the hands that hit this meter, in settlement order. Return the new meter and every move.

    All 100 % winners are paid when the first of them is reached, and the meter is then reseeded. Under the policy
    `in-turn`, each winner is paid in order, and the meter is reseeded after each pay.
    """
    if plan.bonus:
        return _pay_display(plan, meter, hits)
    moves: list[Move] = []
    winners = [hit for hit in hits if hit.percent_bp == WHOLE_BP]
    for hit in hits:
        if hit.percent_bp < WHOLE_BP:
            meter = _pay(moves, meter, plan, hit, _percentage_cents(meter, hit.percent_bp))
        elif plan.hits == "in-turn":
            meter = _pay_whole(moves, meter, plan, [hit])
        elif hit is winners[0]:
            meter = _pay_whole(moves, meter, plan, winners)
    return meter, tuple(moves)


def is_closed(plan: Plan, meter: Meter) -> bool:
    """Return True if a bonus jackpot displays zero. Its bet is then closed."""
    return plan.bonus and meter.amount_micros < MICROS_PER_CENT


def _pay_display(plan: Plan, display: Meter, hits: Sequence[Hit]) -> tuple[Meter, tuple[Move, ...]]:
    """Pay each hand that hit a bonus jackpot its percentage of the display."""
    moves: list[Move] = []
    after, winners = display, [hit for hit in hits if hit.percent_bp == WHOLE_BP]
    whole = dict(zip([hit.seat for hit in winners], _whole_cents(plan, display, len(winners)), strict=True))
    for hit in hits:
        cents = whole[hit.seat] if hit in winners else _percentage_cents(display, hit.percent_bp)
        after = _pay(moves, after, plan, hit, cents)
    return _reseed(moves, after, plan) if hits else after, tuple(moves)


def _whole_cents(plan: Plan, meter: Meter, winners: int) -> list[int]:
    """Return the pay of each 100 % winner in cents. If the winners share, leftover cents go to the first winner."""
    pot_cents = meter.amount_micros // MICROS_PER_CENT
    if plan.hits == "each" or not winners:
        return [pot_cents] * winners
    share_cents = pot_cents // winners
    return [pot_cents - share_cents * (winners - 1)] + [share_cents] * (winners - 1)


def _percentage_cents(meter: Meter, percent_bp: int) -> int:
    up = -(-meter.amount_micros * percent_bp // (WHOLE_BP * MICROS_PER_CENT))
    return min(up, meter.amount_micros // MICROS_PER_CENT)


def _pay_whole(moves: list[Move], meter: Meter, plan: Plan, winners: Sequence[Hit]) -> Meter:
    """Pay the whole meter to its winners and reseed it."""
    for i, (hit, cents) in enumerate(zip(winners, _whole_cents(plan, meter, len(winners)), strict=True)):
        meter = _pay(moves, meter, plan, hit, cents, by_house=plan.hits == "each" and i > 0)
    return _reseed(moves, meter, plan)


def _pay(moves: list[Move], meter: Meter, plan: Plan, hit: Hit, cents: int, *, by_house: bool = False) -> Meter:
    """Pay one hit, from the meter or from the house."""
    micros = cents * MICROS_PER_CENT
    taken_micros = 0 if by_house else min(micros, meter.amount_micros) if plan.bonus else micros
    return _move(moves, meter, Meter(-taken_micros), -micros if by_house or plan.bonus else 0, hit, cents)


def _reseed(moves: list[Move], meter: Meter, plan: Plan) -> Meter:
    """Return the reseeded meter, which starts at the reseed or at the whole reserve, whichever is larger.

    The reserve funds it and may go negative, which is an advance by the house. A reserve without a rate, which holds
    only what its meter could not, does not go negative: the house gives what is missing.
    """
    if plan.bonus and not plan.reseed_micros:
        return meter  # The operator must set the display again.
    if plan.bonus:
        return _move(moves, meter, Meter(plan.reseed_micros - meter.amount_micros), 0)
    start = max(plan.reseed_micros, meter.reserve_micros)
    taken = start if plan.reserve_rate_bp else max(0, meter.reserve_micros)
    return _move(moves, meter, Meter(start, -taken), taken - start)


def _move(
    moves: list[Move], meter: Meter, change: Meter, house_micros: int, hit: Hit | None = None, player_cents: int = 0
) -> Meter:
    """Record a pay to a hit, or a reseed if there is no hit, and return the changed meter."""
    after = meter.plus(change)
    moves.append(
        Move(
            kind="pay" if hit else "reseed",
            seat=hit.seat if hit else 0,
            percent_bp=hit.percent_bp if hit else 0,
            player_cents=player_cents,
            meter_micros=change.amount_micros,
            reserve_micros=change.reserve_micros,
            house_micros=house_micros,
            before_micros=meter.amount_micros,
            after_micros=after.amount_micros,
        )
    )
    return after
