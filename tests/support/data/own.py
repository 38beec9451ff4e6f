"""Rulebooks of one's own that play another game: the dealer's qualifier, and Raises in parts of an Ante."""

OWN = {
    "four": """
name = "four"
extends = "washington"
[settings]
qualifier = 4
raise-step = "0.5x"
raise-minimum = "0.5x"
""",
    "open": """
name = "open"
extends = "oxford"
[settings]
qualifier = "any"
raise-step = "0.25x"
""",
    "ranks": """
name = "ranks"
extends = "meadows"
[settings]
qualifier = "3:T-8-6"
raise-step = "0.5x"
raise-minimum = "0.5x"
increment = 5
""",
    "pairs": """
name = "pairs"
extends = "galaxy-v7"
[settings]
qualifier = "2:K-T"
raise-minimum = "0.75x"
""",
}
"""By name, as TOML."""
