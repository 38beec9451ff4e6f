"""The `hcf odds` commands for the main game and its players."""

import re
from fractions import Fraction
from typing import Any

import click

from highcardflush.cards import Hand
from highcardflush.cli import complete, options
from highcardflush.cli.files import check_folder, write_bytes
from highcardflush.cli.options import Settings, parsed
from highcardflush.cli.output import print_figures, progress_bar
from highcardflush.errors import TextError
from highcardflush.figures.odds import WhatIf, hand_figures
from highcardflush.formats.json import plain, with_exact
from highcardflush.formats.odds import game_data
from highcardflush.odds import GameOdds, Strategy, game_odds, whatif
from highcardflush.odds.fallible import KINDS, Kind
from highcardflush.odds.fallible import errors as find_errors
from highcardflush.odds.frontier import frontier, largest_cost
from highcardflush.odds.prospect import COVERED_MATCHES
from highcardflush.odds.seen import CountRule, Sight, nothing_seen
from highcardflush.pages.odds import game_blocks, given_blocks, hand_blocks, strategy_blocks
from highcardflush.rulebook import MAX_SEATS, SIDE_BETS, Offer, Rulebook, configure
from highcardflush.rulebook.document import RaiseRule

TypedRule = tuple[str, RaiseRule]
raise_option = click.option(
    "--raise", "rule", metavar="RULE", callback=parsed(lambda text: (text, whatif.parse_raise_rule(text))),
    help="What-if Raise rule: its kind (exact, multiples or between), then the largest Raises in Antes with 2 to 7 "
    "cards, e.g. 'multiples 1 1 1 2 3 3'.",
)  # fmt: skip


def read_table(rulebook: str, settings: Settings, rule: TypedRule | None) -> tuple[Rulebook, WhatIf]:
    book = options.table(rulebook, settings=settings if rule is None else ())
    if rule is None:
        return book, {}
    text, typed = rule
    return configure(whatif.with_raise_rule(book, typed), None, dict(settings)), {"raise": text}


def play(book: Rulebook, strategy: Strategy | None = None) -> GameOdds:
    """Solve the whole game, with a progress bar if that takes a while."""
    with progress_bar("every hand") as tell:
        return game_odds(book, strategy, tell)


@click.command()
@click.argument(
    "own", nargs=-1, required=True, metavar="CARDS...", callback=parsed(lambda words: Hand.parse(" ".join(words)))
)
@click.option(
    "--seen", default="", metavar="CARDS", callback=parsed(Hand.parse), help="Seen cards, which the dealer cannot have."
)
@click.option(
    "--rulebook", default="washington", show_default=True, metavar="NAME|FILE", shell_complete=complete.rulebooks,
    help="Rulebook that sets the allowed Raises.",
)  # fmt: skip
@options.settings_option
@options.json_option
def hand(own: Hand, seen: Hand, rulebook: str, settings: Settings) -> None:
    """Count the dealer hands against seven CARDS and value each decision.

    Write CARDS like AsKs9s 7d6d 2c Th, in one word or several.
    """
    figures = hand_figures(options.table(rulebook, settings=settings), own, seen)
    print_figures(lambda: figures, lambda: (*given_blocks("", {}, settings), *hand_blocks(own, figures)))


@click.command()
@options.rulebook_argument
@click.option(
    "--raise-minimum",
    metavar="ANTES",
    help="Smallest Raise, if the rulebook prints none. Short for --set raise-minimum.",
)
@raise_option
@options.settings_option
@options.json_option
def game(rulebook: str, raise_minimum: str | None, rule: TypedRule | None, settings: Settings) -> None:
    """Solve the whole game with optimal play: all 133,784,560 hands against all dealer hands."""
    all_settings = settings if raise_minimum is None else (*settings, ("raise-minimum", raise_minimum))
    book, what_if = read_table(rulebook, all_settings, rule)
    odds = play(book)
    print_figures(
        lambda: game_data(odds, what_if), lambda: (*given_blocks(book.name, what_if, all_settings), *game_blocks(odds))
    )


@click.command()
@options.rulebook_argument
@click.argument("chosen", metavar="STRATEGY", callback=options.strategy_reader, shell_complete=complete.strategies)
@raise_option
@options.settings_option
@options.json_option
def strategy(rulebook: str, chosen: Strategy, rule: TypedRule | None, settings: Settings) -> None:
    """Price a strategy exactly.

    STRATEGY is optimal, t-8-6, eleven, j-high, always or never; a threshold, which is the lowest flush to raise with,
    such as Q-high or J-5-3 (three cards) or A-K (two); or your own .toml file.
    """
    book, what_if = read_table(rulebook, settings, rule)
    own, best = play(book, chosen), play(book)
    cost = best.expected - own.expected
    print_figures(
        lambda: {"what_if": what_if or None, "title": chosen.title, **plain(own), **with_exact("cost", cost)},
        lambda: (*given_blocks(book.name, what_if, settings), *strategy_blocks(book, chosen, own, cost)),
    )


