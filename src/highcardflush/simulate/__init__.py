"""Monte Carlo: rounds dealt and settled by compiled kernels, held against the exact odds."""

from highcardflush.simulate.result import LineCount, Simulation, WagerResult
from highcardflush.simulate.run import simulate

__all__ = ["LineCount", "Simulation", "WagerResult", "simulate"]
