"""`hcf odds hand`, `game` and `strategy`: the main game, also under a Raise rule that is typed in."""

from __future__ import annotations

import click

from highcardflush.cards import Hand
from highcardflush.cli import complete, options
from highcardflush.cli.options import Settings, parsed
from highcardflush.cli.output import print_figures, progress_bar
from highcardflush.figures.odds import StrategyFigures, WhatIf, game_figures, hand_figures
from highcardflush.odds import GameOdds, Strategy, game_odds, whatif
from highcardflush.pages.odds import game_blocks, given_blocks, hand_blocks, strategy_blocks
from highcardflush.rulebook import Rulebook, configure
from highcardflush.rulebook.document import RaiseRule

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
