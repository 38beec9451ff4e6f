"""Plots and bars of any page."""

from __future__ import annotations

from typing import Any

import altair as alt

from highcardflush.formats.drawing import (
    HEIGHT,
    INK,
    MAIN,
    MARK,
    SOFT,
    WIDTH,
    Drawing,
    Row,
    bars,
    line_at,
    plot,
    texts,
    y_axis,
)
from highcardflush.pages.document import Axis, Bars, Plot, Series

COLOURS = (MAIN, MARK, SOFT, INK)
"""Colours of the series, in their order."""
TALL = 240


def draw_bars(chart: Bars) -> Drawing:
    return bars(list(chart.parts), chart.title, chart.name_width)


def draw_plot(chart: Plot) -> Drawing:
    x = alt.X("x:Q", axis=alt.Axis(title=chart.x.title, **_ticks(chart.x), grid=_has_dots(chart)), **_scale(chart.x))
    y = alt.Y("y:Q", axis=y_axis(chart.y.title, **_ticks(chart.y)), **_scale(chart.y))
    layers: list[alt.Chart] = [line_at({"y": 0}, color=INK, strokeWidth=1)] if chart.has_zero_line else []
    for colour, series in zip(COLOURS, chart.series, strict=False):
        layers += _series(series, x, y, colour)
    return alt.layer(*layers)


def _has_dots(chart: Plot) -> bool:
    return any(series.style == "dots" for series in chart.series)


def _ticks(axis: Axis) -> dict[str, Any]:
    return {"tickCount": axis.ticks} if isinstance(axis.ticks, int) else {"values": list(axis.ticks)}


def _scale(axis: Axis) -> dict[str, Any]:
    if axis.domain is None:
        return {}
    return {"scale": alt.Scale(type="log" if axis.is_log else "linear", domain=list(axis.domain), nice=False)}


def _series(series: Series, x: alt.X, y: alt.Y, colour: str) -> list[alt.Chart]:
    rows: list[Row] = [{"x": point[0], "y": point[1]} for point in series.points]
    base, accent = plot(rows, width=WIDTH, height=HEIGHT if series.style == "steps" else TALL), colour
    match series.style:
        case "line":
            marks = [base.mark_line(color=colour, strokeWidth=2, point=alt.OverlayMarkDef(color=colour, size=26))]
        case "dots":
            marks = [base.mark_point(color=colour, size=50, opacity=0.85, strokeWidth=1.6)]
        case "steps":
            accent = MARK
            dots = base.mark_point(color=MARK, fill=MARK, size=44, opacity=1)
            marks = [base.mark_line(color=colour, strokeWidth=2, interpolate="step-after"), dots]
    labels = [
        texts([{"x": each.x, "y": each.y, "t": each.text}], color=accent, align="left", dx=each.dx, dy=each.dy)
        for each in series.labels
    ]
    return [*(mark.encode(x=x, y=y) for mark in marks), *labels]
