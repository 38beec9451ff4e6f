"""The charts of the studies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import altair as alt

from highcardflush.figures.studies import CHARTED_RATE, ErrorsStudy, Frontier, RiskStudy, SeenStudy, Sensitivity
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
from highcardflush.odds.fallible import SAID
from highcardflush.odds.sensitivity import MAIN as MAIN_GAME
from highcardflush.pages.strategy_card import say_rule
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.simulate.floors import FloorResult
from highcardflush.words import say_title

SERIES = (MAIN, MARK, SOFT, INK)
"""The colours of lines, in their order."""
TALL = 240
JACKPOTS = "Jackpots"
"""Progressives, and bonus jackpots, which are none."""


def _percent(value: Any) -> float:
    return round(100 * float(value), 6)


def _line(rows: list[Row], x: alt.X, y: alt.Y, colour: str) -> alt.Chart:
    mark = alt.OverlayMarkDef(color=colour, size=26)
    drawn: alt.Chart = plot(rows, width=WIDTH, height=TALL).mark_line(color=colour, strokeWidth=2, point=mark)
    return drawn.encode(x=x, y=y)


def _named(row: Row, name: str, colour: str, **style: Any) -> alt.Chart:
    """A name beside a point."""
    return texts([row | {"t": name}], color=colour, **({"align": "left", "dx": 7} | style))


def _seen(study: SeenStudy) -> Drawing:
    """The edge by the number of other hands seen."""
    lines = {
        "their cards": [row.cards for row in study.rows],
        "suits only": [row.suits for row in study.rows],
        "and a dealer's card": [row.dealer for row in study.rows],
    }
    axis = alt.Axis(title="Other hands seen", values=[row.hands for row in study.rows], format="d", grid=False)
    x = alt.X("x:Q", axis=axis, scale=alt.Scale(domain=[0, 6.7], nice=False))
    y = alt.Y("y:Q", axis=y_axis("House edge, % of the Ante", tickCount=7))
    layers: list[alt.Chart] = [line_at({"y": 0}, color=INK, strokeWidth=1)]
    for colour, (name, odds) in zip(SERIES, lines.items(), strict=False):
        rows = [{"x": each.sight.hands, "y": _percent(each.edge)} for each in odds]
        layers += [_line(rows, x, y, colour), _named(rows[-1], name, colour)]
    return alt.layer(*layers)


def _frontier(study: Frontier) -> Drawing:
    """The cost of the best rule of each size."""
    rows: list[Row] = [{"x": rule.size, "y": _percent(rule.cost), "t": say_rule(rule.strategy)} for rule in study.rules]
    axis = alt.Axis(title="Size: ranks and numbers to remember", format="d", tickCount=12, grid=False)
    x = alt.X("x:Q", axis=axis, scale=alt.Scale(domain=[0, 13], nice=False))
    scale = alt.Scale(type="log", domain=[0.001, 0.2], nice=False)
    y = alt.Y("y:Q", axis=y_axis("Cost, % of the Ante", values=[0.001, 0.01, 0.1]), scale=scale)
    steps = plot(rows, width=WIDTH, height=HEIGHT).mark_line(color=MAIN, strokeWidth=2, interpolate="step-after")
    dots = plot(rows).mark_point(color=MARK, fill=MARK, size=44, opacity=1).encode(x=x, y=y)
    named = [(row, 14 if row["x"] == 2 else -9) for row in rows if len(row["t"]) < 30]  # two and three lie close
    names = [_named(row, row["t"], MARK, dx=-5 if below > 0 else 8, dy=below) for row, below in named]
    return alt.layer(steps.encode(x=x, y=y), dots, *names)


def _errors(study: ErrorsStudy) -> Drawing:
    """What each error costs at one rate."""
    costs = {SAID[kind]: _percent(player.cost) for kind, player in study.at(CHARTED_RATE).items()}
    return bars(list(costs.items()), "Cost, % of the Ante", 220)


def _risk(study: RiskStudy) -> Drawing:
    """Ruin and doubling by the bankroll."""
    lines = {
        "ruined": [(antes, risk.ruin) for antes, risk in study.ruin.items()],
        "doubled first": [(antes, risk.goal) for antes, risk in study.double.items()],
    }
    x = alt.X("x:Q", axis=alt.Axis(title="Bankroll, in Antes", tickCount=10, grid=False))
    y = alt.Y("y:Q", axis=y_axis("Chance, %", tickCount=6))
    layers = []
    for colour, (name, points) in zip(SERIES, lines.items(), strict=False):
        rows = [{"x": antes, "y": _percent(chance)} for antes, chance in points]
        at, style = (1, {"dx": 9}) if name == "ruined" else (0, {"dx": 6, "dy": -9})
        layers += [_line(rows, x, y, colour), _named(rows[at], name, colour, **style)]
    return alt.layer(*layers)


def _tables(study: Sensitivity) -> Drawing:
    """Every pay table by hold and deviation."""
    wagers = dict.fromkeys(each.wager for each in study.printed if each.subject != MAIN_GAME)
    colours = dict(zip(sorted(wagers), (MAIN, MARK, SOFT), strict=False))
    rows = [
        {"x": _percent(each.hold), "y": round(each.standard_deviation, 6), "colour": colours[each.wager]}
        for each in study.printed
        if each.subject != MAIN_GAME
    ]
    x = alt.X("x:Q", axis=alt.Axis(title="Hold, % of the bet", tickCount=8))
    scale = alt.Scale(type="log", domain=[2, 400], nice=False)
    y = alt.Y("y:Q", axis=y_axis("Std. deviation, bets", values=[2, 5, 10, 20, 50, 100, 200]), scale=scale)
    dots = plot(rows, width=WIDTH, height=TALL).mark_point(size=50, opacity=0.85, strokeWidth=1.6)
    layers = [dots.encode(x=x, y=y, color=alt.Color("colour:N", scale=None))]
    names = [(wager, {"x": 34, "y": 300 / 1.7**number}) for number, wager in enumerate(sorted(wagers))]
    layers += [
        _named(row, f"○ {JACKPOTS if wager == PROGRESSIVE else say_title(wager)}", colours[wager], dx=0)
        for wager, row in names
    ]
    return alt.layer(*layers)


def _advance(floor: FloorResult) -> Drawing:
    """What the house has advanced, year by year."""
    meter = floor.meters[0]
    years = range(1, len(meter.by_year) + 1)
    axis = alt.Axis(title="Years", values=list(years), format="d", grid=False)
    x = alt.X("x:Q", axis=axis, scale=alt.Scale(domain=[1, len(years) + 2.2], nice=False))
    y = alt.Y("y:Q", axis=y_axis("Advance, thousand $", tickCount=6))
    lines = {
        "95 % of runs": [each.quantiles[0.95] for each in meter.by_year],
        "mean": [each.mean for each in meter.by_year],
    }
    layers: list[alt.Chart] = []
    for colour, (name, amounts) in zip(SERIES, lines.items(), strict=False):
        rows = [{"x": year, "y": round(amount / 1000, 3)} for year, amount in zip(years, amounts, strict=True)]
        layers += [_line(rows, x, y, colour), _named(rows[-1], name, colour)]
    return alt.layer(*layers)


STUDY_DRAWINGS: dict[type[Any], Callable[..., Drawing]] = {
    SeenStudy: _seen,
    Frontier: _frontier,
    ErrorsStudy: _errors,
    RiskStudy: _risk,
    Sensitivity: _tables,
    FloorResult: _advance,
}
