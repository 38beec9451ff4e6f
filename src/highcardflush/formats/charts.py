"""Draws the charts of a document as SVG. Each kind of figure has its own drawing function.

Vega draws them through vl-convert, without a browser or network access. Axes have a fixed length and nothing is
clipped, so a drawing depends only on its numbers.
"""

import re
from collections.abc import Callable
from typing import Any

import altair as alt
import vl_convert
from msgspec.structs import asdict

from highcardflush.figures.main_game import RaiseMinima
from highcardflush.figures.side_bets import Dynamic, Mark, Meter, SideBet
from highcardflush.figures.spread import Bar, Hold, Session
from highcardflush.money import CURRENCY
from highcardflush.pages.document import Chart
from highcardflush.pages.plots import Axis, Bars, Plot, Series
from highcardflush.pages.words import MARKS, say_prize
from highcardflush.words import say_line_short

# In dark mode, report.css replaces these colours, which it selects by their hex values. Change them in both files.
INK, SOFT, RULE = "#1d2733", "#5c6773", "#d9dee3"
MAIN, PALE, MARK = "#1f4e79", "#b9cbdd", "#b3541e"
FONT = "Libertinus Serif"
WIDTH, HEIGHT = 430, 190
EXTENT = 34
DASHED: dict[str, Any] = {"color": MARK, "strokeDash": [4, 3]}
COLOURS = (MAIN, MARK, SOFT, INK)
TALL = 240
POINTS: dict[Mark | None, str] = MARKS | {"expected-at-hit": "expected at a win"}
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


