"""Requirements for a pay table: the pays that each line may have, and the house edge that the table must have.

    wager = "flush"
    edge = ["3%", "6%"]
    standard-deviation = [2, 4]
    [[lines]]
    cards = 7
    pay = [100, 500, 50]            # from, to, step

A range is one value or [LOW, HIGH]. A range of values to search may also be [LOW, HIGH, STEP]. Numbers are exact:
"4.2%", 0.042 and "21/500" are the same. A pay of 0 leaves its line out, so only the lowest lines can have it.
"""

import re
import tomllib
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import prod
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from highcardflush.errors import RulebookError, TextError
from highcardflush.money import WHOLE_BP
from highcardflush.odds.whatif import TYPED_IN, checked, within
from highcardflush.rulebook import PayTable
from highcardflush.rulebook.document import MAX_SEATS, Cents, Rate, convert, read_scalar
from highcardflush.rulebook.paytable import Line, MeterFigures
from highcardflush.rulebook.wagers import SIDE_BETS
from highcardflush.structs import fill
from highcardflush.units import HIDDEN, Figure

Range = tuple[Fraction, Fraction]
Order = Literal["edge-nearest", "edge-lowest", "edge-highest", "deviation-lowest", "deviation-highest"]
ORDERS: dict[Order, str] = {
    "edge-nearest": "edge nearest to the middle of its range first",
    "edge-lowest": "lowest edge first",
    "edge-highest": "highest edge first",
    "deviation-lowest": "lowest standard deviation first",
    "deviation-highest": "highest standard deviation first",
}
TIES = "then the lower standard deviation, then the lower pays, compared from the best line down"
SOLVED = "solved"
"""Id of the pay table to find."""
MOST_PAY = 999_999_999
MOST_VALUES = 100_000
"""Maximum number of values in one range."""
_NUMBER = re.compile(r"([0-9]{1,12})(?:\.([0-9]{1,12}))?(%?)", re.ASCII)
_FRACTION = re.compile(r"([0-9]{1,40})/([1-9][0-9]{0,39})", re.ASCII)


class _Part(Struct, frozen=True, rename="kebab", forbid_unknown_fields=True, kw_only=True):
    """Base class for the file's TOML tables. A field is untyped here if its values have their own parser."""


class _AskedLine(_Part, frozen=True):
    cards: Annotated[int, Meta(ge=2, le=7)]
    pay: Any
    ace_high: bool = False
    meter: str = "progressive"
    envy: Annotated[int, Meta(ge=0, le=MOST_PAY)] = 0
    dynamic: tuple[Annotated[int, Meta(ge=1, le=MOST_PAY)], ...] = ()


class _AskedMeter(_Part, frozen=True):
    seed: Any
    rate: Any
    reserve_rate: Any = "0%"


class _Asked(_Part, frozen=True):
    wager: str
    edge: Any
    lines: tuple[_AskedLine, ...]
    edge_at_seed: Any = None
    hit_frequency: Any = None
    standard_deviation: Any = None
    meters: dict[str, _AskedMeter] = {}
    seats: Annotated[int, Meta(ge=1, le=MAX_SEATS)] = 1
    order: str = "edge-nearest"
    rising: bool = False
    show: Annotated[int, Meta(ge=1, le=10_000)] = 20


class Wanted(Struct, frozen=True):
    """Requirements for the solver. Ranges include both ends; a missing range sets no requirement."""

    table: Annotated[PayTable, HIDDEN]
    """Pay table to complete. Every fixed pay is 1 here, because the solver must find it."""
    pays: Annotated[tuple[tuple[int, ...], ...], HIDDEN]
    """Possible pays of each line, in rising order. A line that pays a percentage of a meter has an empty tuple."""
    meters: Annotated[dict[str, tuple[MeterFigures, ...]], HIDDEN]
    """Possible figures of each meter."""
    edge: Range
    """House edge; for a progressive, the long-run edge."""
    edge_at_seed: Range | None = None
    hit_frequency: Range | None = None
    standard_deviation: Range | None = None
    """Standard deviation in bets; for a progressive, with its meters at their seeds."""
    seats: Annotated[int, HIDDEN] = 1
    order: Annotated[Order, HIDDEN] = "edge-nearest"
    rising: Annotated[bool, HIDDEN] = False
    """True if a lower line may pay more than a higher one. No rulebook accepts such a table."""
    show: Annotated[int, HIDDEN] = 20
    """Number of solutions to list. All solutions are counted."""

    @property
    def jackpot(self) -> bool:
        return SIDE_BETS[self.table.wager].jackpot

    @property
    def space(self) -> Annotated[int, Figure(key="tables_within_bounds")]:
        """Number of tables within the bounds, regardless of the order of their pays."""
        return prod(len(values) for values in (*filter(None, self.pays), *self.meters.values()))

    def solved(self, pays: tuple[int, ...], meters: tuple[MeterFigures, ...]) -> PayTable:
        """Return the pay table with these pays. A pay is 0 if a meter pays the line or the line is left out."""
        lines = (
            line if not values else replace(line, pay=pay)
            for line, values, pay in zip(self.table.lines, self.pays, pays, strict=True)
            if pay or not values
        )
        return replace(self.table, lines=tuple(lines), meters=dict(zip(self.meters, meters, strict=True)))


