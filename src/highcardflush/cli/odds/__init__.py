"""`hcf odds`: exact figures of a hand, the whole game, a pay table, a strategy."""

import click

from highcardflush.cli.lazy import LazyGroup

COMMANDS = {
    "errors": ("game", "Price the errors of players, by kind and by the cards of the best flush."),
    "game": ("game", "Solve the whole game with optimal play: all 133,784,560 hands against all dealer's hands."),
    "hand": ("game", "Show the dealer hands that a hand of seven CARDS meets, and the value of each decision."),
    "paytable": ("paytable", "Price a side bet exactly, line by line."),
    "risk": ("game", "Compute the chance to be ruined, or to reach a goal, within some rounds of RULEBOOK."),
    "seen": ("game", "Price what one player gains who sees other hands too, or a card of the dealer."),
    "sensitivity": ("paytable", "Show how edge and hold move with what a document leaves to the operator."),
    "solve": ("paytable", "Find every pay table with whole pays within bounds that gives a wanted edge."),
    "strategies": ("game", "List the best simple rules: for each number of things to remember the cheapest."),
    "strategy": ("game", "Price a strategy exactly."),
    "treasury": ("paytable", "Show what a progressive can cost its house."),
}


@click.group(cls=LazyGroup, package=__name__, places=COMMANDS)
def odds() -> None:
    """Exact odds: one hand, the whole game, pay tables, strategies."""
