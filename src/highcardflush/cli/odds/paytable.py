"""The `hcf odds` commands for pay tables."""

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
@options.seats_option("Players with the bet, for Envy Pays.", default=1)
@click.option(
    "--bet", "bet_cents", metavar="AMOUNT", callback=parsed(parse_positive),
    help="Size of a bonus bet, to include the effect of the rulebook's caps.",
)  # fmt: skip
@click.option(
    "--lines", metavar="LINES",
    help="What-if pays, best first, e.g. '7:300 6:100 5:10 4:1'. PAYTABLE is then a wager.",
)  # fmt: skip
@options.settings_option
@options.json_option
def paytable(name: tuple[str, str | None], lines: str | None, settings: Settings, **question: Any) -> None:
    """Price a side bet exactly, line by line.

    PAYTABLE is RULEBOOK/ID, or a wager with --lines. After a progressive, base=AMOUNT sets the base bet, $1 by default.
    """
    key, base = name
    book, pays = (
        printed_table(key, "RULEBOOK/ID, or a wager with --lines") if lines is None else whatif.typed_table(key, lines)
    )
    odds = price(book, pays, base=base, settings=dict(settings), option="--", **question)
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
@options.seats_option("Bettors per round.", default=MAX_SEATS)
@options.number_option("--bets-an-hour", 1, 10**9, "Bets per hour, to show times in hours.")
@click.option(
    "--cap", "caps", multiple=True, metavar="AMOUNT",
    callback=parsed(lambda texts: tuple(map(parse_positive, texts))),
    help="Cap on the fixed pays of one hand, to show what it saves.",
)  # fmt: skip
@options.settings_option
@options.json_option
def treasury(
    name: tuple[str, str | None], seats: int, bets_an_hour: int | None, caps: tuple[int, ...], settings: Settings
) -> None:
    """Show what a progressive can cost the house.

    PAYTABLE is RULEBOOK/ID. After it, base=AMOUNT sets the base bet, $1 by default. All figures are exact; the house
    advance assumes that contributions arrive steadily.
    """
    from highcardflush.pages.studies.treasury import page

    key, base = name
    book, table = printed_table(key, "RULEBOOK/ID")
    if table.wager != PROGRESSIVE:
        raise RulebookError("pay table", read=f"{key}, a {table.wager} bet", expected="a progressive bet")
    figures = find_treasury(whatif.offered(book, table, base or "1", dict(settings)), seats, caps, bets_an_hour)
    print_figures(lambda: figures, lambda: (*given_blocks(key, {}, settings), *page(key, figures, seats)))


@click.command()
@click.argument("file", metavar="FILE", shell_complete=complete.toml_files)
@options.json_option
def solve(file: str) -> int:
    """Find every pay table with whole-number pays, within bounds, that gives a target edge.

    FILE is a TOML file with a wager, the range of its edge, optional ranges of hit frequency and standard deviation,
    and the pays that each line may have. All solutions are counted, and the first ones in the chosen order are shown,
    priced as by `hcf odds paytable`. Ctrl-C prints the result so far.
    """
    from highcardflush.pages.studies.solver import page

    wanted = load_wanted(read_text(file), file)
    with progress_bar("pay tables") as tell:
        solved = search(wanted, tell)
    early = 0 if solved.complete else options.ended_early(None, plural(solved.count, "solution"))
    print_figures(lambda: solved, lambda: page(solved))
    return early


@click.command()
@click.argument("rulebooks", nargs=-1, metavar="[RULEBOOK]...", shell_complete=complete.rulebooks)
@options.json_option
def sensitivity(rulebooks: tuple[str, ...]) -> None:
    """Show how edge and hold change with the operator's choices.

    The choices are those that a RULEBOOK leaves open: the smallest Raise, caps, the base bet, seeds, rates and displays
    of jackpots, the number of players with Envy Pays, and the pay table. The default is every packaged rulebook.
    """
    from highcardflush.pages.studies.sensitivity import page

    books = [find_rulebook(name) for name in rulebooks or PACKAGED]
    with progress_bar("rulebooks and pay tables") as tell:
        rows = readings(books, tell)
    notices = {book.name: book.notice for book in books}
    print_figures(lambda: {"rows": rows}, lambda: page(rows, notices))