@click.command()
@options.rulebook_argument
@click.option("-o", "output", metavar="FILE", help="Also write a one-page card for players, as .html or .pdf.")
@options.date_option("Date of the card.")
@options.settings_option
@options.json_option
def strategies(rulebook: str, output: str | None, date: str, settings: Settings) -> None:
    """List the best simple strategies: the cheapest for each number of things to remember.

    A strategy has one threshold for raising, or two with a condition on the side cards, or one for each number of high
    side cards. It is listed if no strategy with as few things to remember costs less. All costs are exact. Each
    strategy makes the largest Raise allowed; if the best play sometimes raises less, a line shows the cost.
    """
    from highcardflush.formats.files import check_ending, typeset
    from highcardflush.pages.cards import strategy_document
    from highcardflush.pages.studies.rules import page

    form = check_ending(output, "strategy card") if output else ""
    if output:
        check_folder(output)
    book = options.table(rulebook, settings=settings)
    with progress_bar("rules") as tell:
        rules, most = frontier(book, tell), largest_cost(book)
    if output:
        write_bytes(output, typeset(strategy_document(book, game_odds(book), rules, date), form))
    print_figures(
        lambda: {"rulebook": book.name, "rules": plain(rules), **with_exact("largest_raise_cost", most)},
        lambda: (*given_blocks(book.name, {}, settings), *page(book, rules, most)),
    )


_RATE = re.compile(r"(?:([0-9]{1,3}(?:\.[0-9]{1,6})?)%|(0?\.[0-9]{1,8}|[01]))", re.ASCII)


def _rates(pairs: tuple[tuple[Kind, str], ...]) -> dict[Kind, Fraction]:
    rates = {}
    for kind, text in pairs:
        if kind not in KINDS:
            raise TextError("error", read=repr(kind), expected="one of " + ", ".join(KINDS))
        match = _RATE.fullmatch(text)
        if match is None:
            raise TextError("rate", read=repr(text), expected="a rate such as 5% or 0.05")
        rates[kind] = Fraction(match[1]) / 100 if match[1] else Fraction(match[2])
    return rates


@click.command()
@options.rulebook_argument
@click.option(
    "--rate", "rates", nargs=2, multiple=True, metavar="ERROR RATE", callback=parsed(_rates),
    help=f"How often a player makes an error when it is possible, such as folds 5%. Errors: {', '.join(KINDS)}.",
)  # fmt: skip
@options.settings_option
@options.json_option
def errors(rulebook: str, rates: dict[Kind, Fraction], settings: Settings) -> None:
    """Price players' errors, by kind and by length of the best flush.

    With --rate, also price a player who makes errors at random, at most one per hand. A player who keeps the wrong
    flush plays it as well as possible.
    """
    from highcardflush.pages.studies.errors import page

    every_error = find_errors(options.table(rulebook, settings=settings))
    player, best = every_error.player(rates) if rates else None, every_error.best
    print_figures(
        lambda: {
            "rulebook": best.rulebook,
            **with_exact("house_edge", best.house_edge),
            "errors": plain(every_error.mistakes),
            "player": plain(player),
        },
        lambda: (*given_blocks(best.rulebook, {}, settings), *page(every_error, player)),
    )


