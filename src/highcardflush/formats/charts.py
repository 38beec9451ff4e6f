"""The charts of a PAR sheet, and the function that turns any figures into SVG."""

from __future__ import annotations

from collections.abc import Callable

import altair as alt
from msgspec.structs import asdict

from highcardflush.figures.main_game import RaiseMinima
from highcardflush.figures.meters import Dynamic, Mark, Meter, MeterReturn
from highcardflush.figures.side_bets import SideBet
from highcardflush.figures.spread import Bar, Hold, Session
from highcardflush.formats.drawing import (
    DASHED,
    HEIGHT,
    INK,
    MAIN,
    MARK,
    PALE,
    WIDTH,
    Drawing,
    Row,
    bars,
    line_at,
    plot,
    texts,
    to_svg,
    y_axis,
)
from highcardflush.formats.plots import draw_bars, draw_plot
from highcardflush.money import CURRENCY
from highcardflush.pages.document import Bars, Chart, Plot
from highcardflush.pages.words import MARKS, say_prize
from highcardflush.words import say_line_short

POINTS: dict[Mark | None, str] = MARKS | {"expected-at-hit": "expected at a win"}


def draw(figures: Chart) -> str:
    """Draw figures as SVG; their type selects the drawing."""
    return to_svg(DRAWINGS[type(figures)](figures))


def _edge_by_minimum(minima: RaiseMinima) -> Drawing:
    rows = [{"x": float(minimum), "y": round(100 * float(edge), 6)} for minimum, edge in minima.edges.items()]
    base = plot(rows, width=WIDTH, height=HEIGHT)
    x = alt.X("x:Q", axis=alt.Axis(title="Smallest Raise allowed, in Antes", tickCount=11, format=".1f"))
    y = alt.Y("y:Q", axis=y_axis("House edge, % of the Ante", tickCount=7))
    line = base.mark_line(color=MAIN, strokeWidth=2, point=alt.OverlayMarkDef(color=MAIN, size=26)).encode(x=x, y=y)
    now = float(minima.in_force)
    style = {"align": "right", "dx": -5} if now > 0.5 else {"align": "left", "dx": 5}
    label = texts([{"x": now, "y": min(row["y"] for row in rows), "t": "in force"}], color=MARK, **style)
    return alt.layer(line, line_at({"y": 0}, color=INK, strokeWidth=1), line_at({"x": now}, **DASHED), label)


def _hold_bands(hold: Hold) -> Drawing:
    rows = [_funnel(hold, 10 ** (3 + step / 8)) for step in range(33)]
    powers = [10**power for power in range(3, 8)]
    axis = alt.Axis(title="Rounds, logarithmic scale", values=powers, format=",.0f", grid=False)
    x = alt.X("x:Q", scale=alt.Scale(type="log", domain=[powers[0], powers[-1]], nice=False), axis=axis)
    y = alt.Y("low_95:Q", axis=y_axis("House hold, % of the Ante", tickCount=7))
    base = plot(rows, width=WIDTH, height=HEIGHT)
    wide = base.mark_area(color=PALE, opacity=0.55).encode(x=x, y=y, y2="high_95:Q")
    narrow = base.mark_area(color=PALE).encode(x=x, y="low_90:Q", y2="high_90:Q")
    line = base.mark_line(color=MAIN, strokeWidth=2).encode(x=x, y="hold:Q")
    words = [{"x": rows[4]["x"], "y": rows[4]["high_95"], "t": "95 % (outer) and 90 % (inner) band"}]
    return alt.layer(wide, narrow, line, texts(words, align="left", dx=6, dy=-4, color=INK))


def _funnel(hold: Hold, rounds: float) -> Row:
    parts = asdict(hold.band(rounds))
    del parts["rounds"]
    return {"x": round(rounds, 5)} | {name: round(100 * float(part), 5) for name, part in parts.items()}


