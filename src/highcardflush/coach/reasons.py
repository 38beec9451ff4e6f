"""Reasons for a decision and descriptions of luck, as codes with values; `words.en.COACH` has the sentences.

The effect of the other cards is measured against the odds for a player who knows only the flush. For that player, the
dealer may have any other cards. A card outside the flush cannot be among the dealer's cards of its suit.
"""

from fractions import Fraction
from math import comb, erfc, sqrt

from msgspec import Struct

from highcardflush.cards import FULL_DECK, HAND_SIZE, Hand
from highcardflush.coach.advice import Advice, PlayableFlush
from highcardflush.game.decisions import BASIC_STRATEGY
from highcardflush.odds.hand import FOLD, HandOdds, flush_odds, raise_value, sets_below
from highcardflush.ranking import FlushRank
from highcardflush.words import Reason

ENOUGH_ROUNDS = 200
"""Minimum number of rounds for a normal distribution to describe luck."""
MOST_SUITS = 2
CLOSE = Fraction(1, 50)
"""Difference between two values, in Antes, below which they are shown with more digits."""


class SuitEffect(Struct, frozen=True):
    """Probability that the dealer's cards of one suit beat the player's flush."""

    suit: int
    held: Hand
    beaten: Fraction
    beaten_without: Fraction
    """This probability if only the player's flush were known."""


class Explanation(Struct, frozen=True):
    """Comparison of a playable flush with the simple rule, and with the odds of the same flush without other cards."""

    rule_raises: bool
    flush_alone: HandOdds
    suits: tuple[SuitEffect, ...]
    """The other suits, starting with the suit in which the player's cards help most."""


def explain(advice: Advice, playable: PlayableFlush) -> Explanation:
    hand, seen_cards, flush = advice.spot.hand, advice.spot.seen, playable.flush
    qualifier = advice.spot.rulebook.qualifier
    suit = next(suit for suit in (3, 2, 1, 0) if hand.suits[suit] == flush.ranks)
    unknown, without = FULL_DECK.without(hand | seen_cards), FULL_DECK.without(hand.suit(suit) | seen_cards)
    effects = (
        SuitEffect(other, hand.suit(other), *(_beaten(cards, other, flush, qualifier) for cards in (unknown, without)))
        for other in (3, 2, 1, 0)
        if other != suit
    )
    return Explanation(
        rule_raises=flush >= BASIC_STRATEGY,
        flush_alone=flush_odds(without, flush, qualifier),
        suits=tuple(sorted(effects, key=lambda effect: effect.beaten - effect.beaten_without)),
    )


def _beaten(unknown: Hand, suit: int, flush: FlushRank, qualifier: FlushRank) -> Fraction:
    """Return the probability that the dealer's cards of one suit qualify and beat a flush."""
    bound, mask = max(FlushRank(flush.length, flush.ranks + 1), qualifier), unknown.suits[suit]
    cards = mask.bit_count()
    sets = {size: comb(cards, size) for size in range(bound.length, HAND_SIZE + 1)}
    sets[bound.length] -= sets_below(mask, bound)
    hands = sum(count * comb(len(unknown) - cards, HAND_SIZE - size) for size, count in sets.items())
    return Fraction(hands, comb(len(unknown), HAND_SIZE))


def why(advice: Advice, playable: PlayableFlush) -> list[Reason]:
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
    """Return a percentage with one decimal place, such as `14.1`."""
    return f"{100 * float(chance):.1f}"


def luck(z: float, rounds: int) -> Reason:
    """Describe luck with the normal distribution: its degree, good or bad, and the chance of luck this extreme."""
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


def loss(advice: Advice, cost: Fraction) -> Reason:
    """Return the cost of a decision as a reason, with more digits if it is small."""
    antes = float(advice.antes(-cost))
    cents = round(cost) if cost >= 1 else 0
    return Reason("coach-loss", {"cost_cents": cents, "antes": f"{antes:+.{2 if -antes >= CLOSE else 4}f}"})
