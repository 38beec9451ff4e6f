"""Which rounds of a floor have a winner of a percentage line, without dealing the others.

A hand reaches a percentage line with a small chance q (below 1 in 13, whatever the table). So candidates are drawn:
a round is one with the chance that q sums to over its bets, and then one of its bettors has won, on a line drawn by the
exact chances of the lines. Each other bettor's hand is then drawn given that one, by the exact counts of two hands
from one deck (`simulate.pairs`).
A round with N winners may so come up N times as often as it should, and is kept with the chance 1/N; else it is a
round without a winner. Exact for one and two winners; three in one round are drawn as if the two others did not know
of each other.

Between candidates, the rounds by their number of bettors are a multinomial draw, and so are the fixed pays of all
hands together, by their exact chances; seats of a round are here taken as independent, which leaves the mean as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import comb

import numpy as np
from msgspec import Struct

from highcardflush.odds.counting import DEALS
from highcardflush.odds.paytable import pay_chances, table_odds
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.simulate.floors.floor import Floor
from highcardflush.simulate.kernel import Array
from highcardflush.simulate.pairs import line_pairs

BLOCK = 1 << 15
"""Candidates drawn at a time, about."""


class Chance(Struct, frozen=True, kw_only=True):
    """What the draws of a floor go by."""

    seats: int
    take_up: float
    candidate: float
    """That a round is a candidate."""
    takers: Array
    """By the number of bettors: its chance in a round that is none."""
    winning: Array
    """By percentage line: the chance that a winner won on it."""
    others: Array
    """By a winner's line: the chances that another bettor wins on the first, the first two, ... of them."""
    envy: Array
    """By percentage line: the Envy Pay for a bet of 1."""
    fixed: Array
    """By fixed pay: its chance for a hand on no percentage line; what is left has no pay."""
    pays: Array
    """By fixed pay: what it is for a bet of 1, and the Envy Pay that comes with it."""


class Block(Struct, frozen=True):
    """Rounds with winners, in their order, and what came between."""

    rounds: Array
    """The number of each in its block."""
    bets: Array
    """The bets since the one before, its own included; a last entry for those after the last."""
    ends: Array
    """Where the winners of each end in `lines`."""
    lines: Array
    """The percentage line of each winner, in settlement order."""
    fixed: int
    """All fixed pays, for bets of 1."""
    envy: int
    """All Envy Pays, for bets of 1."""


def chance_of(floor: Floor) -> Chance:
    table = floor.rulebook.paytable(PROGRESSIVE)
    assert table is not None
    odds, pairs = table_odds(table), line_pairs(table_odds(table))
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
    """What happens in so many rounds."""
    count = int(random.binomial(rounds, chance.candidate))
    at = np.sort(random.choice(rounds, count, replace=False, shuffle=False))
    gaps = np.diff(at, prepend=-1, append=rounds) - 1
    between = random.multinomial(gaps, chance.takers) @ np.arange(chance.seats + 1)
    others = random.binomial(chance.seats - 1, chance.take_up, count)
    won = _winners(chance, random, others)
    none = len(chance.winning)
    winners = (won < none).sum(1)
    kept = random.random(count) * winners < 1
    several = winners > 1
    won[several] = random.permuted(won[several], axis=1)  # any of them may sit where hands are settled first
    total = np.cumsum(between[:-1] + others + 1)
    bets = np.diff(total[kept], prepend=0, append=(total[-1] if count else 0) + between[-1])
    lines = won[kept][won[kept] < none]
    envied = np.repeat(others[kept], winners[kept])
    fixed, envy = _fixed(chance, random, int(bets.sum()) - len(lines))
    return Block(
        at[kept], bets, np.cumsum(winners[kept]), lines, fixed, envy + int((chance.envy[lines] * envied).sum())
    )


def _winners(chance: Chance, random: np.random.Generator, others: Array) -> Array:
    """The line of each bettor of each candidate, the winner's first; the number of lines stands for none."""
    none = len(chance.winning)
    own = random.choice(none, len(others), p=chance.winning)
    drawn = random.random((len(others), chance.seats - 1))
    lines = (drawn[:, :, None] >= chance.others[own][:, None, :]).sum(2)
    lines[np.arange(chance.seats - 1) >= others[:, None]] = none
    return np.concatenate((own[:, None], lines), axis=1)


def _fixed(chance: Chance, random: np.random.Generator, hands: int) -> tuple[int, int]:
    """The fixed pays of so many hands on no percentage line, and the Envy Pays that come with them."""
    if not len(chance.fixed):
        return 0, 0
    counts = random.multinomial(hands, [*chance.fixed, max(0.0, 1 - float(chance.fixed.sum()))])[:-1]
    envied = random.binomial(counts * (chance.seats - 1), chance.take_up)
    return int(counts @ chance.pays[:, 0]), int(envied @ chance.pays[:, 1])
