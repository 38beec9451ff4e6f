"""A document before typesetting: blocks for a web page, a PDF, a CSV file or the terminal.

A cell holds a value. Its column or figure gives the kind of the value, and each format decides how to show this kind: a
web page shows `2.664530 %`, and a CSV file has the number and its exact fraction.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

from highcardflush.pages.plots import Bars, Plot

if TYPE_CHECKING:  # NumPy and Numba are slow to load
    from highcardflush.figures.main_game import RaiseMinima
    from highcardflush.figures.side_bets import Dynamic, Meter, SideBet
    from highcardflush.figures.spread import Hold, Session

Kind = Literal[
    "text", "ranks", "count", "chance", "one in", "percent", "band", "points", "units", "signed", "dollars", "z", "bets"
]
WORDS: tuple[Kind, ...] = ("text", "ranks")
"""Kinds that are left-aligned. A cell of kind `ranks` is never broken across lines."""
Value = str | int | float | Fraction | None
Chart: TypeAlias = "Hold | RaiseMinima | Meter | Dynamic | SideBet | tuple[Session, ...] | Bars | Plot"
"""Figures that can be drawn. Their type selects the drawing function."""


class Heading(Struct, frozen=True, tag_field="kind", tag="heading"):
    """A numbered heading of level 1 or 2. `page` begins a new page in print, and a new column on a card."""

    text: str
    level: int = 1
    page: bool = False


class Paragraph(Struct, frozen=True, tag_field="kind", tag="paragraph"):
    """Running text. A note is set in smaller type."""

    text: str
    note: bool = False


class Bullets(Struct, frozen=True, tag_field="kind", tag="bullets"):
    items: tuple[str, ...]


class Column(Struct, frozen=True):
    head: str
    kind: Kind = "text"


def columns(*groups: tuple[Kind, *tuple[str, ...]]) -> tuple[Column, ...]:
    """Return columns, in groups of the same kind: `columns(("text", "Wager"), ("percent", "Return", "House edge"))`."""
    return tuple(Column(head, kind) for kind, *heads in groups for head in heads)


class Grid(Struct, frozen=True):
    """A table. If `grouped` is True, each value of the first column is a heading over the rows that share it."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    total: tuple[Value, ...] = ()
    grouped: bool = False
    compact: bool = False
    """True for a table with few narrow columns, which is not stretched to the width of the page."""


class Figure(Struct, frozen=True):
    """A value with its label. A fraction is also printed exactly."""

    label: str
    value: Value
    kind: Kind = "text"


class Figures(Struct, frozen=True):
    title: str
    items: tuple[Figure, ...]


class Picture(Struct, frozen=True):
    chart: Chart
    caption: str
    alt: str


Block = Heading | Paragraph | Bullets | Grid | Figures | Picture


class Document(Struct, frozen=True):
    """A title block and the blocks after it. `mark` is printed at the foot of every page. A card has one page."""

    kind: Literal["sheet", "card"]
    kicker: str
    title: str
    mark: str
    date: str
    blocks: tuple[Block, ...]
    facts: tuple[tuple[str, str], ...] = ()
