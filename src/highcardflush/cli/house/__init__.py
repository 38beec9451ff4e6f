"""`hcf house`: run the house from a terminal. Thin commands over `highcardflush.house`."""

from __future__ import annotations

import click

from highcardflush.cli.lazy import LazyGroup

_AT = "highcardflush.cli.house"
COMMANDS = {
    "approve": (f"{_AT}.wins:approve", "Approve the win number WIN of a meter."),
    "assign": (f"{_AT}.people:assign", "Let the dealer NAME work at a table."),
    "balances": (f"{_AT}.cage:balances", "Show what every account holds."),
    "buy-in": (f"{_AT}.cage:buy_in", "Take AMOUNT from a player into the wallet."),
    "cash-out": (f"{_AT}.cage:cash_out", "Pay AMOUNT from a player's wallet."),
    "consent": (f"{_AT}.people:consent", "Make a token by which a dealer may seat you at a physical table, once."),
    "correct": (f"{_AT}.wins:correct", "Propose a correction of a meter."),
    "decide": (f"{_AT}.wins:decide", "Decide a correction of a meter."),
    "demo": (f"{_AT}.demo:demo", "Watch four tables play for a jackpot."),
    "meter": (f"{_AT}.meters:meter", "Create, show, change and check meters."),
    "new-key": (f"{_AT}.keys:new_key", "Change the house key, or replace one that is lost."),
    "person": (f"{_AT}.people:person", "Add, change, disable and list people."),
    "play": (f"{_AT}.play:play", "Let bots play at the tables."),
    "player": (f"{_AT}.people:player", "Add players."),
    "proof": (f"{_AT}.tables:proof", "Print the published record of rounds."),
    "refuse": (f"{_AT}.wins:refuse", "Refuse the win number WIN of a meter."),
    "rounds": (f"{_AT}.tables:rounds", "List the rounds of a table."),
    "statement": (f"{_AT}.cage:statement", "Show all that moved a player's wallet."),
    "status": (f"{_AT}.status:status", "Show the house at a glance."),
    "submit": (f"{_AT}.submit:submit", "Send any command, as JSON."),
    "table": (f"{_AT}.tables:table", "Create, change and show tables."),
    "unassign": (f"{_AT}.people:unassign", "Let the dealer NAME work at a table no longer."),
    "view": (f"{_AT}.view:view", "Show the live round of a table."),
    "void": (f"{_AT}.tables:void", "Void the live round of a table."),
    "warn": (f"{_AT}.tables:warn", "Warn the player of a seat."),
    "wins": (f"{_AT}.wins:wins", "List the wins that wait for a supervisor."),
}


@click.group(cls=LazyGroup, places=COMMANDS)
def house() -> None:
    """Run tables, meters and wallets, with everything in the books.

    `hcf house demo` shows it; `hcf db upgrade` makes the books.
    """
