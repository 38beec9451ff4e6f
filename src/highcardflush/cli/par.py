"""`hcf par`: the PAR sheet or the rack card of a rulebook, as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from datetime import datetime

    from highcardflush.report import ParSheet
    from highcardflush.rulebook import Rulebook

ROUNDS = 2_000_000


@click.command()
@click.argument("name", metavar="RULEBOOK")
@click.option(
    "--offer", "offers", nargs=2, multiple=True, metavar="WAGER PAYTABLE",
    help="A side bet that the table offers, with its pay table.",
)  # fmt: skip
@click.option("--set", "settings", nargs=2, multiple=True, metavar="KEY VALUE", help="A setting.")
@click.option("--base", default="1", show_default=True, help="The base bet of a progressive, in dollars.")
@click.option(
    "--rounds", type=click.IntRange(0), default=ROUNDS, show_default=True,
    help="Rounds simulated beside the exact values; 0 for none.",
)  # fmt: skip
@click.option("--date", type=click.DateTime(["%Y-%m-%d"]), help="The date printed on it; today if not said.")
@click.option("--card", is_flag=True, help="The rack card for players, on one page.")
@click.option("-o", "output", required=True, metavar="FILE", help="Ends in .html, .pdf, .json or .csv.")
@click.option("--json", "as_json", is_flag=True, help="What was written, as data.")
def par(
    name: str,
    offers: tuple[tuple[str, str], ...],
    settings: tuple[tuple[str, str], ...],
    base: str,
    rounds: int,
    date: datetime | None,
    card: bool,
    output: str,
    as_json: bool,
) -> None:
    """Write the PAR sheet of RULEBOOK: return tables, edges, strategy, side bets, meters, simulation, charts."""
    from highcardflush.report import check_ending, render

    form = check_ending(output, card=card)
    _check_folder(output)
    book = _table(name, offers, dict(settings), base)
    sheet = _sheet(book, _date_text(date), 0 if card else rounds)
    data = render(sheet, form, card=card)
    _write(output, data)
    _tell_written(output, data, book, as_json=as_json)


def _table(name: str, offers: tuple[tuple[str, str], ...], settings: dict[str, str], base: str) -> Rulebook:
    from highcardflush.cli.files import find_rulebook
    from highcardflush.rulebook import configure, parse_offer

    book = find_rulebook(name)
    chosen = [
        parse_offer(wager, table, base) if wager == "progressive" else parse_offer(wager, table)
        for wager, table in offers
    ]
    return configure(book, chosen or None, settings)


def _date_text(date: datetime | None) -> str:
    from datetime import date as calendar

    return (date.date() if date else calendar.today()).isoformat()


def _sheet(book: Rulebook, date: str, rounds: int) -> ParSheet:
    """The sheet, with a line on standard error that says what is being worked out, if that is a terminal."""
    import sys

    from rich.console import Console

    from highcardflush.report import par_sheet

    if not sys.stderr.isatty():
        return par_sheet(book, date=date, rounds=rounds)
    with Console(stderr=True).status("reading") as status:
        return par_sheet(book, date=date, rounds=rounds, tell=status.update)


def _check_folder(output: str) -> None:
    """Refuse a folder that is not there before the long work begins."""
    from pathlib import Path

    from highcardflush.errors import HcfError

    folder = Path(output).parent
    if not folder.is_dir():
        raise HcfError("file", read=f"no folder {str(folder)!r}", expected="a place to write", file=output)


def _write(output: str, data: bytes) -> None:
    from pathlib import Path

    from highcardflush.errors import HcfError

    try:
        Path(output).write_bytes(data)
    except OSError as error:
        raise HcfError("file", read=error.strerror or str(error), expected="a place to write", file=output) from None


def _tell_written(output: str, data: bytes, book: Rulebook, *, as_json: bool) -> None:
    if as_json:
        from hashlib import sha256

        from highcardflush.cli.output import print_json

        digest = sha256(data).hexdigest()
        print_json(
            {"file": output, "bytes": len(data), "sha256": digest, "rulebook": book.name, "table_hash": book.table_hash}
        )
        return
    click.echo(f"{output}: {len(data):,} bytes, table hash {book.table_hash[:16]}")
    if not book.offers:
        click.echo(f"{book.name} offers no side bet by itself: say which with --offer WAGER PAYTABLE")
