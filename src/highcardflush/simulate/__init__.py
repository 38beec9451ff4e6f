"""Compiled kernels: many hands ranked at once, rounds dealt, settled and compared with the exact odds."""

from highcardflush.simulate.ranks import Ranks, rank_cards, rank_suits
from highcardflush.simulate.simulation import LineCount, Simulation, WagerResult, simulate

__all__ = ["LineCount", "Ranks", "Simulation", "WagerResult", "rank_cards", "rank_suits", "simulate"]
