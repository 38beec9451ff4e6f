"""`hcf odds`: exact figures of a hand, the whole game, a pay table, a strategy.

In JSON an exact value is a text "n/d" in lowest terms; a number under the same name without `_exact` is for reading.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from fractions import Fraction

    from highcardflush.odds.game import GameOdds
    from highcardflush.odds.strategies import Strategy
    from highcardflush.rulebook import Rulebook

as_json_option = click.option("--json", "as_json", is_flag=True, help="The same as data, exact values as n/d.")
set_option = click.option("--set", "settings", nargs=2, multiple=True, metavar="KEY VALUE", help="A setting.")


@click.group()
def odds() -> None:
    """Exact odds: one hand, the whole game, pay tables, strategies."""


def exact(value: Fraction) -> str:
    """A fraction as JSON carries it."""
    return f"{value.numerator}/{value.denominator}"


def percent(value: Fraction | float) -> str:
    return f"{100 * float(value):.6f} %"


@odds.command()
@click.argument("cards")
@click.option("--seen", default="", help="Cards that the dealer cannot have.")
@click.option("--rulebook", "name", default="washington", show_default=True, help="Whose Raises are allowed.")
@as_json_option
def hand(cards: str, seen: str, name: str, as_json: bool) -> None:
    """What a hand of seven CARDS meets, and what each decision is worth."""
    from highcardflush.cards import Hand
    from highcardflush.cli.files import find_rulebook
    from highcardflush.cli.output import console, grid, print_json
    from highcardflush.odds.advice import advise

    advice = advise(find_rulebook(name), Hand.parse(cards), Hand.parse(seen))
    found = advice.odds
    if as_json:
        print_json(
            {
                "not_qualified": found.not_qualified,
                "win": found.win,
                "tie": found.tie,
                "lose": found.lose,
                "fold": exact(advice.fold),
                "raise": {str(multiple): exact(value) for multiple, value in advice.raises.items()},
                "best": advice.best,
            }
        )
        return
    table = grid("dealer's hands", "count", "chance", right=("count", "chance"))
    for label, count in (
        ("dealer does not qualify", found.not_qualified),
        ("player wins", found.win),
        ("tie", found.tie),
        ("player loses", found.lose),
        ("all", found.total),
    ):
        table.add_row(label, f"{count:,}", percent(count / found.total))
    values = grid("decision", "value in Antes", "exact", right=("value in Antes",))
    values.add_row("fold", f"{float(advice.fold):+.6f}", exact(advice.fold))
    for multiple, value in advice.raises.items():
        values.add_row(f"raise {multiple}x", f"{float(value):+.6f}", exact(value))
    out = console()
    out.print(f"{Hand.parse(cards)}: {advice.flush}")
    out.print(table)
    out.print()
    out.print(values)
    out.print(f"Best: {advice.best}")


def _configured(name: str, settings: tuple[tuple[str, str], ...]) -> Rulebook:
    from highcardflush.cli.files import find_rulebook
    from highcardflush.rulebook import configure

    return configure(find_rulebook(name), None, dict(settings))


def _with_raise_rule(book: Rulebook, text: str) -> Rulebook:
    """The rulebook with a Raise rule typed in: a kind and the maxima for 2 to 7 cards."""
    import msgspec

    from highcardflush.rulebook.explain import convert
    from highcardflush.rulebook.model import RaiseRule

    kind, *maxima = text.split() or [""]
    rule: dict[str, Any] = {"kind": kind, "minimum-open": kind == "between"}
    rule["maximum"] = {str(cards): int(most) if most.isdigit() else most for cards, most in enumerate(maxima, 2)}
    return msgspec.structs.replace(book, raise_=convert(rule, RaiseRule, "raise"))


def progress_bar(words: str) -> tuple[Callable[[int, int], None], Callable[[], None]]:
    """A progress bar on standard error, if that is a terminal: what to tell it, and how to end it."""
    import sys

    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
    task = bar.add_task(words, total=None)
    bar.start()
    return lambda done, whole: bar.update(task, completed=done, total=whole), bar.stop


def _solve(book: Rulebook, strategy: Strategy | None = None) -> GameOdds:
    from highcardflush.odds.game import game_odds

    tell, end = progress_bar("every hand")
    try:
        return game_odds(book, strategy, tell)
    finally:
        end()


@odds.command()
@click.argument("name", metavar="RULEBOOK")
@click.option("--raise-minimum", help="The smallest Raise in Antes, where the rulebook prints none.")
@click.option("--raise", "rule", help="What if: a Raise rule, e.g. 'multiples 1 1 1 2 3 3' (maxima for 2 to 7 cards).")
@set_option
@as_json_option
def game(
    name: str, raise_minimum: str | None, rule: str | None, settings: tuple[tuple[str, str], ...], as_json: bool
) -> None:
    """The whole game with optimal play: all 133,784,560 hands against all dealer's hands."""
    from highcardflush.cli.output import print_json
    from highcardflush.rulebook import configure

    book = _configured(name, settings)
    if rule:
        book = _with_raise_rule(book, rule)
    minimum = {} if raise_minimum is None else {"raise-minimum": raise_minimum}
    found = _solve(configure(book, None, minimum))
    if as_json:
        print_json(game_data(found))
    else:
        _print_game(found)


