"""`hcf study` and `hcf par`: write the lab's studies, PAR sheets and rack cards to files."""

from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import click

from highcardflush.cli import options
from highcardflush.cli.files import check_folder, make_folder, write_bytes, write_whole
from highcardflush.cli.options import Settings, parsed
from highcardflush.cli.output import tell, with_status
from highcardflush.errors import TextError
from highcardflush.pages.study import Effort, names, study_document
from highcardflush.rulebook import Offer

ALL = "all"
FORMS = ("html", "pdf", "csv")
QUICK = {"deals": 50_000, "runs": 10}


def _file_data(path: str, data: bytes) -> dict[str, Any]:
    return {"file": path, "bytes": len(data), "sha256": sha256(data).hexdigest()}


@click.command()
@click.argument("chosen", nargs=-1, required=True, type=click.Choice((ALL, *names())), metavar="STUDY...")
@click.option("-o", "folder", required=True, metavar="DIR", help="Folder for the files: one .html, one .pdf, one .csv.")
@options.number_option("--deals", 1000, 10**10, "Deals for each way of seeing cards.", default=1_000_000)
@options.number_option("--runs", 2, 100_000, "Simulated runs per floor.", default=40)
@click.option(
    "--quick", is_flag=True, help=f"{QUICK['deals']:,} deals and {QUICK['runs']} runs: faster, but with larger errors."
)
@options.date_option("Date printed on the document.")
@options.seed_option
@options.threads_option
@options.json_option
def study(
    chosen: tuple[str, ...], folder: str, deals: int, runs: int, quick: bool, date: str, seed: int, threads: int
) -> None:
    """Write the lab's studies as a document with charts, in HTML, PDF and CSV.

    Every number is shown with its method and error. STUDY is all, or any of seen (cards), rules, errors, risk,
    sensitivity, treasury, floors and solver. All studies together take about a minute. Ctrl-C stops without
    writing a file.
    """
    from highcardflush.formats.files import typeset

    make_folder(folder)
    size = QUICK if quick else {"deals": deals, "runs": runs}
    effort = Effort(**size, seed=seed, threads=threads)
    studies = list(names() if ALL in chosen else dict.fromkeys(chosen))
    document = with_status(lambda say: study_document(studies, effort, date, say))
    name = "studies" if ALL in chosen else "-".join(studies)
    documents = {str(Path(folder) / f"{name}.{form}"): typeset(document, form) for form in FORMS}
    for path, data in documents.items():
        write_whole(path, data)
    written_files = [_file_data(path, data) for path, data in documents.items()]
    words = "\n".join(f"{path}: {len(data):,} bytes" for path, data in documents.items())
    result = {"studies": studies, "deals": effort.deals, "runs": effort.runs, "files": written_files}
    tell(result, words)


def _one_line(text: str) -> str:
    if not text.isprintable():
        raise TextError("text", read=repr(text), expected="one line")
    return text.strip()


_text_option = partial(click.option, default="", callback=parsed(_one_line))


@click.command()
@options.rulebook_argument
@options.offers_option
@options.settings_option
@click.option(
    "--rounds", type=click.IntRange(0), default=2_000_000, show_default=True,
    help="Rounds to simulate for comparison; 0 means no simulation.",
)  # fmt: skip
@options.date_option("Date printed on the document.")
@_text_option("--prepared-by", metavar="NAME", help="Name of the preparer, for the sheet.")
@_text_option("--revision", metavar="TEXT", help="Revision printed on the sheet.")
@click.option("--card", is_flag=True, help="Write the one-page rack card for players instead.")
@click.option("--odds/--no-odds", default=False, help="Add the house edge to a card, for the back office.")
@click.option("-o", "output", required=True, metavar="FILE", help="Output file, ending in .html, .pdf, .json or .csv.")
@options.json_option
def par(
    rulebook: str, offers: tuple[Offer, ...], settings: Settings, card: bool, odds: bool, output: str, **contents: Any
) -> None:
    """Write the PAR sheet or the rack card of RULEBOOK.

    A PAR sheet has return tables, edges, strategy, side bets, meters, a simulation and charts.
    """
    from highcardflush.figures.sheet import par_sheet
    from highcardflush.formats.files import check_ending, render

    if odds and not card:
        raise click.UsageError("--odds needs --card; a PAR sheet always has the odds")
    if contents["prepared_by"] and card:
        raise click.UsageError("--prepared-by excludes --card; a card does not print it")
    form = check_ending(output, "rack card" if card else "PAR sheet")
    check_folder(output)
    book = options.table(rulebook, offers, settings)
    if card:
        contents["rounds"] = 0
    sheet = with_status(lambda say: par_sheet(book, tell=say, **contents))
    data = render(sheet, form, card=card, odds=odds)
    write_bytes(output, data)
    words = f"{output}: {len(data):,} bytes, table hash {book.table_hash[:16]}"
    if not book.offers:
        words += f"\n{book.name} has no side bets of its own; add them with --offer WAGER PAYTABLE"
    tell(_file_data(output, data) | {"rulebook": book.name, "table_hash": book.table_hash}, words)
