"""Figures: frozen structs with the numbers of odds, studies and sheets.

The unit of the main game is one Ante, that of a side bet one bet, that of a meter one dollar (its plan is in
micro-dollars). Values are exact fractions; only square roots, bands, sessions and simulated values are floats.
"""

from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import fields

T = TypeVar("T", bound=Struct)


def fill(kind: type[T], *sources: object, **given: Any) -> T:
    """Make a struct from given fields and from the attributes of sources. The first source that has an attribute
    provides it."""
    for field in fields(kind):
        source = next((each for each in sources if hasattr(each, field.name)), None)
        if field.name not in given and source is not None:
            given[field.name] = getattr(source, field.name)
    return kind(**given)
