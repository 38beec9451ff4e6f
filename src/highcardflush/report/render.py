"""A sheet or a card in the form that a file's ending names."""

from __future__ import annotations

from collections.abc import Callable

from highcardflush.errors import HcfError
from highcardflush.report.card import card_document, card_pdf
from highcardflush.report.export import to_csv, to_json
from highcardflush.report.html import to_html
from highcardflush.report.layout import par_document
from highcardflush.report.model import ParSheet
from highcardflush.report.pdf import to_pdf
from highcardflush.report.sheet import par_sheet
from highcardflush.rulebook.model import Rulebook

SHEETS: dict[str, Callable[[ParSheet], bytes]] = {
    "html": lambda sheet: to_html(par_document(sheet)),
    "pdf": lambda sheet: to_pdf(par_document(sheet)),
    "json": to_json,
    "csv": lambda sheet: to_csv(par_document(sheet)),
}
CARDS: dict[str, Callable[[ParSheet], bytes]] = {
    "html": lambda sheet: to_html(card_document(sheet), "card"),
    "pdf": lambda sheet: card_pdf(card_document(sheet)),
}
ENDINGS = tuple(SHEETS)


def check_ending(name: str, *, card: bool = False) -> str:
    """The form that a file's name asks for."""
    known = CARDS if card else SHEETS
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    if ending not in known:
        what = "rack card" if card else "PAR sheet"
        expected = f"for a {what} a name that ends in " + ", ".join(f".{each}" for each in known)
        raise HcfError("output", read=repr(name), expected=expected)
    return ending


def render(sheet: ParSheet, form: str, *, card: bool = False) -> bytes:
    """The bytes of the file: the same sheet, the same bytes."""
    return (CARDS if card else SHEETS)[form](sheet)


def rack_card(rulebook: Rulebook, form: str = "html", *, date: str = "") -> bytes:
    """The rack card of a table, as a web page or a PDF of one page."""
    return render(par_sheet(rulebook, date=date), form, card=True)