def draw(figures: Chart) -> str:
    """Draw figures as SVG. Classes and ids are removed, because they would clash with those of other charts."""
    styled = DRAWINGS[type(figures)](figures).configure(
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


def _bars(chart: Bars) -> Drawing:
    rows = [{"line": name, "value": part, "text": f"{part:.2f} %"} for name, part in chart.parts]
    base = plot(rows, width=480 - chart.name_width, height=22 * len(rows))
    extent: dict[str, Any] = {"minExtent": chart.name_width, "maxExtent": chart.name_width}
    axis = alt.Axis(title=None, **extent, domain=False, ticks=False, labelLimit=0, labelPadding=6)
    y = alt.Y("line:N", sort=None, axis=axis)
    x = alt.X("value:Q", axis=alt.Axis(title=chart.title, tickCount=6))
    marks = base.mark_bar(color=MAIN, height=12).encode(x=x, y=y)
    words = base.mark_text(align="left", dx=4, color=INK).encode(x=x, y=y, text="text:N")
    return alt.layer(marks, words)


def _plot_drawing(chart: Plot) -> Drawing:
    has_dots = any(series.style == "dots" for series in chart.series)
    x = alt.X("x:Q", axis=alt.Axis(title=chart.x.title, **_ticks(chart.x), grid=has_dots), **_scale(chart.x))
    y = alt.Y("y:Q", axis=y_axis(chart.y.title, **_ticks(chart.y)), **_scale(chart.y))
    layers: list[alt.Chart] = [line_at({"y": 0}, color=INK, strokeWidth=1)] if chart.has_zero_line else []
    for colour, series in zip(COLOURS, chart.series, strict=False):
        layers += _series(series, x, y, colour)
    return alt.layer(*layers)


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


def _edge_by_minimum(minima: RaiseMinima) -> Drawing:
    rows = [{"x": float(minimum), "y": round(100 * float(edge), 6)} for minimum, edge in minima.edges.items()]
    base = plot(rows, width=WIDTH, height=HEIGHT)
    x = alt.X("x:Q", axis=alt.Axis(title="Minimum Raise, in Antes", tickCount=11, format=".1f"))
    y = alt.Y("y:Q", axis=y_axis("House edge, % of the Ante", tickCount=7))
    line = base.mark_line(color=MAIN, strokeWidth=2, point=alt.OverlayMarkDef(color=MAIN, size=26)).encode(x=x, y=y)
    now = float(minima.in_force)
    style = {"align": "right", "dx": -5} if now > 0.5 else {"align": "left", "dx": 5}
    label = texts([{"x": now, "y": min(row["y"] for row in rows), "t": "in force"}], color=MARK, **style)
    return alt.layer(line, line_at({"y": 0}, color=INK, strokeWidth=1), line_at({"x": now}, **DASHED), label)


def _hold_bands(hold: Hold) -> Drawing:
    rows: list[Row] = []
    for step in range(33):
        rounds = 10 ** (3 + step / 8)
        parts = {name: round(100 * float(part), 5) for name, part in asdict(hold.band(rounds)).items()}
        rows.append(parts | {"x": round(rounds, 5)})
    powers = [10**power for power in range(3, 8)]
    axis = alt.Axis(title="Rounds, logarithmic scale", values=powers, format=",.0f", grid=False)
    x = alt.X("x:Q", scale=alt.Scale(type="log", domain=[powers[0], powers[-1]], nice=False), axis=axis)
    y = alt.Y("low_95:Q", axis=y_axis("House hold, % of the Ante", tickCount=7))
    base = plot(rows, width=WIDTH, height=HEIGHT)
    wide = base.mark_area(color=PALE, opacity=0.55).encode(x=x, y=y, y2="high_95:Q")
    narrow = base.mark_area(color=PALE).encode(x=x, y="low_90:Q", y2="high_90:Q")
    line = base.mark_line(color=MAIN, strokeWidth=2).encode(x=x, y="hold:Q")
    words = [{"x": rows[4]["x"], "y": rows[4]["high_95"], "t": "95 % (outer) and 90 % (inner) bands"}]
    return alt.layer(wide, narrow, line, texts(words, align="left", dx=6, dy=-4, color=INK))


def _meter_return(meter: Meter) -> Drawing:
    """Draw the return against the meter's amount. Marks show the seed, the expected amount at a win, and break-even."""
    first, last = meter.returns[0], meter.returns[-1]
    empty = first.returned - (last.returned - first.returned) / (last.meter - first.meter) * first.meter
    low, high = 100 * float(empty), 100 * float(last.returned)
    points: list[Row] = []
    for row in meter.returns:
        if row.mark:
            name = "displayed" if meter.plan.bonus and row.mark == "seed" else POINTS[row.mark]
            words = f"{name} {say_prize(round(row.meter))}"
            points.append({"x": float(row.meter), "y": 100 * float(row.returned), "t": words, "mark": row.mark})
    scale = alt.Scale(domain=[low - (high - low) / 12, high + (high - low) / 25], nice=False, zero=False)
    title = f"{'Display' if meter.plan.bonus else 'Meter'}, dollars"
    x = alt.X("x:Q", axis=alt.Axis(title=title, format=f"{CURRENCY},.0f", tickCount=5), scale=alt.Scale(domainMin=0))
    y = alt.Y("y:Q", axis=y_axis("Return, % of the bet", tickCount=6), scale=scale)
    ends = plot([{"x": 0.0, "y": low}, {"x": float(last.meter), "y": high}], width=WIDTH, height=HEIGHT)
    line = ends.mark_line(color=MAIN, strokeWidth=2).encode(x=x, y=y)
    dots = plot(points).mark_point(color=MARK, fill=MARK, size=44, opacity=1).encode(x="x:Q", y="y:Q")
    layers: list[alt.Chart] = [line, line_at({"y": 100}, color=INK, strokeWidth=1), dots]
    for right in (False, True):  # The break-even label fits only to the left of its point.
        if labels := [point for point in points if (point["mark"] == "break-even") == right]:
            style = {"align": "right", "dx": -8, "dy": -9} if right else {"align": "left", "dx": 10, "dy": 5}
            layers.append(texts(labels, color=MARK, **style))
    return alt.layer(*layers)


def _histogram(rows: list[Row], x: alt.X, y_title: str, width: int, title: str = "") -> alt.Chart:
    base = plot(rows, width=width, height=HEIGHT, title=title)
    y = alt.Y("chance:Q", axis=y_axis(y_title, tickCount=5))
    colour = alt.Color("colour:N", scale=None)
    chart: alt.Chart = base.mark_bar(binSpacing=0.6).encode(x=x, x2="high:Q", y=y, color=colour)
    return chart


def _rows(bars: tuple[Bar, ...], scale: float, colour: Callable[[Bar], str]) -> list[Row]:
    return [
        {"low": round(scale * bar.low, 6), "high": round(scale * bar.high, 6), "chance": round(100 * bar.chance, 6),
         "colour": colour(bar)}
        for bar in bars
    ]  # fmt: skip


def _session(session: Session) -> alt.LayerChart | alt.FacetChart:
    def colour(bar: Bar) -> str:
        return MAIN if bar.high > session.low_5 and bar.low <= session.high_95 else PALE

    rows = _rows(session.bars, 1, colour)
    words = "datum.value == 0 ? '0' : format(datum.value, '+,.0f')"
    axis = alt.Axis(title="Net result, in Antes", tickCount=5, grid=False, labelExpr=words)
    x = alt.X("low:Q", axis=axis, bin="binned")
    step = session.bars[0].high - session.bars[0].low
    chart = _histogram(rows, x, f"Probability per {step:g} Antes, %", 190, f"{session.rounds:,} rounds")
    return alt.layer(chart, line_at({"x": 0}, **DASHED))


def _dynamic_returns(dynamic: Dynamic) -> Drawing:
    """Draw the distribution of the return on fixed pays after a Dynamic draw. Bars above 100 % have another colour."""
    rows = _rows(dynamic.bars, 100, lambda bar: MARK if bar.low >= 1 else MAIN)
    axis = alt.Axis(title="Return on fixed pays after the draw, % of the bet", tickCount=10, grid=False)
    x = alt.X("low:Q", axis=axis, bin="binned", scale=alt.Scale(domainMin=0))
    return _histogram(rows, x, "Probability per bar, %", WIDTH)


def _return_by_line(bet: SideBet) -> Drawing:
    parts = [(say_line_short(each.line), 100 * float(each.returned * each.probability)) for each in bet.odds.lines]
    points = tuple((line, round(part, 6)) for line, part in parts if part)
    return _bars(Bars("Share of the return, % of the bet", points))


DRAWINGS: dict[type[Chart], Callable[..., Drawing]] = {
    Bars: _bars,
    Plot: _plot_drawing,
    Hold: _hold_bands,
    RaiseMinima: _edge_by_minimum,
    Meter: _meter_return,
    Dynamic: _dynamic_returns,
    SideBet: _return_by_line,
    tuple: lambda sessions: alt.hconcat(*map(_session, sessions), spacing=18),
}
