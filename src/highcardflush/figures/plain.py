"""Structs and figures as JSON has them: plain objects, lists, numbers and texts.

An exact value is a text "n/d" in lowest terms; a number under the same name without `_exact` is for reading.
"""

from __future__ import annotations

from fractions import Fraction
from functools import singledispatch
from typing import Any

from msgspec import Struct

from highcardflush.cards import Hand
from highcardflush.rulebook.model import Cents
from highcardflush.words import Reason, reason_data

Data = dict[str, Any]


@singledispatch
def fields(value: Any) -> Any:
    """Structs as objects with every field in snake case, an amount as cents, a hand as its cards, a reason as told."""
    return value


@fields.register
def struct_fields(value: Struct, *worked_out: str) -> Data:
    """The fields of a struct, and after them figures that it works out."""
    return picked(value, *value.__struct_fields__, *worked_out)


def picked(value: Struct, *names: str) -> Data:
    """These figures of a struct."""
    pairs = ((name.rstrip("_"), getattr(value, name)) for name in names)
    return {f"{name}_cents" if isinstance(each, Cents) else name: fields(each) for name, each in pairs}


fields.register(dict, lambda value: {key: fields(each) for key, each in value.items()})
fields.register(tuple, lambda value: [fields(each) for each in value])
fields.register(list, lambda value: [fields(each) for each in value])
fields.register(Reason, reason_data)
fields.register(Cents, int)
fields.register(Hand, str)


def exact(value: Fraction) -> str:
    """A fraction as JSON carries it."""
    return f"{value.numerator}/{value.denominator}"


def with_exact(key: str, value: Fraction) -> dict[str, float | str]:
    """A figure for reading, and the exact one beside it."""
    return {key: float(value), f"{key}_exact": exact(value)}


def with_notice(notice: str) -> dict[str, str]:
    """What stands beside the amount of a bonus jackpot, if it is one."""
    return {"notice": notice} if notice else {}
