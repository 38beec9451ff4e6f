"""How many of the 133,784,560 hands reach each line of a pay table, exactly.

A side bet ranks each suit of a hand by itself, as a pair that compares: how many cards count, and whether the ace is on
top of them. The hand is worth its best suit. It reaches a line when that pair is at least the line's. So a hand stays
below a line exactly when each of its suits does: count the masks of one suit below the line by their number of cards,
and the fourth power of that polynomial has, at the seventh power, the hands below.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from highcardflush.cards import HAND_SIZE
from highcardflush.odds.counting import HANDS, HELD, SUITS, ways
from highcardflush.rulebook.model import PayTable
from highcardflush.rulebook.wagers import SIDE_BETS, Match, Reach


def line_combinations(table: PayTable) -> list[int]:
    """The hands that are paid on each line, in the table's order."""
    bet = SIDE_BETS[table.wager]
    reached = [HANDS - _hands_below(bet.match, line.reach) for line in table.lines]
    return [count - above for count, above in zip(reached, [0, *reached], strict=False)]


@lru_cache
def _hands_below(match: Callable[[int], Match], bound: Reach) -> int:
    """The hands that do not reach a line."""
    sizes = [0] * (HAND_SIZE + 1)
    for mask in HELD:
        sizes[mask.bit_count()] += match(mask).reach < bound
    return ways([sizes] * SUITS)
