"""`hcf odds`: exact figures for a hand, the whole game, pay tables and strategies."""

import click

from highcardflush.cli.lazy import LazyGroup

COMMANDS = {
    "errors": ("game", "Price players' errors, by kind and by length of the best flush."),
    "game": ("game", "Solve the whole game with optimal play: all 133,784,560 hands against all dealer hands."),
    "hand": ("game", "Count the dealer hands against seven CARDS and value each decision."),
    "paytable": ("paytable", "Price a side bet exactly, line by line."),
    "risk": ("game", "Compute the chance of ruin, or of reaching a goal, within some rounds of RULEBOOK."),
    "seen": ("game", "Price the advantage of a player who sees other hands or a dealer card."),
    "sensitivity": ("paytable", "Show how edge and hold change with the operator's choices."),
    "solve": ("paytable", "Find every pay table with whole-number pays, within bounds, that gives a target edge."),
    "strategies": ("game", "List the best simple strategies: the cheapest for each number of things to remember."),
    "strategy": ("game", "Price a strategy exactly."),
    "treasury": ("paytable", "Show what a progressive can cost the house."),
}


@click.group(cls=LazyGroup, package=__name__, places=COMMANDS)
def odds() -> None:
    """Compute exact odds of a hand, the whole game, pay tables and strategies."""
