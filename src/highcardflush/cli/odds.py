"""`hcf odds`: exact figures of a hand, the whole game, a pay table, a strategy."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from highcardflush.cards import Hand
from highcardflush.cli import complete, options, output
from highcardflush.cli import odds_pages as pages
from highcardflush.cli.files import find_paytable
from highcardflush.cli.lazy import Group
from highcardflush.cli.options import Settings, parsed
from highcardflush.cli.output import grid, percent, print_settings, put, say_exact
from highcardflush.data import odds as data
from highcardflush.errors import TextError
from highcardflush.money import parse_positive
from highcardflush.odds import GameOdds, HandOdds, Strategy, game_odds, whatif
from highcardflush.ranking import flush_rank
from highcardflush.rulebook import PayTable, Rulebook, configure, split_offer
from highcardflush.rulebook.model import RaiseRule
from highcardflush.words import say_rulebook

if TYPE_CHECKING:  # they take their time to load
    from rich.table import Table


raise_option = click.option(
    "--raise", "rule", metavar="RULE", callback=parsed(lambda text: (text, whatif.parse_raise_rule(text))),
    help="What if: a Raise rule, its kind (exact, multiples or between) and the maxima in Antes for 2 to 7 cards, "
    "e.g. 'multiples 1 1 1 2 3 3'.",
)  # fmt: skip
TypedRule = tuple[str, RaiseRule]


@click.group(cls=Group)
def odds() -> None:
    """Exact odds: one hand, the whole game, pay tables, strategies."""


@odds.command()
@click.argument(
    "own", nargs=-1, required=True, metavar="CARDS...", callback=parsed(lambda words: Hand.parse(" ".join(words)))
)
@click.option("--seen", default="", metavar="CARDS", callback=parsed(Hand.parse), help="Cards the dealer cannot have.")
@click.option(
    "--rulebook", default="washington", show_default=True, metavar="NAME|FILE", shell_complete=complete.rulebooks,
    help="Whose Raises are allowed.",
)  # fmt: skip
@options.settings_option
@options.json_option
def hand(own: Hand, seen: Hand, rulebook: str, settings: Settings, as_json: bool) -> None:
    """What a hand of seven CARDS meets, and what each decision is worth.

    CARDS are such as AsKs9s 7d6d 2c Th, in one word or several.
    """
    weighed = data.weigh(options.table(rulebook, settings=settings), own, seen)
    if as_json:
        output.print_json(data.hand_data(weighed))
        return
    values = {"fold": weighed.fold} | {f"raise {multiple}x": value for multiple, value in weighed.raises.items()}
    print_settings(settings)
    rows = ((decision, f"{float(value):+.6f}", say_exact(value)) for decision, value in values.items())
    listed = grid("decision", ">value in Antes", "exact", rows=rows)
    best = f"Best: {weighed.words}{'x' if weighed.best else ''}"
    put(f"{own}: {flush_rank(own)}", _met(weighed.met), "", listed, best)


def _met(met: HandOdds) -> Table:
    labels = ("dealer does not qualify", "player wins", "tie", "player loses", "all")
    counts = zip(labels, (*met.counts, met.total), strict=True)
    rows = ((label, f"{count:,}", percent(count / met.total)) for label, count in counts)
    return grid("dealer's hands", ">count", ">chance", rows=rows)


def _solve(rulebook: Rulebook, strategy: Strategy | None = None) -> GameOdds:
    with output.progress_bar("every hand") as tell:
        return game_odds(rulebook, strategy, tell)


def _played(rulebook: str, settings: Settings, rule: TypedRule | None) -> tuple[Rulebook, data.WhatIf]:
    """The rulebook with its settings, and a Raise rule that was typed in."""
    book = options.table(rulebook, settings=settings if rule is None else ())
    if rule is None:
        return book, {}
    text, typed = rule
    return configure(whatif.with_raise_rule(book, typed), None, dict(settings)), {"raise": text}


@odds.command()
@options.rulebook_argument
@click.option("--raise-minimum", metavar="ANTES", help="The same as --set raise-minimum: where none is printed.")
@raise_option
@options.settings_option
@options.json_option
def game(rulebook: str, raise_minimum: str | None, rule: TypedRule | None, settings: Settings, as_json: bool) -> None:
    """The whole game with optimal play: all 133,784,560 hands against all dealer's hands."""
    given = settings if raise_minimum is None else (*settings, ("raise-minimum", raise_minimum))
    book, what_if = _played(rulebook, given, rule)
    solved = _solve(book)
    page = partial(pages.print_game, solved, what_if, given)
    output.show(data.game_data(solved, what_if), page, as_json=as_json)


