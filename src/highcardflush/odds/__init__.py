"""Exact odds: one hand, the whole game, pay tables and progressives."""
