"""Tables whose PAR sheets the report tests share; each sheet is computed once."""

from functools import cache

from highcardflush.figures.sheet import ParSheet, par_sheet
from highcardflush.formats.files import render
from highcardflush.pages.document import Document, Grid
from highcardflush.rulebook import Rulebook
from support.data.tables import table

DATE = "2026-02-01"
TABLES = ("oxford", "dynamic")
ROWS = {
    "dynamic": "galaxy-v7 | progressive PT-PRG-HCF-D01a, flush washington/PT-FLT-HCF-FB-01 |",
    "envy": "galaxy-v7 | progressive PT-BJS-HCF-SF-E05 |",
    "levels": "galaxy-v7 | progressive PT-PRG-HCF-MLP-01 |",
}


@cache
def book_of(name: str) -> Rulebook:
    return table(ROWS.get(name, f"{name} | |"))


@cache
def sheet_of(name: str) -> ParSheet:
    return par_sheet(book_of(name), date=DATE)


@cache
def rendered(name: str, form: str, *, card: bool = False) -> bytes:
    return render(sheet_of(name), form, card=card)


def grids(document: Document) -> dict[str, Grid]:
    return {block.title: block for block in document.blocks if isinstance(block, Grid)}
