"""Reasons for a decision and for luck, as codes with values; `words.en.COACH` has the sentences."""

from __future__ import annotations

from fractions import Fraction
from math import erfc, sqrt

from highcardflush.coach.advice import Advice, PlayableFlush
from highcardflush.coach.explanation import Explanation, SuitEffect, explain
from highcardflush.game.decisions import BASIC_STRATEGY
from highcardflush.odds.hand import FOLD, raise_value
from highcardflush.words import Reason

ENOUGH_ROUNDS = 200
"""Below this many rounds of long odds a normal distribution says little."""
MOST_SUITS = 2
"""Number of suits whose effect is explained."""


def why(advice: Advice, playable: PlayableFlush) -> list[Reason]:
    """Return the reasons for a decision: the simple rule, and the other cards where they decide; none for a flush that
    is not the best."""
    if playable.flush < advice.flushes[0].flush:
        return []
    if advice.best.raise_cents < advice.best_of_all.raise_cents:
        return [Reason("coach-short", {"raise_cents": advice.best_of_all.raise_cents})]
    explained, best = explain(advice, playable), _verb(raises=bool(advice.best_of_all.raise_cents))
    says = _verb(raises=explained.rule_raises)
    values: dict[str, int | str] = {"rule": BASIC_STRATEGY.short, "flush": playable.flush.short}
    rule = Reason("coach-rule", {**values, "says": says, "best": best})
    match advice.decided_by:
        case "flush":
            return [rule, Reason("coach-sure")] if says == best else [rule]
        case "seen cards":
            return [rule, Reason("coach-seen", {"instead": "fold" if best == "raise" else "raise"})]
    return [rule, *_others(advice, playable, explained, best)]


def _verb(*, raises: bool) -> str:
    return "raise" if raises else "fold"


def _others(advice: Advice, playable: PlayableFlush, explained: Explanation, best: str) -> list[Reason]:
    """Return the effect of the cards outside the flush, in exact numbers."""
    cents = playable.amounts.minimum_cents
    antes = advice.antes(Fraction(cents))
    alone, now = (raise_value(odds, antes) for odds in (explained.flush_alone, playable.odds))
    if _verb(raises=alone > FOLD) != best:
        turn = "decide"
    else:
        turn = "agree" if _verb(raises=explained.rule_raises) == best else "count"
    effect = Reason(
        "coach-others",
        {
            "turn": turn,
            "best": best,
            "flush": playable.flush.short,
            "raise_cents": cents,
            "alone_antes": f"{float(alone):+.4f}",
            "value_antes": f"{float(now):+.4f}",
        },
    )
    helps = [effect for effect in explained.suits if effect.beaten < effect.beaten_without]
    harms = [effect for effect in reversed(explained.suits) if effect.beaten > effect.beaten_without]
    return [effect, *(_effect(effect) for effect in (helps if now > alone else harms)[:MOST_SUITS])]


def _effect(effect: SuitEffect) -> Reason:
    code = "coach-takes" if effect.beaten < effect.beaten_without else "coach-leaves"
    return Reason(
        code,
        {
            "suit": effect.suit,
            "cards": str(effect.held),
            "beaten_percent": say_percent(effect.beaten),
            "without_percent": say_percent(effect.beaten_without),
        },
    )


def say_percent(chance: Fraction) -> str:
    """Return a percentage to one place: `14.1`."""
    return f"{100 * float(chance):.1f}"


def luck(z: float, rounds: int) -> Reason:
    """Return luck by the normal distribution: how far from zero, to which side, and how often a session goes so far."""
    if rounds < ENOUGH_ROUNDS:
        return Reason("coach-luck-early", {"enough": ENOUGH_ROUNDS})
    chance = erfc(abs(z) / sqrt(2))
    return Reason(
        "coach-luck",
        {
            "degree": min(int(abs(z)), 3),
            "side": "good" if z > 0 else "bad",
            "of_100": round(100 * chance) if chance >= 0.01 else 0,
            "one_of": round(1 / chance) if 0 < chance < 0.01 else 0,
        },
    )
