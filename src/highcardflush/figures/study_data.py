"""Sensitivity, errors and treasury as data."""

from __future__ import annotations

from collections.abc import Iterable

from highcardflush.figures.plain import Data, exact, picked, with_exact, with_notice
from highcardflush.odds.fallible import SAID, Errors, Fallible, Mistake
from highcardflush.odds.sensitivity import Reading
from highcardflush.odds.treasury import MeterTreasury, Treasury


def readings_data(readings: Iterable[Reading]) -> Data:
    """A row for each rulebook or pay table as printed, and for each thing set otherwise; parts of an Ante or a bet."""
    return {
        "rows": [
            {
                **picked(each, "rulebook", "subject", "wager", "lever", "value"),
                **with_exact("edge", each.edge),
                **with_exact("hold", each.hold),
                **with_exact("hit_frequency", each.hits),
                "standard_deviation": each.standard_deviation,
                "variance_exact": exact(each.variance),
            }
            for each in readings
        ]
    }


def errors_data(errors: Errors, player: Fallible | None) -> Data:
    """Every error that a rulebook leaves room for, and a player who makes some of them."""
    return {
        "rulebook": errors.best.rulebook,
        **with_exact("house_edge", errors.best.house_edge),
        "errors": [_mistake_data(each) for each in errors.mistakes],
        "player": _player_data(player) if player else None,
    }


def _mistake_data(mistake: Mistake) -> Data:
    return {
        **picked(mistake, "kind", "cards"),
        "meaning": SAID[mistake.kind],
        **with_exact("chance", mistake.chance),
        **with_exact("cost_each", mistake.cost_each),
        **with_exact("cost", mistake.cost),
    }


def _player_data(player: Fallible) -> Data:
    figures = {key: getattr(player, key) for key in ("house_edge", "cost", "hold", "average_bet")}
    return {
        "rates": {kind: exact(rate) for kind, rate in player.rates.items()},
        **{key: value for name, each in figures.items() for key, value in with_exact(name, each).items()},
        "standard_deviation": player.standard_deviation,
        "variance_exact": exact(player.variance),
    }


def treasury_data(found: Treasury, bets_an_hour: int | None) -> Data:
    """What a progressive can cost its house; hours only where the bets an hour are known."""
    return {
        **with_notice(found.odds.notice),
        "base_cents": int(100 * found.odds.base),
        "meters": [_meter_data(each, bets_an_hour) for each in found.meters],
        "several_winners": [
            picked(each, "meter", "winners", "paid_cents", "house_cents", "envy_cents") for each in found.several
        ],
        "caps_save": [{"cap_cents": cap, **with_exact("saved", saved)} for cap, saved in found.caps.items()],
    }


def _meter_data(meter: MeterTreasury, bets_an_hour: int | None) -> Data:
    odds, hours = meter.odds, bets_an_hour or 0
    return {
        "meter": odds.name,
        "load_exact": None if meter.load is None else exact(meter.load),
        "mean_advance_dollars": None if odds.advance is None else float(odds.advance),
        "mean_advance_dollars_exact": None if odds.advance is None else exact(odds.advance),
        "advance_quantiles_dollars": {f"{part:g}": each for part, each in meter.advance.items()},
        "mean_advance_after_wins_dollars": {str(wins): each for wins, each in meter.after_wins.items()},
        **with_exact("bets_between_hits", odds.bets_between_hits),
        "bets_to_hit": {f"{part:g}": each for part, each in meter.bets.items()},
        "hours_between_hits": float(odds.bets_between_hits) / hours if hours else None,
    }
