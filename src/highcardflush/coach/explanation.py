"""Explanation of a decision in exact numbers that a player understands.

The effect of the other cards is measured against a player who knows only the flush: then the dealer's seven cards come
from all cards but these. A card outside the flush removes itself from the dealer's cards of its suit.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from msgspec import Struct

from highcardflush.cards import FULL_DECK, HAND_SIZE, Hand
from highcardflush.coach.advice import Advice, PlayableFlush
from highcardflush.game.decisions import BASIC_STRATEGY
from highcardflush.odds.hand import HandOdds, flush_odds, sets_below
from highcardflush.ranking import FlushRank


class SuitEffect(Struct, frozen=True):
    """Chance that the dealer's cards of one suit beat the player's flush."""

    suit: int
    held: Hand
    """The player's cards of this suit."""
    beaten: Fraction
    beaten_without: Fraction
    """Chance if only the player's flush were known."""


class Explanation(Struct, frozen=True):
    """A playable flush, compared with the simple rule and with the same flush and other cards."""

    rule_raises: bool
    """True if the simple rule, `BASIC_STRATEGY`, raises."""
    flush_alone: HandOdds
    """Odds if only the flush is known."""
    suits: tuple[SuitEffect, ...]
    """The other suits, those in which the other cards help most first."""


def explain(advice: Advice, playable: PlayableFlush) -> Explanation:
    """Explain a Raise with this flush."""
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
    """Return the chance that the dealer's cards of one suit qualify and beat a flush."""
    bound, mask = max(FlushRank(flush.length, flush.ranks + 1), qualifier), unknown.suits[suit]
    cards = mask.bit_count()
    sets = {size: comb(cards, size) for size in range(bound.length, HAND_SIZE + 1)}
    sets[bound.length] -= sets_below(mask, bound)
    hands = sum(count * comb(len(unknown) - cards, HAND_SIZE - size) for size, count in sets.items())
    return Fraction(hands, comb(len(unknown), HAND_SIZE))
