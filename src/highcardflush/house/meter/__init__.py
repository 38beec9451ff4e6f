"""Linked meters: their state, their amounts, and the effects of commands and rounds on them."""
