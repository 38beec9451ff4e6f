"""Compiled arithmetic for a floor's meters: applies the rules of `jackpot` to drawn rounds.

A test compares it with `jackpot.pay_hits`, move by move. Amounts are 64-bit micro-dollars, up to nine trillion dollars.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from highcardflush.jackpot import contribution
from highcardflush.money import MICROS_PER_CENT, WHOLE_BP
from highcardflush.odds.primitives import Array
from highcardflush.rulebook.paytable import PayTable, Plan

SHARE, EACH, IN_TURN = range(3)
POLICIES = {"share": SHARE, "each": EACH, "in-turn": IN_TURN}
AMOUNT, RESERVE = range(2)
PAID, HOUSE, SEEDS, SURPLUS, PARTS, WINS, WINNERS, BELOW, START, LEFT = range(10)
SUMS = 10
"""Number of values per meter. First, four sums in micros: all pays to players, the house's part of these pays, the
house's seeds, and the parts of starting amounts above the reseed, which the reserve pays. Then four counts: percentage
wins, 100 % wins (a shared win counts once), their winners, and bets made while the reserve was negative. Last, two
amounts in micros: the meter's last starting amount, and what percentage wins have left of it."""
METER, POT, ADVANCE, EVENT, TOGETHER = range(5)
JACKPOT = 5
"""Number of values recorded for each 100 % win: the index of its meter, the cents paid in total, the house advance
after it (in micros), the index of its round among the rounds with winners, and its number of winners."""


class Meters(NamedTuple):
    """Meters and percentage lines, in the form that the kernel reads."""

    contributed: Array
    """Micros that one bet adds to the amount and to the reserve of each meter."""
    reseed: Array
    reserved: Array
    """True for each meter whose seeds come from a reserve."""
    policy: Array
    line_meter: Array
    line_bp: Array


def meters_of(plans: dict[str, Plan], table: PayTable, base_cents: int) -> Meters:
    adds = [contribution(plan, base_cents) for plan in plans.values()]
    names, lines = list(plans), [line for line in table.lines if line.percent_bp is not None]
    return Meters(
        contributed=np.array([(each.amount_micros, each.reserve_micros) for each in adds], dtype=np.int64),
        reseed=np.array([plan.reseed_micros for plan in plans.values()], dtype=np.int64),
        reserved=np.array([plan.reserve_rate_bp > 0 for plan in plans.values()]),
        policy=np.array([POLICIES[plan.hits] for plan in plans.values()], dtype=np.int64),
        line_meter=np.array([names.index(line.meter) for line in lines], dtype=np.int64),
        line_bp=np.array([line.percent_bp for line in lines], dtype=np.int64),
    )


@njit(cache=True)
def _part_cents(amount: int, percent_bp: int) -> int:
    """Return a percentage of an amount in cents, rounded up but not above the amount. Two steps avoid an overflow."""
    whole = WHOLE_BP * MICROS_PER_CENT
    up = amount // whole * percent_bp - (-(amount % whole * percent_bp) // whole)
    return min(up, amount // MICROS_PER_CENT)


@njit(cache=True)
def _pay_whole(meters: Meters, m: int, winners: int, state: Array, sums: Array) -> int:
    """Pay the whole meter to its winners and reseed it. Return the cents paid in total."""
    pot: int = state[m, AMOUNT] // MICROS_PER_CENT
    paid = pot * winners if meters.policy[m] == EACH else pot
    state[m, AMOUNT] -= pot * MICROS_PER_CENT
    sums[m, HOUSE] += (paid - pot) * MICROS_PER_CENT
    sums[m, PAID] += paid * MICROS_PER_CENT
    start = meters.reseed[m]
    if meters.reserved[m]:
        start = max(start, state[m, RESERVE])
        state[m, RESERVE] -= start
        sums[m, SURPLUS] += start - meters.reseed[m]
    else:
        sums[m, SEEDS] += start
    state[m, AMOUNT] += start
    sums[m, START] = sums[m, LEFT] = start
    sums[m, WINS] += 1
    sums[m, WINNERS] += winners
    return paid


@njit(cache=True)
def _contribute(meters: Meters, bets: int, state: Array, sums: Array) -> None:
    for m in range(len(state)):
        more = meters.contributed[m, RESERVE]
        if state[m, RESERVE] < 0 and more > 0:
            sums[m, BELOW] += min(bets, -(state[m, RESERVE] // more))
        state[m, AMOUNT] += bets * meters.contributed[m, AMOUNT]
        state[m, RESERVE] += bets * more


@njit(cache=True, nogil=True)
def settle(
    meters: Meters, bets: Array, ends: Array, lines: Array, state: Array, sums: Array, jackpots: Array
) -> int:  # fmt: skip
    """Update `state` and `sums` for the rounds with winners, and fill `jackpots`. Return the number of 100 % wins."""
    jackpots_hit, first = 0, 0
    for i in range(len(ends)):
        _contribute(meters, bets[i], state, sums)
        for at in range(first, ends[i]):
            line = lines[at]
            m = meters.line_meter[line]
            if meters.line_bp[line] < WHOLE_BP:
                cents = _part_cents(state[m, AMOUNT], meters.line_bp[line])
                state[m, AMOUNT] -= cents * MICROS_PER_CENT
                sums[m, PAID] += cents * MICROS_PER_CENT
                sums[m, PARTS] += 1
                sums[m, LEFT] -= _part_cents(sums[m, LEFT], meters.line_bp[line]) * MICROS_PER_CENT
                continue
            winners = 1
            if meters.policy[m] != IN_TURN:
                before, winners = 0, 0
                for other in range(first, ends[i]):
                    same = meters.line_meter[lines[other]] == m and meters.line_bp[lines[other]] == WHOLE_BP
                    before += same and other < at
                    winners += same
                if before:
                    continue
            jackpots[jackpots_hit, POT] = _pay_whole(meters, m, winners, state, sums)
            jackpots[jackpots_hit, METER] = m
            jackpots[jackpots_hit, ADVANCE] = max(0, -state[m, RESERVE])
            jackpots[jackpots_hit, EVENT] = i
            jackpots[jackpots_hit, TOGETHER] = winners
            jackpots_hit += 1
        first = ends[i]
    _contribute(meters, bets[len(ends)], state, sums)
    return jackpots_hit
