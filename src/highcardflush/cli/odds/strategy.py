"""`hcf odds strategy`."""

from __future__ import annotations

import click

from highcardflush.cli import complete, options
from highcardflush.cli.odds.what_if import TypedRule, play, raise_option, read_table
from highcardflush.cli.options import Settings
from highcardflush.cli.output import print_figures
from highcardflush.figures.odds import StrategyFigures
from highcardflush.odds import Strategy
from highcardflush.pages.odds import given_blocks, strategy_blocks


@click.command()
@options.rulebook_argument
@click.argument("chosen", metavar="STRATEGY", callback=options.strategy_reader, shell_complete=complete.strategies)
@raise_option
@options.settings_option
@options.json_option
def strategy(rulebook: str, chosen: Strategy, rule: TypedRule | None, settings: Settings, as_json: bool) -> None:
    """Price a strategy exactly.

    STRATEGY is optimal, t-8-6, eleven, j-high, always, never; a threshold from which on to raise, such as Q-high or
    J-5-3 (three cards), A-K (two); or a .toml of your own.
    """
    book, what_if = read_table(rulebook, settings, rule)
    own, best = play(book, chosen), play(book)
    cost = best.expected - own.expected
    print_figures(
        lambda: StrategyFigures(what_if=what_if or None, title=chosen.title, odds=own, cost=cost),
        lambda: (*given_blocks(book.name, what_if, settings), *strategy_blocks(book, chosen, own, cost)),
        as_json=as_json,
    )
