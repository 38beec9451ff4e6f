"""`hcf odds`: exact figures of a hand, the whole game, a pay table, a strategy."""

from __future__ import annotations

import click

from highcardflush.cli.lazy import LazyGroup

COMMANDS = {
    "errors": ("errors", "What errors of players cost, by kind and by the cards of the best flush, exactly."),
    "game": ("game", "The whole game with optimal play: all 133,784,560 hands against all dealer's hands."),
    "hand": ("hand", "What a hand of seven CARDS meets, and what each decision is worth."),
    "paytable": ("paytable", "A side bet's exact return, line by line."),
    "risk": ("risk", "The chance to be ruined, or to reach a goal, within some rounds of RULEBOOK."),
    "seen": ("seen", "The edge when one player sees other hands too, or a card of the dealer."),
    "sensitivity": ("sensitivity", "How edge, hold and volatility move with what a document leaves to the operator."),
    "solve": ("solve", "Every pay table with whole pays within bounds that gives a wanted edge."),
    "strategies": ("strategies", "The best simple rules: for each number of things to remember the cheapest."),
    "strategy": ("strategy", "The exact edge of a strategy."),
    "treasury": ("treasury", "What a progressive may cost its house: advances, several winners, time between wins."),
}


@click.group(cls=LazyGroup, package=__name__, places=COMMANDS)
def odds() -> None:
    """Exact odds: one hand, the whole game, pay tables, strategies."""
