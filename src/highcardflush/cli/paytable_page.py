"""The figures of `hcf odds paytable`, as data and on the screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from highcardflush.cli.output import console, exact, grid, percent, with_exact
from highcardflush.money import MICROS_PER_DOLLAR, say_dollars
from highcardflush.odds.progressive import ProgressiveOdds
from highcardflush.odds.whatif import Figures
from highcardflush.words import say_line


def as_data(figures: Figures) -> dict[str, Any]:
    odds, progressive = figures.odds, figures.progressive
    data: dict[str, Any] = {
        "rulebook": figures.table.rulebook,
        "id": figures.table.id,
        "wager": figures.table.wager,
        "pays": figures.table.pays,
        "seats": figures.seats,
        "lines": [
            {
                "line": line.line.name,
                "label": say_line(figures.table, line.line),
                "combinations": line.combinations,
                "pay": line.line.pay,
                "probability": float(line.probability),
                "return": exact(line.returned * line.probability),
            }
            for line in odds.lines
        ],
        "return": exact(odds.returned),
        **with_exact("house_edge", odds.house_edge),
        "standard_deviation": odds.standard_deviation,
        **with_exact("hit_frequency", odds.hit_frequency),
    }
    return data | (_progressive_data(figures, progressive) if progressive else {})


def _progressive_data(figures: Figures, progressive: ProgressiveOdds) -> dict[str, Any]:
    meters = progressive.meters
    long_run = progressive.long_run
    data: dict[str, Any] = {
        "base_cents": int(progressive.base * 100),
        "fixed_return_exact": exact(progressive.fixed),
        "contributions_exact": exact(progressive.contributions),
        "envy_exact": exact(figures.odds.envy),
        "break_even_meter": round(float(meters[0].break_even), 6),
        "break_even_meter_exact": exact(meters[0].break_even),
        "long_run_return": exact(long_run) if long_run is not None else None,
        "meters": [
            {
                "meter": meter.name,
                "amount_micros": int(figures.meters[meter.name] * MICROS_PER_DOLLAR),
                "seed_micros": int(meter.seed * MICROS_PER_DOLLAR),
                "break_even_meter": round(float(meter.break_even), 6),
                **with_exact("bets_between_hits", meter.bets_between_hits),
                "expected_meter_at_hit": round(float(meter.expected_at_hit), 2) if long_run is not None else None,
                "expected_meter_at_hit_exact": exact(meter.expected_at_hit) if long_run is not None else None,
                "house_seed_cost": float(meter.house_seed_cost) if long_run is not None else None,
                "house_seed_cost_exact": exact(meter.house_seed_cost) if long_run is not None else None,
            }
            for meter in meters
        ],
    }
    if figures.dynamic:
        data["dynamic_draws"] = len(figures.dynamic)
        data |= with_exact("dynamic_over_one", figures.dynamic_over_one)
    return data


def print_figures(figures: Figures) -> None:
    out, odds, table = console(), figures.odds, figures.table
    out.print(f"{table.full_id}: {table.wager}, pays {table.pays}. Unit: one bet.")
    right = ("pay", "combinations", "chance", "1 in", "return")
    rows = grid("hand", *right, right=right)
    for line in odds.lines:
        chance = float(line.probability)
        cells = (f"{line.combinations:,}", percent(chance), f"{1 / chance:,.1f}" if chance else "-")
        rows.add_row(say_line(table, line.line), str(line.line.pay), *cells, f"{float(line.returned) * chance:.6f}")
    out.print(rows)
    out.print()
    out.print(grid("figure", "value", rows=_figures(figures), right=("value",)))


def _figures(figures: Figures) -> Iterator[tuple[str, str]]:
    odds, progressive = figures.odds, figures.progressive
    yield "return", percent(odds.returned)
    yield "house edge", percent(odds.house_edge)
    yield "hit frequency", percent(odds.hit_frequency)
    yield "standard deviation", f"{odds.standard_deviation:.4f} bets"
    if figures.cap is not None:
        yield "most paid on a hand", f"{float(figures.cap):,.2f} bets"
    if progressive is None:
        return
    yield "fixed pays", percent(progressive.fixed)
    yield "contributions", percent(progressive.contributions)
    if odds.envy:
        yield f"Envy Pays with {figures.seats} players", percent(odds.envy)
    if progressive.long_run is not None:
        yield "long-run return", percent(progressive.long_run)
    for meter in progressive.meters:
        yield f"{meter.name}: valued at", say_dollars(figures.meters[meter.name])
        yield f"{meter.name}: break-even meter", say_dollars(meter.break_even)
        yield f"{meter.name}: bets between 100 % wins", f"{float(meter.bets_between_hits):,.0f}"
        if progressive.long_run is not None:
            yield f"{meter.name}: mean meter at a 100 % win, long run", say_dollars(meter.expected_at_hit)
            yield f"{meter.name}: seeds cost the house", percent(meter.house_seed_cost)
    if figures.dynamic:
        yield "draws that exceed 100 % on fixed pays", percent(figures.dynamic_over_one)
