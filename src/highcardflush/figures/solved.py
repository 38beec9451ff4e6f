"""The pay tables that a solver found, as data."""

from __future__ import annotations

from fractions import Fraction

from highcardflush.figures.plain import Data, exact, with_exact
from highcardflush.odds.solver import Solution, Solved
from highcardflush.odds.wanted import ORDERS, TIES, Range, Wanted
from highcardflush.rulebook.model import Line


def solved_data(solved: Solved) -> Data:
    wanted = solved.wanted
    return {
        "wager": wanted.table.wager,
        "pays": wanted.table.pays,
        "wanted": {
            "edge": _range(wanted.edge),
            "edge_at_seed": _range(wanted.edge_at_seed),
            "hit_frequency": _range(wanted.hit_frequency),
            "standard_deviation": _range(wanted.standard_deviation),
            "tables_within_bounds": wanted.space,
        },
        "order": f"{ORDERS[wanted.order]}, {TIES}",
        "complete": solved.complete,
        "count": solved.count,
        "choices_tried": solved.tried,
        "solutions": [_solution(wanted, each) for each in solved.solutions],
    }


def _range(ends: Range | None) -> list[str] | None:
    return None if ends is None else list(map(exact, ends))


def _solution(wanted: Wanted, solution: Solution) -> Data:
    odds = solution.figures.odds
    data: Data = {
        "lines": typed_lines(solution),
        "pay": {line.name: line.pay for line in odds.table.lines},
        **with_exact("edge", solution.edge),
        **with_exact("hit_frequency", odds.hit_frequency),
        "standard_deviation": odds.standard_deviation,
        "variance_exact": exact(odds.variance),
    }
    if wanted.jackpot:
        data |= with_exact("edge_at_seed", odds.house_edge)
        data["meters"] = {
            name: {
                "seed_cents": int(meter.seed or 0),
                "rate": float(Fraction(meter.rate or 0, 10_000)),
                "reserve_rate": float(Fraction(meter.reserve_rate or 0, 10_000)),
            }
            for name, meter in zip(wanted.meters, solution.meters, strict=True)
        }
    return data


def typed_lines(solution: Solution) -> str:
    """The pays as `hcf odds paytable --lines` reads them."""
    return " ".join(map(_typed, solution.figures.table.lines))


def _typed(line: Line) -> str:
    return f"{line.cards}{'A' if line.ace_high else ''}:{line.pay}"
