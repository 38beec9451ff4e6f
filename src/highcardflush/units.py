"""Units and meanings of figures. They are attached to the fields and properties of structs.

`edge: Annotated[Fraction, Figure("part", "of the bet that the house keeps")]` is a figure. A property whose return type
has such an annotation is a figure too. Serialisation and documentation treat it as a field.
"""

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Struct

Form = Literal["", "exact", "hidden", "inline"]


class Figure(Struct, frozen=True):
    """The unit and meaning of one figure, and its key and form in JSON.

    A fraction is written as a number, and under `KEY_exact` also as an exact text "n/d". The form `exact` writes only
    the exact text, `inline` replaces the field with the figures of its struct, and `hidden` omits the field.
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
