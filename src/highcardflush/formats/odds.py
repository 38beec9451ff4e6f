"""Exact figures of the whole game or of a pay table, as JSON."""

from highcardflush.figures.odds import WhatIf
from highcardflush.formats.json import Data, exact, picked, plain, with_exact, with_notice
from highcardflush.money import MICROS_PER_DOLLAR
from highcardflush.odds import GameOdds
from highcardflush.odds.counting import DEALS
from highcardflush.odds.progressive import MeterOdds, ProgressiveOdds
from highcardflush.odds.whatif import Figures
from highcardflush.words import say_line


def game_data(odds: GameOdds, what_if: WhatIf) -> Data:
    """Return the figures of the whole game. Gains and losses are in Antes."""
    outcomes = []
    for choice in odds.choices:
        decision = {"decision": "raise" if choice.raised else "fold", "raised": choice.raised and float(choice.raised)}
        for case, net, count in choice.nets():
            row = {"cards": choice.cards, **decision, "outcome": case, **with_exact("net", net)}
            outcomes.append(row | {"combinations": count})
    zones = [
        {"decision": zone.decision, "from": zone.first.short, "to": zone.last.short, "hands": zone.hands}
        for zone in odds.zones()
    ]
    game = {"what_if": what_if or None, **plain(odds), "deals": DEALS}
    return game | {"outcomes": outcomes, "strategy_by_flush": zones}


def pay_table_data(figures: Figures, what_if: WhatIf) -> Data:
    """Return the figures of a side bet. Returns are in units of one bet."""
    odds, table = figures.odds, figures.table
    lines = []
    for each in odds.lines:
        label, chance = say_line(table, each.line), each.probability
        row = {"line": each.line.name, "label": label, "combinations": each.combinations, "pay": each.line.pay}
        lines.append(row | {"probability": float(chance), "return": exact(each.returned * chance)})
    return {
        "what_if": what_if or None,
        **picked(table, "rulebook", "id", "wager", "pays"),
        "seats": figures.seats,
        "lines": lines,
        "return": exact(odds.returned),
        **with_exact("house_edge", odds.house_edge),
        "standard_deviation": odds.standard_deviation,
        **with_exact("hit_frequency", odds.hit_frequency),
        **(_progressive_data(figures, figures.progressive) if figures.progressive else {}),
    }


def _progressive_data(figures: Figures, progressive: ProgressiveOdds) -> Data:
    first, dynamic = progressive.meters[0], {}
    if figures.dynamic:
        over_one = with_exact("dynamic_over_one", figures.dynamic_over_one)
        dynamic = {"dynamic_draws": len(figures.dynamic), **over_one}
    return {
        **with_notice(progressive.notice),
        "base_cents": int(progressive.base * 100),
        "fixed_return_exact": exact(progressive.fixed),
        "contributions_exact": exact(progressive.contributions),
        "envy_exact": exact(figures.odds.envy),
        "break_even_meter": round(float(first.break_even), 6),
        "break_even_meter_exact": exact(first.break_even),
        "long_run_return": plain(progressive.long_run),
        "meters": [_meter_data(figures, meter, grows=not progressive.bonus) for meter in progressive.meters],
        **dynamic,
    }


def _meter_data(figures: Figures, meter: MeterOdds, *, grows: bool) -> Data:
    """Return the figures of a meter. Long-run figures are null if the meter does not grow."""
    data = {
        "meter": meter.name,
        "amount_micros": int(figures.meters[meter.name] * MICROS_PER_DOLLAR),
        "seed_micros": int(meter.seed * MICROS_PER_DOLLAR),
        "break_even_meter": round(float(meter.break_even), 6),
        **with_exact("bets_between_hits", meter.bets_between_hits),
        "expected_meter_at_hit": round(float(meter.expected_at_hit), 2),
        "expected_meter_at_hit_exact": exact(meter.expected_at_hit),
        **with_exact("house_seed_cost", meter.house_seed_cost),
    }
    long_run = [key for key in data if key.startswith(("expected_meter", "house_seed"))]
    return data if grows else data | dict.fromkeys(long_run)
