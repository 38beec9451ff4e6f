"""Units and meanings of figures, attached to the fields and properties of structs.

`edge: Annotated[Fraction, Figure("part", "of the bet that the house keeps")]` is a figure. So is a property whose
return type is annotated alike: whatever serialises or documents the struct treats it as a field.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Struct

Form = Literal["", "exact", "hidden", "inline"]


class Figure(Struct, frozen=True):
    """Facts about one figure: its unit, its meaning, and its key and form in JSON.

    A fraction is written as a number and as an exact text "n/d" under `KEY_exact`; with the form `exact` as the exact
    text alone. `inline` puts the figures of a struct in the place of the field, `hidden` leaves the field out.
    """

    unit: str = ""
    meaning: str = ""
    key: str = ""
    form: Form = ""


UNITS = {
    "ante": "one Ante",
    "bet": "one bet",
    "wager": "one Ante in the main game, one bet in a side bet",
    "part": "a fraction of one, never percent",
    "cents": "whole cents",
    "micros": "whole millionths of a dollar",
    "dollars": "dollars",
    "count": "a number",
    "text": "words",
    "code": "an identifier",
    "yes-no": "true or false",
    "parts": "an object or a list",
}
HIDDEN, INLINE = Figure(form="hidden"), Figure(form="inline")
Exact = Annotated[Fraction, Figure(form="exact")]
Part = Annotated[Fraction, Figure()]
Number = Annotated[float, Figure()]
Count = Annotated[int, Figure()]
Code = Annotated[str, Figure()]
