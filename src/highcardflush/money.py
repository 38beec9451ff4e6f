"""Money as whole numbers: cents at the table, micro-dollars (millionths) in a meter.

A cent times a basis point is a micro-dollar, so a contribution is never rounded. Text is dollars.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from highcardflush.errors import TextError

CURRENCY = "$"
"""Currency sign before every amount shown to a person."""
MICROS_PER_CENT = 10_000
MICROS_PER_DOLLAR = 1_000_000
WHOLE_BP = 10_000
"""Basis points in 100 %."""
MOST_CENTS = 10**11
"""A billion dollars, the largest amount: no round may come to more, and no bet is taken on a meter with more."""
MOST_MICROS = MOST_CENTS * MICROS_PER_CENT
MOST_WALLET_MICROS = 1000 * MOST_MICROS
"""Above this a wallet can neither buy in nor bet. 64 bits hold nine times as much, so any win in between fits."""

_DOLLARS = re.compile(r"([+-]?)([0-9]{1,12})(?:\.([0-9]{1,6}))?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]*)?", re.ASCII)
_RATE = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,2}))?%", re.ASCII)


def parse_micros(text: str, *, signed: bool = False) -> int:
    """Return the micro-dollars of a text such as `30000`, `12.50` or `30000.2345`."""
    match = _DOLLARS.fullmatch(text)
    if not match or (match[1] and not signed):
        raise TextError("amount", read=repr(text), expected="dollars such as 25 or 12.50")
    micros = int(match[2]) * MICROS_PER_DOLLAR + int((match[3] or "").ljust(6, "0"))
    return -micros if match[1] == "-" else micros


def parse_cents(text: str, *, signed: bool = False) -> int:
    """Cents of a text such as `25` or `12.50`.

    >>> parse_cents("12.50")
    1250
    """
    cents, rest = divmod(parse_micros(text, signed=signed), MICROS_PER_CENT)
    if rest:
        raise TextError("amount", read=repr(text), expected="whole cents such as 25 or 12.50")
    return cents


def format_micros(micros: int) -> str:
    """Dollars with as many digits as needed: none, two, or up to six.

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
    """Return a computed amount to the cent: `$335,020.73`, `-$4.21`."""
    return f"{'-' if dollars < 0 else ''}{CURRENCY}{abs(float(dollars)):,.2f}"


def as_typed(text: str) -> str:
    """Convert typed text to the notation: `$1,000` becomes `1000`. Commas may only separate thousands."""
    plain = text.replace(CURRENCY, "", 1)
    return plain.replace(",", "") if _THOUSANDS.fullmatch(plain) else plain


def parse_typed(text: str) -> int:
    """Return the cents of a typed amount: `25`, `$1,000`, `12.50`."""
    return parse_cents(as_typed(text))


def parse_positive(text: str) -> int:
    cents = parse_typed(text)
    if not cents:
        raise TextError("amount", read=repr(text), expected="an amount above zero")
    return cents


def parse_rate(text: str) -> int:
    """Return the basis points of a percentage such as `23%` or `0.25%`."""
    match = _RATE.fullmatch(text)
    rate_bp = int(match[1]) * 100 + int((match[2] or "").ljust(2, "0")) if match else -1
    if not 0 <= rate_bp <= WHOLE_BP:
        raise TextError("rate", read=repr(text), expected="a percentage such as 23% or 0.25%, 0% to 100%")
    return rate_bp


def format_rate(rate_bp: int) -> str:
    """Return a percentage as the notation writes it: `23%`, `0.25%`."""
    whole, rest = divmod(rate_bp, 100)
    return f"{whole}%" if not rest else f"{whole}.{f'{rest:02d}'.rstrip('0')}%"


def split_in_proportion(total: int, weights: Sequence[int]) -> list[int]:
    """Whole shares of `total` in proportion to `weights`, largest remainder first, ties in order.

    >>> split_in_proportion(100, [1, 1, 1])
    [34, 33, 33]
    """
    whole = sum(weights)
    if whole <= 0:
        raise ValueError(f"nothing to share by: weights {list(weights)}")
    shares = [total * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda i: -(total * weights[i] % whole))
    for i in by_remainder[: total - sum(shares)]:
        shares[i] += 1
    return shares
