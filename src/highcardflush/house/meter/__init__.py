"""A linked meter: its state, what it holds, and what commands and rounds do to it."""
