"""Fold or raise: which flush plays, how large a Raise may be, what may be laid face up.

Where the rulebook has players keep one flush, the kept suit is the hand that plays and sets the
Raise, even if a better one is thrown away. Elsewhere the best flush plays and nothing is exposed.
"""

from __future__ import annotations

from highcardflush.cards import HAND_SIZE, NO_CARDS, SUIT_NAMES, Hand
from highcardflush.errors import ActionError
from highcardflush.game.actions import Fold, Raise
from highcardflush.game.state import Decision, Seat
from highcardflush.game.wagers import Amounts
from highcardflush.money import format_cents
from highcardflush.ranking import FlushRank, best_suits, flush_of, flush_rank, straight_flush_cards
from highcardflush.rulebook.model import Rulebook

SMALLEST_FLUSH = 2
BASIC_STRATEGY = FlushRank(3, 0b1_0101_0000)
"""The house's basic strategy raises with three cards, ten-eight-six, or better."""


def raise_amounts(rulebook: Rulebook, ante_cents: int, cards: int) -> Amounts:
    """How much may be raised when a flush of this many cards plays."""
    rule, settings = rulebook.raise_, rulebook.settings
    most = rule.maximum[str(min(cards, HAND_SIZE))] * ante_cents  # type: ignore[index]
    if rule.kind == "exact":
        return Amounts(most, most, ante_cents)
    if rule.kind == "multiples":
        return Amounts(ante_cents, most, ante_cents)
    step = int(settings.increment or 1)
    least = max(1, -(-ante_cents * settings.raise_minimum // 100))
    return Amounts(-(-least // step) * step, most // step * step, step)


def keepable_suits(rulebook: Rulebook, hand: Hand) -> list[int]:
    """The suits that a player may keep, the best first; none where the best flush simply plays."""
    if rulebook.expose == "refused":
        return []
    suits = [suit for suit in (3, 2, 1, 0) if flush_of(hand, suit).length >= SMALLEST_FLUSH]
    return sorted(suits, key=lambda suit: flush_of(hand, suit), reverse=True)


def default_keep(hand: Hand, expose: Hand = NO_CARDS) -> int:
    """The suit that plays if none is named: the best, and of equal ones one that is not exposed."""
    suits = best_suits(hand)
    return next((suit for suit in suits if not hand.suit(suit) & expose), suits[0])


def playing_flush(seat: Seat) -> FlushRank:
    """The flush with which a seat that has raised meets the dealer."""
    assert seat.hand is not None
    assert seat.decision is not None
    if seat.decision.keep is None:
        return flush_rank(seat.hand)
    return flush_of(seat.hand, seat.decision.keep)


def decide_fold(rulebook: Rulebook, seat: Seat, action: Fold) -> Decision:
    assert seat.hand is not None
    _check_exposed(rulebook, seat, action.expose, seat.hand, "the seat's own cards")
    return Decision(expose=action.expose)


def decide_raise(rulebook: Rulebook, seat: Seat, action: Raise) -> Decision:
    """The decision that a Raise makes, with the suit that is kept filled in."""
    assert seat.hand is not None
    hand, keep = seat.hand, action.keep
    if keep is not None and keep not in range(len(SUIT_NAMES)):
        raise ActionError(f"seat {seat.number}: keep", read=str(keep), expected="a suit, 0 to 3")
    if rulebook.expose == "refused":
        if keep is not None:
            expected = f"no keep: in {rulebook.name} the best flush plays"
            raise ActionError(f"seat {seat.number}: keep", read=SUIT_NAMES[keep], expected=expected)
        flush = flush_rank(hand)
    else:
        keep = default_keep(hand, action.expose) if keep is None else keep
        flush = flush_of(hand, keep)
    if flush.length < SMALLEST_FLUSH:
        suits = ", ".join(SUIT_NAMES[suit] for suit in keepable_suits(rulebook, hand)) or "none"
        expected = f"a suit of two cards or more ({suits})"
        raise ActionError(f"seat {seat.number}: the flush that plays", read=str(flush), expected=expected)
    discards = hand.without(hand.suit(keep)) if keep is not None else NO_CARDS
    _check_exposed(rulebook, seat, action.expose, discards, "own cards that are not kept")
    amounts = raise_amounts(rulebook, seat.wagers.ante, flush.length)
    if action.amount_cents not in amounts:
        raise ActionError(
            f"seat {seat.number}: raise with a flush of {flush.length} cards",
            read=format_cents(action.amount_cents),
            expected=str(amounts),
        )
    return Decision(raise_cents=action.amount_cents, keep=keep, expose=action.expose)


def _check_exposed(rulebook: Rulebook, seat: Seat, expose: Hand, allowed: Hand, words: str) -> None:
    if expose and rulebook.expose == "refused":
        expected = f"no expose: in {rulebook.name} all seven cards count"
        raise ActionError(f"seat {seat.number}: expose", read=str(expose), expected=expected)
    if expose.without(allowed):
        raise ActionError(f"seat {seat.number}: expose", read=str(expose), expected=f"{words} ({allowed})")


def default_decision(rulebook: Rulebook, seat: Seat) -> Fold | Raise:
    """What the house does for a player whose clock has run out; it lays face up what wins."""
    if rulebook.settings.default_action == "basic-strategy":
        return basic_decision(rulebook, seat)
    return default_fold(rulebook, seat)


def default_fold(rulebook: Rulebook, seat: Seat) -> Fold:
    """The fold of a player whose clock has run out, with what wins face up."""
    assert seat.hand is not None
    return Fold(seat.number, shown_straight_flush(rulebook, seat, seat.hand))


def basic_decision(rulebook: Rulebook, seat: Seat) -> Fold | Raise:
    """Basic strategy: raise as much as allowed with ten-eight-six or better, else fold."""
    assert seat.hand is not None
    hand, flush = seat.hand, flush_rank(seat.hand)
    if flush < BASIC_STRATEGY:
        return Fold(seat.number, shown_straight_flush(rulebook, seat, hand))
    most = raise_amounts(rulebook, seat.wagers.ante, flush.length).maximum_cents
    assert most is not None
    discards = hand.without(hand.suit(default_keep(hand)))
    return Raise(seat.number, most, expose=shown_straight_flush(rulebook, seat, discards))


def shown_straight_flush(rulebook: Rulebook, seat: Seat, cards: Hand) -> Hand:
    """The straight flush among these cards that a careful player lays face up: where only that gets it paid."""
    must = rulebook.expose == "required" and seat.wagers.straight_flush
    return straight_flush_cards(cards) if must else NO_CARDS
