"""`hcf par`: the PAR sheet or the rack card of a rulebook, as a file."""

from __future__ import annotations

from datetime import date as calendar
from datetime import datetime
from hashlib import sha256
from typing import Any

import click

from highcardflush.cli import options
from highcardflush.cli.files import check_folder, write_bytes
from highcardflush.cli.options import Settings, parsed
from highcardflush.cli.output import tell, telling
from highcardflush.errors import TextError
from highcardflush.rulebook import Offer

ROUNDS = 2_000_000


def _one_line(text: str) -> str:
    if not text.isprintable():
        raise TextError("text", read=repr(text), expected="one line")
    return text.strip()


@click.command()
@options.rulebook_argument
@options.offers_option
@options.settings_option
@click.option(
    "--rounds", type=click.IntRange(0), default=ROUNDS, show_default=True,
    help="Rounds to simulate for comparison; 0 for none.",
)  # fmt: skip
@click.option("--date", type=click.DateTime(["%Y-%m-%d"]), help="Date printed on the document. [default: today]")
@click.option(
    "--prepared-by", default="", metavar="NAME", callback=parsed(_one_line), help="Preparer printed on the sheet."
)
@click.option(
    "--revision", default="", metavar="TEXT", callback=parsed(_one_line), help="Revision printed on the sheet."
)
@click.option("--card", is_flag=True, help="The rack card for players, on one page.")
@click.option("--odds/--no-odds", default=False, help="Add the house's edge to a card, for the back office.")
@click.option("-o", "output", required=True, metavar="FILE", help="Output file, ending in .html, .pdf, .json or .csv.")
@options.json_option
def par(
    rulebook: str, offers: tuple[Offer, ...], settings: Settings, rounds: int, date: datetime | None,
    card: bool, odds: bool, output: str, as_json: bool, **printed: Any,
) -> None:  # fmt: skip
    """Write the PAR sheet of RULEBOOK: return tables, edges, strategy, side bets, meters, simulation, charts."""
    from highcardflush.figures.sheet import par_sheet
    from highcardflush.formats.files import check_ending, render

    if odds and not card:
        raise click.UsageError("--odds is for a card: a PAR sheet always has them")
    if printed["prepared_by"] and card:
        raise click.UsageError("--prepared-by is for a PAR sheet: a card does not print it")
    form = check_ending(output, "rack card" if card else "PAR sheet")
    check_folder(output)
    book = options.table(rulebook, offers, settings)
    day = date.date() if date else calendar.today()
    sheet_options = {"date": day.isoformat(), "rounds": 0 if card else rounds, **printed}
    sheet = telling(lambda say: par_sheet(book, tell=say, **sheet_options))
    data = render(sheet, form, card=card, odds=odds)
    write_bytes(output, data)
    file_data = {"file": output, "bytes": len(data), "sha256": sha256(data).hexdigest()}
    words = f"{output}: {len(data):,} bytes, table hash {book.table_hash[:16]}"
    if not book.offers:
        words += f"\n{book.name} offers no side bet by itself: say which with --offer WAGER PAYTABLE"
    tell(file_data | {"rulebook": book.name, "table_hash": book.table_hash}, words, as_json=as_json)
