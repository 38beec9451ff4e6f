"""Figures: frozen structs with the numbers of odds, studies and sheets.

The unit is one Ante for the main game, one bet for a side bet, and one dollar for a meter (its plan is in
micro-dollars). Values are exact fractions. Only square roots, bands, sessions and simulated values are floats.
"""

from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import fields

T = TypeVar("T", bound=Struct)


def fill(kind: type[T], *sources: object, **given: Any) -> T:
    """Create a struct from the given fields and the attributes of the sources. If several sources have an attribute,
    the first one provides it."""
    for field in fields(kind):
        source = next((each for each in sources if hasattr(each, field.name)), None)
        if field.name not in given and source is not None:
            given[field.name] = getattr(source, field.name)
    return kind(**given)
