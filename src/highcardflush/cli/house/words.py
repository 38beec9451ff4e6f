"""How the house's figures are said: money in columns that align, times, rates; and what its JSON works out.

Money is said in one way, here and by every page of `hcf house`: dollars with their cents, `$1,000.00`, and with the
digits below a cent where there are any. Only the reasons of a settlement stand as the dealer told them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from highcardflush.cli.output import echo
from highcardflush.figures.plain import fields, struct_fields
from highcardflush.house.events import Case
from highcardflush.house.reports import Purses, Reconciliation, Statement
from highcardflush.house.reports.meters import HitWin
from highcardflush.house.reports.reconcile import Side
from highcardflush.money import MICROS_PER_CENT, MICROS_PER_DOLLAR, format_micros, format_rate

T = TypeVar("T")

fields.register(Purses, lambda purses: struct_fields(purses, "net_micros"))
fields.register(Reconciliation, lambda sums: struct_fields(sums, "agrees"))
fields.register(Side, lambda side: struct_fields(side, "sum_micros", "agrees"))
fields.register(Statement, lambda report: struct_fields(report, "agrees"))


def case_data(case: Case | HitWin) -> dict[str, Any]:
    """A win with what became of it, in one object."""
    data = struct_fields(case)
    return {**data.pop("win"), **data}


fields.register(Case, case_data)
fields.register(HitWin, case_data)


def columns(amounts: Iterable[int]) -> list[str]:
    """Dollars with as many digits as the longest of them needs, two at least, so that the points stand in one line.

    >>> columns([1_500000, -20_000000, 1])
    ['$1.500000', '-$20.000000', '$0.000001']
    """
    known = list(amounts)
    digits = max([2, *(len(format_micros(amount).partition(".")[2]) for amount in known)])
    parts = ((amount < 0, *divmod(abs(amount), MICROS_PER_DOLLAR)) for amount in known)
    return [f"{'-' * below}${whole:,}.{f'{rest:06d}'[:digits]}" for below, whole, rest in parts]


def dollars(micros: int) -> str:
    """One amount, with its cents and whatever is below them."""
    return columns([micros])[0]


def cash(cents: int) -> str:
    """An amount on the table: whole cents."""
    return dollars(cents * MICROS_PER_CENT)


def net(cents: int) -> str:
    """What was gained or lost on the table: `+$25.00`, `-$10.00`."""
    return signed([cents * MICROS_PER_CENT])[0]


def moment(at: int) -> str:
    """A time of the books, in UTC to the second."""
    return datetime.fromtimestamp(at / 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S")


PHASES = {
    "betting": "wagers open",
    "locked": "locked",
    "dealt": "cards out",
    "acting": "cards out",
    "showdown": "cards out",
}
"""How far a live round is, as `hcf house status` says it."""

PARAMETERS = {
    "seed_micros": "seed",
    "reseed_micros": "reseed",
    "rate_bp": "rate",
    "reserve_rate_bp": "reserve rate",
    "limit_micros": "limit",
    "hits": "several hits",
    "second_above_micros": "second approval above",
    "server_approves": "server approves",
}
"""What a person calls a meter's parameters."""


def parameters_of(*, bonus: bool) -> dict[str, str]:
    """Those of a meter: a bonus jackpot's display does not grow, and returns to its amount or waits to be set."""
    if not bonus:
        return PARAMETERS
    return {key: label for key, label in PARAMETERS.items() if not key.endswith("_bp")} | {
        "seed_micros": "first display",
        "reseed_micros": "returns after a win to",
    }


def parameter(key: str, value: int | str | bool | None) -> str:
    """A meter's parameter as a person reads it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    return format_rate(value) if key.endswith("_bp") else dollars(value)


def how_to_decide(meter: str, correction: int) -> str:
    """The command for a correction that waits, on a line of its own."""
    return f"    hcf house decide {meter} {correction} --approve --as NAME"


def signed(amounts: Iterable[int]) -> list[str]:
    """`columns`, with a plus where something came in."""
    known = list(amounts)
    return [text if amount < 0 else f"+{text}" for amount, text in zip(known, columns(known), strict=True)]


def print_list(rows: Sequence[T], first: int, after: str, page: Callable[[], None], name: Callable[[T], str]) -> None:
    """A list of which the first were asked for, and how it goes on if there are so many."""
    if not rows and after:
        echo(f"none after {after}")
        return
    page()
    if len(rows) == first:
        echo(f"those after them: --after {name(rows[-1])}")


def print_earlier(number: int | None) -> None:
    """How a list goes on of which the last were asked for."""
    if number is not None and number > 1:
        echo(f"those before them: --before {number}")
