"""Plays a floor. Each run plays all years with new meters. The seed and the run's number determine its random stream.

Only candidates for a win on a percentage line are drawn one by one. The probability of a candidate is the sum of its
bets' probabilities of such a line (below 1 in 13). In it, one bettor has won on a line drawn with the exact
probabilities. Each other bettor's hand is drawn given this win, from the exact counts of two hands from one deck
(`simulate.pairs`). A round with N winners is drawn N times too often, so it is kept with probability 1/N; if it is
discarded, nobody wins. This is exact for one and two winners. With three, the other two are drawn as if independent.

Between candidates, the numbers of rounds with each number of bettors come from a multinomial distribution. The fixed
pays of all hands are drawn in the same way, as if the seats of a round were independent. This does not change the mean.
"""

import time
from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import ceil, comb

import numpy as np
from msgspec import Struct

from highcardflush.odds.counting import DEALS
from highcardflush.odds.paytable import pay_chances, table_odds
from highcardflush.odds.primitives import Array
from highcardflush.simulate.chunks import Pool, Progress, in_order, require_least, take_all
from highcardflush.simulate.floors.floor import Floor
from highcardflush.simulate.floors.kernel import EVENT, JACKPOT, LEFT, START, SUMS, Meters, meters_of, settle
from highcardflush.simulate.floors.long_run import RunTotals
from highcardflush.simulate.floors.result import FloorResult, floor_result
from highcardflush.simulate.pairs import line_pairs

BLOCK = 1 << 15
"""Approximate number of candidates drawn at a time."""


class Chance(Struct, frozen=True, kw_only=True):
    """Probabilities with which a floor's rounds are drawn."""

    seats: int
    take_up: float
    candidate: float
    """Probability that a round is a candidate."""
    takers: Array
    """Probability of each number of bettors in a round that is not a candidate."""
    winning: Array
    """Probability of each percentage line, given a win on one of them."""
    others: Array
    """Cumulative probabilities of the lines on which another bettor wins, for each line of the first winner."""
    envy: Array
    """Envy Pay of each percentage line for a bet of 1."""
    fixed: Array
    """Probability of each fixed pay for a hand on no percentage line. The remaining probability is that of no pay."""
    pays: Array
    """Each fixed pay for a bet of 1, with its Envy Pay."""


class Block(Struct, frozen=True):
    """Rounds with winners, in order, and the numbers of bets between these rounds."""

    rounds: Array
    """Number of each round within its block."""
    bets: Array
    """Number of bets since the previous round, including this round's. The last entry counts bets after all rounds."""
    ends: Array
    """Index in `lines` at which each round's winners end."""
    lines: Array
    """Percentage line of each winner, in settlement order."""
    fixed: int
    """Sum of the fixed pays, for bets of 1."""
    envy: int
    """Sum of the Envy Pays, for bets of 1."""


def chance_of(floor: Floor) -> Chance:
    odds = table_odds(floor.rulebook.progressive[1])
    pairs = line_pairs(odds)
    shares = [each for each in odds.lines if each.line.percent_bp is not None]
    sure = sum((each.probability for each in shares), Fraction(0))
    envied = floor.rulebook.settings.envy == "on"
    fixed = [
        (chance * each.probability / (1 - sure), pay, each.line.envy * envied)
        for each in odds.lines
        if each.line.percent_bp is None
        for pay, chance in zip((each.line.pay_for_1, *each.line.dynamic), pay_chances(each.line), strict=True)
    ]
    joint = [[Fraction(pairs[one, other], DEALS) / one.probability for other in shares] for one in shares]
    seats, up = floor.seats, floor.take_up
    takers = [comb(seats, n) * up**n * (1 - up) ** (seats - n) * (1 - n * sure) for n in range(seats + 1)]
    none = sum(takers, Fraction(0))
    return Chance(
        seats=seats,
        take_up=float(up),
        candidate=float(seats * up * sure),
        takers=_floats(each / none for each in takers),
        winning=_floats(each.probability / sure for each in shares),
        others=np.cumsum(np.array([[float(each) for each in row] for row in joint]), axis=1),
        envy=np.array([each.line.envy * envied for each in shares], dtype=np.int64),
        fixed=_floats(chance for chance, _, _ in fixed),
        pays=np.array([(pay, envy) for _, pay, envy in fixed], dtype=np.int64).reshape(-1, 2),
    )


def _floats(values: Iterable[Fraction]) -> Array:
    return np.array([float(each) for each in values])


