"""`hcf odds`: exact figures of a hand, the whole game, a pay table, a strategy.

In JSON an exact value is a text "n/d" in lowest terms; a number under the same name without `_exact` is for reading.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import click
from msgspec.structs import asdict

from highcardflush.cards import Hand
from highcardflush.cli import complete
from highcardflush.cli.files import find_paytable, find_rulebook, find_strategy
from highcardflush.cli.odds_pages import game_data, paytable_data, print_game, print_paytable
from highcardflush.cli.options import Settings, json_option, rulebook_argument, seats_option, settings_option, table
from highcardflush.cli.output import console, exact, grid, percent, print_json, progress_bar, show, with_exact
from highcardflush.errors import RulebookError, TextError
from highcardflush.game.state import Decision
from highcardflush.odds import GameOdds, HandOdds, Strategy, game_odds, hand_odds
from highcardflush.odds.whatif import Figures, bonus_figures, progressive_figures, typed_table, with_raise_rule
from highcardflush.ranking import flush_rank
from highcardflush.rulebook import PayTable, Rulebook, configure
from highcardflush.rulebook.wagers import ANTE

if TYPE_CHECKING:  # the coach takes its time to load
    from highcardflush.coach import Advice


@click.group()
def odds() -> None:
    """Exact odds: one hand, the whole game, pay tables, strategies."""


@odds.command()
@click.argument("cards")
@click.option("--seen", default="", help="Cards that the dealer cannot have.")
@click.option(
    "--rulebook", default="washington", show_default=True, shell_complete=complete.rulebooks,
    help="Whose Raises are allowed.",
)  # fmt: skip
@json_option
def hand(cards: str, seen: str, rulebook: str, as_json: bool) -> None:
    """What a hand of seven CARDS meets, and what each decision is worth."""
    from highcardflush.coach import Spot, advise

    book, own, others = find_rulebook(rulebook), Hand.parse(cards), Hand.parse(seen)
    met = hand_odds(own, others)
    advice = advise(Spot(book, {ANTE.name: _ante_cents(book)}, own, others))
    fold, raises = advice.antes(advice.value(Decision())), _raises(advice)
    best = advice.best_of_all.raise_cents
    words = f"raise {_multiple(advice, best)}" if best else "fold"
    if as_json:
        by_raise = {multiple: exact(value) for multiple, value in raises.items()}
        print_json({**asdict(met), "fold": exact(fold), "raise": by_raise, "best": words})
        return
    out, values = console(), {"fold": fold} | {f"raise {multiple}x": value for multiple, value in raises.items()}
    out.print(f"{own}: {flush_rank(own)}")
    _print_met(met)
    out.print()
    rows = ((decision, f"{float(value):+.6f}", exact(value)) for decision, value in values.items())
    out.print(grid("decision", "value in Antes", "exact", rows=rows, right=("value in Antes",)))
    out.print(f"Best: {words}{'x' if best else ''}")


def _ante_cents(rulebook: Rulebook) -> int:
    """An Ante of which every hundredth is an amount that may be raised."""
    return 100 * int(rulebook.settings.increment or 1)


def _raises(advice: Advice) -> dict[str, Fraction]:
    """The value of each Raise in Antes, by its multiple: whole Antes and the ends of the range, the best flush kept."""
    kept, ante = advice.flushes[0], advice.spot.wagers[ANTE.name]
    low, high = kept.amounts.minimum_cents, kept.amounts.maximum_cents
    assert high is not None
    sizes = sorted({low, high, *(cents for cents in range(ante, high, ante) if cents > low)})
    return {_multiple(advice, cents): advice.antes(advice.value(Decision(cents, kept.keep))) for cents in sizes}


def _multiple(advice: Advice, cents: int) -> str:
    return f"{cents / advice.spot.wagers[ANTE.name]:g}"


def _print_met(met: HandOdds) -> None:
    labels = ("dealer does not qualify", "player wins", "tie", "player loses", "all")
    counts = zip(labels, (*met.counts, met.total), strict=True)
    rows = ((label, f"{count:,}", percent(count / met.total)) for label, count in counts)
    console().print(grid("dealer's hands", "count", "chance", rows=rows, right=("count", "chance")))


def _solve(rulebook: Rulebook, strategy: Strategy | None = None) -> GameOdds:
    with progress_bar("every hand") as tell:
        return game_odds(rulebook, strategy, tell)


@odds.command()
@rulebook_argument
@click.option("--raise-minimum", help="The smallest Raise in Antes, where the rulebook prints none.")
@click.option("--raise", "rule", help="What if: a Raise rule, e.g. 'multiples 1 1 1 2 3 3' (maxima for 2 to 7 cards).")
@settings_option
@json_option
def game(rulebook: str, raise_minimum: str | None, rule: str | None, settings: Settings, as_json: bool) -> None:
    """The whole game with optimal play: all 133,784,560 hands against all dealer's hands."""
    book = table(rulebook, settings=settings)
    if rule:
        book = with_raise_rule(book, rule)
    minimum = {} if raise_minimum is None else {"raise-minimum": raise_minimum}
    solved = _solve(configure(book, None, minimum))
    show(game_data(solved), lambda: print_game(solved), as_json=as_json)


