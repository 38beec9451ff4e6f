"""Exact figures of one hand, the whole game, a strategy and a pay table."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from highcardflush.cards import Hand
from highcardflush.coach.advice import Advice, Spot, advise
from highcardflush.errors import RulebookError
from highcardflush.game.state import Decision
from highcardflush.money import MICROS_PER_DOLLAR
from highcardflush.odds import GameOdds, HandOdds, hand_odds
from highcardflush.odds.counting import DEALS
from highcardflush.odds.game import Choice
from highcardflush.odds.progressive import MeterOdds
from highcardflush.odds.whatif import Figures, bonus_figures, progressive_figures
from highcardflush.ranking import Showdown
from highcardflush.rulebook import PayTable, Rulebook
from highcardflush.rulebook.wagers import ANTE, PROGRESSIVE
from highcardflush.units import INLINE, Exact, Figure, Number
from highcardflush.words import say_line
from highcardflush.words.en import ZoneDecision

WhatIf = Mapping[str, str]
"""Texts that were typed in place of the rulebook's own, by the part that they replace."""


# --- a hand --------------------------------------------------------------------------------------


class HandFigures(Struct, frozen=True):
    """Dealer hands that a hand meets, and the value of each decision in Antes."""

    dealer_hands: Annotated[HandOdds, INLINE]
    fold: Exact
    raises: Annotated[dict[str, Fraction], Figure(key="raise")]
    """Values by the multiple: whole Antes and the ends of the range, the best flush kept."""
    best: str
    """Best decision: `fold`, or `raise` with its multiple."""


def hand_figures(book: Rulebook, only_progressive: Hand, seen: Hand) -> HandFigures:
    """Compute the figures of a hand of seven; `seen` are cards that the dealer cannot have."""
    odds = hand_odds(only_progressive, seen, qualifier=book.qualifier)
    ante_cents = 100 * int(book.settings.increment or 1)  # the Ante is such that each hundredth of it may be raised
    advice = advise(Spot(book, {ANTE.name: ante_cents}, only_progressive, seen))
    best_cents, flush = advice.best_of_all.raise_cents, advice.flushes[0]
    raises = {
        _multiple(advice, cents): advice.antes(advice.value(Decision(cents, flush.keep)))
        for cents in advice.told_raises(flush)
    }
    best = f"raise {_multiple(advice, best_cents)}" if best_cents else "fold"
    return HandFigures(odds, advice.antes(advice.value(Decision())), raises, best)


def _multiple(advice: Advice, cents: int) -> str:
    return f"{cents / advice.spot.wagers[ANTE.name]:g}"


# --- the whole game ------------------------------------------------------------------------------


class OutcomeFigures(Struct, frozen=True):
    """Deals in which a flush of some length took one decision and ended in one way."""

    cards: int
    decision: str
    outcome: Showdown
    net: Fraction
    combinations: int


class ZoneFigures(Struct, frozen=True):
    decision: ZoneDecision
    first: Annotated[str, Figure(key="from")]
    last: Annotated[str, Figure(key="to")]
    hands: int


class GameFigures(Struct, frozen=True, kw_only=True):
    """The whole game with optimal play, in Antes."""

    what_if: WhatIf | None
    odds: Annotated[GameOdds, INLINE]
    deals: int = DEALS
    outcomes: tuple[OutcomeFigures, ...]
    strategy_by_flush: tuple[ZoneFigures, ...]


def game_figures(odds: GameOdds, what_if: WhatIf) -> GameFigures:
    return GameFigures(
        what_if=what_if or None,
        odds=odds,
        outcomes=tuple(
            OutcomeFigures(choice.cards, _decision(choice), case, net, count)
            for choice in odds.choices
            for case, net, count in choice.nets()
        ),
        strategy_by_flush=tuple(
            ZoneFigures(zone.decision, zone.first.short, zone.last.short, zone.hands) for zone in odds.zones()
        ),
    )


def _decision(choice: Choice) -> str:
    return "fold" if choice.raised is None else f"raise {float(choice.raised):g}"


class StrategyFigures(Struct, frozen=True, kw_only=True):
    """A strategy and its cost over the best play, in Antes."""

    what_if: WhatIf | None
    title: str
    odds: Annotated[GameOdds, INLINE]
    cost: Fraction


# --- a pay table ---------------------------------------------------------------------------------


class Asked(Struct, frozen=True):
    """Options of a pay table's price, each as it was typed."""

    base: str | None = None
    meters: tuple[str, ...] = ()
    seats: int = 1
    bet_cents: int | None = None
    settings: Mapping[str, str] = {}


