"""A player's risk: ruin, reaching a goal, and the bankroll needed to chase a progressive. Amounts are in Antes.

A round has one of a few net results, each with its exact probability. A player is ruined when the bankroll is below the
largest stake of a round: Ante, largest Raise and side bets. Bankrolls are multiples of one step, and their distribution
is computed round by round: with fractions if that takes little work, otherwise with arrays of floats (error below
1e-9). Only beyond `FLOAT_WORK` must it be simulated.

A chaser plays until a 100 % win. Let r be the number for which the mean of r^net, counted as 0 in a round with that
win, is 1. Then r^bankroll, counted as 0 after the win, is a martingale. The probability of ruin therefore lies between
r^bankroll and r^(bankroll - largest stake), which are close.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import ceil, exp, expm1, lcm, log
from typing import Any, Literal

import numpy as np
from msgspec import Struct

from highcardflush.errors import HcfError
from highcardflush.money import WHOLE_BP
from highcardflush.odds.counting import DEALS, add_up
from highcardflush.odds.game import GameOdds
from highcardflush.odds.paytable import TableOdds, line_returns
from highcardflush.odds.prospect import class_choice, class_line, deal_classes
from highcardflush.odds.sums import Progress
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import PROGRESSIVE

Nets = Mapping[Fraction, Fraction]
"""Possible net results of one round, each with its probability."""
Chance = Fraction | float
EXACT_WORK, FLOAT_WORK = 20_000, 5_000_000_000
"""Maximum number of additions with fractions, and maximum number with floats."""


def main_nets(game: GameOdds) -> dict[Fraction, Fraction]:
    """Return the net results of Ante and Raise under the strategy of a game, each with its probability."""
    return add_up((net, Fraction(count, DEALS)) for _, net, count in game.nets())


def main_stake(game: GameOdds) -> Fraction:
    """Return the largest total of Ante and Raise under the strategy of a game."""
    return 1 + max(each.raised or Fraction(0) for each in game.choices)


def round_stake(rulebook: Rulebook, bets: Mapping[str, Fraction]) -> Fraction:
    """Return the largest stake of a round with the best play and these side bets."""
    most = max(class_choice(rulebook, each).raised or Fraction(0) for each in deal_classes(rulebook))
    return 1 + most + sum(bets.values(), Fraction(0))


def round_nets(
    rulebook: Rulebook, tables: Mapping[str, TableOdds], bets: Mapping[str, Fraction], *, whole: bool = True
) -> dict[Fraction, Fraction]:
    """Return the probability of each net result of a round with the best play and with side bets on the same cards.

    `bets` are in Antes. If `whole` is false, hands that win 100 % of a meter are left out.
    """
    nets: dict[Fraction, Fraction] = {}
    for each in deal_classes(rulebook):
        sides = {Fraction(0): Fraction(1)}
        for wager, bet in bets.items():
            line = class_line(tables[wager], each)
            won = line is not None and line.line.percent_bp == WHOLE_BP and not whole
            returns = line_returns(line) if line is not None else [(Fraction(0), Fraction(1))]
            sides = {} if won else _joined(sides, returns, bet)
        for _, main, count in class_choice(rulebook, each).nets():
            for side, chance in sides.items():
                nets[main + side] = nets.get(main + side, Fraction(0)) + chance * Fraction(count, DEALS)
    return {net: chance for net, chance in nets.items() if chance}


def _joined(sides: Nets, returns: list[tuple[Fraction, Fraction]], bet: Fraction) -> dict[Fraction, Fraction]:
    pairs = product(sides.items(), returns)
    return add_up((side + bet * (value - 1), chance * more) for (side, chance), (value, more) in pairs)


class Risk(Struct, frozen=True, kw_only=True):
    """Probabilities of a player's possible states after all rounds."""

    method: Literal["exact", "floats"]
    rounds: int
    ruin: Chance
    goal: Chance | None
    """Probability of reaching the goal, or `None` if there is no goal."""
    playing: Chance
    """Probability of neither ruin nor goal after all rounds."""


