"""Writes a PAR sheet or a card in the format given by the file's extension.

In CSV, each section begins with its heading and title in brackets, followed by a header line and the rows, and ends
with an empty line. A column of fractions is followed by a column with the exact values as text.
"""

import csv
import io
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Literal

import msgspec

from highcardflush.errors import TextError
from highcardflush.figures.sheet import ParFigures, ParSheet, par_figures
from highcardflush.formats.html import to_html
from highcardflush.formats.json import exact, struct_data, terms
from highcardflush.formats.pdf import to_pdf
from highcardflush.pages.cards import card_document
from highcardflush.pages.document import Document, Figures, Grid, Heading, Value
from highcardflush.pages.par_sheet import method, par_document
from highcardflush.units import UNITS

TERMS = {
    "method": {"unit": UNITS["text"], "meaning": "how the figures were computed and rounded"},
    "terms": {"unit": UNITS["parts"], "meaning": "this list: unit and meaning of each key"},
    "unit": {"unit": UNITS["text"], "meaning": "unit of the value under a key"},
}


def to_json(sheet: ParSheet) -> bytes:
    """Return the figures of a sheet, the method in sentences, and the unit and meaning of every key."""
    data = struct_data(par_figures(sheet)) | {"method": method(sheet.simulation), "terms": terms(ParFigures) | TERMS}
    return msgspec.json.format(msgspec.json.encode(data), indent=2) + b"\n"


SHEETS: dict[str, Callable[[ParSheet], bytes]] = {
    "html": lambda sheet: to_html(par_document(sheet)),
    "pdf": lambda sheet: to_pdf(par_document(sheet)),
    "json": to_json,
    "csv": lambda sheet: to_csv(par_document(sheet)),
}
DOCUMENTS: dict[str, Callable[[Document], bytes]] = {"html": to_html, "pdf": to_pdf}


def check_ending(name: str, what: Literal["PAR sheet", "rack card", "strategy card"] = "PAR sheet") -> str:
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    forms = list(SHEETS) if what == "PAR sheet" else list(DOCUMENTS)
    if ending not in forms:
        expected = f"a {what} file name that ends in " + ", ".join(f".{each}" for each in forms)
        raise TextError("output", read=repr(name), expected=expected)
    return ending


def render(sheet: ParSheet, form: str, *, card: bool = False, odds: bool = False) -> bytes:
    """Return the bytes of the file. The same sheet gives the same bytes. With `odds`, a card has the house edges."""
    return typeset(card_document(sheet, odds=odds), form) if card else SHEETS[form](sheet)


def typeset(document: Document, form: str) -> bytes:
    """Return any document as a web page or a PDF, or its tables as CSV."""
    return to_csv(document) if form == "csv" else DOCUMENTS[form](document)


def to_csv(document: Document) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    _section(writer, document.kicker, [["title", document.title], *([*fact] for fact in document.facts)])
    part = ""
    for block in document.blocks:
        if isinstance(block, Heading) and block.level == 1:
            part = block.text
        elif isinstance(block, Grid):
            _section(writer, f"{part}: {block.title}", _grid_rows(block))
        elif isinstance(block, Figures):
            rows = [[item.label, *_texts(item.value)] for item in block.items]
            _section(writer, f"{part}: {block.title}", [["figure", "value", "exact"], *rows])
    return text.getvalue().encode()


def _section(writer: Any, title: str, rows: list[list[str]]) -> None:
    writer.writerow([f"[{title}]"])
    writer.writerows(rows)
    writer.writerow([])


def _grid_rows(grid: Grid) -> list[list[str]]:
    lines = [*grid.rows, *([grid.total] if grid.total else [])]
    widths = [1 + any(isinstance(line[i], Fraction) for line in lines) for i in range(len(grid.columns))]
    heads = [(column.head, f"{column.head} (exact)") for column in grid.columns]
    cells = [[_texts(value) for value in line] for line in lines]
    return [[text for pair, width in zip(row, widths, strict=True) for text in pair[:width]] for row in (heads, *cells)]


def _texts(value: Value) -> tuple[str, str]:
    """Return a value as text. For a fraction, also return its exact text."""
    if isinstance(value, Fraction):
        return repr(float(value)), exact(value)
    return "" if value is None else str(value), ""
