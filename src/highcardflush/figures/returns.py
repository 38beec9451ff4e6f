"""Return tables: every event once, by its code, with its combinations and its part of the return."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated

from msgspec import Struct

from highcardflush.odds.counting import DEALS, HANDS
from highcardflush.odds.game import GameOdds
from highcardflush.odds.paytable import TableOdds
from highcardflush.ranking import Showdown
from highcardflush.units import Figure

OTHER = "other"
"""Event of a hand that no line pays."""
TOTAL = "total"


class ReturnRow(Struct, frozen=True):
    cards: int | None
    raised: Annotated[
        Fraction | None,
        Figure("count", "hands raised; of an event the Raise in Antes, null for a fold"),
    ]
    event: str
    pays: Fraction | int | str | None
    combinations: Annotated[int, Figure("count", "deals (main game) or player's hands (side bet)")]
    probability: Fraction
    one_in: Annotated[Fraction | None, Figure("count", "one divided by the probability, null for none")]
    returned: Annotated[Fraction, Figure(key="return", form="exact")]


class ReturnTable(Struct, frozen=True):
    """Every event once; `total` adds up to the sample space."""

    rows: Annotated[tuple[ReturnRow, ...], Figure("parts", "events of a return table")]
    total: Annotated[ReturnRow, Figure("parts", "sum of the rows")]


def by_choice(odds: GameOdds) -> ReturnTable:
    return _table(
        _row(result, net, count, DEALS, net, choice.cards, choice.raised)
        for choice in odds.choices
        for result, net, count in choice.nets()
        if count
    )


def by_result(odds: GameOdds) -> ReturnTable:
    """Return rows by result alone. The net is a mean where the Raise differs."""
    counts, means = odds.deals(), dict[Showdown, Fraction]()
    for result, net, count in odds.nets():
        means[result] = means.get(result, Fraction(0)) + Fraction(net * count, counts[result] or 1)
    return _table(_row(result, mean, counts[result], DEALS, mean) for result, mean in means.items())


def by_line(odds: TableOdds) -> ReturnTable:
    """Return a row for each line of the pay table, and one for any other hand."""
    rows = [_row(each.line.name, each.line.pay, each.combinations, HANDS, each.returned) for each in odds.lines]
    rest = HANDS - sum(row.combinations for row in rows)
    return _table([*rows, _row(OTHER, None, rest, HANDS, Fraction(0))])


def _row(
    event: str, pays: Fraction | int | str | None, count: int, space: int, value: Fraction,
    cards: int | None = None, raised: Fraction | None = None,
) -> ReturnRow:  # fmt: skip
    chance = Fraction(count, space)
    return ReturnRow(cards, raised, event, pays, count, chance, 1 / chance if count else None, value * chance)


def _table(rows: Iterable[ReturnRow]) -> ReturnTable:
    every = tuple(rows)
    chance = sum((row.probability for row in every), Fraction(0))
    returned = sum((row.returned for row in every), Fraction(0))
    count = sum(row.combinations for row in every)
    return ReturnTable(every, ReturnRow(None, None, TOTAL, None, count, chance, None, returned))