def session_risk(
    nets: Nets,
    stake: Fraction,
    bankroll: Fraction,
    rounds: int,
    goal: Fraction | None = None,
    progress: Progress | None = None,
) -> Risk | None:
    """Return the probabilities of ruin and reaching the goal in `rounds` rounds, or `None` if that is too much work.

    `stake` is the largest stake of a round and must be at least the largest loss of a round.
    """
    step = Fraction(1, lcm(*(net.denominator for net in (*nets, stake, bankroll, goal or Fraction(0)))))
    moves = {int(net / step): chance for net, chance in nets.items()}
    need, start = int(stake / step), int(bankroll / step)
    if goal is not None and goal <= bankroll:
        raise HcfError("goal", read=str(goal), expected=f"more than the bankroll of {bankroll}")
    # Without a goal, ruin is no longer possible once enough is left for the largest loss in every remaining round.
    top = need * (rounds + 1) if goal is None else int(goal / step)
    none = None if goal is None else Fraction(0)
    if start < need:
        return Risk(method="exact", rounds=rounds, ruin=Fraction(1), goal=none, playing=Fraction(0))
    if goal is None and start >= top:
        return Risk(method="exact", rounds=rounds, ruin=Fraction(0), goal=none, playing=Fraction(1))
    top = min(top, start + rounds * max(0, *moves) + 1)
    work = rounds * top * len(moves)
    if work > FLOAT_WORK:
        return None
    method: Literal["exact", "floats"] = "exact" if work <= EXACT_WORK else "floats"
    kind, number = (object, Fraction) if method == "exact" else (np.float64, float)
    at = np.full(top - need, number(0), dtype=kind)
    at[start - need] = number(1)
    chances = {move: number(chance) for move, chance in moves.items()}
    ruin, above, playing = _walk(at, chances, rounds, need if goal is None else None, progress)
    won, playing = (None, playing + above) if goal is None else (above, playing)
    return Risk(method=method, rounds=rounds, ruin=ruin, goal=won, playing=playing)


def _walk(
    at: np.ndarray[Any, np.dtype[Any]],
    moves: Mapping[int, Chance],
    rounds: int,
    need: int | None,
    progress: Progress | None,
) -> tuple[Chance, Chance, Chance]:
    """Return the probabilities of ending below, above and in the places `at`, which hold the starting probabilities.

    If `need` is given, the places from which this many steps lost in every remaining round do not lead below count as
    above.
    """
    zero = at[0] * 0
    below = above = zero
    for rounds_left in range(rounds, 0, -1):
        if need is not None:
            above += at[need * rounds_left :].sum() + zero
            at = at[: need * rounds_left]
        after = np.full_like(at, zero)
        for move, chance in moves.items():
            size = min(abs(move), len(at))
            if move < 0:
                after[: len(at) - size] += chance * at[size:]
                below += chance * (at[:size].sum() + zero)
            else:
                after[size:] += chance * at[: len(at) - size]
                above += chance * (at[len(at) - size :].sum() + zero)
        at = after
        if progress:
            progress(rounds - rounds_left + 1, rounds)
    return _number(below), _number(above), _number(at.sum() + zero)


def _number(value: Any) -> Chance:
    return value if isinstance(value, Fraction) else float(value)


class Chase(Struct, frozen=True, kw_only=True):
    """Figures of a chaser, who plays until a 100 % win."""

    rounds: Fraction
    """Mean number of rounds until the win."""
    cost: Fraction
    """Mean loss in a round without the win."""
    decay: float
    """Negative logarithm of r: each further Ante divides the probability of ruin by exp(decay)."""
    stake: Fraction
    """Largest stake of a round."""

    def ruin(self, bankroll: Fraction) -> tuple[float, float]:
        """Return a lower and an upper bound of the probability of ruin before the win."""
        if bankroll < self.stake:
            return 1.0, 1.0
        return exp(-self.decay * float(bankroll)), exp(-self.decay * float(bankroll - self.stake))

    def bankroll(self, part: float) -> int:
        """Return the bankroll, in whole Antes, for which the win comes before ruin with probability `part` or more."""
        return ceil(-log(1 - part) / self.decay + float(self.stake))


def chase_win(rulebook: Rulebook, tables: Mapping[str, TableOdds], bets: Mapping[str, Fraction]) -> Chase:
    """Return the figures of a chaser with these side bets, which include the progressive."""
    lines = tables[PROGRESSIVE].lines
    win = sum((each.probability for each in lines if each.line.percent_bp == WHOLE_BP), Fraction(0))
    return chase(round_nets(rulebook, tables, bets, whole=False), round_stake(rulebook, bets), win)


def chase(nets: Nets, stake: Fraction, win: Fraction) -> Chase:
    """Return the figures of a chaser, given the net results of rounds without the win. Their probabilities add up to 1
    - win."""
    cost = -sum((net * chance for net, chance in nets.items()), Fraction(0))
    pairs = [(float(net), float(chance)) for net, chance in nets.items()]

    def excess(decay: float) -> float:
        return sum(chance * expm1(-decay * net) for net, chance in pairs) - float(win)

    low, high = 0.0, 1e-12
    while excess(high) < 0:
        low, high = high, 2 * high
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if excess(middle) >= 0 else (middle, high)
    return Chase(rounds=1 / win, cost=cost / (1 - win), decay=high, stake=stake)
