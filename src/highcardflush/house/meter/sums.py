"""What the events of a meter have moved in all, so that nobody reads them all again to know it.

Tables move a meter by what they feed and by what its hits pay and reseed. The hits tell the second, so the rest of what
tables have moved was fed.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from highcardflush.house.events import Sums
from highcardflush.jackpot import Meter, Move
from highcardflush.money import WHOLE_BP


def fed(sums: Sums, flowed: Meter) -> Meter:
    """What tables have fed, of all that they have moved."""
    return flowed.minus(sums.won)


def add_count(sums: Sums, overflow_micros: int, advances_micros: int) -> Sums:
    """What went with a count."""
    return replace(
        sums,
        overflow_micros=sums.overflow_micros + overflow_micros,
        advances_micros=sums.advances_micros + advances_micros,
    )


def add_hit(sums: Sums, moves: Iterable[Move], flowed: Meter) -> Sums:
    """What a hit took from the meter and its reserve, and what the house gave to begin it anew.

    `flowed` is what tables had moved by then.
    """
    won, given, whole = sums.won, 0, False
    for move in moves:
        won = won.plus(Meter(move.meter_micros, move.reserve_micros))
        given -= move.house_micros if move.kind == "reseed" else 0
        whole = whole or move.percent_bp == WHOLE_BP
    sums = replace(sums, won=won, advances_micros=sums.advances_micros + given)
    return replace(sums, fed_at_win_micros=fed(sums, flowed).amount_micros) if whole else sums
