"""Figures: frozen structs with the results of odds, studies and sheets.

The unit is one Ante for the main game, one bet for a side bet, and one dollar for a meter (but a meter's plan is in
micro-dollars). Values are exact fractions. Only square roots, bands, sessions and simulated values are floats.
"""
