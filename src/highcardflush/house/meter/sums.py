"""The sums of what the events of a meter have moved, so that nobody reads all of them for it.

Tables move a meter by feeding it and by the pays and reseeds of its hits. Hits record the latter, so the rest was fed.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from highcardflush.house.events import Sums
from highcardflush.jackpot import Meter, Move
from highcardflush.money import WHOLE_BP


def fed(sums: Sums, flowed: Meter) -> Meter:
    """Return what tables have fed, of all that they have moved."""
    return flowed.minus(sums.won)


def add_count(sums: Sums, overflow_micros: int, advances_micros: int) -> Sums:
    return replace(
        sums,
        overflow_micros=sums.overflow_micros + overflow_micros,
        advances_micros=sums.advances_micros + advances_micros,
    )


def add_hit(sums: Sums, moves: Iterable[Move], flowed: Meter) -> Sums:
    """Add what a hit took from the meter and its reserve, and what the house gave to reseed it.

    `flowed` is the sum that tables had moved by then.
    """
    won, advanced_micros, whole = sums.won, 0, False
    for move in moves:
        won = won.plus(Meter(move.meter_micros, move.reserve_micros))
        advanced_micros -= move.house_micros if move.kind == "reseed" else 0
        whole = whole or move.percent_bp == WHOLE_BP
    sums = replace(sums, won=won, advances_micros=sums.advances_micros + advanced_micros)
    return replace(sums, fed_at_win_micros=fed(sums, flowed).amount_micros) if whole else sums
