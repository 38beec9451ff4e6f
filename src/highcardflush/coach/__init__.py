"""The coach: what each decision is worth and why, what a mistake costs, and how much of a result was luck."""
