"""Maximum payouts. A cap covers one wager or all wagers, of one player or of the whole table.

If the payouts exceed a cap, they are reduced in proportion to exactly the cap. Those with the largest remainders are
rounded up, and settlement order breaks ties. Player caps apply before table caps, and caps on one wager before caps on
all wagers. Each cap applies to the payouts as reduced by the caps before it. Pays from a meter are never reduced.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from highcardflush.game.state import Result
from highcardflush.money import split_in_proportion
from highcardflush.rulebook.table_settings import Cap, Settings
from highcardflush.words import Reason


def apply_caps(settings: Settings, results: Sequence[Result]) -> list[Result]:
    """Return the results, in settlement order, with every payout reduced to the caps in force."""
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
