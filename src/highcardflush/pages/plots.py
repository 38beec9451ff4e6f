"""Data for plots and bar charts of any numbers."""

from typing import Literal

from msgspec import Struct


class Bars(Struct, frozen=True):
    """A bar chart of named percentages."""

    title: str
    parts: tuple[tuple[str, float], ...]
    name_width: int = 150


class Axis(Struct, frozen=True):
    """An axis of a plot. `ticks` is the number of ticks or a tuple of their values."""

    title: str
    ticks: int | tuple[float, ...]
    domain: tuple[float, float] | None = None
    is_log: bool = False


class Label(Struct, frozen=True):
    """Text next to the point x, y, offset by dx and dy."""

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
