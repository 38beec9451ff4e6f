"""Maximum payouts. A cap names the wagers it covers and whether it is one player's or the table's.

Above a cap every share is cut in proportion to the cap exactly, largest remainder first, ties in
settlement order. Caps on one player come before caps on the table, the narrow before the wide, each
on what stands after those before it. A percentage of a meter is never cut.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from highcardflush.game.state import Result
from highcardflush.money import say_cents, split_in_proportion
from highcardflush.rulebook.model import WAGERS, Settings

PLAYER_CAPS = {
    "cap_flush_player": ("flush",),
    "cap_straight_flush_player": ("straight-flush",),
    "cap_player": WAGERS,
}
TABLE_CAPS = {
    "cap_flush_table": ("flush",),
    "cap_straight_flush_table": ("straight-flush",),
    "cap_table": WAGERS,
}


def apply_caps(settings: Settings, results: Sequence[Result]) -> list[Result]:
    """The results with every payout cut to the caps in force. They come and go in settlement order."""
    capped = list(results)
    seats = list(dict.fromkeys(result.seat for result in results))
    for name, wagers in PLAYER_CAPS.items():
        for seat in seats:
            _cut(settings, name, capped, [i for i, r in enumerate(capped) if r.seat == seat and r.wager in wagers])
    for name, wagers in TABLE_CAPS.items():
        _cut(settings, name, capped, [i for i, r in enumerate(capped) if r.wager in wagers])
    return capped


def covers(settings: Settings, wager: str) -> bool:
    """Whether any cap in force covers this wager."""
    caps = {**PLAYER_CAPS, **TABLE_CAPS}
    return any(wager in wagers and getattr(settings, name) is not None for name, wagers in caps.items())


def _say_cap(name: str) -> str:
    return name.replace("_", "-")


def _cut(settings: Settings, name: str, results: list[Result], places: list[int]) -> None:
    cap: int | None = getattr(settings, name)
    shares = [results[i].paid_cents - results[i].meter_cents for i in places]
    if cap is None or sum(shares) <= cap:
        return
    for i, share, cut in zip(places, shares, split_in_proportion(int(cap), shares), strict=True):
        if cut < share:
            result = results[i]
            words = f"{_say_cap(name)} {say_cents(cap)} cuts {say_cents(share)} to {say_cents(cut)}"
            results[i] = replace(
                result,
                paid_cents=result.paid_cents - share + cut,
                net_cents=result.net_cents - share + cut,
                reason=f"{result.reason}; {words}",
            )