def price(book: Rulebook, pays: PayTable, asked: Asked, option: str = "") -> Figures:
    """Price a pay table; refuse options that have no meaning for its bet. `option` begins the name of an option."""
    options = {
        f"base={asked.base}": asked.base,
        f"{option}meter": asked.meters,
        f"{option}seats": asked.seats > 1,
        f"{option}set": asked.settings,
        f"{option}bet": asked.bet_cents,
    }
    bonus = pays.wager != PROGRESSIVE
    if refused := [word for word, value in options.items() if value and (word == f"{option}bet") != bonus]:
        only = "none of it: only a progressive has it"
        own = "base=AMOUNT after the pay table: a progressive takes its base bet and nothing else"
        raise RulebookError(f"{pays.wager} bet", read=" and ".join(refused), expected=only if bonus else own)
    if bonus:
        return bonus_figures(book, pays, asked.bet_cents)
    return progressive_figures(
        book, pays, base=asked.base or "1", settings=asked.settings, meters=asked.meters, seats=asked.seats
    )


class LineFigures(Struct, frozen=True):
    line: str
    label: str
    combinations: int
    pay: int | str
    probability: float
    returned: Annotated[Fraction, Figure(key="return", form="exact")]


class MeterFigures(Struct, frozen=True, kw_only=True):
    """A meter; the figures of the long run are None where it does not grow."""

    meter: str
    amount_micros: int
    seed_micros: int
    break_even_meter: float
    bets_between_hits: Fraction
    expected_meter_at_hit: Number | None
    expected_meter_at_hit_exact: Exact | None
    house_seed_cost: Fraction | None


class ProgressiveFigures(Struct, frozen=True, kw_only=True):
    """Figures that only a progressive or a bonus jackpot has."""

    notice: str | UnsetType
    base_cents: int
    fixed_return_exact: Exact
    contributions_exact: Exact
    envy_exact: Exact
    break_even_meter: float
    break_even_meter_exact: Exact
    long_run_return: Exact | None
    meters: tuple[MeterFigures, ...]
    dynamic_draws: int | UnsetType
    dynamic_over_one: Fraction | UnsetType


class PaytableFigures(Struct, frozen=True, kw_only=True):
    """A side bet, in bets."""

    what_if: WhatIf | None
    rulebook: str
    id: str
    wager: str
    pays: str
    seats: int
    lines: tuple[LineFigures, ...]
    returned: Annotated[Fraction, Figure(key="return", form="exact")]
    house_edge: Fraction
    standard_deviation: float
    hit_frequency: Fraction
    progressive: Annotated[ProgressiveFigures | UnsetType, INLINE]


def paytable_figures(figures: Figures, what_if: WhatIf) -> PaytableFigures:
    odds, table = figures.odds, figures.table
    return PaytableFigures(
        what_if=what_if or None,
        rulebook=table.rulebook,
        id=table.id,
        wager=table.wager,
        pays=table.pays,
        seats=figures.seats,
        lines=tuple(
            LineFigures(
                line.line.name,
                say_line(table, line.line),
                line.combinations,
                line.line.pay,
                float(line.probability),
                line.returned * line.probability,
            )
            for line in odds.lines
        ),
        returned=odds.returned,
        house_edge=odds.house_edge,
        standard_deviation=odds.standard_deviation,
        hit_frequency=odds.hit_frequency,
        progressive=_progressive_figures(figures),
    )


def _progressive_figures(figures: Figures) -> ProgressiveFigures | UnsetType:
    progressive = figures.progressive
    if progressive is None:
        return UNSET
    first = progressive.meters[0]
    return ProgressiveFigures(
        notice=progressive.notice or UNSET,
        base_cents=int(progressive.base * 100),
        fixed_return_exact=progressive.fixed,
        contributions_exact=progressive.contributions,
        envy_exact=figures.odds.envy,
        break_even_meter=round(float(first.break_even), 6),
        break_even_meter_exact=first.break_even,
        long_run_return=progressive.long_run,
        meters=tuple(_meter_figures(figures, meter, grows=not progressive.bonus) for meter in progressive.meters),
        dynamic_draws=len(figures.dynamic) if figures.dynamic else UNSET,
        dynamic_over_one=figures.dynamic_over_one if figures.dynamic else UNSET,
    )


def _meter_figures(figures: Figures, meter: MeterOdds, *, grows: bool) -> MeterFigures:
    return MeterFigures(
        meter=meter.name,
        amount_micros=int(figures.meters[meter.name] * MICROS_PER_DOLLAR),
        seed_micros=int(meter.seed * MICROS_PER_DOLLAR),
        break_even_meter=round(float(meter.break_even), 6),
        bets_between_hits=meter.bets_between_hits,
        expected_meter_at_hit=round(float(meter.expected_at_hit), 2) if grows else None,
        expected_meter_at_hit_exact=meter.expected_at_hit if grows else None,
        house_seed_cost=meter.house_seed_cost if grows else None,
    )
