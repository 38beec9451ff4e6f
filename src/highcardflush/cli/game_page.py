"""The figures of `hcf odds game`, as data and on the screen."""

from __future__ import annotations

from typing import Any

from highcardflush.cli.output import console, exact, grid, percent, with_exact
from highcardflush.odds import GameOdds
from highcardflush.odds.counting import DEALS
from highcardflush.words.en import SHOWDOWNS, ZONES


def game_data(odds: GameOdds) -> dict[str, Any]:
    return {
        "rulebook": odds.rulebook,
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
                "decision": "fold" if choice.raised is None else f"raise {float(choice.raised):g}",
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


def print_game(odds: GameOdds) -> None:
    out = console()
    out.print(f"{odds.rulebook}, {odds.strategy} play, over {DEALS:,} deals. Unit: one Ante.")
    figures = (
        ("house edge", percent(odds.house_edge), exact(odds.house_edge)),
        ("element of risk", percent(odds.element_of_risk), exact(odds.element_of_risk)),
        ("average bet", f"{float(odds.average_bet):.6f}", exact(odds.average_bet)),
        ("standard deviation", f"{odds.standard_deviation:.6f}", f"square root of {exact(odds.variance)}"),
        ("hands folded", percent(odds.fold_frequency), exact(odds.fold_frequency)),
    )
    out.print(grid("figure", "value", "exact", rows=figures, right=("value",)))
    out.print()
    right = ("net", "combinations", "chance", "return")
    rows = grid("flush", "decision", "outcome", *right, right=right)
    for choice in odds.choices:
        decision = "fold" if choice.raised is None else f"raise {float(choice.raised):g}x"
        for case, net, count in choice.nets():
            cells = (f"{float(net):+g}", f"{count:,}", percent(count / DEALS), f"{float(net * count / DEALS):+.6f}")
            rows.add_row(f"{choice.cards} cards", decision, SHOWDOWNS[case], *cells)
    out.print(rows)
    out.print()
    zones = ((ZONES[zone.decision], zone.first.short, zone.last.short, f"{zone.hands:,}") for zone in odds.zones())
    out.print(grid("decision", "from", "to", "hands", rows=zones, right=("hands",)))
