"""Linked meters: their state, their amounts, and what commands and rounds do to them."""
