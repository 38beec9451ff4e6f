"""Computes return tables, the exact figures of one hand, and the figures of a pay table under the given options."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Struct

from highcardflush.cards import Hand
from highcardflush.coach.advice import Advice, Spot, advise
from highcardflush.errors import RulebookError
from highcardflush.game.state import Decision
from highcardflush.odds import GameOdds, HandOdds, hand_odds
from highcardflush.odds.counting import DEALS, HANDS, add_up
from highcardflush.odds.paytable import TableOdds
from highcardflush.odds.whatif import Figures, bonus_figures, progressive_figures
from highcardflush.rulebook import PROGRESSIVE, PayTable, Rulebook
from highcardflush.rulebook.wagers import ANTE
from highcardflush.units import INLINE, Exact, Figure

OTHER = "other"
"""Name of the event for hands that no line pays."""
TOTAL = "total"


class ReturnRow(Struct, frozen=True):
    cards: int | None
    raised: Annotated[
        Fraction | None, Figure("count", "number of hands raised; for an event, the Raise in Antes, null for a fold")
    ]
    event: str
    pays: Fraction | int | str | None
    combinations: Annotated[int, Figure("count", "number of deals (main game) or player hands (side bet)")]
    probability: Fraction
    one_in: Annotated[Fraction | None, Figure("count", "one divided by the probability, null if it is zero")]
    returned: Annotated[Fraction, Figure(key="return", form="exact")]


class ReturnTable(Struct, frozen=True):
    """One row per event. `total` is the sum over all deals or hands."""

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
    """Return one row per result. If the Raises of a row differ, its net is a mean."""
    counts = odds.deals()
    means = add_up((result, Fraction(net * count, counts[result] or 1)) for result, net, count in odds.nets())
    return _table(_row(result, mean, counts[result], DEALS, mean) for result, mean in means.items())


def by_line(odds: TableOdds) -> ReturnTable:
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


WhatIf = Mapping[str, str]
"""Strings typed by a user that replace parts of the rulebook, keyed by the part's name."""


class HandFigures(Struct, frozen=True):
    """Number of dealer hands for each result, and the value of each decision in Antes."""

    dealer_hands: Annotated[HandOdds, INLINE]
    fold: Exact
    raises: Annotated[dict[str, Fraction], Figure(key="raise")]
    """Values of Raises with the best flush, keyed by multiple of the Ante: whole ones and the ends of the range."""
    best: Literal["fold", "raise"]
    raised: float | None
    """Best Raise in Antes, or `None` if the best decision is to fold."""


def hand_figures(book: Rulebook, own: Hand, seen: Hand) -> HandFigures:
    """Compute the figures of a seven-card hand. The dealer cannot have the `seen` cards."""
    odds = hand_odds(own, seen, qualifier=book.qualifier)
    ante_cents = 100 * int(book.settings.increment or 1)  # a Raise may be any number of hundredths of this Ante
    advice = advise(Spot(book, {ANTE.name: ante_cents}, own, seen))
    best_cents, flush = advice.best_of_all.raise_cents, advice.flushes[0]
    raises = {
        _multiple(advice, cents): advice.antes(advice.value(Decision(cents, flush.keep)))
        for cents in advice.listed_raises(flush)
    }
    best: Literal["fold", "raise"] = "raise" if best_cents else "fold"
    raised = float(_multiple(advice, best_cents)) if best_cents else None
    return HandFigures(odds, advice.antes(advice.value(Decision())), raises, best, raised)


def _multiple(advice: Advice, cents: int) -> str:
    return f"{cents / advice.spot.wagers[ANTE.name]:g}"


def price(
    book: Rulebook, pays: PayTable, *, settings: Mapping[str, str], base: str | None = None,
    meters: tuple[str, ...] = (), seats: int = 1, bet_cents: int | None = None, option: str = "",
) -> Figures:  # fmt: skip
    """Return a pay table's figures. Refuse options that do not fit its bet. `option` is the prefix of option names."""
    options = {
        f"base={base}": base,
        f"{option}meter": meters,
        f"{option}seats": seats > 1,
        f"{option}set": settings,
        f"{option}bet": bet_cents,
    }
    bonus = pays.wager != PROGRESSIVE
    if refused := [word for word, value in options.items() if value and (word == f"{option}bet") != bonus]:
        only = "none of these options, which are only for a progressive"
        own = "base=AMOUNT after the pay table, because a progressive takes only its base bet"
        raise RulebookError(f"{pays.wager} bet", read=" and ".join(refused), expected=only if bonus else own)
    if bonus:
        return bonus_figures(book, pays, bet_cents)
    return progressive_figures(book, pays, base=base or "1", settings=settings, meters=meters, seats=seats)
