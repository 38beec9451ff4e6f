"""Money as whole numbers: cents at the table, micro-dollars (millionths of a dollar) in a meter.

A cent times a basis point is a micro-dollar, so contributions are never rounded. Strings give amounts in dollars.
"""

import re
from collections.abc import Sequence
from fractions import Fraction

from highcardflush.errors import TextError

CURRENCY = "$"
"""Currency sign, placed before every amount shown to people."""
MICROS_PER_CENT = 10_000
MICROS_PER_DOLLAR = 1_000_000
WHOLE_BP = 10_000
"""Basis points in 100 %."""
MOST_CENTS = 10**11
"""The largest amount: a billion dollars. No round may pay more, and no bet is accepted on a meter that holds more."""
MOST_MICROS = MOST_CENTS * MICROS_PER_CENT
MOST_WALLET_MICROS = 1000 * MOST_MICROS
"""Balance above which a wallet can neither buy in nor bet. A win may exceed it, and still fits in a 64-bit integer."""

_DOLLARS = re.compile(r"([+-]?)([0-9]{1,12})(?:\.([0-9]{1,6}))?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]*)?", re.ASCII)
_RATE = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,2}))?%", re.ASCII)


def parse_micros(text: str, *, signed: bool = False) -> int:
    """Parse dollars such as `30000`, `12.50` or `30000.2345` into micro-dollars."""
    match = _DOLLARS.fullmatch(text)
    if not match or (match[1] and not signed):
        raise TextError("amount", read=repr(text), expected="dollars such as 25 or 12.50")
    micros = int(match[2]) * MICROS_PER_DOLLAR + int((match[3] or "").ljust(6, "0"))
    return -micros if match[1] == "-" else micros


def parse_cents(text: str, *, signed: bool = False) -> int:
    """Parse dollars such as `25` or `12.50` into cents.

    >>> parse_cents("12.50")
    1250
    """
    cents, rest = divmod(parse_micros(text, signed=signed), MICROS_PER_CENT)
    if rest:
        raise TextError("amount", read=repr(text), expected="whole cents such as 25 or 12.50")
    return cents


def format_micros(micros: int) -> str:
    """Return dollars with as many decimals as needed: none, or two to six.

    >>> [format_micros(n) for n in (30000_000000, 12_500000, 1_234500)]
    ['30000', '12.50', '1.2345']
    """
    sign = "-" if micros < 0 else ""
    dollars, rest = divmod(abs(micros), MICROS_PER_DOLLAR)
    if not rest:
        return f"{sign}{dollars}"
    return f"{sign}{dollars}.{f'{rest:06d}'.rstrip('0').ljust(2, '0')}"


def format_cents(cents: int) -> str:
    """Return dollars as the notation writes them: `25` or `12.50`."""
    return format_micros(cents * MICROS_PER_CENT)


def format_net(cents: int) -> str:
    """Return a gain or loss with its sign: `+25`, `-10`, `+0`."""
    return ("" if cents < 0 else "+") + format_cents(cents)


def say_cents(cents: int) -> str:
    """Return dollars as a person reads them: `$25`, `$12.50`, `$30,000`."""
    return say_micros(cents * MICROS_PER_CENT)


def say_micros(micros: int) -> str:
    text = format_micros(abs(micros))
    dollars, dot, rest = text.partition(".")
    return f"{'-' if micros < 0 else ''}{CURRENCY}{int(dollars):,}{dot}{rest}"


def say_display(micros: int) -> str:
    """Return an amount as a meter's display shows it, in whole cents: `$30,000.23`."""
    dollars, cents = divmod(micros // MICROS_PER_CENT, 100)
    return f"{CURRENCY}{dollars:,}.{cents:02d}"


def say_dollars(dollars: Fraction | float) -> str:
    """Return a computed amount, rounded to the cent: `$335,020.73`, `-$4.21`."""
    return f"{'-' if dollars < 0 else ''}{CURRENCY}{abs(float(dollars)):,.2f}"


def as_typed(text: str) -> str:
    """Convert typed text to the notation: `$1,000` becomes `1000`. Commas may only separate thousands."""
    plain = text.replace(CURRENCY, "", 1)
    return plain.replace(",", "") if _THOUSANDS.fullmatch(plain) else plain


def parse_typed(text: str) -> int:
    """Parse a typed amount such as `25`, `$1,000` or `12.50` into cents."""
    return parse_cents(as_typed(text))


def parse_positive(text: str) -> int:
    cents = parse_typed(text)
    if not cents:
        raise TextError("amount", read=repr(text), expected="an amount above zero")
    return cents


def parse_rate(text: str) -> int:
    """Parse a percentage such as `23%` or `0.25%` into basis points."""
    match = _RATE.fullmatch(text)
    rate_bp = int(match[1]) * 100 + int((match[2] or "").ljust(2, "0")) if match else -1
    if not 0 <= rate_bp <= WHOLE_BP:
        raise TextError("rate", read=repr(text), expected="a percentage from 0% to 100%, such as 23% or 0.25%")
    return rate_bp


def format_rate(rate_bp: int) -> str:
    """Return a percentage as the notation writes it: `23%`, `0.25%`."""
    whole, rest = divmod(rate_bp, 100)
    return f"{whole}%" if not rest else f"{whole}.{f'{rest:02d}'.rstrip('0')}%"


def split_in_proportion(total: int, weights: Sequence[int]) -> list[int]:
    """Return whole shares of `total` in proportion to `weights`. The largest remainders are rounded up.

    >>> split_in_proportion(100, [1, 1, 1])
    [34, 33, 33]
    """
    whole = sum(weights)
    if whole <= 0:
        raise ValueError(f"the weights must have a positive sum: {list(weights)}")
    shares = [total * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda i: -(total * weights[i] % whole))
    for i in by_remainder[: total - sum(shares)]:
        shares[i] += 1
    return shares