def draw_block(chance: Chance, random: np.random.Generator, rounds: int) -> Block:
    """Draw the wins in this many rounds."""
    count = int(random.binomial(rounds, chance.candidate))
    at = np.sort(random.choice(rounds, count, replace=False, shuffle=False))
    gaps = np.diff(at, prepend=-1, append=rounds) - 1
    between = random.multinomial(gaps, chance.takers) @ np.arange(chance.seats + 1)
    other_bettors = random.binomial(chance.seats - 1, chance.take_up, count)
    won = _winners(chance, random, other_bettors)
    none = len(chance.winning)
    winners = (won < none).sum(1)
    accepted = random.random(count) * winners < 1
    several = winners > 1
    won[several] = random.permuted(won[several], axis=1)  # Any winner may be settled first.
    total = np.cumsum(between[:-1] + other_bettors + 1)
    bets = np.diff(total[accepted], prepend=0, append=(total[-1] if count else 0) + between[-1])
    lines = won[accepted][won[accepted] < none]
    envied = np.repeat(other_bettors[accepted], winners[accepted])
    fixed, envy = _fixed(chance, random, int(bets.sum()) - len(lines))
    return Block(
        at[accepted], bets, np.cumsum(winners[accepted]), lines, fixed, envy + int((chance.envy[lines] * envied).sum())
    )


def _winners(chance: Chance, random: np.random.Generator, other_bettors: Array) -> Array:
    """Return each bettor's line in each candidate, the winner's line first. One past the last index means no line."""
    none = len(chance.winning)
    winner_lines = random.choice(none, len(other_bettors), p=chance.winning)
    draws = random.random((len(other_bettors), chance.seats - 1))
    lines = (draws[:, :, None] >= chance.others[winner_lines][:, None, :]).sum(2)
    lines[np.arange(chance.seats - 1) >= other_bettors[:, None]] = none
    return np.concatenate((winner_lines[:, None], lines), axis=1)


def _fixed(chance: Chance, random: np.random.Generator, hands: int) -> tuple[int, int]:
    """Return the sums of the fixed pays and of their Envy Pays, for this many hands on no percentage line."""
    if not len(chance.fixed):
        return 0, 0
    counts = random.multinomial(hands, [*chance.fixed, max(0.0, 1 - float(chance.fixed.sum()))])[:-1]
    envied = random.binomial(counts * (chance.seats - 1), chance.take_up)
    return int(counts @ chance.pays[:, 0]), int(envied @ chance.pays[:, 1])


def simulate_floor(
    floor: Floor, threads: int = 1, progress: Progress | None = None, pool: Pool | None = None
) -> FloorResult:
    """Play a floor on a `pool` or, if there is none, on threads.

    `progress` receives the number of finished runs and the total. If interrupted, return the result so far.
    """
    require_least(threads=(threads, 1))
    chance, meters = chance_of(floor), meters_of(floor.rulebook.plans, floor.rulebook.progressive[1], floor.base_cents)
    _compile(meters)
    start, results = time.perf_counter(), list[RunTotals]()

    def take(totals: RunTotals) -> None:
        if progress:
            progress(len(results) + 1, floor.runs)
        results.append(totals)

    stop = take_all(in_order(partial(play_run, floor, chance, meters), floor.runs, threads, pool), take)
    if stop and len(results) < 2:  # A single run has no standard error.
        raise stop
    return floor_result(floor, results, time.perf_counter() - start, interrupted=stop is not None)


def play_run(floor: Floor, chance: Chance, meters: Meters, run: int) -> RunTotals:
    """Play all years of one run."""
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(floor.seed, spawn_key=(run,))))
    state = np.array([(plan.seed_micros, 0) for plan in floor.rulebook.plans.values()], dtype=np.int64)
    sums = np.zeros((len(state), SUMS), dtype=np.int64)
    sums[:, (START, LEFT)] = state[:, :1]
    years, jackpots, bets, fixed, envy = [], [np.zeros((0, JACKPOT), dtype=np.int64)], 0, 0, 0
    for year in range(floor.years):
        for first, rounds in _blocks(floor, chance):
            block = draw_block(chance, random, rounds)
            hits = _play(meters, block.bets, block.ends, block.lines, state, sums)
            hits[:, EVENT] = block.rounds[hits[:, EVENT]] + year * floor.rounds_a_year + first
            jackpots.append(hits)
            bets, fixed, envy = bets + int(block.bets.sum()), fixed + block.fixed, envy + block.envy
        years.append(state.copy())
    return RunTotals(bets, fixed, envy, sums, np.array(years), np.concatenate(jackpots))


def _compile(meters: Meters) -> None:
    """Compile the kernel before the time is measured."""
    none, state = np.zeros(0, dtype=np.int64), np.zeros((len(meters.reseed), 2), dtype=np.int64)
    _play(meters, np.zeros(1, dtype=np.int64), none, none, state, np.zeros((len(state), SUMS), dtype=np.int64))


def _play(meters: Meters, bets: Array, ends: Array, lines: Array, state: Array, sums: Array) -> Array:
    """Settle a block and return its jackpots."""
    room = np.zeros((len(lines), JACKPOT), dtype=np.int64)
    return room[: settle(meters, bets, ends, lines, state, sums, room)]


def _blocks(floor: Floor, chance: Chance) -> list[tuple[int, int]]:
    """Divide a year into blocks. Return the first round of each block and its number of rounds."""
    count = ceil(floor.rounds_a_year * chance.candidate / BLOCK) or 1
    ends = [floor.rounds_a_year * i // count for i in range(count + 1)]
    return [(first, end - first) for first, end in pairwise(ends)]
