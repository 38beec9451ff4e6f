"""A PAR sheet as JSON: its figures, the method in sentences, and the unit and meaning of every key."""

from __future__ import annotations

import msgspec

from highcardflush.figures.par import ParFigures, par_figures
from highcardflush.figures.sheet import ParSheet
from highcardflush.formats.json import struct_data, terms
from highcardflush.pages.method import method
from highcardflush.units import UNITS

TERMS = {
    "method": {"unit": UNITS["text"], "meaning": "how the figures were computed and rounded"},
    "terms": {"unit": UNITS["parts"], "meaning": "this list: unit and meaning of each key"},
    "unit": {"unit": UNITS["text"], "meaning": "unit of the value under a key"},
}


def to_json(sheet: ParSheet) -> bytes:
    data = struct_data(par_figures(sheet)) | {"method": method(sheet.simulation), "terms": terms(ParFigures) | TERMS}
    return msgspec.json.format(msgspec.json.encode(data), indent=2) + b"\n"
