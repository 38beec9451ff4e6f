"""`hcf study`: the studies of the lab as a document with charts."""

from __future__ import annotations

from datetime import date as calendar
from datetime import datetime
from hashlib import sha256
from pathlib import Path

import click

from highcardflush.cli import options
from highcardflush.cli.files import make_folder, write_whole
from highcardflush.cli.output import tell, telling
from highcardflush.pages.study import Effort, names, study_document

ALL = "all"
FORMS = ("html", "pdf", "csv")
QUICK = {"deals": 50_000, "runs": 10}


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
@click.option("--date", type=click.DateTime(["%Y-%m-%d"]), help="Date printed on the document. [default: today]")
@options.seed_option
@options.threads_option
@options.json_option
def study(
    chosen: tuple[str, ...], folder: str, deals: int, runs: int, quick: bool, date: datetime | None, seed: int,
    threads: int, as_json: bool,
) -> None:  # fmt: skip
    """Write the studies of the lab as a document with charts: HTML, PDF and CSV.

    Every number has its method and error. STUDY is all, or some of seen (cards), rules, errors, risk, sensitivity,
    treasury, floors, solver. All of them take some minutes. Ctrl-C stops without writing a file.
    """
    from highcardflush.formats.files import typeset

    make_folder(folder)
    size = QUICK if quick else {"deals": deals, "runs": runs}
    effort = Effort(**size, seed=seed, threads=threads)
    studies = list(names() if ALL in chosen else dict.fromkeys(chosen))
    day = date.date() if date else calendar.today()
    document = telling(lambda say: study_document(studies, effort, day.isoformat(), say))
    name = "studies" if ALL in chosen else "-".join(studies)
    documents = {str(Path(folder) / f"{name}.{form}"): typeset(document, form) for form in FORMS}
    for path, data in documents.items():
        write_whole(path, data)
    written_files = [
        {"file": path, "bytes": len(data), "sha256": sha256(data).hexdigest()} for path, data in documents.items()
    ]
    words = "\n".join(f"{path}: {len(data):,} bytes" for path, data in documents.items())
    result = {"studies": studies, "deals": effort.deals, "runs": effort.runs, "files": written_files}
    tell(result, words, as_json=as_json)
