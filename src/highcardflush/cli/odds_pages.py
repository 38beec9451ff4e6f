"""The figures of `hcf odds game` and `hcf odds paytable`, as data and on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from highcardflush.cli import output
from highcardflush.cli.options import Settings
from highcardflush.cli.output import echo, exact, grid, hanging, percent, put, say_exact, with_exact, with_notice
from highcardflush.money import MICROS_PER_DOLLAR, say_dollars
from highcardflush.odds import GameOdds
from highcardflush.odds.counting import DEALS
from highcardflush.odds.game import Choice
from highcardflush.odds.progressive import MeterOdds, ProgressiveOdds
from highcardflush.odds.whatif import Figures
from highcardflush.rulebook.model import quoted
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.words import say_line
from highcardflush.words.en import BONUS_JACKPOT, DYNAMIC_DEFAULTS, SHOWDOWNS, ZONES

if TYPE_CHECKING:
    from rich.table import Table


WhatIf = dict[str, str]
"""What was typed in place of the rulebook's own: the part, and how it was typed."""
TYPED = {"raise": "Raise rule", "lines": "pay table"}


def game_data(odds: GameOdds, what_if: WhatIf) -> dict[str, Any]:
    return {
        "rulebook": odds.rulebook,
        "what_if": what_if or None,
        "strategy": odds.strategy,
        "deals": DEALS,
        "expected": exact(odds.expected),
        **with_exact("house_edge", odds.house_edge),
        **with_exact("element_of_risk", odds.element_of_risk),
        **with_exact("average_bet", odds.average_bet),
        "standard_deviation": odds.standard_deviation,
        "variance_exact": exact(odds.variance),
        **with_exact("fold_frequency", odds.fold_frequency),
        "outcomes": [
            {
                "cards": choice.cards,
                "decision": _decision(choice).removesuffix("x"),
                "outcome": SHOWDOWNS[case],
                "net": float(net),
                "net_exact": exact(net),
                "combinations": count,
            }
            for choice in odds.choices
            for case, net, count in choice.nets()
        ],
        "strategy_by_flush": [
            {"decision": ZONES[zone.decision], "from": zone.first.short, "to": zone.last.short, "hands": zone.hands}
            for zone in odds.zones()
        ],
    }


def print_game(odds: GameOdds, what_if: WhatIf, settings: Settings) -> None:
    print_given(odds.rulebook, what_if, settings)
    put(f"{odds.rulebook}, {odds.strategy} play, over {DEALS:,} deals. Unit: one Ante.")
    zones = ((ZONES[zone.decision], zone.first.short, zone.last.short, f"{zone.hands:,}") for zone in odds.zones())
    listed = grid("decision", "from", "to", ">hands", rows=zones)
    put(figures_grid(_game_figures(odds)), "", _outcomes(odds), "", listed)


def _game_figures(odds: GameOdds) -> Iterator[tuple[str, str, str]]:
    yield "house edge", percent(odds.house_edge), say_exact(odds.house_edge)
    yield "element of risk", percent(odds.element_of_risk), say_exact(odds.element_of_risk)
    yield "average bet", f"{float(odds.average_bet):.6f}", say_exact(odds.average_bet)
    yield "standard deviation", f"{odds.standard_deviation:.6f}", f"square root of {say_exact(odds.variance)}"
    yield "hands folded", percent(odds.fold_frequency), say_exact(odds.fold_frequency)


def _outcomes(odds: GameOdds) -> Table:
    """Every result, below the hand and the decision."""
    rows = grid("result", ">net", ">combinations", ">chance", ">return")
    for choice in odds.choices:
        rows.add_row(f"{choice.cards} cards, {_decision(choice)}")
        for case, net, count in choice.nets():
            cells = (f"{float(net):+g}", f"{count:,}", percent(count / DEALS), f"{float(net * count / DEALS):+.6f}")
            rows.add_row(SHOWDOWNS[case], *cells)
    return rows


def _decision(choice: Choice) -> str:
    return "fold" if choice.raised is None else f"raise {float(choice.raised):g}x"


def figures_grid(rows: Iterable[tuple[str, str, str]]) -> Table:
    """Figures with what they are exactly."""
    return grid("figure", ">value", "exact", rows=rows)


def print_given(whose: str, what_if: WhatIf, settings: Settings) -> None:
    """Say which settings were given, and if something was typed in that the figures are not those of a rulebook."""
    output.print_settings(settings)
    for part, read in what_if.items():
        put(f"What if, not a figure of {whose}: {TYPED[part]} typed in, '{read}'.")


# --- pay tables -----------------------------------------------------------------------------------


