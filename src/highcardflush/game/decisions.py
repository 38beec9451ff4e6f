"""Fold or raise: which flush plays, how large a Raise may be, what may be laid face up.

Where the rulebook has players keep one flush, the kept suit is the hand that plays and sets the
Raise, even if a better one is thrown away. Elsewhere the best flush plays and nothing is exposed.
"""

from __future__ import annotations

from msgspec.structs import replace

from highcardflush.cards import NO_CARDS, SUIT_NAMES, Hand
from highcardflush.game.actions import Fold, Raise
from highcardflush.game.sidebets import counts_all_seven, shown_wins
from highcardflush.game.state import Decision, Seat
from highcardflush.money import say_cents
from highcardflush.ranking import SMALLEST_FLUSH, FlushRank, best_suits, flush_of, flush_rank, straight_flush_cards
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import ANTE, SIDE_BETS, SideBet
from highcardflush.words import refusal, say_amounts

BASIC_STRATEGY = FlushRank(3, 0b1_0101_0000)
"""The house's basic strategy raises with three cards, ten-eight-six, or better."""


def playable_flushes(rulebook: Rulebook, hand: Hand) -> dict[int | None, FlushRank]:
    """The flushes to raise with, the best first, by the suit that is kept: None where the best simply plays."""
    suits = (None,) if rulebook.expose == "refused" else (3, 2, 1, 0)
    flushes = sorted(((_flush(hand, suit), suit) for suit in suits), key=lambda each: each[0], reverse=True)
    return {suit: flush for flush, suit in flushes if flush.length >= SMALLEST_FLUSH}


def discards(hand: Hand, keep: int | None) -> Hand:
    """What is thrown away by a player who keeps a suit; nothing where the best flush simply plays."""
    return NO_CARDS if keep is None else hand.without(hand.suit(keep))


def default_keep(hand: Hand, expose: Hand = NO_CARDS) -> int:
    """The suit that plays if none is named: the best, and of equal ones one that is not exposed."""
    suits = best_suits(hand)
    return next((suit for suit in suits if not hand.suit(suit) & expose), suits[0])


def playing_flush(seat: Seat) -> FlushRank:
    """The flush with which a seat that has raised meets the dealer."""
    assert seat.decision is not None
    return _flush(seat.cards, seat.decision.keep)


def _flush(hand: Hand, keep: int | None) -> FlushRank:
    """The flush that plays: the best where no suit is kept."""
    return flush_rank(hand) if keep is None else flush_of(hand, keep)


def decide(rulebook: Rulebook, seat: Seat, action: Fold | Raise) -> Decision:
    """The decision that a Fold or a Raise makes, with the suit that is kept filled in."""
    hand = seat.cards
    if isinstance(action, Fold):
        _check_exposed(rulebook, seat, action.expose, hand, "expose-others")
        return Decision(expose=action.expose)
    keep = _kept_suit(rulebook, seat, action)
    flush = _flush(hand, keep)
    if flush.length < SMALLEST_FLUSH:
        suits = ", ".join(SUIT_NAMES[suit] for suit in playable_flushes(rulebook, hand) if suit is not None) or "none"
        raise refusal("flush-too-short", seat=seat.number, flush=str(flush), suits=suits)
    _check_exposed(rulebook, seat, action.expose, discards(hand, keep), "expose-kept")
    amounts = rulebook.raise_amounts(seat.stake(ANTE.name), flush.length)
    if action.amount_cents not in amounts:
        amount, allowed = say_cents(action.amount_cents), say_amounts(amounts)
        raise refusal("raise-amount", seat=seat.number, cards=flush.length, amount=amount, amounts=allowed)
    return Decision(raise_cents=action.amount_cents, keep=keep, expose=action.expose)


def _kept_suit(rulebook: Rulebook, seat: Seat, action: Raise) -> int | None:
    """The suit that plays; None where the best flush simply plays."""
    keep = action.keep
    if keep is not None and keep not in range(len(SUIT_NAMES)):
        raise refusal("keep-suit", seat=seat.number, keep=keep)
    if rulebook.expose != "refused":
        return default_keep(seat.cards, action.expose) if keep is None else keep
    if keep is not None:
        raise refusal("no-keep-here", seat=seat.number, suit=SUIT_NAMES[keep], rulebook=rulebook.name)
    return None


def _check_exposed(rulebook: Rulebook, seat: Seat, expose: Hand, allowed: Hand, code: str) -> None:
    if expose and rulebook.expose == "refused":
        raise refusal("no-expose-here", seat=seat.number, cards=str(expose), rulebook=rulebook.name)
    if expose.without(allowed):
        raise refusal(code, seat=seat.number, cards=str(expose), allowed=str(allowed))


def default_decision(rulebook: Rulebook, seat: Seat) -> Fold | Raise:
    """What the house does for a player whose clock has run out; it lays face up what wins."""
    basic = rulebook.settings.default_action == "basic-strategy"
    return basic_decision(rulebook, seat) if basic else default_fold(rulebook, seat)


def default_fold(rulebook: Rulebook, seat: Seat) -> Fold:
    """The fold of a player whose clock has run out, with what wins face up."""
    return Fold(seat.number, shown_straight_flush(rulebook, seat, seat.cards))


def basic_decision(rulebook: Rulebook, seat: Seat) -> Fold | Raise:
    """Basic strategy: raise as much as allowed with ten-eight-six or better, else fold."""
    hand, flush = seat.cards, flush_rank(seat.cards)
    if flush < BASIC_STRATEGY:
        return default_fold(rulebook, seat)
    most = rulebook.raise_amounts(seat.stake(ANTE.name), flush.length).maximum_cents
    assert most is not None
    kept = hand.suit(default_keep(hand))
    return Raise(seat.number, most, expose=shown_straight_flush(rulebook, seat, hand.without(kept), kept))


def shown_straight_flush(rulebook: Rulebook, seat: Seat, cards: Hand, kept: Hand = NO_CARDS) -> Hand:
    """The straight flush among these cards that a careful player lays face up: where only that gets it paid.

    Nothing where the kept flush pays more, for the bet might be over with what is laid face up.
    """
    run, bets = straight_flush_cards(cards), [SIDE_BETS[wager] for wager in seat.wagers if wager in SIDE_BETS]
    shown = [bet for bet in bets if not counts_all_seven(rulebook.expose, bet)]
    return run if any(_pay(rulebook, bet, run) >= max(1, _pay(rulebook, bet, kept)) for bet in shown) else NO_CARDS


def takings_at_once(rulebook: Rulebook, seat: Seat, keep: int | None) -> int:
    """Stake and win, in cents, that a careful player who keeps this suit may raise with."""
    if keep is None or seat.hand is None:
        return 0
    kept = seat.hand.suit(keep)
    expose = shown_straight_flush(rulebook, seat, seat.hand.without(kept), kept)
    return exposed_takings(rulebook, seat, keep, expose)


def exposed_takings(rulebook: Rulebook, seat: Seat, keep: int | None, expose: Hand) -> int:
    """Stake and win, in cents, that these cards, laid face up with a Raise, are paid at once."""
    shown = replace(seat, decision=Decision(1, keep, expose))
    return sum(won.takings_cents for won in shown_wins(rulebook, shown) if won.at_once)


def _pay(rulebook: Rulebook, bet: SideBet, cards: Hand) -> int:
    """What a bonus bet pays for a bet of 1 on these cards alone."""
    table = rulebook.paytable(bet.name)
    line = table.line_for(bet.best(cards)) if table is not None else None
    return line.pay_for_1 if line is not None else 0
