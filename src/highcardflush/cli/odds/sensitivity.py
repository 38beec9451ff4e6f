"""`hcf odds sensitivity`."""

from __future__ import annotations

import click

from highcardflush.cli import complete, options
from highcardflush.cli.files import find_rulebook
from highcardflush.cli.output import print_figures, progress_bar
from highcardflush.odds.sensitivity import readings
from highcardflush.rulebook import PACKAGED


@click.command()
@click.argument("rulebooks", nargs=-1, metavar="[RULEBOOK]...", shell_complete=complete.rulebooks)
@options.json_option
def sensitivity(rulebooks: tuple[str, ...], as_json: bool) -> None:
    """Show how edge and hold move with what a document leaves to the operator.

    The smallest Raise, caps on bets of some sizes, the base bet, seeds, rates and displays of jackpots, Envy Pays by
    players, and the choice of a pay table: every one of each RULEBOOK, all packaged ones if none is said.
    """
    from highcardflush.pages.studies.sensitivity import page

    books = [find_rulebook(name) for name in rulebooks or PACKAGED]
    with progress_bar("rulebooks and pay tables") as tell:
        rows = readings(books, tell)
    notices = {book.name: book.notice for book in books}
    print_figures(lambda: {"rows": rows}, lambda: page(rows, notices), as_json=as_json)
