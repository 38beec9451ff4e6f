"""Commands of `hcf odds` about pay tables."""

from typing import Any

import click

from highcardflush.cli import complete, options
from highcardflush.cli.files import find_paytable, find_rulebook, read_text
from highcardflush.cli.options import Settings, parsed
from highcardflush.cli.output import plural, print_figures, progress_bar
from highcardflush.errors import RulebookError, TextError
from highcardflush.figures.odds import price
from highcardflush.formats.odds import pay_table_data
from highcardflush.money import parse_positive
from highcardflush.odds import whatif
from highcardflush.odds.sensitivity import readings
from highcardflush.odds.solver import solve as search
from highcardflush.odds.treasury import treasury as find_treasury
from highcardflush.odds.wanted import load_wanted
from highcardflush.pages.odds import given_blocks, paytable_blocks
from highcardflush.rulebook import MAX_SEATS, PACKAGED, PROGRESSIVE, PayTable, Rulebook, split_offer

paytable_argument = click.argument(
    "name", nargs=-1, required=True, metavar="PAYTABLE [base=AMOUNT]", shell_complete=complete.paytables_or_wagers,
    callback=parsed(lambda words: split_offer(" ".join(words))),
)  # fmt: skip


@click.command()
@paytable_argument
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
def paytable(name: tuple[str, str | None], lines: str | None, settings: Settings, **asked: Any) -> None:
    """Price a side bet exactly, line by line.

    PAYTABLE is RULEBOOK/ID, or with --lines a wager; base=AMOUNT after it is the base bet of a progressive, $1 by
    default.
    """
    key, base = name
    book, pays = (
        printed_table(key, "RULEBOOK/ID, or a wager with --lines") if lines is None else whatif.typed_table(key, lines)
    )
    odds = price(book, pays, base=base, settings=dict(settings), option="--", **asked)
    what_if = {} if lines is None else {"lines": lines}
    print_figures(
        lambda: pay_table_data(odds, what_if),
        lambda: (*given_blocks("any rulebook", what_if, settings), *paytable_blocks(odds)),
    )


def printed_table(name: str, expected: str) -> tuple[Rulebook, PayTable]:
    owner, slash, key = name.rpartition("/")
    if not slash:
        raise TextError("pay table", read=repr(name), expected=expected)
    return find_paytable(owner, key)


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
    name: tuple[str, str | None], seats: int, bets_an_hour: int | None, caps: tuple[int, ...], settings: Settings
) -> None:
    """Show what a progressive can cost its house.

    PAYTABLE is RULEBOOK/ID; base=AMOUNT after it is the base bet, $1 by default. All figures are exact; the advance
    takes contributions as a steady stream.
    """
    from highcardflush.pages.studies.treasury import page

    key, base = name
    book, table = printed_table(key, "RULEBOOK/ID")
    if table.wager != PROGRESSIVE:
        raise RulebookError("pay table", read=f"{key}, a {table.wager} bet", expected="one of a progressive")
    figures = find_treasury(whatif.offered(book, table, base or "1", dict(settings)), seats, caps, bets_an_hour)
    print_figures(lambda: figures, lambda: (*given_blocks(key, {}, settings), *page(key, figures, seats)))


@click.command()
@click.argument("file", metavar="FILE", shell_complete=complete.toml_files)
@options.json_option
def solve(file: str) -> int:
    """Find every pay table with whole pays within bounds that gives a wanted edge.

    FILE is TOML: a wager, ranges of its edge and, if wanted, hit frequency and standard deviation, and lines with the
    pays that each may have. All solutions are counted, the first ones of an order shown; each is priced as
    `hcf odds paytable` does. Ctrl-C gives the result so far.
    """
    from highcardflush.pages.studies.solver import page

    wanted = load_wanted(read_text(file), file)
    with progress_bar("pay tables") as tell:
        solved = search(wanted, tell)
    if not solved.complete:
        click.echo(f"hcf: interrupted after {plural(solved.count, 'solution')}", err=True)
    print_figures(lambda: solved, lambda: page(solved))
    return 0 if solved.complete else options.INTERRUPTED


@click.command()
@click.argument("rulebooks", nargs=-1, metavar="[RULEBOOK]...", shell_complete=complete.rulebooks)
@options.json_option
def sensitivity(rulebooks: tuple[str, ...]) -> None:
    """Show how edge and hold move with what a document leaves to the operator.

    The smallest Raise, caps on bets of some sizes, the base bet, seeds, rates and displays of jackpots, Envy Pays by
    players, and the choice of a pay table: every one of each RULEBOOK, all packaged ones if none is said.
    """
    from highcardflush.pages.studies.sensitivity import page

    books = [find_rulebook(name) for name in rulebooks or PACKAGED]
    with progress_bar("rulebooks and pay tables") as tell:
        rows = readings(books, tell)
    notices = {book.name: book.notice for book in books}
    print_figures(lambda: {"rows": rows}, lambda: page(rows, notices))
