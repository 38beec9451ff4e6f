"""A document before it is typeset: blocks that a web page, a PDF and a CSV file are all made from.

A cell holds a value, not a text. Its column or figure says of which kind it is, and a format shows it: a page has
`2.664530 %`, a CSV file the number and its exact fraction.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:  # numpy and numba take their time to load
    from highcardflush.figures.main_game import RaiseMinima
    from highcardflush.figures.meters import Dynamic, Meter
    from highcardflush.figures.side_bets import SideBet
    from highcardflush.figures.spread import Hold, Session

Kind = Literal[
    "text", "ranks", "count", "chance", "one in", "percent", "band", "points", "units", "signed", "dollars", "z", "bets"
]
WORDS: tuple[Kind, ...] = ("text", "ranks")
"""Kinds that are set flush left; `ranks` is never broken over lines."""
Value = str | int | float | Fraction | None
Chart: TypeAlias = "Hold | RaiseMinima | Meter | Dynamic | SideBet | tuple[Session, ...] | Bars | Plot"
"""Figures that can be drawn; the type says how."""


class Heading(Struct, frozen=True, tag_field="kind", tag="heading"):
    """A numbered heading of level 1 or 2; `page` begins a new page in print, on a card a column."""

    text: str
    level: int = 1
    page: bool = False


class Paragraph(Struct, frozen=True, tag_field="kind", tag="paragraph"):
    """Running text; a note is set smaller."""

    text: str
    note: bool = False


class Bullets(Struct, frozen=True, tag_field="kind", tag="bullets"):
    items: tuple[str, ...]


class Column(Struct, frozen=True):
    """A column of a grid: its head, and how its values are written."""

    head: str
    kind: Kind = "text"


def columns(*groups: tuple[Kind, *tuple[str, ...]]) -> tuple[Column, ...]:
    """Neighbouring columns by their kind: `columns(("text", "Wager"), ("percent", "Return", "House edge"))`."""
    return tuple(Column(head, kind) for kind, *heads in groups for head in heads)


class Grid(Struct, frozen=True):
    """A table. With `grouped` the first column is a heading over the rows that share it."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    total: tuple[Value, ...] = ()
    grouped: bool = False
    compact: bool = False
    """Few narrow columns: not stretched to the page."""


class Figure(Struct, frozen=True):
    """One value with its label; where it is a fraction it is also given exactly."""

    label: str
    value: Value
    kind: Kind = "text"


class Figures(Struct, frozen=True):
    title: str
    items: tuple[Figure, ...]


class Bars(Struct, frozen=True):
    """A bar for each part in percent, with its name before it."""

    title: str
    parts: tuple[tuple[str, float], ...]
    name_width: int = 150


class Axis(Struct, frozen=True):
    """An axis of a plot. `ticks` is a number of ticks or their values."""

    title: str
    ticks: int | tuple[float, ...]
    domain: tuple[float, float] | None = None
    is_log: bool = False


class Label(Struct, frozen=True):
    """A text beside the point x, y, moved by dx and dy."""

    x: float
    y: float
    text: str
    dx: int = 7
    dy: int = 0


class Series(Struct, frozen=True):
    """Points of one colour: a line, steps with dots, or dots alone."""

    points: tuple[tuple[float, float], ...]
    labels: tuple[Label, ...] = ()
    style: Literal["line", "steps", "dots"] = "line"


class Plot(Struct, frozen=True):
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    has_zero_line: bool = False


class Picture(Struct, frozen=True):
    chart: Chart
    caption: str
    alt: str


Block = Heading | Paragraph | Bullets | Grid | Figures | Picture


class Document(Struct, frozen=True):
    """A title block and what follows it. `mark` stands at the foot of every page; a card has one page."""

    kind: Literal["sheet", "card"]
    kicker: str
    title: str
    facts: tuple[tuple[str, str], ...]
    mark: str
    date: str
    blocks: tuple[Block, ...]
