"""Ruin and goal by chance, where following every bankroll is too much work: many players, round by round."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from math import sqrt

import numpy as np
from msgspec import Struct

from highcardflush.simulate.chunks import Progress, in_chunks
from highcardflush.simulate.kernel import Array

GROUP = 500
"""Players who are followed together; after an interrupt those of whole groups count."""


class SimulatedRisk(Struct, frozen=True):
    """Parts of the players, with the seed that they were drawn by."""

    players: int
    seed: int
    ruin: float
    goal: float
    interrupted: bool = False

    def standard_error(self, part: float) -> float:
        """At least that of one player: what nobody met may still be."""
        return sqrt(max(part * (1 - part), 1 / self.players) / self.players)


class RiskTotals(Struct, frozen=True):
    """Players added up."""

    rounds: int
    """How many, each with all rounds."""
    ruined: int = 0
    won: int = 0

    def plus(self, other: RiskTotals) -> RiskTotals:
        return RiskTotals(self.rounds + other.rounds, self.ruined + other.ruined, self.won + other.won)


class Walk(Struct, frozen=True):
    """A player's way: what a round nets, where it starts and where it ends."""

    nets: Array
    below: Array
    """The chance of each net and of those before it."""
    need: float
    start: float
    goal: float
    rounds: int


def simulate_risk(
    nets: Mapping[Fraction, Fraction],
    stake: Fraction,
    bankroll: Fraction,
    rounds: int,
    goal: Fraction | None,
    players: int,
    seed: int,
    progress: Progress | None = None,
) -> SimulatedRisk:
    """As `odds.risk.session_risk`; `progress` is told players done and all, an interrupt gives the result so far."""
    walk = Walk(
        nets=np.array([float(net) for net in nets]),
        below=np.cumsum([float(chance) for chance in nets.values()]),
        need=float(stake) - 1e-9,
        start=float(bankroll),
        goal=np.inf if goal is None else float(goal) - 1e-9,
        rounds=rounds,
    )
    totals, interrupted = in_chunks(partial(_follow, walk, seed), RiskTotals(0), players, 1, progress, size=GROUP)
    done = totals.rounds
    return SimulatedRisk(done, seed, totals.ruined / done, totals.won / done, interrupted)


def _follow(walk: Walk, seed: int, group: int, players: int) -> RiskTotals:
    """Some players, round by round."""
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(group,))))
    at, ruined, won = np.full(players, walk.start), 0, 0
    for left in range(walk.rounds, -1, -1):
        out, up = at < walk.need, at >= walk.goal
        ruined, won = ruined + int(out.sum()), won + int(up.sum())
        at = at[~(out | up)]
        if not left or not len(at):
            break
        drawn = np.searchsorted(walk.below, random.random(len(at)), side="right")
        at += walk.nets[np.minimum(drawn, len(walk.nets) - 1)]
    return RiskTotals(players, ruined, won)
