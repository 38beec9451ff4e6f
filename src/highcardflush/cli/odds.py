"""`hcf odds`: exact figures of a hand, the whole game, a pay table, a strategy."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from highcardflush.cards import Hand
from highcardflush.cli import complete, options, output, seen_pages
from highcardflush.cli import odds_pages as pages
from highcardflush.cli.files import find_paytable
from highcardflush.cli.lazy import Group
from highcardflush.cli.odds_risk import risk
from highcardflush.cli.odds_solve import solve
from highcardflush.cli.odds_strategies import strategies
from highcardflush.cli.odds_studies import errors, sensitivity, treasury
from highcardflush.cli.options import Settings, parsed
from highcardflush.cli.output import grid, percent, print_settings, put, say_exact
from highcardflush.errors import TextError
from highcardflush.figures import odds as data
from highcardflush.money import parse_positive
from highcardflush.odds import GameOdds, HandOdds, Strategy, game_odds, whatif
from highcardflush.odds.seen import CountRule, SeenOdds, Sight, nothing_seen
from highcardflush.ranking import flush_rank
from highcardflush.rulebook import PayTable, Rulebook, configure, split_offer
from highcardflush.rulebook.model import MAX_SEATS, RaiseRule
from highcardflush.words import say_rulebook

if TYPE_CHECKING:  # they take their time to load
    from rich.table import Table

    from highcardflush.simulate.cluster import Cluster


raise_option = click.option(
    "--raise", "rule", metavar="RULE", callback=parsed(lambda text: (text, whatif.parse_raise_rule(text))),
    help="What if: a Raise rule, its kind (exact, multiples or between) and the maxima in Antes for 2 to 7 cards, "
    "e.g. 'multiples 1 1 1 2 3 3'.",
)  # fmt: skip
TypedRule = tuple[str, RaiseRule]


@click.group(cls=Group)
def odds() -> None:
    """Exact odds: one hand, the whole game, pay tables, strategies."""


odds.add_command(solve)
odds.add_command(strategies)
odds.add_command(risk)
odds.add_command(errors)
odds.add_command(sensitivity)
odds.add_command(treasury)


@odds.command()
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
@click.option("--raise-minimum", metavar="ANTES", help="Short for --set raise-minimum, where the rulebook prints none.")
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

    STRATEGY is optimal, t-8-6, eleven, j-high, always, never; a threshold from which on to raise, such as Q-high or
    J-5-3 (three cards), A-K (two); or a .toml of your own.
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


def _found_rule(book: Rulebook, hands: int, deals: int, seed: int, threads: int, pool: Cluster | None) -> CountRule:
    from highcardflush.simulate.count_rule import find_rule

    try:
        with output.progress_bar("deals to find the rule") as tell:
            return find_rule(book, hands, deals, seed, threads, tell, pool)
    except KeyboardInterrupt:
        if pool and pool.lost:
            raise pool.lost from None
        raise


def _sampled(
    book: Rulebook, sight: Sight, deals: int, seed: int, threads: int, rule: CountRule | None, pool: Cluster | None
) -> SeenOdds:
    from highcardflush.simulate.seen import seen_odds

    with output.progress_bar("deals") as tell:
        return seen_odds(book, sight, deals, seed, threads, rule, tell, pool)


@odds.command()
@click.argument("rulebook", default="washington", metavar="[RULEBOOK]", shell_complete=complete.rulebooks)
@click.option(
    "--hands", type=click.IntRange(0, MAX_SEATS - 1), required=True, metavar="K",
    help=f"Other players' hands that are seen, 0 to {MAX_SEATS - 1}.",
)  # fmt: skip
@click.option(
    "--dealer-cards", type=click.IntRange(0, 1), default=0, show_default=True, metavar="N",
    help="Number of the dealer's cards that are seen, 0 or 1.",
)  # fmt: skip
@click.option("--suits-only", is_flag=True, help="See only how many cards of each suit the other hands hold.")
@click.option(
    "--exposed-only", is_flag=True,
    help="See only exposed straight flushes of the other hands, as in atlantic-city and meadows.",
)  # fmt: skip
@click.option(
    "--by-count", "rule_text", metavar="RULE",
    help="Decide by a rule, not best: from which flush on to raise, by the most unseen cards of one suit, "
    "e.g. '3:always 4:J-high 5:K-high 6:5-4-3-2 7:never'.",
)  # fmt: skip
@click.option(
    "--find-rule", is_flag=True,
    help="Find the best such rule over as many other deals (of the next seed), and decide by it.",
)  # fmt: skip
@click.option(
    "--deals", type=click.IntRange(min=1000), default=10_000_000, show_default=True, metavar="N", help="Deals to weigh."
)
@options.seed_option
@options.pool_options
@raise_option
@options.settings_option
@options.json_option
def seen(
    rulebook: str, hands: int, dealer_cards: int, suits_only: bool, exposed_only: bool, rule_text: str | None,
    find_rule: bool, deals: int, seed: int, threads: int, workers: int | None, cluster: str | None,
    rule: TypedRule | None, settings: Settings, as_json: bool,
) -> int:  # fmt: skip
    """The edge when one player sees other hands too, or a card of the dealer, and decides best on it.

    Deals are drawn at random, each is weighed exactly, and the standard error is given; nothing seen is exact.
    RULEBOOK is washington if not said. Ctrl-C gives the result so far.
    """
    book, what_if = _played(rulebook, settings, rule)
    if find_rule and rule_text is not None:
        raise click.UsageError("--find-rule finds what --by-count gives: one of them")
    by_count = None if rule_text is None else CountRule.parse(rule_text)
    sight = Sight(hands, dealer_cards, suits_only, exposed_only)
    early = 0
    if sight == Sight(0) and not find_rule and by_count is None:
        found = nothing_seen(book, sight, seed)
    else:
        with options.pool(threads, workers, cluster) as pool:
            if find_rule:
                by_count = _found_rule(book, hands, deals, seed + 1, threads, pool)
            found = _sampled(book, sight, deals, seed, threads, by_count, pool)
        if found.interrupted:
            early = options.ended_early(pool, f"{found.deals:,} of {deals:,} deals")
    page = partial(seen_pages.print_seen, found, what_if, settings)
    output.show(seen_pages.seen_data(found, what_if), page, as_json=as_json)
    return early


@odds.command()
@click.argument(
    "name", nargs=-1, required=True, metavar="PAYTABLE [base=AMOUNT]", shell_complete=complete.paytables_or_wagers,
    callback=parsed(lambda words: split_offer(" ".join(words))),
)  # fmt: skip
@options.meters_option
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
