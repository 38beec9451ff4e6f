"""Figures: frozen structs with the numbers of odds, studies and sheets.

The unit of the main game is one Ante, that of a side bet one bet, that of a meter one dollar (its plan is in
micro-dollars). Values are exact fractions; only square roots, bands, sessions and simulated values are floats.
"""
