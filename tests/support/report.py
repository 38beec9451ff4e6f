"""Tables whose PAR sheets the tests of reports share, each worked out once."""

from functools import cache

from highcardflush.report import ParSheet, par_sheet, render
from highcardflush.rulebook import Rulebook, configure, packaged, parse_offer

DATE = "2026-02-01"
TABLES = ("oxford", "dynamic")
OFFERS: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "dynamic": ("galaxy-v7", [("progressive", "PT-PRG-HCF-D01a"), ("flush", "washington/PT-FLT-HCF-FB-01")]),
    "envy": ("galaxy-v7", [("progressive", "PT-BJS-HCF-SF-E05")]),
    "levels": ("galaxy-v7", [("progressive", "PT-PRG-HCF-MLP-01")]),
}


@cache
def book_of(name: str) -> Rulebook:
    rulebook, offers = OFFERS.get(name, (name, []))
    return configure(packaged(rulebook), [parse_offer(*offer) for offer in offers] or None)


@cache
def sheet_of(name: str) -> ParSheet:
    return par_sheet(book_of(name), date=DATE)


@cache
def rendered(name: str, form: str, *, card: bool = False) -> bytes:
    return render(sheet_of(name), form, card=card)
