"""What a seat gains in each case, in cents: Ante, Raise and side bets together, caps counted.

A cap over the whole table counts as if this player sat there alone; what others win is not known before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from highcardflush.game.actions import Wagers
from highcardflush.game.caps import PLAYER_CAPS, TABLE_CAPS, apply_caps
from highcardflush.game.sidebets import straight_flush_line
from highcardflush.game.state import Result
from highcardflush.jackpot import Hit, Meter, pay_hits, plans
from highcardflush.ranking import StraightFlush
from highcardflush.rulebook.model import Line, PayTable, Rulebook, Settings

Case = Literal["fold", "not_qualified", "win", "tie", "lose"]
CASES: tuple[Case, ...] = ("not_qualified", "win", "tie", "lose")
"""What a Raise can meet, in the order of HandOdds."""


def main_results(ante_cents: int, raise_cents: int, case: Case) -> list[Result]:
    """Ante and Raise."""
    if case == "fold":
        return [_result("ante", 0, -ante_cents)]
    ante = {"not_qualified": ante_cents, "win": ante_cents, "tie": 0, "lose": -ante_cents}[case]
    raised = {"not_qualified": 0, "win": raise_cents, "tie": 0, "lose": -raise_cents}[case]
    return [_result("ante", max(ante, 0), ante), _result("raise", max(raised, 0), raised)]


def side_results(
    rulebook: Rulebook,
    wagers: Wagers,
    cards: int,
    held: StraightFlush | None,
    counted: StraightFlush | None,
    meters: Mapping[str, Meter],
    dynamic: Mapping[str, int],
) -> list[Result]:
    """The side bets of a hand whose longest suit has so many cards.

    `held` is its straight flush, `counted` the one that the Straight Flush bet is paid on: kept or laid face up.
    """
    results = []
    if (table := rulebook.table("flush")) and wagers.flush:
        line = next((line for line in table.lines if cards >= line.cards), None)
        results.append(_bonus(table, line, wagers.flush))
    if (table := rulebook.table("straight-flush")) and wagers.straight_flush:
        results.append(_bonus(table, straight_flush_line(table, counted), wagers.straight_flush))
    if (table := rulebook.table("progressive")) and wagers.progressive:
        line = straight_flush_line(table, held)
        results.append(_progressive(rulebook, line, wagers.progressive, meters, dynamic))
    return results


def _bonus(table: PayTable, line: Line | None, stake: int) -> Result:
    if line is None:
        return _result(table.wager, 0, -stake)
    paid = stake * int(line.pay)
    return _result(table.wager, paid, paid - (stake if table.pays == "for 1" else 0))


def _progressive(
    rulebook: Rulebook, line: Line | None, stake: int, meters: Mapping[str, Meter], dynamic: Mapping[str, int]
) -> Result:
    """A percentage is what the meter pays to one winner."""
    if line is None:
        return _result("progressive", 0, -stake)
    if line.percent_bp is None:
        paid = stake * dynamic.get(line.name, int(line.pay))
        return _result("progressive", paid, paid - stake)
    _, moves = pay_hits(plans(rulebook)[line.meter], meters[line.meter], [Hit(1, line.percent_bp)])
    paid = moves[0].player_cents
    return _result("progressive", paid, paid - stake, meter=paid)


def _result(wager: str, paid: int, net: int, *, meter: int = 0) -> Result:
    outcome: Literal["win", "lose", "push"] = "win" if paid else "lose" if net else "push"
    return Result(1, wager, 0, outcome, paid, paid, meter, net, "")  # type: ignore[arg-type]


def net_cents(settings: Settings, results: list[Result]) -> int:
    """All of them together, cut to the caps."""
    lowest = min(caps_in_force(settings), default=None)
    if lowest is not None and sum(result.paid_cents for result in results) > lowest:
        results = apply_caps(settings, results)
    return sum(result.net_cents for result in results)


def caps_in_force(settings: Settings) -> list[int]:
    found = (getattr(settings, name) for name in (*PLAYER_CAPS, *TABLE_CAPS))
    return [int(cap) for cap in found if cap is not None]