def game_data(found: GameOdds) -> dict[str, Any]:
    from highcardflush.odds.game import DEALS

    return {
        "rulebook": found.rulebook,
        "strategy": found.strategy,
        "deals": DEALS,
        "expected": exact(found.expected),
        **_number("house_edge", found.house_edge),
        **_number("element_of_risk", found.element_of_risk),
        **_number("average_bet", found.average_bet),
        "standard_deviation": found.standard_deviation,
        "variance_exact": exact(found.variance),
        **_number("fold_frequency", found.fold_frequency),
        "outcomes": [
            {
                "cards": choice.cards,
                "decision": "fold" if choice.raised is None else f"raise {float(choice.raised):g}",
                "outcome": outcome,
                "net": float(net),
                "net_exact": exact(net),
                "combinations": count,
            }
            for choice in found.choices
            for outcome, net, count in choice.nets()
        ],
        "strategy_by_flush": _strategy_rows(found),
    }


def _number(key: str, value: Fraction) -> dict[str, Any]:
    return {key: float(value), f"{key}_exact": exact(value)}


def _strategy_rows(found: GameOdds) -> list[dict[str, Any]]:
    """Where flushes are always folded, where the other cards decide, where they are always raised."""
    return [
        {"decision": decision, "from": first, "to": last, "hands": hands}
        for decision, first, last, hands in found.zones()
    ]


def _print_game(found: GameOdds) -> None:
    from highcardflush.cli.output import console, grid
    from highcardflush.odds.game import DEALS

    out = console()
    out.print(f"{found.rulebook}, {found.strategy} play, over {DEALS:,} deals. Unit: one Ante.")
    table = grid("figure", "value", "exact", right=("value",))
    table.add_row("house edge", percent(found.house_edge), exact(found.house_edge))
    table.add_row("element of risk", percent(found.element_of_risk), exact(found.element_of_risk))
    table.add_row("average bet", f"{float(found.average_bet):.6f}", exact(found.average_bet))
    table.add_row("standard deviation", f"{found.standard_deviation:.6f}", f"square root of {exact(found.variance)}")
    table.add_row("hands folded", percent(found.fold_frequency), exact(found.fold_frequency))
    out.print(table)
    out.print()
    right = ("net", "combinations", "chance", "return")
    rows = grid("flush", "decision", "outcome", *right, right=right)
    for choice in found.choices:
        decision = "fold" if choice.raised is None else f"raise {float(choice.raised):g}x"
        for outcome, net, count in choice.nets():
            cells = (f"{float(net):+g}", f"{count:,}", percent(count / DEALS), f"{float(net * count / DEALS):+.6f}")
            rows.add_row(f"{choice.cards} cards", decision, outcome, *cells)
    out.print(rows)
    out.print()
    zones = grid("decision", "from", "to", "hands", right=("hands",))
    for decision, first, last, hands in found.zones():
        zones.add_row(decision, first, last, f"{hands:,}")
    out.print(zones)


@odds.command()
@click.argument("name", metavar="RULEBOOK")
@click.argument("which", metavar="NAME|FILE")
@set_option
@as_json_option
def strategy(name: str, which: str, settings: tuple[tuple[str, str], ...], as_json: bool) -> None:
    """The exact edge of a strategy: optimal, t-8-6, j-high, always, or a .toml of your own."""
    from highcardflush.cli.files import find_strategy
    from highcardflush.cli.output import console, print_json

    book, chosen = _configured(name, settings), find_strategy(which)
    found, best = _solve(book, chosen), _solve(book)
    cost = best.expected - found.expected
    if as_json:
        print_json(
            {"rulebook": book.name, "strategy": chosen.name, "title": chosen.title, "expected": exact(found.expected)}
            | _number("house_edge", found.house_edge)
            | _number("cost", cost)
            | _number("fold_frequency", found.fold_frequency)
            | {"standard_deviation": found.standard_deviation}
        )
        return
    out = console()
    out.print(f"{book.name}, {chosen.title}. Unit: one Ante.")
    out.print(f"house edge          {percent(found.house_edge)}   {exact(found.house_edge)}")
    out.print(f"cost over the best  {percent(cost)}   {exact(cost)}")
    out.print(f"hands folded        {percent(found.fold_frequency)}")


@odds.command()
@click.argument("name", metavar="RULEBOOK/ID|WAGER")
@click.option("--meter", "meters", multiple=True, help="Dollars in the meter, or NAME=AMOUNT; its seed if not said.")
@click.option("--seats", type=click.IntRange(1, 6), default=1, show_default=True, help="Players with the bet: Envy.")
@click.option("--base", default="1", show_default=True, help="The base bet of a progressive, in dollars.")
@click.option("--bet", help="The bet in dollars, to count the rulebook's caps.")
@click.option("--lines", help="What if: pays typed in, best first, e.g. '7:300 6:100 5:10 4:1', with WAGER for the id.")
@set_option
@as_json_option
def paytable(
    name: str,
    meters: tuple[str, ...],
    seats: int,
    base: str,
    bet: str | None,
    lines: str | None,
    settings: tuple[tuple[str, str], ...],
    as_json: bool,
) -> None:
    """A side bet's exact return, line by line."""
    from highcardflush.cli import paytable_odds
    from highcardflush.cli.output import print_json

    found = paytable_odds.figures(name, meters, seats, base, bet, lines, dict(settings))
    if as_json:
        print_json(paytable_odds.as_data(found))
    else:
        paytable_odds.print_figures(found)
