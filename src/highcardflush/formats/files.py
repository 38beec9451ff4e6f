"""A sheet or a card in the format that a file's ending names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from highcardflush.errors import TextError
from highcardflush.figures.par import ParFigures, par_figures
from highcardflush.figures.sheet import ParSheet
from highcardflush.formats.csv import to_csv
from highcardflush.formats.html import to_html
from highcardflush.formats.json import struct_data, terms
from highcardflush.formats.pdf import to_pdf
from highcardflush.pages.document import Document
from highcardflush.pages.method import method
from highcardflush.pages.par_sheet import par_document
from highcardflush.pages.rack_card import card_document
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
What = Literal["PAR sheet", "rack card", "strategy card"]
FORMS: dict[What, tuple[str, ...]] = {
    "PAR sheet": tuple(SHEETS),
    "rack card": tuple(DOCUMENTS),
    "strategy card": tuple(DOCUMENTS),
}


def check_ending(name: str, what: What = "PAR sheet") -> str:
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    if ending not in FORMS[what]:
        expected = f"for a {what} a name that ends in " + ", ".join(f".{each}" for each in FORMS[what])
        raise TextError("output", read=repr(name), expected=expected)
    return ending


def render(sheet: ParSheet, form: str, *, card: bool = False, odds: bool = False) -> bytes:
    """Return the bytes of the file. The same sheet gives the same bytes. `odds` puts the house's edges on a card."""
    return typeset(card_document(sheet, odds=odds), form) if card else SHEETS[form](sheet)


def typeset(document: Document, form: str) -> bytes:
    """Return any document as a web page or a PDF, or its tables as CSV."""
    return to_csv(document) if form == "csv" else DOCUMENTS[form](document)