def load_wanted(text: str, file: str | None = None) -> Wanted:
    """Load requirements from TOML text. Errors name the key, the value and what was expected."""
    try:
        data = tomllib.loads(text, parse_float=str)
    except (ValueError, RecursionError) as error:
        raise TextError("solve", read=str(error), expected="a TOML document", file=file) from None
    try:
        return _wanted(convert(data, _Asked))
    except (RulebookError, TextError) as error:
        message = error.message.removeprefix(f"paytables.{SOLVED}.")
        raise TextError(message, read=error.read, expected=error.expected, file=file) from None


def _wanted(document: _Asked) -> Wanted:
    if document.wager not in SIDE_BETS:
        raise TextError("wager", read=repr(document.wager), expected="one of " + ", ".join(SIDE_BETS))
    bet = SIDE_BETS[document.wager]
    if document.order not in ORDERS:
        raise TextError("order", read=repr(document.order), expected="one of " + ", ".join(ORDERS))
    for key, value in (
        ("meters", document.meters),
        ("edge-at-seed", document.edge_at_seed),
        ("seats", document.seats > 1),
    ):
        if value and not bet.jackpot:
            raise TextError(key, read="a value", expected="no value, because it is only for a progressive")
    if document.rising and bet.jackpot:
        raise TextError("rising", read="true", expected="false for a progressive")
    pays = tuple(_pays(f"lines[{i}]", line) for i, line in enumerate(document.lines))
    for i, (line, above, values) in enumerate(zip(document.lines[1:], pays, pays[1:], strict=False), 1):
        if 0 in above and 0 not in values:
            key, least = f"lines[{i}].pay", min(values, default=line.pay)
            expected = "a range that includes 0, because the line above can be left out"
            raise TextError(key, read=f"{least} or more", expected=expected)
    meters = {name: _meter(f"meters.{name}", meter) for name, meter in document.meters.items()}
    table = PayTable(
        wager=bet.name,
        pays="for 1" if bet.jackpot else "to 1",
        lines=tuple(
            Line(**asdict(line) | {"pay": line.pay if isinstance(line.pay, str) else 1}) for line in document.lines
        ),
        meters={name: values[0] for name, values in meters.items()},
        id=SOLVED,
        rulebook=TYPED_IN,
    )
    checked(within(table))
    if bet.jackpot and not meters:
        expected = "the seed and rate of each meter: " + ", ".join(table.meter_names)
        raise TextError("meters", read="nothing", expected=expected)
    if pays and 0 in pays[0]:
        raise TextError("lines[0].pay", read="0", expected="1 or more, because the best line cannot be left out")
    return fill(
        Wanted,
        document,
        table=table,
        pays=pays,
        meters=meters,
        edge=_range("edge", document.edge, "a house edge"),
        edge_at_seed=_maybe("edge-at-seed", document.edge_at_seed, "a house edge"),
        hit_frequency=_maybe("hit-frequency", document.hit_frequency, "a probability"),
        standard_deviation=_maybe("standard-deviation", document.standard_deviation, "a number of bets"),
    )


