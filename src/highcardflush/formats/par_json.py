"""A PAR sheet as JSON.

A fraction is a number under its name and an exact text "n/d" under `NAME_exact`; but `expected`, `return` and
`long_run_return` are the exact text itself. `terms` says of every key what it means and in which unit it is.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from highcardflush.figures.main_game import MainGame
from highcardflush.figures.meters import Meter, Progressive
from highcardflush.figures.mix import Mix
from highcardflush.figures.rules import Rules
from highcardflush.figures.sheet import ParSheet
from highcardflush.figures.side_bets import SideBet
from highcardflush.formats.show import exact
from highcardflush.formats.terms import terms
from highcardflush.money import WHOLE_BP
from highcardflush.odds.game import GameOdds
from highcardflush.odds.progressive import ProgressiveOdds
from highcardflush.odds.strategies import NAMED
from highcardflush.pages.method import GENERATOR, method
from highcardflush.pages.par_sheet import say_source
from highcardflush.pages.returns import by_choice, by_line, by_result
from highcardflush.pages.words import EXPOSE, MARKS, SHOWDOWNS
from highcardflush.ranking import FlushRank
from highcardflush.rulebook.amounts import Amounts
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import SIDE_BETS
from highcardflush.words import say_amounts, say_notices, say_result
from highcardflush.words.en import ZONES

if TYPE_CHECKING:  # numba takes its time to load
    from highcardflush.simulate import Simulation

EXACT_KEYS = ("expected", "return", "long_run_return")
Data = dict[str, Any]


def to_json(sheet: ParSheet) -> bytes:
    data = {
        "header": _header(sheet),
        "rules": _rules(sheet.rulebook, sheet.rules),
        "main_game": _main_game(sheet.main_game),
        "side_bets": [_side_bet(bet) for bet in sheet.side_bets],
        "progressive": _progressive(sheet.progressive) if sheet.progressive else None,
        "mix": _mix(sheet.mix),
        "liability": sheet.liability,
        "simulation": _simulation(sheet.rulebook, sheet.simulation) if sheet.simulation else None,
        "simulation_best_play": _simulation(sheet.rulebook, sheet.best_play) if sheet.best_play else None,
        "method": method(sheet.simulation),
        "terms": terms(),
    }
    return msgspec.json.format(msgspec.json.encode(_plain(data), enc_hook=int), indent=2) + b"\n"


def _plain(value: Any) -> Any:
    """Structs as objects, fractions as numbers and exact texts, flushes and amounts as they are said."""
    if isinstance(value, FlushRank):
        return value.short
    if isinstance(value, Amounts):
        return say_amounts(value)
    if isinstance(value, msgspec.Struct):
        fields = msgspec.structs.fields(value)
        return _plain({field.encode_name: getattr(value, field.name) for field in fields})
    if isinstance(value, dict):
        return {name: plain for key, each in value.items() for name, plain in _entries(key, each)}
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value


def _entries(key: str, value: Any) -> list[tuple[str, Any]]:
    if not isinstance(value, Fraction):
        return [(key, _plain(value))]
    return [(key, exact(value))] if key in EXACT_KEYS else [(key, float(value)), (f"{key}_exact", exact(value))]


def _pick(source: object, *names: str) -> Data:
    """Attributes under their own names."""
    return {name: getattr(source, name) for name in names}


def _header(sheet: ParSheet) -> Data:
    book = sheet.rulebook
    return {
        **_pick(book, "title", "name", "version"),
        "source": say_source(book),
        **_pick(book, "authority", "sha256", "table_hash"),
        "offers": [
            {
                "wager": offer.wager,
                "paytable": book.paytables[offer.paytable].full_id,
                "base_cents": int(offer.base) if SIDE_BETS[offer.wager].jackpot else None,
            }
            for offer in book.offers
        ],
        "settings": sheet.rules.settings,
        **_pick(sheet, "software", "date", "prepared_by", "revision"),
    }


def _rules(book: Rulebook, rules: Rules) -> Data:
    return {
        "text": book.rules_in_force,
        "notices": say_notices(book),
        **_pick(rules, "raises", "limits"),
        "caps": [
            {"key": cap.key, "cap_cents": cap.cents, "meaning": rules.setting(cap.key).meaning} for cap in rules.caps
        ],
        "expose": EXPOSE[book.expose],
        "warnings": rules.warnings,
    }


def _main_game(game: MainGame) -> Data:
    best, minima = game.best, game.minima
    return {
        "table": by_choice(best),
        "results": by_result(best),
        "frequencies": [{"event": SHOWDOWNS[result], "probability": p} for result, p in game.frequencies.items()],
        "flush_lengths": [{"cards": cards, "hands": hands} for cards, hands in game.flush_lengths.items()],
        **_pick(game, "win_frequency", "dealer_qualifies"),
        **_pick(best, "expected", "house_edge", "element_of_risk", "average_bet", "fold_frequency", "variance"),
        **_pick(game.hold, "standard_deviation", "volatility_index_90", "bands"),
        "zones": [
            {"decision": ZONES[zone.decision], **_pick(zone, "first", "last", "hands", "raised", "folded")}
            for zone in best.zones()
        ],
        "other_cards_decide": game.other_cards_decide,
        "strategies": [_strategy(best, odds) for odds in game.strategies],
        "raise_minimum": minima and minima.in_force,
        "raise_minima": [
            {"minimum": minimum, "house_edge": edge} for minimum, edge in (minima.edges.items() if minima else ())
        ],
        "sessions": game.sessions,
    }


def _strategy(best: GameOdds, odds: GameOdds) -> Data:
    return {
        "name": odds.strategy,
        "title": NAMED[odds.strategy].title,
        **_pick(odds, "expected", "house_edge"),
        "cost": best.expected - odds.expected,
        **_pick(odds, "element_of_risk", "fold_frequency", "standard_deviation"),
    }


def _side_bet(bet: SideBet) -> Data:
    table, returns = bet.table, by_line(bet.odds, bet.base_cents, bonus=bet.bonus)
    return {
        "wager": bet.wager,
        "paytable": table.full_id,
        "pays": table.pays,
        "lines": [
            {
                **_pick(row, "event", "pays"),
                "envy_cents": line.envy * bet.base_cents if bet.envy else 0,
                "dynamic_cents": [pay * bet.base_cents for pay in line.dynamic],
            }
            for line, row in zip(table.lines, returns.rows, strict=False)  # the last row is any other hand
        ],
        "table": returns,
        "return": bet.odds.returned,
        **_pick(bet.odds, "house_edge", "hit_frequency", "variance", "standard_deviation"),
        "long_run": _pick(bet.hold, "house_edge", "standard_deviation", "volatility_index_90", "bands"),
        **_pick(bet, "uncapped_cents", "caps"),
    }


def _progressive(page: Progressive) -> Data:
    return {
        "base_cents": int(page.odds.base * 100),
        **_pick(page.odds, "fixed", "contributions"),
        "least_return": page.odds.fixed,
        "seed_cost": page.seed_cost,
        "long_run_return": page.odds.long_run,
        "meters": [_meter(meter) for meter in page.meters],
        "envy": [_envy(seats, odds) for seats, odds in page.envy.items()],
        "dynamic": page.dynamic,
        **({"notice": page.odds.notice} if page.odds.notice else {}),
    }


def _meter(meter: Meter) -> Data:
    plan, odds = meter.plan, meter.odds
    return {
        **_pick(plan, "name", "seed_micros", "reseed_micros"),
        "rate": Fraction(plan.rate_bp, WHOLE_BP),
        "reserve_rate": Fraction(plan.reserve_rate_bp, WHOLE_BP),
        "bonus": plan.bonus,
        "break_even_meter": odds.break_even,
        "bets_between_hits": odds.bets_between_hits,
        **{f"bets_to_hit_{percent}": bets for percent, bets in meter.bets_to_hit.items()},
        "mean_start": odds.start,
        "expected_meter_at_hit": odds.expected_at_hit,
        "house_seed_cost": odds.house_seed_cost,
        "mean_advance": odds.advance,
        "returns": [
            {"meter": row.meter, "mark": MARKS[row.mark], "return": row.returned, "house_edge": 1 - row.returned}
            for row in meter.returns
        ],
    }


def _envy(seats: int, odds: ProgressiveOdds) -> Data:
    return {
        "seats": seats,
        "envy": odds.at_meters.envy,
        "return_at_seed": odds.at_meters.returned,
        "long_run_return": odds.long_run,
        "break_even_meter": odds.meters[0].break_even,
    }


def _mix(mix: Mix) -> Data:
    names = list(enumerate(mix.wagers))
    covariances = [
        {"wagers": [one, other], "covariance": mix.covariances[i][j], "correlation": mix.correlations[i][j]}
        for i, one in names
        for j, other in names[i:]
    ]
    return {"wagers": mix.wagers, **_pick(mix, "expected", "variance", "standard_deviation"), "pairs": covariances}


def _simulation(book: Rulebook, run: Simulation) -> Data:
    return {
        **_pick(run, "rounds", "seats", "strategy", "seed"),
        "generator": GENERATOR,
        "wagers": [
            {
                "wager": name,
                **_pick(row, "exact", "mean", "standard_error", "z"),
                "lines": [
                    _pick(line, "line")
                    | {"event": say_result(book.paytable(name), line.line)}
                    | _pick(line, "expected_count", "observed", "z")
                    for line in row.lines
                ],
            }
            for name, row in run.wagers.items()
        ],
    }
