"""A sheet or a card in the form that a file's ending names."""

from __future__ import annotations

from collections.abc import Callable

from highcardflush.errors import TextError
from highcardflush.report.figures import ParSheet
from highcardflush.report.formats.csv import to_csv
from highcardflush.report.formats.html import to_html
from highcardflush.report.formats.json import to_json
from highcardflush.report.formats.pdf import to_pdf
from highcardflush.report.pages import card_document, par_document
from highcardflush.report.pages.document import Document

SHEETS: dict[str, Callable[[ParSheet], bytes]] = {
    "html": lambda sheet: to_html(par_document(sheet)),
    "pdf": lambda sheet: to_pdf(par_document(sheet)),
    "json": to_json,
    "csv": lambda sheet: to_csv(par_document(sheet)),
}
CARDS: dict[str, Callable[[Document], bytes]] = {"html": to_html, "pdf": to_pdf}


def check_ending(name: str, *, card: bool = False) -> str:
    """The form that a file's name asks for."""
    known = tuple(CARDS if card else SHEETS)
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    if ending not in known:
        what = "rack card" if card else "PAR sheet"
        expected = f"for a {what} a name that ends in " + ", ".join(f".{each}" for each in known)
        raise TextError("output", read=repr(name), expected=expected)
    return ending


def render(sheet: ParSheet, form: str, *, card: bool = False, odds: bool = False) -> bytes:
    """The bytes of the file. The same sheet gives the same bytes. `odds` puts the house's edges on a card."""
    return CARDS[form](card_document(sheet, odds=odds)) if card else SHEETS[form](sheet)
