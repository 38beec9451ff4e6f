"""`hcf odds treasury`."""

from __future__ import annotations

import click

from highcardflush.cli import options
from highcardflush.cli.odds.paytable import paytable_argument, printed_table
from highcardflush.cli.options import Settings, parsed
from highcardflush.cli.output import print_figures
from highcardflush.errors import RulebookError
from highcardflush.money import parse_positive
from highcardflush.odds.treasury import treasury as find_treasury
from highcardflush.odds.whatif import offered
from highcardflush.pages.odds import given_blocks
from highcardflush.rulebook.model import MAX_SEATS
from highcardflush.rulebook.wagers import PROGRESSIVE


@click.command()
@paytable_argument
@options.seats_option("Bettors of a round.", default=MAX_SEATS, show_default=True)
@click.option(
    "--bets-an-hour", type=click.IntRange(1, 10**9), metavar="N", help="Bets an hour, to show times in hours."
)
@click.option(
    "--cap", "caps", multiple=True, metavar="AMOUNT",
    callback=parsed(lambda texts: tuple(map(parse_positive, texts))),
    help="Cap on the fixed pays of one hand, whose savings are shown.",
)  # fmt: skip
@options.settings_option
@options.json_option
def treasury(
    name: tuple[str, str | None], seats: int, bets_an_hour: int | None, caps: tuple[int, ...], settings: Settings,
    as_json: bool,
) -> None:  # fmt: skip
    """Show what a progressive can cost its house.

    PAYTABLE is RULEBOOK/ID; base=AMOUNT after it is the base bet, $1 by default. All figures are exact; the advance
    takes contributions as a steady stream.
    """
    from highcardflush.pages.studies.treasury import page

    key, base = name
    book, table = printed_table(key, "RULEBOOK/ID")
    if table.wager != PROGRESSIVE:
        raise RulebookError("pay table", read=f"{key}, a {table.wager} bet", expected="one of a progressive")
    figures = find_treasury(offered(book, table, base or "1", dict(settings)), seats, caps, bets_an_hour)
    print_figures(
        lambda: figures, lambda: (*given_blocks(key, {}, settings), *page(key, figures, seats)), as_json=as_json
    )
