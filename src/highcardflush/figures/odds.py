"""The exact figures of a hand, the whole game, a strategy and a pay table, as data."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import asdict

from highcardflush.cards import Hand
from highcardflush.coach import Advice, Spot, advise
from highcardflush.errors import RulebookError
from highcardflush.figures.plain import Data, exact, picked, with_exact, with_notice
from highcardflush.game.state import Decision
from highcardflush.money import MICROS_PER_DOLLAR
from highcardflush.odds import GameOdds, HandOdds, Strategy, hand_odds
from highcardflush.odds.counting import DEALS
from highcardflush.odds.frontier import Rule
from highcardflush.odds.game import Choice
from highcardflush.odds.progressive import MeterOdds, ProgressiveOdds
from highcardflush.odds.whatif import Figures, bonus_figures, progressive_figures
from highcardflush.rulebook import PayTable, Rulebook
from highcardflush.rulebook.wagers import ANTE, PROGRESSIVE
from highcardflush.words import say_line
from highcardflush.words.en import SHOWDOWNS, ZONES

WhatIf = dict[str, str]
"""What was typed in place of the rulebook's own: the part, and how it was typed."""


# --- a hand --------------------------------------------------------------------------------------


class Weighed(Struct, frozen=True):
    """What a hand meets, and what each decision is worth in Antes."""

    met: HandOdds
    fold: Fraction
    raises: dict[str, Fraction]
    """By the multiple: whole Antes and the ends of the range, the best flush kept."""
    best: str | None
    """The multiple of the best Raise; None to fold."""

    @property
    def words(self) -> str:
        return "fold" if self.best is None else f"raise {self.best}"


def weigh(book: Rulebook, own: Hand, seen: Hand) -> Weighed:
    """A hand of seven, with cards that the dealer cannot have."""
    met = hand_odds(own, seen, qualifier=book.qualifier)
    advice = advise(Spot(book, {ANTE.name: _ante_cents(book)}, own, seen))
    best = advice.best_of_all.raise_cents
    fold = advice.antes(advice.value(Decision()))
    return Weighed(met, fold, _raises(advice), _multiple(advice, best) if best else None)


def _ante_cents(rulebook: Rulebook) -> int:
    """An Ante of which every hundredth is an amount that may be raised."""
    return 100 * int(rulebook.settings.increment or 1)


def _raises(advice: Advice) -> dict[str, Fraction]:
    kept = advice.flushes[0]
    return {
        _multiple(advice, cents): advice.antes(advice.value(Decision(cents, kept.keep)))
        for cents in advice.told_raises(kept)
    }


def _multiple(advice: Advice, cents: int) -> str:
    return f"{cents / advice.spot.wagers[ANTE.name]:g}"


def hand_data(weighed: Weighed) -> Data:
    raises = {multiple: exact(value) for multiple, value in weighed.raises.items()}
    return {**asdict(weighed.met), "fold": exact(weighed.fold), "raise": raises, "best": weighed.words}


# --- the whole game ------------------------------------------------------------------------------


def game_data(odds: GameOdds, what_if: WhatIf) -> Data:
    return {
        "rulebook": odds.rulebook,
        "what_if": what_if or None,
        "strategy": odds.strategy,
        "deals": DEALS,
        "expected": exact(odds.expected),
        **with_exact("house_edge", odds.house_edge),
        **with_exact("element_of_risk", odds.element_of_risk),
        **with_exact("average_bet", odds.average_bet),
        "standard_deviation": odds.standard_deviation,
        "variance_exact": exact(odds.variance),
        **with_exact("fold_frequency", odds.fold_frequency),
        "outcomes": [
            {
                "cards": choice.cards,
                "decision": say_choice(choice).removesuffix("x"),
                "outcome": SHOWDOWNS[case],
                "net": float(net),
                "net_exact": exact(net),
                "combinations": count,
            }
            for choice in odds.choices
            for case, net, count in choice.nets()
        ],
        "strategy_by_flush": [
            {"decision": ZONES[zone.decision], "from": zone.first.short, "to": zone.last.short, "hands": zone.hands}
            for zone in odds.zones()
        ],
    }


def say_choice(choice: Choice) -> str:
    return "fold" if choice.raised is None else f"raise {float(choice.raised):g}x"


def strategy_data(rulebook: str, what_if: WhatIf, strategy: Strategy, own: GameOdds, cost: Fraction) -> Data:
    """A strategy, and what it costs over the best."""
    return {
        "rulebook": rulebook,
        "what_if": what_if or None,
        "strategy": strategy.name,
        "title": strategy.title,
        "expected": exact(own.expected),
        **with_exact("house_edge", own.house_edge),
        **with_exact("cost", cost),
        **with_exact("fold_frequency", own.fold_frequency),
        "standard_deviation": own.standard_deviation,
    }


