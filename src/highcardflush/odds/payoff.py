"""Net gain of a seat in each case, in cents: Ante, Raise and side bets together, after caps.

A cap on the whole table is applied as if this player sat alone, because the other seats' wins are unknown in advance.
"""

from collections.abc import Mapping
from typing import Literal

from highcardflush.game.actions import Wagers
from highcardflush.game.caps import apply_caps
from highcardflush.game.state import Result
from highcardflush.jackpot import Hit, Meter, pay_hits
from highcardflush.ranking import MAIN_PAYS, Showdown
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.paytable import Line, PayTable
from highcardflush.rulebook.table_settings import Settings
from highcardflush.rulebook.wagers import MAIN_GAME, Amounts, Match
from highcardflush.words import Reason

NO_REASON = Reason("")
"""Reason of a hypothetical result, which is empty."""


def main_results(ante_cents: int, raise_cents: int, case: Showdown) -> list[Result]:
    """Return the results of Ante and Raise in this case."""
    nets = (MAIN_PAYS[case][0] * ante_cents, MAIN_PAYS[case][1] * raise_cents)
    results = [_result(wager, max(net, 0), net) for wager, net in zip(MAIN_GAME, nets, strict=True)]
    return results[:1] if case == "fold" else results


def raise_sizes(
    settings: Settings, ante_cents: int, amounts: Amounts, top_cents: int, sides: list[Result]
) -> list[int]:
    """Return the Raises that can be best, in cents. The value is linear in the Raise except for kinks at the caps."""
    low, step = amounts.minimum_cents, amounts.step_cents
    won = ante_cents + sum(side.paid_cents - side.meter_cents for side in sides)
    bends = [cap.cents - won for cap in settings.caps_in_force]
    candidates = {low, top_cents, *bends, *(bend + step for bend in bends)}
    return sorted({cents - (cents - low) % step for cents in candidates if low <= cents <= top_cents})


def side_results(
    rulebook: Rulebook,
    wagers: Wagers,
    matches: Mapping[str, Match],
    meters: Mapping[str, Meter],
    dynamic: Mapping[str, int],
) -> list[Result]:
    """Return the results of a hand's side bets, given the match of each bet."""
    results = []
    for name, match in matches.items():
        table, stake = rulebook.paytable(name), wagers.get(name, 0)
        if table is not None and stake:
            results.append(_side(rulebook, table, table.line_for(match), stake, meters, dynamic))
    return results


def _side(
    rulebook: Rulebook,
    table: PayTable,
    line: Line | None,
    stake: int,
    meters: Mapping[str, Meter],
    dynamic: Mapping[str, int],
) -> Result:
    """Return the result of a side bet with a fixed pay, a drawn Dynamic Pay, or the meter's pay to a sole winner."""
    if line is None:
        return _result(table.wager, 0, -stake)
    if line.percent_bp is not None:
        _, moves = pay_hits(rulebook.plans[line.meter], meters[line.meter], [Hit(1, line.percent_bp)])
        paid = moves[0].player_cents
        return _result(table.wager, paid, paid - stake, meter=paid)
    paid = stake * (dynamic.get(line.name, line.pay_for_1) if line.dynamic else line.pay_for_1)
    return _result(table.wager, paid, paid - (stake if table.pays == "for 1" else 0))


def _result(wager: str, paid: int, net: int, *, meter: int = 0) -> Result:
    outcome: Literal["win", "lose", "push"] = "win" if paid else "lose" if net else "push"
    return Result(1, wager, 0, outcome, paid, paid, meter, net, NO_REASON)


def net_cents(settings: Settings, results: list[Result]) -> int:
    """Return the net of all results after caps, in cents."""
    lowest = min((cap.cents for cap in settings.caps_in_force), default=None)
    if lowest is not None and sum(result.paid_cents for result in results) > lowest:
        results = apply_caps(settings, results)
    return sum(result.net_cents for result in results)
