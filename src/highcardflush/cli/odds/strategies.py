"""`hcf odds strategies`."""

from __future__ import annotations

from datetime import date as calendar
from datetime import datetime

import click

from highcardflush.cli import options
from highcardflush.cli.files import check_folder, write_bytes
from highcardflush.cli.options import Settings
from highcardflush.cli.output import print_figures, progress_bar
from highcardflush.formats.json import plain, with_exact
from highcardflush.odds import game_odds
from highcardflush.odds.frontier import frontier, largest_cost
from highcardflush.pages.odds import given_blocks


@click.command()
@options.rulebook_argument
@click.option("-o", "output", metavar="FILE", help="Also write a one-page card for players: .html or .pdf.")
@click.option("--date", type=click.DateTime(["%Y-%m-%d"]), help="Date of the card. [default: today]")
@options.settings_option
@options.json_option
def strategies(
    rulebook: str, output: str | None, date: datetime | None, settings: Settings, as_json: bool
) -> None:  # fmt: skip
    """List the best simple rules: for each number of things to remember the cheapest.

    Of all thresholds, of pairs of thresholds by one condition on the cards beside the flush, and of thresholds by their
    number. A rule is listed if no smaller one costs less; each cost is exact. Every rule raises the most that is
    allowed; where the best play raises less with some hands, a line says what that costs.
    """
    from highcardflush.formats.files import check_ending, typeset
    from highcardflush.pages.strategy_card import strategy_document
    from highcardflush.pages.studies.rules import page

    form = check_ending(output, "strategy card") if output else ""
    if output:
        check_folder(output)
    book = options.table(rulebook, settings=settings)
    with progress_bar("rules") as tell:
        rules, most = frontier(book, tell), largest_cost(book)
    if output:
        day = date.date() if date else calendar.today()
        write_bytes(output, typeset(strategy_document(book, game_odds(book), rules, day.isoformat()), form))
    print_figures(
        lambda: {"rulebook": book.name, "rules": plain(rules), **with_exact("largest_raise_cost", most)},
        lambda: (*given_blocks(book.name, {}, settings), *page(book, rules, most)),
        as_json=as_json,
    )
