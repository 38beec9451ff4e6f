"""`hcf house`: runs the house from a terminal. Its commands are thin layers over `highcardflush.house`."""

import click

from highcardflush.cli.lazy import LazyGroup

COMMANDS = {
    "acknowledge": ("office", "Acknowledge an alert."),
    "approve": ("wins", "Approve win number WIN of a meter."),
    "assign": ("people", "Let the dealer NAME work at a table."),
    "balances": ("cage", "Show the balance of every account."),
    "buy-in": ("cage", "Take AMOUNT from a player into the wallet."),
    "cash-out": ("cage", "Pay AMOUNT from a player's wallet."),
    "change": ("office", "Propose changes that need two administrators, and decide them."),
    "consent": ("people", "Create a one-time token with which a dealer can seat you at a physical table."),
    "correct": ("wins", "Propose a correction to a meter."),
    "decide": ("wins", "Approve or reject a correction to a meter."),
    "floor": ("office", "Show and change the settings of the floor."),
    "meter": ("meters", "Create, show, change and check meters."),
    "new-key": ("office", "Change the house key, or replace a lost one."),
    "person": ("people", "Add, change, disable and list people."),
    "play": ("play", "Let bots play at tables."),
    "player": ("people", "Add players."),
    "proof": ("tables", "Print the published record of rounds."),
    "refuse": ("wins", "Refuse win number WIN of a meter."),
    "report": ("status", "Print a report of a gaming day."),
    "rounds": ("tables", "List the last rounds of a table."),
    "shift": ("people", "Start or end a shift."),
    "statement": ("cage", "Show the last transactions of a player's wallet."),
    "status": ("status", "Show the house at a glance."),
    "submit": ("send", "Send any command, as JSON."),
    "table": ("tables", "Create, change and show tables."),
    "unassign": ("people", "Stop the dealer NAME from working at a table."),
    "view": ("tables", "Show the live round of a table."),
    "void": ("tables", "Void the live round of a table."),
    "warn": ("tables", "Warn the player at a seat."),
    "wins": ("wins", "List the wins that wait for a supervisor."),
}


@click.group(cls=LazyGroup, package=__name__, places=COMMANDS)
def house() -> None:
    """Run tables, meters and wallets, and record everything in the books.

    `hcf db upgrade` creates the books; `examples/demo.sh` shows a whole house.
    """
