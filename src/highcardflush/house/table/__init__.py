"""A table: its state as its stream tells it, and what each command does with it."""
