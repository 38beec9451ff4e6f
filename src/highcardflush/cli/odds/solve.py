"""`hcf odds solve`."""

from __future__ import annotations

import click

from highcardflush.cli import complete, options
from highcardflush.cli.files import read_text
from highcardflush.cli.output import plural, print_figures, progress_bar
from highcardflush.odds.solver import solve as search
from highcardflush.odds.wanted import load_wanted
from highcardflush.pages.studies.solver import page


@click.command()
@click.argument("file", metavar="FILE", shell_complete=complete.toml_files)
@options.json_option
def solve(file: str, as_json: bool) -> int:
    """Find every pay table with whole pays within bounds that gives a wanted edge.

    FILE is TOML: a wager, ranges of its edge and, if wanted, hit frequency and standard deviation, and lines with the
    pays that each may have. All solutions are counted, the first ones of an order shown; each is priced as
    `hcf odds paytable` does. Ctrl-C gives the result so far.
    """
    wanted = load_wanted(read_text(file), file)
    with progress_bar("pay tables") as tell:
        solved = search(wanted, tell)
    if not solved.complete:
        click.echo(f"hcf: interrupted after {plural(solved.count, 'solution')}", err=True)
    print_figures(lambda: solved, lambda: page(solved), as_json=as_json)
    return 0 if solved.complete else options.INTERRUPTED
