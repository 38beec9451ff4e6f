"""`hcf house report`: the figures of a gaming day, as CSV or as JSON."""

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

    The reports are floor, holds, totals, players and meters, as CSV. Each separates people, guests and bots. A setting
    of the floor says when a gaming day begins.
    """

    def read(house: House, actor: str) -> reports.DayRows:
        return reports.BY_DAY[name](house, actor, reports.DayQuery(time.time(), day, after, first))

    result = caller.read(read)
    caller.show(result, lambda: click.echo(reports.csv_text(result.rows), nl=False))
