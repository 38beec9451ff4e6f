"""`hcf odds game`."""

from __future__ import annotations

import click

from highcardflush.cli import options
from highcardflush.cli.odds.what_if import TypedRule, play, raise_option, read_table
from highcardflush.cli.options import Settings
from highcardflush.cli.output import print_figures
from highcardflush.figures.odds import game_figures
from highcardflush.pages.odds import game_blocks, given_blocks


@click.command()
@options.rulebook_argument
@click.option("--raise-minimum", metavar="ANTES", help="Short for --set raise-minimum, where the rulebook prints none.")
@raise_option
@options.settings_option
@options.json_option
def game(rulebook: str, raise_minimum: str | None, rule: TypedRule | None, settings: Settings, as_json: bool) -> None:
    """Solve the whole game with optimal play: all 133,784,560 hands against all dealer's hands."""
    all_settings = settings if raise_minimum is None else (*settings, ("raise-minimum", raise_minimum))
    book, what_if = read_table(rulebook, all_settings, rule)
    odds = play(book)
    print_figures(
        lambda: game_figures(odds, what_if),
        lambda: (*given_blocks(book.name, what_if, all_settings), *game_blocks(odds)),
        as_json=as_json,
    )