@odds.command()
@rulebook_argument
@click.argument("which", metavar="NAME|FILE", shell_complete=complete.strategies)
@settings_option
@json_option
def strategy(rulebook: str, which: str, settings: Settings, as_json: bool) -> None:
    """The exact edge of a strategy: optimal, t-8-6, j-high, always, or a .toml of your own."""
    book, chosen = table(rulebook, settings=settings), find_strategy(which)
    own, best = _solve(book, chosen), _solve(book)
    cost = best.expected - own.expected
    if as_json:
        print_json(
            {"rulebook": book.name, "strategy": chosen.name, "title": chosen.title, "expected": exact(own.expected)}
            | with_exact("house_edge", own.house_edge)
            | with_exact("cost", cost)
            | with_exact("fold_frequency", own.fold_frequency)
            | {"standard_deviation": own.standard_deviation}
        )
        return
    out = console()
    out.print(f"{book.name}, {chosen.title}. Unit: one Ante.")
    out.print(f"house edge          {percent(own.house_edge)}   {exact(own.house_edge)}")
    out.print(f"cost over the best  {percent(cost)}   {exact(cost)}")
    out.print(f"hands folded        {percent(own.fold_frequency)}")


@odds.command()
@click.argument("name", metavar="RULEBOOK/ID|WAGER", shell_complete=complete.paytables_or_wagers)
@click.option("--meter", "meters", multiple=True, help="Dollars in the meter, or NAME=AMOUNT; its seed if not said.")
@seats_option("Players with the bet: Envy.", default=1, show_default=True)
@click.option("--base", default="1", show_default=True, help="The base bet of a progressive, in dollars.")
@click.option("--bet", help="The bet in dollars, to count the rulebook's caps.")
@click.option("--lines", help="What if: pays typed in, best first, e.g. '7:300 6:100 5:10 4:1', with WAGER for the id.")
@settings_option
@json_option
def paytable(
    name: str,
    meters: tuple[str, ...],
    seats: int,
    base: str,
    bet: str | None,
    lines: str | None,
    settings: Settings,
    as_json: bool,
) -> None:
    """A side bet's exact return, line by line."""
    book, pays = typed_table(name, lines) if lines else _printed(name)
    figures: Figures
    if pays.wager == "progressive":
        figures = progressive_figures(book, pays, base=base, settings=dict(settings), meters=meters, seats=seats)
    elif meters or settings or base != "1" or seats != 1:
        read = "--meter, --base, --seats or --set"
        raise RulebookError(f"{pays.wager} bet", read=read, expected="none of them: only a progressive has them")
    else:
        figures = bonus_figures(book, pays, bet)
    show(paytable_data(figures), lambda: print_paytable(figures), as_json=as_json)


def _printed(name: str) -> tuple[Rulebook, PayTable]:
    owner, slash, key = name.rpartition("/")
    if not slash:
        raise TextError("pay table", read=repr(name), expected="RULEBOOK/ID, or a wager with --lines")
    return find_paytable(owner, key)
