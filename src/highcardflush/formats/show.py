"""Formats values by their kind."""

from fractions import Fraction

from highcardflush.formats.json import exact
from highcardflush.money import say_dollars
from highcardflush.pages.document import Column, Kind, Value
from highcardflush.pages.words import MINUS

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SMALL = 1e-7
FORMATS: dict[Kind, str] = {
    "count": "{:,}",
    "chance": "{:.10f}",
    "one in": "{:,.2f}",
    "units": "{:,.6f}",
    "signed": "{:+.10f}",
    "z": "{:+.2f}",
    "bets": "{:,.0f}",
}


def show(kind: Kind, value: Value) -> str:
    """Format a value by its kind. `None` gives an empty text.

    >>> show("percent", Fraction(-1, 8)), show("dollars", Fraction(67, 2))
    ('−12.500000 %', '$33.50')
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value.replace("-", MINUS) if kind == "units" and value.startswith("-") else value
    if kind == "chance" and 0 < value < SMALL:
        digits, power = f"{float(value):.4e}".split("e")
        text = f"{digits} × 10{str(int(power)).translate(RAISED)}"
    elif kind in ("percent", "band"):
        text = f"{100 * float(value):.{6 if kind == 'percent' else 4}f} %"
    elif kind == "points":
        text = f"{100 * float(value):+.4f}" if value else "0"
    elif kind == "dollars":
        text = say_dollars(float(value))
    elif kind in FORMATS:
        text = FORMATS[kind].format(value if isinstance(value, int) else float(value))
        text = text[1:] if kind == "signed" and not value else text
    else:
        text = str(value)
    return text.replace("-", MINUS)


def exact_or_nothing(value: Value) -> str:
    """Return the text of a fraction, or an empty text if the value is not a fraction or is an integer."""
    return exact(value) if isinstance(value, Fraction) and value.denominator != 1 else ""


def show_row(columns: tuple[Column, ...], row: tuple[Value, ...]) -> list[str]:
    """Return the texts of a row's cells in these columns. If a group name precedes the first cell, it is left out."""
    return [show(column.kind, value) for column, value in zip(columns, row[-len(columns) :], strict=True)]