def paytable_data(figures: Figures, what_if: WhatIf) -> dict[str, Any]:
    odds, progressive = figures.odds, figures.progressive
    data: dict[str, Any] = {
        "what_if": what_if or None,
        **output.picked(figures.table, "rulebook", "id", "wager", "pays"),
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
    meters, long_run = progressive.meters, progressive.long_run
    data: dict[str, Any] = {
        **with_notice(progressive.notice),
        "base_cents": int(progressive.base * 100),
        "fixed_return_exact": exact(progressive.fixed),
        "contributions_exact": exact(progressive.contributions),
        "envy_exact": exact(figures.odds.envy),
        "break_even_meter": round(float(meters[0].break_even), 6),
        "break_even_meter_exact": exact(meters[0].break_even),
        "long_run_return": exact(long_run) if long_run is not None else None,
        "meters": [_meter_data(figures, meter, growing=long_run is not None) for meter in meters],
    }
    if figures.dynamic:
        data["dynamic_draws"] = len(figures.dynamic)
        data |= with_exact("dynamic_over_one", figures.dynamic_over_one)
    return data


def _meter_data(figures: Figures, meter: MeterOdds, *, growing: bool) -> dict[str, Any]:
    """A meter; nothing is said of the long run where it does not grow."""
    long_run = {
        "expected_meter_at_hit": round(float(meter.expected_at_hit), 2),
        "expected_meter_at_hit_exact": exact(meter.expected_at_hit),
        **with_exact("house_seed_cost", meter.house_seed_cost),
    }
    return {
        "meter": meter.name,
        "amount_micros": int(figures.meters[meter.name] * MICROS_PER_DOLLAR),
        "seed_micros": int(meter.seed * MICROS_PER_DOLLAR),
        "break_even_meter": round(float(meter.break_even), 6),
        **with_exact("bets_between_hits", meter.bets_between_hits),
        **(long_run if growing else dict.fromkeys(long_run)),
    }


def print_paytable(figures: Figures, what_if: WhatIf, settings: Settings) -> None:
    odds, table = figures.odds, figures.table
    print_given("any rulebook", what_if, settings)
    wager = BONUS_JACKPOT if figures.progressive and figures.progressive.bonus else table.wager
    put(f"{table.full_id}: {wager}, pays {table.pays}. Unit: one bet.")
    if table.dynamic_lines:
        put(DYNAMIC_DEFAULTS)
    rows = grid("hand", ">pay", ">combinations", ">chance", ">1 in", ">return")
    for line in odds.lines:
        chance = float(line.probability)
        cells = (f"{line.combinations:,}", percent(chance), f"{1 / chance:,.1f}" if chance else "-")
        rows.add_row(say_line(table, line.line), str(line.line.pay), *cells, f"{float(line.returned) * chance:.6f}")
    put(rows, "", grid("figure", ">value", rows=_figures(figures)))
    if figures.progressive and figures.progressive.notice:
        echo(hanging("", quoted(figures.progressive.notice)))


def _figures(figures: Figures) -> Iterator[tuple[str, str]]:
    odds, progressive = figures.odds, figures.progressive
    when = "" if progressive is None else ", display as below" if progressive.bonus else ", meters as below"
    yield f"return{when}", percent(odds.returned)
    yield f"house edge{when}", percent(odds.house_edge)
    yield "hit frequency", percent(odds.hit_frequency)
    yield "standard deviation", f"{odds.standard_deviation:.4f} bets"
    if figures.cap is not None:
        yield "most paid on a hand", f"{float(figures.cap):,.2f} bets"
    if progressive is None:
        return
    yield "fixed pays", percent(progressive.fixed)
    if not progressive.bonus:
        yield "contributions", percent(progressive.contributions)
    if odds.envy:
        yield f"Envy Pays with {figures.seats} players", percent(odds.envy)
    if progressive.long_run is not None:
        yield "long-run return", percent(progressive.long_run)
        yield "long-run house edge", percent(1 - progressive.long_run)
    for meter in progressive.meters:
        name = BONUS_JACKPOT if progressive.bonus and meter.name == PROGRESSIVE else meter.name
        yield f"{name}: valued at", say_dollars(figures.meters[meter.name])
        yield f"{name}: break-even {'display' if progressive.bonus else 'meter'}", say_dollars(meter.break_even)
        yield f"{name}: bets between 100 % wins", f"{float(meter.bets_between_hits):,.0f}"
        if progressive.long_run is not None:
            yield f"{name}: mean meter at a 100 % win, long run", say_dollars(meter.expected_at_hit)
            yield f"{name}: seeds cost the house", percent(meter.house_seed_cost)
    if figures.dynamic:
        yield "draws that exceed 100 % on fixed pays", percent(figures.dynamic_over_one)
