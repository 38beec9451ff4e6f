"""Colours, sizes and marks of all charts, and the conversion to SVG.

Vega draws through vl-convert, without a browser or a network. The web page's style sheet replaces each colour in dark
mode. Axes have a fixed extent and nothing is clipped, so a drawing depends only on its numbers.
"""

from __future__ import annotations

import re
from typing import Any

import altair as alt
import vl_convert

INK, SOFT, RULE = "#1d2733", "#5c6773", "#d9dee3"
MAIN, PALE, MARK = "#1f4e79", "#b9cbdd", "#b3541e"
FONT = "Libertinus Serif"
WIDTH, HEIGHT = 430, 190
EXTENT = 34
DASHED: dict[str, Any] = {"color": MARK, "strokeDash": [4, 3]}
Drawing = alt.Chart | alt.LayerChart | alt.FacetChart | alt.HConcatChart
Row = dict[str, Any]


def plot(rows: list[Row], **size: Any) -> alt.Chart:
    return alt.Chart(alt.InlineData(values=rows), **size)


def y_axis(title: str, **more: Any) -> alt.Axis:
    return alt.Axis(title=title, minExtent=EXTENT, maxExtent=EXTENT, **more)


def line_at(place: dict[str, float], **style: Any) -> alt.Chart:
    line: alt.Chart = plot([place]).mark_rule(**style).encode(**{axis: f"{axis}:Q" for axis in place})
    return line


def texts(rows: list[Row], **style: Any) -> alt.Chart:
    labels: alt.Chart = plot(rows).mark_text(**style).encode(x="x:Q", y="y:Q", text="t:N")
    return labels


def bars(parts: list[tuple[str, float]], title: str, extent: int) -> Drawing:
    """Draw a bar for each part in percent, with its name before it. `extent` is the width of the names in points."""
    rows = [{"line": name, "value": part, "text": f"{part:.2f} %"} for name, part in parts]
    base = plot(rows, width=480 - extent, height=22 * len(rows))
    axis = alt.Axis(
        title=None, minExtent=extent, maxExtent=extent, domain=False, ticks=False, labelLimit=0, labelPadding=6
    )
    y = alt.Y("line:N", sort=None, axis=axis)
    x = alt.X("value:Q", axis=alt.Axis(title=title, tickCount=6))
    marks = base.mark_bar(color=MAIN, height=12).encode(x=x, y=y)
    words = base.mark_text(align="left", dx=4, color=INK).encode(x=x, y=y, text="text:N")
    return alt.layer(marks, words)


def to_svg(drawing: Drawing) -> str:
    """Return the SVG of a drawing without names and ids, which would clash with another drawing's on one page."""
    styled = drawing.configure(
        font=FONT,
        aria=False,
        background="transparent",
        padding=2,
        axis=alt.AxisConfig(
            labelFontSize=11,
            titleFontSize=11.5,
            titleFontWeight="normal",
            labelColor=INK,
            titleColor=INK,
            gridColor=RULE,
            domainColor=SOFT,
            tickColor=SOFT,
            tickSize=4,
        ),
        title=alt.TitleConfig(fontSize=12, fontWeight="normal", color=INK, anchor="start", frame="group"),
        view=alt.ViewConfig(stroke=None),
        text=alt.MarkConfig(fontSize=11, color=INK),
    )
    svg = str(vl_convert.vegalite_to_svg(styled.to_dict()))
    return re.sub(r' (?:id|clip-path|class)="[^"]*"', "", svg)