@click.command()
@click.argument("rulebook", default="washington", metavar="[RULEBOOK]", shell_complete=complete.rulebooks)
@options.number_option(
    "--hands", 0, MAX_SEATS - 1, f"Number of other players' hands that are seen, 0 to {MAX_SEATS - 1}.",
    required=True, metavar="K",
)  # fmt: skip
@options.number_option("--dealer-cards", 0, 1, "Number of dealer cards that are seen, 0 or 1.", default=0)
@click.option("--suits-only", is_flag=True, help="See only how many cards of each suit the other hands hold.")
@click.option(
    "--exposed-only", is_flag=True,
    help="See only exposed straight flushes of the other hands, as in atlantic-city and meadows.",
)  # fmt: skip
@click.option(
    "--by-count", "rule_text", metavar="RULE",
    help="Decide by this rule instead of playing optimally: the lowest flush to raise with, for each number of unseen "
    "cards in the suit that has the most, e.g. '3:always 4:J-high 5:K-high 6:5-4-3-2 7:never'.",
)  # fmt: skip
@click.option(
    "--find-rule", is_flag=True,
    help="Find the best --by-count rule on as many other deals, drawn with the next seed, and decide by it.",
)  # fmt: skip
@options.number_option("--deals", 1000, None, "Number of deals.", default=10_000_000)
@options.seed_option
@options.pool_options
@raise_option
@options.settings_option
@options.json_option
def seen(
    rulebook: str, hands: int, dealer_cards: int, suits_only: bool, exposed_only: bool, rule_text: str | None,
    find_rule: bool, deals: int, seed: int, threads: int, workers: int | None, cluster: str | None,
    rule: TypedRule | None, settings: Settings,
) -> int:  # fmt: skip
    """Price the advantage of a player who sees other hands or a dealer card.

    Deals are drawn at random and each is valued exactly; the standard error is shown. If nothing is seen, the edge is
    exact. RULEBOOK is washington by default. Ctrl-C prints the result so far.
    """
    from highcardflush.pages.studies.seen import page

    book, what_if = read_table(rulebook, settings, rule)
    if find_rule and rule_text is not None:
        raise click.UsageError("--find-rule and --by-count exclude each other")
    by_count = None if rule_text is None else CountRule.parse(rule_text)
    sight = Sight(hands, dealer_cards, suits_only, exposed_only)
    early = 0
    if sight == Sight(0) and not find_rule and by_count is None:
        odds = nothing_seen(book, sight, seed)
    else:
        from highcardflush.simulate.seen import find_rule as search_rule
        from highcardflush.simulate.seen import seen_odds

        with options.pool(threads, workers, cluster) as pool:
            try:
                if find_rule:
                    with progress_bar("deals to find the rule") as tell:
                        by_count = search_rule(book, hands, deals, seed + 1, threads, tell, pool)
            except KeyboardInterrupt:
                if pool and pool.lost:
                    raise pool.lost from None
                raise
            with progress_bar("deals") as tell:
                odds = seen_odds(book, sight, deals, seed, threads, by_count, tell, pool)
        if odds.interrupted:
            early = options.ended_early(pool, f"{odds.deals:,} of {deals:,} deals")
    print_figures(
        lambda: plain(odds) | {"what_if": what_if or None},
        lambda: (*given_blocks(book.name, what_if, settings), *page(odds)),
    )
    return early


_ANTES = re.compile(r"[0-9]{1,7}(\.[0-9]{1,2})?", re.ASCII)


def _antes(text: str) -> Fraction:
    if not _ANTES.fullmatch(text) or not Fraction(text):
        raise TextError("amount", read=repr(text), expected="a number of Antes above zero, such as 100 or 0.5")
    return Fraction(text)


def _bets(pairs: tuple[tuple[str, str], ...]) -> dict[str, Fraction]:
    for wager, _ in pairs:
        if wager not in SIDE_BETS or SIDE_BETS[wager].match not in COVERED_MATCHES:
            raise TextError("bet", read=repr(wager), expected=f"one of {', '.join(SIDE_BETS)}")
    return {wager: _antes(amount) for wager, amount in pairs}


@click.command()
@options.rulebook_argument
@click.option("--bankroll", metavar="ANTES", required=True, callback=parsed(_antes), help="The player's bankroll.")
@click.option("--goal", metavar="ANTES", callback=parsed(_antes), help="Stop at this bankroll.")
@options.number_option("--rounds", 1, 100_000, "Number of rounds to play.", default=200)
@click.option(
    "--bet", "bets", nargs=2, multiple=True, metavar="WAGER ANTES", callback=parsed(_bets),
    help="A side bet in every round; the main game is then played optimally.",
)  # fmt: skip
@click.option(
    "--strategy", metavar="STRATEGY", callback=options.strategy_reader, shell_complete=complete.strategies,
    help="Strategy for the main game, without side bets. [default: optimal]",
)  # fmt: skip
@click.option("--chase", "is_chasing", is_flag=True, help="Also play the progressive bet until its 100 % win.")
@options.number_option(
    "--players", 100, 10_000_000, "Sessions to simulate if exact figures take too long.", default=20_000
)
@options.meters_option
@options.number_option("--seed", 0, None, "Random seed of the simulated sessions.", default=0, metavar="S")
@options.offers_option
@options.settings_option
@options.json_option
def risk(rulebook: str, offers: tuple[Offer, ...], settings: Settings, **fields: Any) -> int:
    """Compute the chance of ruin, or of reaching a goal, within some rounds of RULEBOOK. The unit is one Ante.

    A player who cannot cover a round's Ante, largest Raise and side bets is ruined. Percentages of a meter are valued
    at --meter; caps are not applied. The page says whether figures are exact, summed with floats, or simulated.
    Ctrl-C prints the result for the players simulated so far.
    """
    from highcardflush.figures.risk import RiskQuestion, risk_figures
    from highcardflush.pages.studies.risk import page

    book, question = options.table(rulebook, offers, settings), RiskQuestion(**fields)
    figures = risk_figures(book, question, progress_bar)
    early = 0
    if figures.interrupted:
        early = options.ended_early(None, f"{figures.players:,} of {question.players:,} players")
    print_figures(lambda: figures, lambda: page(book, figures))
    return early
