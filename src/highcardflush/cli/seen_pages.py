"""The figures of `hcf odds seen` as data and on the screen."""

from __future__ import annotations

from typing import Any

from highcardflush.cli.odds_pages import print_given
from highcardflush.cli.options import Settings
from highcardflush.cli.output import grid, percent, plural, put, say_exact
from highcardflush.figures.odds import WhatIf
from highcardflush.figures.plain import exact, picked
from highcardflush.odds.seen import SeenOdds, Sight


def seen_data(odds: SeenOdds, what_if: WhatIf) -> dict[str, Any]:
    """The edge of one who sees more; `edge_exact` only where nothing is sampled."""
    return {
        "rulebook": odds.rulebook,
        "what_if": what_if or None,
        **picked(odds.sight, "hands", "dealer_cards", "suits_only", "exposed_only"),
        "rule": str(odds.rule) if odds.rule else None,
        **picked(odds, "seed", "deals", "edge"),
        "standard_error": odds.known_error,
        "edge_exact": None if odds.sampled else exact(odds.unseen),
        **picked(odds, "gain", "changed", "fold_frequency"),
    }


def print_seen(odds: SeenOdds, what_if: WhatIf, settings: Settings) -> None:
    print_given(odds.rulebook, what_if, settings)
    how = f"{odds.deals:,} deals, seed {odds.seed}" if odds.sampled else "exact"
    play = f"play by the rule {odds.rule}" if odds.rule else "optimal play"
    put(f"{odds.rulebook}, {play} by one who sees {_say_sight(odds.sight)}: {how}. Unit: one Ante.")
    error = "not known" if odds.known_error is None else percent(odds.known_error) if odds.sampled else "0"
    rows = grid("figure", ">value", ">standard error")
    rows.add_row("house edge", percent(odds.edge), error)
    rows.add_row("worth of seeing", percent(odds.gain), error)
    rows.add_row("decisions changed", percent(odds.changed))
    rows.add_row("hands folded", percent(odds.fold_frequency))
    put(rows)
    if odds.known_error is None:
        put("", "No decision changed in any of these deals: more of them are needed to tell an error.")
    if not odds.sampled:
        put(f"The house edge is exactly {say_exact(odds.unseen)}.")


def _say_sight(sight: Sight) -> str:
    if sight.nothing:
        return "no more than the own hand"
    part = "the suits of " if sight.suits_only else "what lies face up of " if sight.exposed_only else ""
    hands = [part + plural(sight.hands, "other hand")] if sight.hands else []
    return " and ".join(hands + ["a card of the dealer"] * sight.dealer_cards)
