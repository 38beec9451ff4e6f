"""Maximum payouts. A cap names the wagers it covers and whether it applies to a player or to the table.

Above a cap every share is reduced in proportion, to the cap exactly, largest remainder first, ties in settlement order.
Caps on one player come before caps on the table, narrow before wide, each applied to the result of those before it. A
percentage of a meter is never reduced.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from highcardflush.game.state import Result
from highcardflush.money import split_in_proportion
from highcardflush.rulebook.table_settings import Cap, Settings
from highcardflush.words import Reason


def apply_caps(settings: Settings, results: Sequence[Result]) -> list[Result]:
    """Reduce every payout to the caps in force. Results come and go in settlement order."""
    capped = list(results)
    seats = list(dict.fromkeys(result.seat for result in results))
    for cap in settings.caps_in_force:
        covered = [i for i, result in enumerate(capped) if cap.covers(result.wager)]
        if cap.scope == "table":
            _cut(cap, capped, covered)
            continue
        for seat in seats:
            _cut(cap, capped, [i for i in covered if capped[i].seat == seat])
    return capped


def _cut(cap: Cap, results: list[Result], places: list[int]) -> None:
    shares = [results[i].paid_cents - results[i].meter_cents for i in places]
    if sum(shares) <= cap.cents:
        return
    for i, share, cut in zip(places, shares, split_in_proportion(cap.cents, shares), strict=True):
        if cut < share:
            result = results[i]
            why = Reason("cut", {"cap": cap.key, "cap_cents": cap.cents, "full_cents": share, "paid_cents": cut})
            results[i] = replace(
                result,
                paid_cents=result.paid_cents - share + cut,
                net_cents=result.net_cents - share + cut,
                reason=result.reason.and_also(why),
            )
