"""Ruin and goal by simulation, where following every bankroll exactly takes too much work: many players, round by
round."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from math import sqrt

import numpy as np
from msgspec import Struct

from highcardflush.odds.primitives import Array
from highcardflush.simulate.chunks import Progress, in_chunks

GROUP = 500
"""Number of players followed together; after an interrupt those of whole groups count."""


class SimulatedRisk(Struct, frozen=True):
    """Parts of the players, with the seed of the simulation."""

    players: int
    seed: int
    ruin: float
    goal: float
    interrupted: bool = False

    def standard_error(self, part: float) -> float:
        """Return at least the error of one player, because an outcome that nobody met is still possible."""
        return sqrt(max(part * (1 - part), 1 / self.players) / self.players)


class RiskTotals(Struct, frozen=True):
    """Sums over players."""

    rounds: int
    """Number of players, each with all rounds."""
    ruined: int = 0
    won: int = 0

    def plus(self, other: RiskTotals) -> RiskTotals:
        return RiskTotals(self.rounds + other.rounds, self.ruined + other.ruined, self.won + other.won)


class Walk(Struct, frozen=True):
    """Parameters of a player's walk: nets of a round, start and ends."""

    nets: Array
    below: Array
    """Cumulative probabilities of the nets."""
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
    """Simulate `odds.risk.session_risk`; `progress` receives players done and all, an interrupt returns the result so
    far."""
    walk = Walk(
        nets=np.array([float(net) for net in nets]),
        below=np.cumsum([float(chance) for chance in nets.values()]),
        need=float(stake) - 1e-9,
        start=float(bankroll),
        goal=np.inf if goal is None else float(goal) - 1e-9,
        rounds=rounds,
    )
    totals, interrupted = in_chunks(partial(_follow, walk, seed), RiskTotals(0), players, 1, progress, size=GROUP)
    players_done = totals.rounds
    return SimulatedRisk(players_done, seed, totals.ruined / players_done, totals.won / players_done, interrupted)


def _follow(walk: Walk, seed: int, group: int, players: int) -> RiskTotals:
    """Follow some players, round by round."""
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(group,))))
    at, ruined, won = np.full(players, walk.start), 0, 0
    for rounds_left in range(walk.rounds, -1, -1):
        out, up = at < walk.need, at >= walk.goal
        ruined, won = ruined + int(out.sum()), won + int(up.sum())
        at = at[~(out | up)]
        if not rounds_left or not len(at):
            break
        draws = np.searchsorted(walk.below, random.random(len(at)), side="right")
        at += walk.nets[np.minimum(draws, len(walk.nets) - 1)]
    return RiskTotals(players, ruined, won)
