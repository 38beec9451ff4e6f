"""What a sheet states, as data without words.

Units: the main game counts in Antes, a side bet in bets, a meter in dollars (its plan in micro-dollars). Values are
exact fractions; floats stand only for square roots, bands, sessions and simulated values.
"""

from highcardflush.report.figures.sheet import ParSheet, par_sheet

__all__ = ["ParSheet", "par_sheet"]
