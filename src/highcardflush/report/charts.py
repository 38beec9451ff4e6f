"""The charts, as SVG: drawn by Vega through vl-convert, without a browser or a network.

Few colours, each a name here; the web page's style sheet gives each another value in the dark. Axes have a fixed
extent and nothing is clipped, so that a drawing depends on its numbers only.
"""

from __future__ import annotations

import re
from math import sqrt
from typing import Any

import altair as alt
import vl_convert

from highcardflush.report.model import Band, Bar, Dynamic, MainGame, MeterPage, MeterReturn, Session, SideBet
from highcardflush.report.show import say_dollars
from highcardflush.report.spread import Z_90, Z_95

INK, SOFT, RULE = "#1d2733", "#5c6773", "#d9dee3"
MAIN, PALE, MARK = "#1f4e79", "#b9cbdd", "#b3541e"
FONT = "Libertinus Serif"
WIDTH, HEIGHT = 430, 190
EXTENT = 34
Drawing = alt.Chart | alt.LayerChart | alt.FacetChart | alt.HConcatChart


def _axis(title: str, **more: Any) -> alt.Axis:
    return alt.Axis(title=title, **more)


def _y_axis(title: str, **more: Any) -> alt.Axis:
    return alt.Axis(title=title, minExtent=EXTENT, maxExtent=EXTENT, **more)


