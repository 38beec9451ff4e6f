"""`hcf odds seen`."""

from __future__ import annotations

import click

from highcardflush.cli import complete, options
from highcardflush.cli.odds.game import TypedRule, raise_option, read_table
from highcardflush.cli.options import Settings
from highcardflush.cli.output import print_figures, progress_bar
from highcardflush.formats.json import plain
from highcardflush.odds.seen import CountRule, Sight, nothing_seen
from highcardflush.pages.odds import given_blocks
from highcardflush.rulebook.document import MAX_SEATS


@click.command()
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
    """Price what one player gains who sees other hands too, or a card of the dealer.

    Deals are drawn at random, each is weighed exactly, and the standard error is given. With nothing seen the edge is
    exact. RULEBOOK is washington by default. Ctrl-C gives the result so far.
    """
    from highcardflush.pages.studies.seen import page

    book, what_if = read_table(rulebook, settings, rule)
    if find_rule and rule_text is not None:
        raise click.UsageError("--find-rule finds what --by-count gives: one of them")
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
        as_json=as_json,
    )
    return early