def _meter_return(meter: Meter) -> Drawing:
    """Draw the return by the amount of the meter: a straight line with seed, expected hit and break-even."""
    points = [_point(row, bonus=meter.plan.bonus) for row in meter.returns if row.mark]
    rows = _line_ends(meter)
    low, high = rows[0]["y"], rows[1]["y"]
    scale = alt.Scale(domain=[low - (high - low) / 12, high + (high - low) / 25], nice=False, zero=False)
    title = f"{'Display' if meter.plan.bonus else 'Meter'}, dollars"
    axis = alt.Axis(title=title, format=f"{CURRENCY},.0f", tickCount=5)
    x = alt.X("x:Q", axis=axis, scale=alt.Scale(domainMin=0))
    y = alt.Y("y:Q", axis=y_axis("Return, % of the bet", tickCount=6), scale=scale)
    line = plot(rows, width=WIDTH, height=HEIGHT).mark_line(color=MAIN, strokeWidth=2).encode(x=x, y=y)
    dots = plot(points).mark_point(color=MARK, fill=MARK, size=44, opacity=1).encode(x="x:Q", y="y:Q")
    layers: list[alt.Chart] = [line, line_at({"y": 100}, color=INK, strokeWidth=1), dots]
    for right in (False, True):  # near the right end a label is left of its point, above the line
        if named := [point for point in points if point["right"] == right]:
            style = {"align": "right", "dx": -8, "dy": -9} if right else {"align": "left", "dx": 10, "dy": 5}
            layers.append(texts(named, color=MARK, **style))
    return alt.layer(*layers)


def _line_ends(meter: Meter) -> list[Row]:
    first, last = meter.returns[0], meter.returns[-1]
    slope = (last.returned - first.returned) / (last.meter - first.meter)
    empty = first.returned - slope * first.meter
    return [{"x": 0.0, "y": 100 * float(empty)}, {"x": float(last.meter), "y": 100 * float(last.returned)}]


def _point(row: MeterReturn, *, bonus: bool) -> Row:
    named = "displayed" if bonus and row.mark == "seed" else POINTS[row.mark]
    words = f"{named} {say_prize(round(row.meter))}"
    right = row.mark == "break-even"
    return {"x": float(row.meter), "y": 100 * float(row.returned), "t": words, "right": right}


def _histogram(bars: list[Row], x: alt.X, y_title: str, width: int, title: str = "") -> alt.Chart:
    base = plot(bars, width=width, height=HEIGHT, title=title)
    y = alt.Y("chance:Q", axis=y_axis(y_title, tickCount=5))
    colour = alt.Color("colour:N", scale=None)
    chart: alt.Chart = base.mark_bar(binSpacing=0.6).encode(x=x, x2="high:Q", y=y, color=colour)
    return chart


def _rows(bars: tuple[Bar, ...], scale: float, colour: Callable[[Bar], str]) -> list[Row]:
    return [
        {
            "low": round(scale * bar.low, 6),
            "high": round(scale * bar.high, 6),
            "chance": round(100 * bar.chance, 6),
            "colour": colour(bar),
        }
        for bar in bars
    ]


def _session(session: Session) -> alt.LayerChart | alt.FacetChart:
    def colour(bar: Bar) -> str:
        return MAIN if bar.high > session.low_5 and bar.low <= session.high_95 else PALE

    rows = _rows(session.bars, 1, colour)
    words = "datum.value == 0 ? '0' : format(datum.value, '+,.0f')"
    axis = alt.Axis(title="Net result, in Antes", tickCount=5, grid=False, labelExpr=words)
    x = alt.X("low:Q", axis=axis, bin="binned")
    step = session.bars[0].high - session.bars[0].low
    chart = _histogram(rows, x, f"Chance of each {step:g} Antes, %", 190, f"{session.rounds:,} rounds")
    return alt.layer(chart, line_at({"x": 0}, **DASHED))


def _dynamic_returns(dynamic: Dynamic) -> Drawing:
    """Draw the return of a round's draw on fixed pays alone. Above 100 % it has another colour."""
    rows = _rows(dynamic.bars, 100, lambda bar: MARK if bar.low >= 1 else MAIN)
    axis = alt.Axis(title="Return on fixed pays after the draw, % of the bet", tickCount=10, grid=False)
    x = alt.X("low:Q", axis=axis, bin="binned", scale=alt.Scale(domainMin=0))
    return _histogram(rows, x, "Chance of each 10 %, %", WIDTH)


def _return_by_line(bet: SideBet) -> Drawing:
    parts = [(say_line_short(each.line), 100 * float(each.returned * each.probability)) for each in bet.odds.lines]
    return bars([(line, round(part, 6)) for line, part in parts if part], "Part of the return, % of the bet", 150)


DRAWINGS: dict[type[Chart], Callable[..., Drawing]] = {
    Bars: draw_bars,
    Plot: draw_plot,
    Hold: _hold_bands,
    RaiseMinima: _edge_by_minimum,
    Meter: _meter_return,
    Dynamic: _dynamic_returns,
    SideBet: _return_by_line,
    tuple: lambda sessions: alt.hconcat(*map(_session, sessions), spacing=18),
}
