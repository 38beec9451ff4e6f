"""`hcf study` and `hcf par`: the studies of the lab, PAR sheets and rack cards, as files."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import click

from highcardflush.cli import options
from highcardflush.cli.files import check_folder, make_folder, write_bytes, write_whole
from highcardflush.cli.options import Settings, parsed
from highcardflush.cli.output import tell, telling
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
@click.option(
    "--deals", type=click.IntRange(1000, 10**10), default=1_000_000, show_default=True, metavar="N",
    help="Deals weighed for each way to see cards.",
)  # fmt: skip
@click.option(
    "--runs", type=click.IntRange(2, 100_000), default=40, show_default=True, metavar="N", help="Runs of each floor."
)
@click.option(
    "--quick", is_flag=True, help=f"{QUICK['deals']:,} deals, {QUICK['runs']} runs: larger errors, soon done."
)
@options.date_option("Date printed on the document.")
@options.seed_option
@options.threads_option
@options.json_option
def study(
    chosen: tuple[str, ...], folder: str, deals: int, runs: int, quick: bool, date: str, seed: int, threads: int
) -> None:
    """Write the studies of the lab as a document with charts: HTML, PDF and CSV.

    Every number has its method and error. STUDY is all, or some of seen (cards), rules, errors, risk, sensitivity,
    treasury, floors, solver. All of them take some minutes. Ctrl-C stops without writing a file.
    """
    from highcardflush.formats.files import typeset

    make_folder(folder)
    size = QUICK if quick else {"deals": deals, "runs": runs}
    effort = Effort(**size, seed=seed, threads=threads)
    studies = list(names() if ALL in chosen else dict.fromkeys(chosen))
    document = telling(lambda say: study_document(studies, effort, date, say))
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


@click.command()
@options.rulebook_argument
@options.offers_option
@options.settings_option
@click.option(
    "--rounds", type=click.IntRange(0), default=2_000_000, show_default=True,
    help="Rounds to simulate for comparison; 0 for none.",
)  # fmt: skip
@options.date_option("Date printed on the document.")
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
    rulebook: str, offers: tuple[Offer, ...], settings: Settings, card: bool, odds: bool, output: str, **contents: Any
) -> None:
    """Write the PAR sheet of RULEBOOK: return tables, edges, strategy, side bets, meters, simulation, charts."""
    from highcardflush.figures.sheet import par_sheet
    from highcardflush.formats.files import check_ending, render

    if odds and not card:
        raise click.UsageError("--odds is for a card: a PAR sheet always has them")
    if contents["prepared_by"] and card:
        raise click.UsageError("--prepared-by is for a PAR sheet: a card does not print it")
    form = check_ending(output, "rack card" if card else "PAR sheet")
    check_folder(output)
    book = options.table(rulebook, offers, settings)
    if card:
        contents["rounds"] = 0
    sheet = telling(lambda say: par_sheet(book, tell=say, **contents))
    data = render(sheet, form, card=card, odds=odds)
    write_bytes(output, data)
    words = f"{output}: {len(data):,} bytes, table hash {book.table_hash[:16]}"
    if not book.offers:
        words += f"\n{book.name} offers no side bet by itself: say which with --offer WAGER PAYTABLE"
    tell(_file_data(output, data) | {"rulebook": book.name, "table_hash": book.table_hash}, words)
