"""`hcf house`: run the house from a terminal. Thin commands over `highcardflush.house`."""

from __future__ import annotations

import click

from highcardflush.cli.house.cage import balances, buy_in, cash_out, statement
from highcardflush.cli.house.demo import demo
from highcardflush.cli.house.keys import new_key
from highcardflush.cli.house.meters import meter
from highcardflush.cli.house.people import person, player
from highcardflush.cli.house.play import play
from highcardflush.cli.house.status import status
from highcardflush.cli.house.submit import submit
from highcardflush.cli.house.tables import proof, rounds, table, void
from highcardflush.cli.house.view import view
from highcardflush.cli.house.wins import approve, correct, decide, refuse, wins


@click.group()
def house() -> None:
    """Run tables, meters and wallets, with everything in the books.

    `hcf house demo` shows it; `hcf db upgrade` makes the books.
    """


for command in (
    demo, status, table, view, rounds, proof, void, meter, wins, approve, refuse, correct, decide,
    person, player, buy_in, cash_out, balances, statement, play, submit, new_key,
):  # fmt: skip
    house.add_command(command)

__all__ = ["house"]
