"""Values as a reader sees them."""

from __future__ import annotations

from fractions import Fraction

from highcardflush.report.document import Kind, Value

MINUS = "\u2212"
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SMALL = 1e-7
FORMATS: dict[Kind, str] = {
    "count": "{:,}",
    "chance": "{:.10f}",
    "one in": "{:,.2f}",
    "units": "{:,.6f}",
    "signed": "{:+.10f}",
    "dollars": "{:,.2f}",
    "z": "{:+.2f}",
    "bets": "{:,.0f}",
}


def show(kind: Kind, value: Value) -> str:
    """A value in its kind; nothing for None.

    >>> show("percent", Fraction(-1, 8)), show("dollars", Fraction(67, 2))
    ('−12.500000 %', '$33.50')
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value.replace("-", MINUS) if kind == "units" and value.startswith("-") else value
    if kind == "exact":
        return exact(Fraction(value))
    if kind == "chance" and 0 < value < SMALL:
        text = _scientific(float(value))
    elif kind in ("percent", "band"):
        text = f"{100 * float(value):.{6 if kind == 'percent' else 4}f} %"
    elif kind in FORMATS:
        text = FORMATS[kind].format(value if isinstance(value, int) else float(value))
        text = text[1:] if kind == "signed" and not value else text
    else:
        text = str(value)
    if kind == "dollars":
        text = f"-${text[1:]}" if text.startswith("-") else f"${text}"
    return text.replace("-", MINUS)


def _scientific(value: float) -> str:
    digits, power = f"{value:.4e}".split("e")
    return f"{digits} × 10{str(int(power)).translate(RAISED)}"


def exact(value: Fraction) -> str:
    """`n/d` in lowest terms."""
    return f"{value.numerator}/{value.denominator}"


def say_dollars(value: Fraction | float) -> str:
    """`$335,020.73`, and `$30,000` where there are no cents."""
    text = show("dollars", float(value))
    return text.removesuffix(".00")


def say_percent(value: Fraction | float, digits: int = 2) -> str:
    return f"{100 * float(value):.{digits}f} %".replace("-", MINUS)


def exact_or_nothing(value: Value) -> str:
    """The fraction of an exact value, if it is not a whole number."""
    return exact(value) if isinstance(value, Fraction) and value.denominator != 1 else ""