def _pays(at: str, document: _AskedLine) -> tuple[int, ...]:
    """Return the possible pays of a line."""
    if isinstance(document.pay, str):
        if not re.fullmatch("(100|[1-9][0-9]?)%", document.pay, re.ASCII):
            expected = "a whole pay, [LOW, HIGH], [LOW, HIGH, STEP], or a percentage of the meter such as '10%'"
            raise TextError(f"{at}.pay", read=repr(document.pay), expected=expected)
        return ()
    values = _values(f"{at}.pay", document.pay, 1, _whole)
    if 0 in values and (document.envy or document.dynamic):
        raise TextError(f"{at}.pay", read="0", expected="1 or more for a line with Envy or Dynamic Pays")
    if document.dynamic and values[-1] >= min(document.dynamic):
        expected = f"less than the lowest Dynamic Pay, {min(document.dynamic)}"
        raise TextError(f"{at}.pay", read=f"up to {values[-1]}", expected=expected)
    return values


def _meter(at: str, document: _AskedMeter) -> tuple[MeterFigures, ...]:
    def read(kind: type) -> Callable[[str, Any], int]:
        def scalar(key: str, value: Any) -> int:
            try:
                return int(read_scalar(kind, value))
            except ValueError as error:
                text, _, expected = str(error).removeprefix("read ").partition(", expected ")
                raise TextError(key, read=text, expected=expected) from None

        return scalar

    seeds = _values(f"{at}.seed", document.seed, 100_000, read(Cents))
    rates = _values(f"{at}.rate", document.rate, 100, read(Rate))
    reserves = _values(f"{at}.reserve-rate", document.reserve_rate, 100, read(Rate))
    if len(seeds) * len(rates) * len(reserves) > MOST_VALUES:
        count = f"{len(seeds) * len(rates) * len(reserves):,} values"
        raise TextError(at, read=count, expected=f"at most {MOST_VALUES:,}: use a larger step or a narrower range")
    return tuple(
        MeterFigures(seed=Cents(seed), rate=Rate(rate), reserve_rate=Rate(reserve))
        for seed, rate, reserve in product(seeds, rates, reserves)
        if rate + reserve <= WHOLE_BP
    )


def _whole(key: str, value: Any) -> int:
    if type(value) is not int or not 0 <= value <= MOST_PAY:
        raise TextError(key, read=repr(value)[:60], expected=f"a whole pay, 0 to {MOST_PAY:,}")
    return value


def _values(key: str, value: Any, step: int, read: Callable[[str, Any], int]) -> tuple[int, ...]:
    """Return all values of a range to search."""
    if not isinstance(value, list):
        return (read(key, value),)
    if len(value) not in (2, 3):
        expected = "one value, [LOW, HIGH] or [LOW, HIGH, STEP]"
        raise TextError(key, read=f"a list of {len(value)} values", expected=expected)
    low, high, *steps = (read(key, each) for each in value)
    step = steps[0] if steps else step
    if low > high or step < 1:
        raise TextError(key, read=str(value)[:60], expected="LOW not above HIGH, and a STEP above 0")
    values = range(low, high + 1, step)
    if len(values) > MOST_VALUES:
        expected = f"at most {MOST_VALUES:,}: use a larger step or a narrower range"
        raise TextError(key, read=f"{len(values):,} values", expected=expected)
    return tuple(values)


def _maybe(key: str, value: Any, expected: str) -> Range | None:
    return None if value is None else _range(key, value, expected)


def _range(key: str, value: Any, expected: str) -> Range:
    ends = value if isinstance(value, list) else [value, value]
    if len(ends) != 2:
        raise TextError(key, read=f"a list of {len(ends)} values", expected="one value or [LOW, HIGH]")
    low, high = (_number(key, end, expected) for end in ends)
    if low > high:
        raise TextError(key, read=str(value)[:60], expected="LOW not above HIGH")
    return low, high


def _number(key: str, value: Any, expected: str) -> Fraction:
    """Parse an exact number. TOML decimals arrive as strings."""
    text = str(value) if type(value) in (int, str) else ""
    sign, text = (-1, text[1:]) if text.startswith("-") else (1, text)
    if match := _FRACTION.fullmatch(text):
        return sign * Fraction(int(match[1]), int(match[2]))
    if match := _NUMBER.fullmatch(text):
        return sign * Fraction(f"{match[1]}.{match[2] or '0'}") / (100 if match[3] else 1)
    raise TextError(key, read=repr(value)[:60], expected=f'{expected} such as "4.2%", 0.042 or "21/500"')