def _svg(chart: Drawing) -> str:
    """The drawing, without the names and ids that would clash with another's on one page."""
    styled = chart.configure(
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


def _data(rows: list[dict[str, Any]]) -> alt.InlineData:
    return alt.InlineData(values=rows)


def edge_by_minimum(game: MainGame) -> str:
    """The house's edge by the smallest Raise, with the setting in force."""
    rows = [{"x": float(row.minimum), "y": round(100 * float(row.house_edge), 6)} for row in game.raise_minima]
    base = alt.Chart(_data(rows), width=WIDTH, height=HEIGHT)
    x = alt.X("x:Q", axis=_axis("Smallest Raise allowed, in Antes", tickCount=11, format=".1f"))
    y = alt.Y("y:Q", axis=_y_axis("House edge, % of the Ante", tickCount=7))
    line = base.mark_line(color=MAIN, strokeWidth=2, point=alt.OverlayMarkDef(color=MAIN, size=26)).encode(x=x, y=y)
    zero = alt.Chart(_data([{"y": 0}])).mark_rule(color=INK, strokeWidth=1).encode(y="y:Q")
    now = float(game.raise_minimum or 0)
    here = alt.Chart(_data([{"x": now}])).mark_rule(color=MARK, strokeDash=[4, 3]).encode(x="x:Q")
    word = alt.Chart(_data([{"x": now, "y": min(row["y"] for row in rows), "t": "in force"}]))
    late = now > 0.5
    label = word.mark_text(color=MARK, align="right" if late else "left", dx=-5 if late else 5).encode(
        x="x:Q", y="y:Q", text="t:N"
    )
    return _svg(alt.layer(line, zero, here, label))


def hold_bands(bands: tuple[Band, ...], unit: str) -> str:
    """The funnel of the house's hold by number of rounds, up to where it is a line."""
    hold = 100 * float(bands[0].hold)
    spread = 100 * (bands[0].high_95 - hold / 100) * sqrt(bands[0].rounds)
    rows = [_funnel(hold, spread, 10 ** (3 + step / 8)) for step in range(33)]
    powers = [10**power for power in range(3, 8)]
    axis = _axis("Rounds, logarithmic scale", values=powers, format=",.0f", grid=False)
    x = alt.X("x:Q", scale=alt.Scale(type="log", domain=[powers[0], powers[-1]], nice=False), axis=axis)
    y = alt.Y("low_95:Q", axis=_y_axis(f"House hold, % of the {unit}", tickCount=7))
    base = alt.Chart(_data(rows), width=WIDTH, height=HEIGHT)
    wide = base.mark_area(color=PALE, opacity=0.55).encode(x=x, y=y, y2="high_95:Q")
    narrow = base.mark_area(color=PALE).encode(x=x, y="low_90:Q", y2="high_90:Q")
    line = base.mark_line(color=MAIN, strokeWidth=2).encode(x=x, y="hold:Q")
    words = [{"x": rows[4]["x"], "y": rows[4]["high_95"], "t": "95 % (outer) and 90 % (inner) band"}]
    label = alt.Chart(_data(words)).mark_text(align="left", dx=6, dy=-4, color=INK)
    return _svg(alt.layer(wide, narrow, line, label.encode(x="x:Q", y="y:Q", text="t:N")))


def _funnel(hold: float, spread: float, rounds: float) -> dict[str, Any]:
    outer, inner = spread / sqrt(rounds), spread / sqrt(rounds) * Z_90 / Z_95
    values = {"hold": hold, "low_95": hold - outer, "high_95": hold + outer}
    values |= {"low_90": hold - inner, "high_90": hold + inner, "x": rounds}
    return {name: round(value, 5) for name, value in values.items()}


def meter_return(meter: MeterPage) -> str:
    """The return by the meter: a straight line, with seed, expected hit and break-even."""
    points = [_point(row) for row in meter.returns if row.mark]
    rows = _whole_line(meter)
    low, high = rows[0]["y"], rows[1]["y"]
    scale = alt.Scale(domain=[low - (high - low) / 12, high + (high - low) / 25], nice=False, zero=False)
    x = alt.X("x:Q", axis=_axis("Meter, dollars", format="$,.0f", tickCount=5), scale=alt.Scale(domainMin=0))
    y = alt.Y("y:Q", axis=_y_axis("Return, % of the bet", tickCount=6), scale=scale)
    line = alt.Chart(_data(rows), width=WIDTH, height=HEIGHT).mark_line(color=MAIN, strokeWidth=2).encode(x=x, y=y)
    par = alt.Chart(_data([{"y": 100}])).mark_rule(color=INK, strokeWidth=1).encode(y="y:Q")
    dots = alt.Chart(_data(points)).mark_point(color=MARK, fill=MARK, size=44, opacity=1).encode(x="x:Q", y="y:Q")
    layers: list[alt.Chart] = [line, par, dots]
    for right in (False, True):  # break-even lies near the right end: its name stands left of it, above the line
        named = [point for point in points if point["right"] == right]
        text = alt.Chart(_data(named)).mark_text(
            color=MARK, align="right" if right else "left", dx=-8 if right else 10, dy=-9 if right else 5
        )
        layers += [text.encode(x="x:Q", y="y:Q", text="t:N")] if named else []
    return _svg(alt.layer(*layers))


def _whole_line(meter: MeterPage) -> list[dict[str, float]]:
    """The straight line from an empty meter to the last amount."""
    first, last = meter.returns[0], meter.returns[-1]
    slope = (last.returned - first.returned) / (last.meter - first.meter)
    empty = first.returned - slope * first.meter
    return [{"x": 0.0, "y": 100 * float(empty)}, {"x": float(last.meter), "y": 100 * float(last.returned)}]


def _point(row: MeterReturn) -> dict[str, Any]:
    words = f"{row.mark.replace(' at a 100 % win', ' at a win')} {say_dollars(round(row.meter))}"
    right = row.mark == "break-even"
    return {"x": float(row.meter), "y": 100 * float(row.returned), "t": words, "right": right}


def _histogram(bars: list[dict[str, Any]], x: alt.X, y_title: str, width: int, title: str = "") -> alt.Chart:
    base = alt.Chart(_data(bars), width=width, height=HEIGHT, title=title)
    y = alt.Y("chance:Q", axis=_y_axis(y_title, tickCount=5))
    colour = alt.Color("colour:N", scale=None)
    drawn: alt.Chart = base.mark_bar(binSpacing=0.6).encode(x=x, x2="high:Q", y=y, color=colour)
    return drawn


def _rows(bars: tuple[Bar, ...], scale: float, colour: Any) -> list[dict[str, Any]]:
    return [
        {
            "low": round(scale * bar.low, 6),
            "high": round(scale * bar.high, 6),
            "chance": round(100 * bar.chance, 6),
            "colour": colour(bar),
        }
        for bar in bars
    ]


def session_results(sessions: tuple[Session, ...]) -> str:
    """Two sessions side by side; the middle nine tenths darker."""
    return _svg(alt.hconcat(*(_session(session) for session in sessions[:2]), spacing=18))


def _session(session: Session) -> alt.LayerChart | alt.FacetChart:
    def colour(bar: Bar) -> str:
        return MAIN if bar.high > session.low_5 and bar.low <= session.high_95 else PALE

    rows = _rows(session.bars, 1, colour)
    words = "datum.value == 0 ? '0' : format(datum.value, '+,.0f')"
    axis = _axis("Net result, in Antes", tickCount=5, grid=False, labelExpr=words)
    x = alt.X("low:Q", axis=axis, bin="binned")
    step = session.bars[0].high - session.bars[0].low
    title = f"{session.rounds:,} rounds"
    chart = _histogram(rows, x, f"Chance of each {step:g} Antes, %", 190, title)
    zero = alt.Chart(_data([{"x": 0}])).mark_rule(color=MARK, strokeDash=[4, 3]).encode(x="x:Q")
    return alt.layer(chart, zero)


def dynamic_returns(dynamic: Dynamic) -> str:
    """The return of a round's draw, on fixed pays alone; above 100 % in another colour."""
    rows = _rows(dynamic.bars, 100, lambda bar: MARK if bar.low >= 1 else MAIN)
    axis = _axis("Return on fixed pays after the draw, % of the bet", tickCount=10, grid=False)
    x = alt.X("low:Q", axis=axis, bin="binned", scale=alt.Scale(domainMin=0))
    return _svg(_histogram(rows, x, "Chance of each 10 %, %", WIDTH))


def return_by_line(bet: SideBet) -> str:
    """What each line of a pay table adds to the return."""
    rows = [
        {
            "line": re.sub("( straight)? flush$", "", row.event),
            "value": round(100 * float(row.returned), 6),
            "text": f"{100 * float(row.returned):.2f} %",
        }
        for row in bet.table.rows
        if row.returned
    ]
    base = alt.Chart(_data(rows), width=330, height=22 * len(rows))
    axis = alt.Axis(title=None, minExtent=150, maxExtent=150, domain=False, ticks=False, labelLimit=150, labelPadding=6)
    y = alt.Y("line:N", sort=None, axis=axis)
    x = alt.X("value:Q", axis=_axis("Part of the return, % of the bet", tickCount=6))
    bars = base.mark_bar(color=MAIN, height=12).encode(x=x, y=y)
    words = base.mark_text(align="left", dx=4, color=INK).encode(x=x, y=y, text="text:N")
    return _svg(alt.layer(bars, words))