def frontier_data(rulebook: str, rules: list[Rule]) -> Data:
    """The best rules by size; `raise` is the threshold, or those for each number of side cards that count."""
    return {
        "rulebook": rulebook,
        "rules": [
            {
                "size": rule.size,
                "strategy": rule.strategy.name,
                "title": rule.strategy.title,
                "side": rule.strategy.side or None,
                "raise": list(rule.strategy.by_side) or [rule.strategy.threshold],
                "expected": exact(rule.odds.expected),
                **with_exact("house_edge", rule.odds.house_edge),
                **with_exact("cost", rule.cost),
            }
            for rule in rules
        ],
    }


# --- a pay table ---------------------------------------------------------------------------------


class Asked(Struct, frozen=True):
    """What somebody asks of a pay table, each as it was typed."""

    base: str | None = None
    meters: tuple[str, ...] = ()
    seats: int = 1
    bet_cents: int | None = None
    settings: Mapping[str, str] = {}


def price(book: Rulebook, pays: PayTable, asked: Asked, option: str = "") -> Figures:
    """The figures of a pay table; what has no meaning for its bet is refused. `option` begins the name of an option."""
    given = {
        f"base={asked.base}": asked.base,
        f"{option}meter": asked.meters,
        f"{option}seats": asked.seats > 1,
        f"{option}set": asked.settings,
        f"{option}bet": asked.bet_cents,
    }
    bonus = pays.wager != PROGRESSIVE
    if wrong := [word for word, value in given.items() if value and (word == f"{option}bet") != bonus]:
        only = "none of it: only a progressive has it"
        own = "base=AMOUNT after the pay table: a progressive takes its base bet and nothing else"
        raise RulebookError(f"{pays.wager} bet", read=" and ".join(wrong), expected=only if bonus else own)
    if bonus:
        return bonus_figures(book, pays, asked.bet_cents)
    return progressive_figures(
        book, pays, base=asked.base or "1", settings=asked.settings, meters=asked.meters, seats=asked.seats
    )


def paytable_data(figures: Figures, what_if: WhatIf) -> Data:
    odds, progressive = figures.odds, figures.progressive
    data: Data = {
        "what_if": what_if or None,
        **picked(figures.table, "rulebook", "id", "wager", "pays"),
        "seats": figures.seats,
        "lines": [
            {
                "line": line.line.name,
                "label": say_line(figures.table, line.line),
                "combinations": line.combinations,
                "pay": line.line.pay,
                "probability": float(line.probability),
                "return": exact(line.returned * line.probability),
            }
            for line in odds.lines
        ],
        "return": exact(odds.returned),
        **with_exact("house_edge", odds.house_edge),
        "standard_deviation": odds.standard_deviation,
        **with_exact("hit_frequency", odds.hit_frequency),
    }
    return data | (_progressive_data(figures, progressive) if progressive else {})


def _progressive_data(figures: Figures, progressive: ProgressiveOdds) -> Data:
    meters, long_run = progressive.meters, progressive.long_run
    data: Data = {
        **with_notice(progressive.notice),
        "base_cents": int(progressive.base * 100),
        "fixed_return_exact": exact(progressive.fixed),
        "contributions_exact": exact(progressive.contributions),
        "envy_exact": exact(figures.odds.envy),
        "break_even_meter": round(float(meters[0].break_even), 6),
        "break_even_meter_exact": exact(meters[0].break_even),
        "long_run_return": exact(long_run) if long_run is not None else None,
        "meters": [_meter_data(figures, meter, growing=long_run is not None) for meter in meters],
    }
    if figures.dynamic:
        data["dynamic_draws"] = len(figures.dynamic)
        data |= with_exact("dynamic_over_one", figures.dynamic_over_one)
    return data


def _meter_data(figures: Figures, meter: MeterOdds, *, growing: bool) -> Data:
    """A meter; nothing is said of the long run where it does not grow."""
    long_run = {
        "expected_meter_at_hit": round(float(meter.expected_at_hit), 2),
        "expected_meter_at_hit_exact": exact(meter.expected_at_hit),
        **with_exact("house_seed_cost", meter.house_seed_cost),
    }
    return {
        "meter": meter.name,
        "amount_micros": int(figures.meters[meter.name] * MICROS_PER_DOLLAR),
        "seed_micros": int(meter.seed * MICROS_PER_DOLLAR),
        "break_even_meter": round(float(meter.break_even), 6),
        **with_exact("bets_between_hits", meter.bets_between_hits),
        **(long_run if growing else dict.fromkeys(long_run)),
    }
