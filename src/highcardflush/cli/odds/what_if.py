"""A Raise rule that is typed in place of the rulebook's own."""

from __future__ import annotations

import click

from highcardflush.cli import options
from highcardflush.cli.options import Settings, parsed
from highcardflush.cli.output import progress_bar
from highcardflush.figures.odds import WhatIf
from highcardflush.odds import GameOdds, Strategy, game_odds, whatif
from highcardflush.rulebook import Rulebook, configure
from highcardflush.rulebook.model import RaiseRule

TypedRule = tuple[str, RaiseRule]
raise_option = click.option(
    "--raise", "rule", metavar="RULE", callback=parsed(lambda text: (text, whatif.parse_raise_rule(text))),
    help="What if: a Raise rule, its kind (exact, multiples or between) and the maxima in Antes for 2 to 7 cards, "
    "e.g. 'multiples 1 1 1 2 3 3'.",
)  # fmt: skip


def read_table(rulebook: str, settings: Settings, rule: TypedRule | None) -> tuple[Rulebook, WhatIf]:
    """Return the rulebook with its settings, and with the typed Raise rule."""
    book = options.table(rulebook, settings=settings if rule is None else ())
    if rule is None:
        return book, {}
    text, typed = rule
    return configure(whatif.with_raise_rule(book, typed), None, dict(settings)), {"raise": text}


def play(book: Rulebook, strategy: Strategy | None = None) -> GameOdds:
    """Solve the whole game, with a progress bar where that takes time."""
    with progress_bar("every hand") as tell:
        return game_odds(book, strategy, tell)
