"""`hcf odds hand`."""

from __future__ import annotations

import click

from highcardflush.cards import Hand
from highcardflush.cli import complete, options
from highcardflush.cli.options import Settings, parsed
from highcardflush.cli.output import print_figures
from highcardflush.figures.odds import hand_figures
from highcardflush.pages.odds import given_blocks, hand_blocks


@click.command()
@click.argument(
    "own", nargs=-1, required=True, metavar="CARDS...", callback=parsed(lambda words: Hand.parse(" ".join(words)))
)
@click.option("--seen", default="", metavar="CARDS", callback=parsed(Hand.parse), help="Cards the dealer cannot have.")
@click.option(
    "--rulebook", default="washington", show_default=True, metavar="NAME|FILE", shell_complete=complete.rulebooks,
    help="Rulebook that sets the allowed Raises.",
)  # fmt: skip
@options.settings_option
@options.json_option
def hand(own: Hand, seen: Hand, rulebook: str, settings: Settings, as_json: bool) -> None:
    """Show the dealer hands that a hand of seven CARDS meets, and the value of each decision.

    CARDS are such as AsKs9s 7d6d 2c Th, in one word or several.
    """
    figures = hand_figures(options.table(rulebook, settings=settings), own, seen)
    page = lambda: (*given_blocks("", {}, settings), *hand_blocks(own, figures))  # noqa: E731
    print_figures(lambda: figures, page, as_json=as_json)
