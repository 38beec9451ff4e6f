"""Compiled code that ranks many hands in one call, and that simulates rounds to check the exact odds."""

from highcardflush.simulate.ranks import Ranks, rank_cards, rank_suits
from highcardflush.simulate.simulation import LineCount, Simulation, WagerResult, simulate

__all__ = ["LineCount", "Ranks", "Simulation", "WagerResult", "rank_cards", "rank_suits", "simulate"]
