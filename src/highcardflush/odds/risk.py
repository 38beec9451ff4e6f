"""The risk of a player: ruin, a goal, and what a chaser of a progressive must bring. Units are Antes.

A round nets one of a few amounts, each with its exact chance. A player is ruined who has less than a round may ask for,
Ante, largest Raise and side bets: so every round is played as the strategy says. It can be more than a round may lose,
as hands with a large Raise win side bets. Bankrolls are whole steps, and their
distribution goes on round by round: with fractions where that is small, else with floats, whose error stays below 1e-9.

A chaser plays until a 100 % win. With r such that the mean of r^net over the rounds without one is 1, r^bankroll is a
martingale; so the chance of ruin lies between r^bankroll and r^(bankroll - what a round may ask for), which are close.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, exp, expm1, lcm, log
from typing import Literal, TypeVar

from msgspec import Struct

from highcardflush.errors import HcfError
from highcardflush.money import WHOLE_BP
from highcardflush.odds.classes import DealClass
from highcardflush.odds.counting import DEALS
from highcardflush.odds.game import Choice, GameOdds
from highcardflush.odds.paytable import LineOdds, TableOdds, pay_chances
from highcardflush.odds.prospect import TOLD, rule_classes
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import PROGRESSIVE, SIDE_BETS

Nets = Mapping[Fraction, Fraction]
"""What one round can net, each with its chance."""
Number = TypeVar("Number", Fraction, float)
Tell = Callable[[int, int], None]
EXACT_WORK, FLOAT_WORK = 20_000, 30_000_000
"""Up to so many sums fractions are used, and floats."""


def main_nets(game: GameOdds) -> dict[Fraction, Fraction]:
    """The nets of Ante and Raise, with any strategy."""
    nets: dict[Fraction, Fraction] = {}
    for _, net, count in game.nets():
        nets[net] = nets.get(net, Fraction(0)) + Fraction(count, DEALS)
    return nets


def main_stake(game: GameOdds) -> Fraction:
    """The most that Ante and Raise can come to, with any strategy."""
    return 1 + max(each.raised or Fraction(0) for each in game.choices)


def round_stake(rulebook: Rulebook, bets: Mapping[str, Fraction]) -> Fraction:
    """The same with the best play, and side bets beside it."""
    most = max(_raised(rulebook, each) or Fraction(0) for each in rule_classes(rulebook))
    return 1 + most + sum(bets.values(), Fraction(0))


def _raised(rulebook: Rulebook, each: DealClass) -> Fraction | None:
    """The Raise of a class, None for a fold."""
    low, high = rulebook.raise_antes(each.cards)
    return {"fold": None, "low": low, "high": high}[each.choice]


def round_nets(
    rulebook: Rulebook, tables: Mapping[str, TableOdds], bets: Mapping[str, Fraction], *, whole: bool = True
) -> dict[Fraction, Fraction]:
    """The nets of the main game with the best play and of side bets on the same cards; `bets` are in Antes.

    With `whole` false the hands that win 100 % of a meter are left out.
    """
    nets: dict[Fraction, Fraction] = {}
    for each in rule_classes(rulebook):
        sides = {Fraction(0): Fraction(1)}
        for wager, bet in bets.items():
            line = tables[wager].at((each.cards, False) if SIDE_BETS[wager].match is TOLD[0] else each.straight)
            won = line is not None and line.line.percent_bp == WHOLE_BP and not whole
            sides = {} if won else _joined(sides, _returns(line), bet)
        for _, main, count in Choice(each.cards, _raised(rulebook, each), each.odds).nets():
            for side, chance in sides.items():
                nets[main + side] = nets.get(main + side, Fraction(0)) + chance * Fraction(count, DEALS)
    return {net: chance for net, chance in nets.items() if chance}


def _returns(line: LineOdds | None) -> list[tuple[Fraction, Fraction]]:
    """What comes back of a bet of 1 on a line, each with its chance."""
    if line is None or not line.line.dynamic:
        return [(line.returned if line else Fraction(0), Fraction(1))]
    return list(zip(map(Fraction, (line.line.pay_for_1, *line.line.dynamic)), pay_chances(line.line), strict=True))


def _joined(sides: Nets, returns: list[tuple[Fraction, Fraction]], bet: Fraction) -> dict[Fraction, Fraction]:
    joined: dict[Fraction, Fraction] = {}
    for side, chance in sides.items():
        for value, more in returns:
            net = side + bet * (value - 1)
            joined[net] = joined.get(net, Fraction(0)) + chance * more
    return joined


# --- ruin and goal -------------------------------------------------------------------------------


def _untold(done: int, total: int) -> None:
    """Nobody asks."""


class Risk(Struct, frozen=True, kw_only=True):
    """Where a player ends within so many rounds."""

    method: Literal["exact", "floats"]
    rounds: int
    ruin: Fraction | float
    goal: Fraction | float
    """0 without a goal."""
    playing: Fraction | float
    """Neither, after all rounds."""


def session_risk(
    nets: Nets, stake: Fraction, bankroll: Fraction, rounds: int, goal: Fraction | None = None, progress: Tell = _untold
) -> Risk | None:
    """The chances to be ruined, and to have reached the goal, within so many rounds; None where that is too much work.

    `stake` is what a round may ask for, no less than it may lose.

    A player who can no longer be ruined in the rounds that are left is not followed further. `progress` is told rounds
    done and all.
    """
    step = Fraction(1, lcm(*(net.denominator for net in (*nets, stake, bankroll, goal or Fraction(0)))))
    moves = {int(net / step): chance for net, chance in nets.items()}
    need, start = int(stake / step), int(bankroll / step)
    top = need * (rounds + 1) if goal is None else int(goal / step)
    if goal is not None and goal <= bankroll:
        raise HcfError("goal", read=str(goal), expected=f"more than the bankroll, {bankroll}")
    if goal is None and start >= need * (rounds + 1):  # no loss is large enough
        return Risk(method="exact", rounds=rounds, ruin=Fraction(0), goal=Fraction(0), playing=Fraction(1))
    work = rounds * min(top, start + rounds * max(moves)) * len(moves)
    if work > FLOAT_WORK:
        return None
    if work <= EXACT_WORK:
        ruin, won, left = _walk(moves, Fraction(1), start, need, top, rounds, goal is not None, progress)
        return Risk(method="exact", rounds=rounds, ruin=ruin, goal=won, playing=left)
    floats = {move: float(chance) for move, chance in moves.items()}
    found = _walk(floats, 1.0, start, need, top, rounds, goal is not None, progress)
    return Risk(method="floats", rounds=rounds, ruin=found[0], goal=found[1], playing=found[2])


def _walk(
    moves: Mapping[int, Number], one: Number, start: int, need: int, top: int, rounds: int, goal: bool, progress: Tell
) -> tuple[Number, Number, Number]:
    """The chances of ruin, of the goal and of neither."""
    zero = one - one
    at, ruin, won, safe = {start: one}, zero, zero, zero
    if start < need:
        return one, zero, zero
    for left in range(rounds, 0, -1):
        after: dict[int, Number] = {}
        for place, chance in at.items():
            if not goal and place >= need * (left + 1):
                safe += chance
                continue
            for move, part in moves.items():
                new, more = place + move, chance * part
                if new < need:
                    ruin += more
                elif goal and new >= top:
                    won += more
                else:
                    after[new] = after.get(new, zero) + more
        at = after
        progress(rounds - left + 1, rounds)
    return ruin, won, sum(at.values(), safe)


# --- a chaser ------------------------------------------------------------------------------------


class Chase(Struct, frozen=True, kw_only=True):
    """Playing until a 100 % win: what to bring so that it comes before ruin."""

    rounds: Fraction
    """Until the win, on average."""
    cost: Fraction
    """What a round without it loses on average."""
    decay: float
    """The logarithm of r: by so much an Ante more lessens the chance of ruin."""
    stake: Fraction
    """What a round may ask for."""

    def ruin(self, bankroll: Fraction) -> tuple[float, float]:
        """Bounds of the chance of ruin before the win."""
        if bankroll < self.stake:
            return 1.0, 1.0
        return exp(-self.decay * float(bankroll)), exp(-self.decay * float(bankroll - self.stake))

    def bankroll(self, part: float) -> int:
        """Whole Antes with which the win surely comes first in at least this part of cases."""
        return ceil(-log(1 - part) / self.decay + float(self.stake))


def chase_win(rulebook: Rulebook, tables: Mapping[str, TableOdds], bets: Mapping[str, Fraction]) -> Chase:
    """Rounds with these side bets, the progressive among them, until a 100 % win of it."""
    lines = tables[PROGRESSIVE].lines
    win = sum((each.probability for each in lines if each.line.percent_bp == WHOLE_BP), Fraction(0))
    return chase(round_nets(rulebook, tables, bets, whole=False), round_stake(rulebook, bets), win)


def chase(nets: Nets, stake: Fraction, win: Fraction) -> Chase:
    """`nets` are those of rounds without the win, whose chances add up to 1 - win."""
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
