"""`hcf house report`: what a gaming day has brought, as lines for a program of tables, or as JSON."""

from __future__ import annotations

import time

import click

from highcardflush.cli.house.send import Caller, lists, reads
from highcardflush.house import House, reports


@click.command()
@click.argument("name", metavar="REPORT", type=click.Choice(list(reports.BY_DAY)))
@click.option("--day", metavar="DATE", help="The gaming day that began on this date. [default: today's]")
@lists("rows")
@reads
def report(caller: Caller, name: str, day: str | None, first: int, after: str) -> None:
    """Print a report of a gaming day.

    As lines of CSV: floor, holds, totals, players or meters. People, guests and bots are apart in each. When a gaming
    day begins is a setting of the floor.
    """

    def read(house: House, actor: str) -> reports.OfDay:
        return reports.BY_DAY[name](house, actor, reports.Asked(time.time(), day, after, first))

    found = caller.read(read)
    caller.show(found, lambda: click.echo(reports.csv_text(found.rows), nl=False))
