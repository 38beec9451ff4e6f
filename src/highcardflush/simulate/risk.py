"""Estimates the risk of ruin by simulating many players, for questions whose exact answer takes too much work."""

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt

import numpy as np
from msgspec import Struct

from highcardflush.simulate.chunks import Progress, Totals, in_chunks

GROUP = 500
"""Number of players simulated together. After an interrupt, only complete groups count."""


class SimulatedRisk(Struct, frozen=True):
    """Fractions of the players who were ruined and who reached the goal, with the seed of the simulation."""

    players: int
    seed: int
    ruin: float
    goal: float
    interrupted: bool = False

    def standard_error(self, part: float) -> float:
        """Return the standard error of a fraction of the players, computed as if it included at least one player.

        An outcome that no player had is still possible, so its error is not zero.
        """
        return sqrt(max(part * (1 - part), 1 / self.players) / self.players)


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
    """Estimate the figures of `odds.risk.session_risk`. If interrupted, return the result so far."""
    amounts = np.array([float(net) for net in nets])
    chances_up_to = np.cumsum([float(chance) for chance in nets.values()])
    least, most = float(stake) - 1e-9, np.inf if goal is None else float(goal) - 1e-9

    def follow(group: int, players: int) -> Totals:
        random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(group,))))
        at, ruined, won = np.full(players, float(bankroll)), 0, 0
        for rounds_left in range(rounds, -1, -1):
            out, up = at < least, at >= most
            ruined, won = ruined + int(out.sum()), won + int(up.sum())
            at = at[~(out | up)]
            if not rounds_left or not len(at):
                break
            draws = np.searchsorted(chances_up_to, random.random(len(at)), side="right")
            at += amounts[np.minimum(draws, len(amounts) - 1)]
        return Totals(players, (ruined, won))

    totals, interrupted = in_chunks(follow, players, 1, progress, size=GROUP)
    return SimulatedRisk(totals.rounds, seed, totals.mean(0), totals.mean(1), interrupted)
