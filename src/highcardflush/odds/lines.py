"""How many of the 133,784,560 hands reach each line of a pay table, exactly.

A hand stays below a bound exactly when each of its suits does. So count the masks of one suit below the bound
by their number of cards; the fourth power of that polynomial has, at the seventh power, the hands below.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from highcardflush.cards import HAND_SIZE, Hand
from highcardflush.odds.game import HANDS
from highcardflush.ranking import StraightFlush, straight_flush
from highcardflush.rulebook.model import Line, PayTable

MASKS = range(1 << 13)


def line_combinations(table: PayTable) -> list[int]:
    """The hands that are paid on each line, in the table's order."""
    kind = "flush" if table.wager == "flush" else "straight-flush"
    reached = [HANDS - _hands_below(kind, line.cards, line.ace_high) for line in table.lines]
    return [count - above for count, above in zip(reached, [0, *reached], strict=False)]


@lru_cache
def _hands_below(kind: str, cards: int, ace_high: bool) -> int:
    """The hands that do not reach a line."""
    below: Callable[[int], bool]
    if kind == "flush":

        def below(mask: int) -> bool:
            return mask.bit_count() < cards

    else:
        bound = StraightFlush(cards, 12 if ace_high else 0)

        def below(mask: int) -> bool:
            found = _suit_straight_flush(mask)
            return found is None or found < bound

    sizes = [0] * (HAND_SIZE + 1)
    for mask in MASKS:
        if mask.bit_count() <= HAND_SIZE and below(mask):
            sizes[mask.bit_count()] += 1
    return _fourth_power(sizes)


@cache
def _suit_straight_flush(mask: int) -> StraightFlush | None:
    return straight_flush(Hand(mask))


def _fourth_power(sizes: list[int]) -> int:
    """The coefficient of the seventh power in the fourth power of a polynomial."""
    product = [1]
    for _ in range(4):
        product = [
            sum(product[i] * sizes[power - i] for i in range(len(product)) if power - i >= 0)
            for power in range(HAND_SIZE + 1)
        ]
    return product[HAND_SIZE]


def line_label(table: PayTable, line: Line) -> str:
    """A line as a person reads it."""
    return f"{line.label or f'{line.cards}-card'} {'flush' if table.wager == 'flush' else 'straight flush'}"
