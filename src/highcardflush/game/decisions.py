"""Fold or raise: which flush plays, how large a Raise may be, and which cards may be laid face up.

If the rulebook lets players keep one flush, the kept suit is the hand that plays and determines the allowed Raises,
even if the player discards a better one. Under the other rulebooks, the best flush plays and nothing is exposed.
"""

from msgspec.structs import replace

from highcardflush.cards import NO_CARDS, SUIT_NAMES, Hand
from highcardflush.game.actions import Fold, Raise
from highcardflush.game.sidebets import shown_wins
from highcardflush.game.state import Decision, Seat
from highcardflush.money import say_cents
from highcardflush.ranking import SMALLEST_FLUSH, FlushRank, best_suits, flush_of, flush_rank, straight_flush_cards
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import ANTE, SIDE_BETS, SideBet
from highcardflush.words import refusal, say_amounts

BASIC_STRATEGY = FlushRank(3, 0b1_0101_0000)
"""Weakest flush that is raised under basic strategy: three cards, ten-eight-six."""


def playable_flushes(rulebook: Rulebook, hand: Hand) -> dict[int | None, FlushRank]:
    """Return the flushes that may be raised, best first. The keys are the kept suits, or `None` if no suit is kept."""
    suits = (None,) if rulebook.expose == "refused" else (3, 2, 1, 0)
    flushes = sorted(((_flush(hand, suit), suit) for suit in suits), key=lambda each: each[0], reverse=True)
    return {suit: flush for flush, suit in flushes if flush.length >= SMALLEST_FLUSH}


def discards(hand: Hand, keep: int | None) -> Hand:
    """Return the cards that a player discards by keeping a suit, or no cards if no suit is kept."""
    return NO_CARDS if keep is None else hand.without(hand.suit(keep))


def default_keep(hand: Hand, expose: Hand = NO_CARDS) -> int:
    """Return the suit that plays if the player chooses none: the best one, or among equals, one that is not exposed."""
    suits = best_suits(hand)
    return next((suit for suit in suits if not hand.suit(suit) & expose), suits[0])


def playing_flush(seat: Seat) -> FlushRank:
    assert seat.decision is not None
    return _flush(seat.cards, seat.decision.keep)


def _flush(hand: Hand, keep: int | None) -> FlushRank:
    """Return the flush of the kept suit, or the best flush if no suit is kept."""
    return flush_rank(hand) if keep is None else flush_of(hand, keep)


def decide(rulebook: Rulebook, seat: Seat, action: Fold | Raise) -> Decision:
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
    basic = rulebook.settings.default_action == "basic-strategy"
    return basic_decision(rulebook, seat) if basic else default_fold(rulebook, seat)


def default_fold(rulebook: Rulebook, seat: Seat) -> Fold:
    """Return the fold of a player whose clock has run out, with winning cards laid face up."""
    return Fold(seat.number, shown_straight_flush(rulebook, seat, seat.cards))


def basic_decision(rulebook: Rulebook, seat: Seat) -> Fold | Raise:
    """Raise as much as is allowed with ten-eight-six or better, and fold weaker hands."""
    hand, flush = seat.cards, flush_rank(seat.cards)
    if flush < BASIC_STRATEGY:
        return default_fold(rulebook, seat)
    most = rulebook.raise_amounts(seat.stake(ANTE.name), flush.length).maximum_cents
    assert most is not None
    flush_cards = hand.suit(default_keep(hand))
    return Raise(seat.number, most, expose=shown_straight_flush(rulebook, seat, hand.without(flush_cards), flush_cards))


def shown_straight_flush(rulebook: Rulebook, seat: Seat, cards: Hand, kept_cards: Hand = NO_CARDS) -> Hand:
    """Return the straight flush that must be exposed to be paid, or no cards if the kept flush pays more."""
    return _best_to_expose(rulebook, seat, cards, kept_cards) if rulebook.expose == "required" else NO_CARDS


def _best_to_expose(rulebook: Rulebook, seat: Seat, cards: Hand, kept_cards: Hand) -> Hand:
    run, bets = straight_flush_cards(cards), [SIDE_BETS[wager] for wager in seat.wagers if wager in SIDE_BETS]
    pays = any(_pay(rulebook, bet, run) >= max(1, _pay(rulebook, bet, kept_cards)) for bet in bets if bet.shown)
    return run if pays else NO_CARDS


def takings_at_once(rulebook: Rulebook, seat: Seat, keep: int | None) -> int:
    """Return how many cents of stakes and winnings can fund the Raise if this suit is kept."""
    if keep is None or seat.hand is None:
        return 0
    kept_cards = seat.hand.suit(keep)
    expose = _best_to_expose(rulebook, seat, seat.hand.without(kept_cards), kept_cards)
    return exposed_takings(rulebook, seat, keep, expose)


def exposed_takings(rulebook: Rulebook, seat: Seat, keep: int | None, expose: Hand) -> int:
    """Return how many cents of stakes and winnings are paid when a Raise exposes these cards."""
    raised_seat = replace(seat, decision=Decision(1, keep, expose))
    return sum(won.funds_cents for won in shown_wins(rulebook, raised_seat))


def _pay(rulebook: Rulebook, bet: SideBet, cards: Hand) -> int:
    """Return the pay of a bonus bet of 1 on these cards alone."""
    table = rulebook.paytable(bet.name)
    line = table.line_for(bet.best(cards)) if table is not None else None
    return line.pay_for_1 if line is not None else 0
