"""`hcf odds strategies`: the best rules that a person can remember, by their size."""

from __future__ import annotations

from datetime import date as calendar
from datetime import datetime
from fractions import Fraction

import click

from highcardflush.cli import options
from highcardflush.cli.files import check_folder, write_bytes
from highcardflush.cli.options import Settings
from highcardflush.cli.output import grid, percent, print_settings, progress_bar, put, say_exact, show
from highcardflush.figures.odds import frontier_data
from highcardflush.figures.plain import with_exact
from highcardflush.odds import game_odds
from highcardflush.odds.frontier import Rule, frontier, largest_cost
from highcardflush.rulebook import Rulebook
from highcardflush.words import say_rulebook


@click.command()
@options.rulebook_argument
@click.option("-o", "output", metavar="FILE", help="Also write a one-page card for players: .html or .pdf.")
@click.option("--date", type=click.DateTime(["%Y-%m-%d"]), help="Date of the card. [default: today]")
@options.settings_option
@options.json_option
def strategies(
    rulebook: str, output: str | None, date: datetime | None, settings: Settings, as_json: bool
) -> None:  # fmt: skip
    """The best simple rules: for each number of things to remember the one that costs least.

    Of all thresholds, of pairs of thresholds by one condition on the cards beside the flush, and of thresholds by their
    number. A rule is listed if no smaller one costs less; each cost is exact. Every rule raises the most that is
    allowed; where the best play raises less with some hands, a line says what that costs.
    """
    form = _form(output) if output else ""
    book = options.table(rulebook, settings=settings)
    with progress_bar("rules") as tell:
        rules, most = frontier(book, tell), largest_cost(book)
    if output:
        day = date.date() if date else calendar.today()
        _write_card(output, form, book, rules, day)
    data = frontier_data(book.name, rules) | with_exact("largest_raise_cost", most)
    show(data, lambda: _print(book, rules, most, settings), as_json=as_json)


def _form(output: str) -> str:
    """What the file is to be, before long work begins."""
    from highcardflush.formats.files import check_ending

    form = check_ending(output, "strategy card")
    check_folder(output)
    return form


def _write_card(output: str, form: str, book: Rulebook, rules: list[Rule], day: calendar) -> None:
    from highcardflush.formats.files import typeset
    from highcardflush.pages.strategy_card import strategy_document

    write_bytes(output, typeset(strategy_document(book, game_odds(book), rules, day.isoformat()), form))


def _print(book: Rulebook, rules: list[Rule], most: Fraction, settings: Settings) -> None:
    print_settings(settings)
    put(f"{say_rulebook(book)}: simple rules. Size: ranks and numbers to remember. Unit: one Ante.")
    rows = (
        (str(rule.size), rule.strategy.title, percent(rule.odds.house_edge), percent(rule.cost), say_exact(rule.cost))
        for rule in rules
    )
    put(grid(">size", "rule", ">house edge", ">cost over the best", "exact cost", rows=rows))
    if most:
        put("", "Every rule raises the most that is allowed. The best play raises less with some hands: of every cost, "
            f"{percent(most)} of the Ante is for that, exactly {say_exact(most)}.")  # fmt: skip
    else:
        put("", "Every rule raises the most that is allowed, as the best play does.")
