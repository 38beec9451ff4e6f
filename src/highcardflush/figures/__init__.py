"""Figures: frozen structs with the numbers of odds, studies and sheets, before anything is said about them.

The main game counts in Antes, a side bet in bets, a meter in dollars (its plan in micro-dollars). Values are exact
fractions; only square roots, bands, sessions and simulated values are floats.
"""
