"""The figures of `hcf odds game` and `hcf odds paytable` on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from highcardflush.cli import output
from highcardflush.cli.options import Settings
from highcardflush.cli.output import echo, grid, hanging, percent, put, say_exact
from highcardflush.figures.odds import WhatIf, say_choice
from highcardflush.money import say_dollars
from highcardflush.odds import GameOdds
from highcardflush.odds.counting import DEALS
from highcardflush.odds.whatif import Figures
from highcardflush.rulebook.model import quoted
from highcardflush.rulebook.wagers import PROGRESSIVE
from highcardflush.words import say_line
from highcardflush.words.en import BONUS_JACKPOT, DYNAMIC_DEFAULTS, SHOWDOWNS, ZONES

if TYPE_CHECKING:
    from rich.table import Table


ENVY_LEFT_OUT = (
    "Envy Pays count in edge and hold; standard deviations are those of a bet on one's own hand, without them."
)
TYPED = {"raise": "Raise rule", "lines": "pay table"}


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
        rows.add_row(f"{choice.cards} cards, {say_choice(choice)}")
        for case, net, count in choice.nets():
            cells = (f"{float(net):+g}", f"{count:,}", percent(count / DEALS), f"{float(net * count / DEALS):+.6f}")
            rows.add_row(SHOWDOWNS[case], *cells)
    return rows


def figures_grid(rows: Iterable[tuple[str, str, str]]) -> Table:
    """Figures with what they are exactly."""
    return grid("figure", ">value", "exact", rows=rows)


def print_given(whose: str, what_if: WhatIf, settings: Settings) -> None:
    """Say which settings were given, and if something was typed in that the figures are not those of a rulebook."""
    output.print_settings(settings)
    for part, read in what_if.items():
        put(f"What if, not a figure of {whose}: {TYPED[part]} typed in, '{read}'.")


# --- pay tables -----------------------------------------------------------------------------------


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
    yield f"standard deviation{', without Envy Pays' if odds.envy else ''}", f"{odds.standard_deviation:.4f} bets"
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