@odds.command()
@options.rulebook_argument
@click.argument("chosen", metavar="STRATEGY", callback=options.strategy_reader, shell_complete=complete.strategies)
@raise_option
@options.settings_option
@options.json_option
def strategy(rulebook: str, chosen: Strategy, rule: TypedRule | None, settings: Settings, as_json: bool) -> None:
    """The exact edge of a strategy.

    STRATEGY is optimal, t-8-6, j-high, always, never; a threshold from which on to raise, such as Q-high or J-5-3
    (three cards), A-K (two); or a .toml of your own.
    """
    book, what_if = _played(rulebook, settings, rule)
    own, best = _solve(book, chosen), _solve(book)
    cost = best.expected - own.expected
    if as_json:
        output.print_json(data.strategy_data(book.name, what_if, chosen, own, cost))
        return
    pages.print_given(book.name, what_if, settings)
    put(f"{say_rulebook(book)}, {chosen.title}. Unit: one Ante.")
    values = {"house edge": own.house_edge, "cost over the best": cost, "hands folded": own.fold_frequency}
    put(pages.figures_grid((name, percent(value), say_exact(value)) for name, value in values.items()))


@odds.command()
@click.argument(
    "name", nargs=-1, required=True, metavar="PAYTABLE [base=AMOUNT]", shell_complete=complete.paytables_or_wagers,
    callback=parsed(lambda words: split_offer(" ".join(words))),
)  # fmt: skip
@click.option(
    "--meter", "meters", multiple=True, metavar="AMOUNT",
    help="Dollars in the meter, or NAME=AMOUNT. [default: its seed]",
)  # fmt: skip
@options.seats_option("Players with the bet: Envy.", default=1, show_default=True)
@click.option(
    "--bet", "bet_cents", metavar="AMOUNT", callback=parsed(parse_positive),
    help="The size of a bonus bet, to count the rulebook's caps.",
)  # fmt: skip
@click.option(
    "--lines", metavar="LINES",
    help="What if: pays typed in, best first, e.g. '7:300 6:100 5:10 4:1'; PAYTABLE is then a wager.",
)  # fmt: skip
@options.settings_option
@options.json_option
def paytable(
    name: tuple[str, str | None], meters: tuple[str, ...], seats: int, bet_cents: int | None, lines: str | None,
    settings: Settings, as_json: bool,
) -> None:  # fmt: skip
    """A side bet's exact return, line by line.

    PAYTABLE is RULEBOOK/ID, or with --lines a wager; base=AMOUNT after it is the base bet of a progressive, $1 if not
    said.
    """
    key, base = name
    book, pays = _printed(key) if lines is None else whatif.typed_table(key, lines)
    figures = data.price(book, pays, data.Asked(base, meters, seats, bet_cents, dict(settings)), "--")
    what_if = {} if lines is None else {"lines": lines}
    page = partial(pages.print_paytable, figures, what_if, settings)
    output.show(data.paytable_data(figures, what_if), page, as_json=as_json)


def _printed(name: str) -> tuple[Rulebook, PayTable]:
    owner, slash, key = name.rpartition("/")
    if not slash:
        raise TextError("pay table", read=repr(name), expected="RULEBOOK/ID, or a wager with --lines")
    return find_paytable(owner, key)
