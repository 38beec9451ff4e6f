"""Converts structs and figures to plain JSON values. `units.Figure` defines how a figure is written.

A fraction in a struct becomes two keys: its name with a number, and `NAME_exact` with the exact text "n/d" in lowest
terms. Anywhere else, a fraction becomes only the exact text.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, singledispatch
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from msgspec import UNSET, Struct

from highcardflush.cards import Hand
from highcardflush.ranking import FlushRank
from highcardflush.rulebook.document import Cents
from highcardflush.units import UNITS, Figure
from highcardflush.words import Reason, reason_data

Data = dict[str, Any]


class Attribute(NamedTuple):
    """A field of a struct, or a property that is a figure."""

    name: str
    key: str
    figure: Figure
    fraction: bool
    """True if the type allows a fraction."""
    hint: Any = None


@cache
def attributes(kind: type[Struct]) -> tuple[Attribute, ...]:
    """Return every field of a struct, then every property whose return type is annotated as a figure."""
    hints = _hints(kind)
    rows = [_attribute(name, hints.get(name)) for name in kind.__struct_fields__]
    properties = {name: each for base in reversed(kind.__mro__) for name, each in vars(base).items()}
    for name, each in properties.items():
        if isinstance(each, property):
            hint = _hints(each.fget).get("return")
            rows += [_attribute(name, hint)] if _figures(hint) else []
    return tuple(row for row in rows if row.figure.form != "hidden")


def _hints(owner: Any) -> dict[str, Any]:
    try:
        return get_type_hints(owner, include_extras=True)
    except NameError:  # The struct uses a type that is imported only for type checking. No such struct has figures.
        return {}


def _attribute(name: str, hint: Any) -> Attribute:
    figure = next(iter(_figures(hint)), Figure())
    return Attribute(name, figure.key or name.rstrip("_"), figure, Fraction in _types(hint), hint)


def _figures(hint: Any) -> list[Figure]:
    """Return the outermost figures in a type. For example, `Part | None` contains the figure of `Part`."""
    figures = [each for each in hint.__metadata__ if isinstance(each, Figure)] if get_origin(hint) is Annotated else []
    return figures or [figure for part in _parts(hint) for figure in _figures(part)]


def _types(hint: Any) -> list[Any]:
    return [hint, *(each for part in _parts(hint) for each in _types(part))]


def _parts(hint: Any) -> list[Any]:
    """Return the type inside an annotation, or the members of a union. For a container, return an empty list."""
    if get_origin(hint) is Annotated:
        return [get_args(hint)[0]]
    return [] if get_origin(hint) in (list, tuple, dict) else [each for each in get_args(hint) if each is not hint]


@singledispatch
def plain(value: Any) -> Any:
    """Return a value's JSON form: an amount in cents, a hand as its cards, a reason as its code, values and text."""
    return value


@plain.register
def struct_data(value: Struct, *computed: str) -> Data:
    """Return the figures of a struct, followed by the named properties."""
    rows = [*attributes(type(value)), *(Attribute(name, name, Figure(), fraction=False) for name in computed)]
    return dict(pair for row in rows for pair in _pairs(row, getattr(value, row.name)))


def picked(value: Struct, *names: str) -> Data:
    rows = {row.name: row for row in attributes(type(value))}
    chosen = [rows.get(name) or Attribute(name, name.rstrip("_"), Figure(), fraction=False) for name in names]
    return dict(pair for row in chosen for pair in _pairs(row, getattr(value, row.name)))


def _pairs(row: Attribute, value: Any) -> Iterator[tuple[str, Any]]:
    if value is UNSET:
        return
    if row.figure.form == "inline":
        yield from plain(value).items()
    elif row.figure.form == "exact" or not (isinstance(value, Fraction) or (value is None and row.fraction)):
        is_renamed = isinstance(value, Cents) and not row.key.endswith("_cents")
        yield f"{row.key}_cents" if is_renamed else row.key, plain(value)
    else:
        yield row.key, None if value is None else float(value)
        yield f"{row.key}_exact", plain(value)


def exact(value: Fraction) -> str:
    """Return a fraction as a text `n/d` in lowest terms."""
    return f"{value.numerator}/{value.denominator}"


def with_exact(key: str, value: Fraction) -> Data:
    return {key: float(value), f"{key}_exact": exact(value)}


def with_notice(notice: str) -> Data:
    """Return the notice that is printed with the amount of a bonus jackpot, if there is one."""
    return {"notice": notice} if notice else {}


plain.register(
    dict, lambda value: {f"{key:g}" if isinstance(key, float) else str(key): plain(each) for key, each in value.items()}
)
plain.register(tuple, lambda value: [plain(each) for each in value])
plain.register(list, lambda value: [plain(each) for each in value])
plain.register(Fraction, exact)
plain.register(Reason, reason_data)
plain.register(Cents, int)
plain.register(Hand, str)
plain.register(FlushRank, lambda value: value.short)


def terms(kind: Any) -> dict[str, dict[str, str]]:
    """Return the unit and the meaning of every key of a struct and of the structs in it.

    Keys of the form `KEY_exact` are not listed.
    """
    rows: dict[str, dict[str, str]] = {}
    parts = list(get_args(kind))
    if isinstance(kind, type) and issubclass(kind, Struct):
        parts = [row.hint for row in attributes(kind)]
        for row in attributes(kind):
            if row.figure.meaning:
                rows[row.key] = {"unit": UNITS[row.figure.unit], "meaning": row.figure.meaning}
    for part in parts:
        rows = terms(part) | rows
    return rows
