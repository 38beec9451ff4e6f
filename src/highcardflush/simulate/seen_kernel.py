"""Evaluates exactly each deal in which a player sees more than their own hand.

A hand is one word with the four suit codes of `simulate.kernel`. A set of cards is one word with four rank masks.
"""

from typing import Any

import numpy as np

from highcardflush.cards import HAND_SIZE, SUIT_SIZE, Hand
from highcardflush.odds.counting import HELD, MASKS, SUITS
from highcardflush.odds.primitives import (
    CODE,
    MASK,
    RANKS,
    U0,
    U1,
    U13,
    Array,
    Word,
    best_flush,
    compiled,
    meet,
    popcount,
    signed,
)
from highcardflush.ranking import straight_flush_cards

LOW, HIGH = range(2)
"""Rows of an array of Raises by length, in Antes: the smallest and the largest Raise."""
GAIN, GAIN_2, OWN, OWN_2, GAIN_OWN, CHANGED, FOLDED = range(7)
"""Places of a tally: sums of the gain from the cards seen, its square, the hand's own value, its square, and the
product of gain and value; the number of changed decisions; and the number of folds."""
TALLY = 7
REDEALS, TRIES = 40, 4000
"""A gain is averaged over at most REDEALS deals with the same exposed cards, including the current deal. To find them,
at most TRIES deals are drawn."""


def _straights() -> Array:
    """Return, for each mask of a suit's ranks, the mask of its straight-flush cards, or 0 if it has none."""
    straights = np.zeros(len(MASKS), dtype=np.uint64)
    for ranks in HELD:
        straights[ranks] = straight_flush_cards(Hand(ranks))
    return straights


_STRAIGHTS = _straights()


@compiled()
def _worth(raised: float, met: Any) -> Any:
    """Return the value of a Raise, in Antes. A negative Raise is a fold, whose value is -1."""
    not_qualified, ahead, total = met
    return (not_qualified + (1.0 + raised) * ahead) / total if raised >= 0.0 else -1.0


@compiled()
def _choose(low: float, high: float, met: Any) -> Any:
    """Return the best Raise, or -1 to fold. Its value is linear in its size, so the smallest or the largest is best."""
    not_qualified, ahead, total = met
    raised = high if ahead >= 0.0 else low
    return raised if not_qualified + (1.0 + raised) * ahead > -total else -1.0


@compiled()
def _suit_counts(cards: Word) -> Word:
    counts = U0
    for suit in range(SUITS):
        at = np.uint64(16 * suit)
        counts |= np.uint64(popcount(cards >> at & MASK)) << at
    return counts


@compiled()
def _most_unseen(known_cards: Word) -> int:
    """Return the largest number of cards of one suit that are not among the known cards."""
    most = 0
    for suit in range(SUITS):
        most = max(most, SUIT_SIZE - popcount(known_cards >> np.uint64(16 * suit) & MASK))
    return most


@compiled()
def exposed(qualifier: Word, hand: Word, raises: Array, work: Array) -> Word:
    """Return the straight-flush cards that another player exposes: all except those of the flush they raise with."""
    straights = U0
    for suit in range(SUITS):
        at = np.uint64(16 * suit)
        straights |= _STRAIGHTS[hand >> at & MASK] << at
    if not straights:
        return straights
    code = best_flush(hand)
    length = signed(code >> U13)
    if _choose(raises[LOW, length], raises[HIGH, length], meet(qualifier, hand, ~hand & RANKS, U0, U0, work)) >= 0.0:
        for suit in range(SUITS - 1, -1, -1):
            at = np.uint64(16 * suit)
            if hand >> at & CODE == code:
                return straights & ~(MASK << at)
    return straights


@compiled()
def _redealt(
    qualifier: Word, hand: Word, laid: Array, first: float, chosen: float, habit: float, raises: Array, work: Array
) -> float:
    """Return the mean gain of a decision over deals with the same own hand and the same exposed cards at each seat.

    `first` is the gain of the current deal. Other deals are drawn, and those that expose the same cards are counted.
    """
    cards, count, open_cards = np.empty(len(laid) * HAND_SIZE * SUITS, dtype=np.uint64), 0, U0
    for other in range(len(laid)):
        open_cards |= laid[other]
    for place in range(64):
        bit = U1 << np.uint64(place)
        if bit & RANKS & ~(hand | open_cards):
            cards[count] = bit
            count += 1
    total, matches = first, 1
    for _ in range(TRIES):
        at, dealt, same = 0, open_cards, True
        for other in range(len(laid)):
            laid_cards = laid[other]
            need = HAND_SIZE
            for suit in range(SUITS):
                need -= popcount(laid_cards >> np.uint64(16 * suit) & MASK)
            for _ in range(need):
                pick = at + np.random.randint(0, count - at)
                cards[at], cards[pick] = cards[pick], cards[at]
                laid_cards |= cards[at]
                at += 1
            dealt |= laid_cards
            if exposed(qualifier, laid_cards | _suit_counts(laid_cards) << U13, raises, work) != laid[other]:
                same = False
                break
        if same:
            met = meet(qualifier, hand, ~hand & RANKS ^ dealt, U0, U0, work)
            total += _worth(chosen, met) - _worth(habit, met)
            matches += 1
            if matches == REDEALS:
                break
    return total / matches


@compiled(nogil=True)
def weigh(
    hands: Array,
    other_hands: int,
    dealer_card: bool,
    suits_only: bool,
    exposed_only: bool,
    raises: Array,
    qualifier: Word,
    by_count: Array,
    tally: Array,
) -> None:
    """Add deals to the tally. A row has the player's hand, the other hands, and the dealer's hand if its card is seen.

    The dealer's card may be any of the seven, so a deal counts with its mean over all seven. Decisions are optimal or
    follow the rule `by_count`. With `exposed_only`, decisions are optimal for a player who only concludes that the
    dealer does not have the exposed cards. A changed decision's gain is then its mean over deals that expose the same
    cards. The seed for drawing these deals comes from the cards of the last row.
    """
    work, laid = np.empty((SUITS + 2, HAND_SIZE + 1)), np.zeros(other_hands, dtype=np.uint64)
    if exposed_only:
        np.random.seed(signed(hands[-1, 0] % np.uint64(0x7FFF_FFFF)))
    for row in range(len(hands)):
        hand, seen_cards, exposed_cards = hands[row, 0], U0, U0
        for other in range(1, other_hands + 1):
            seen_cards |= hands[row, other] & RANKS
            if exposed_only:
                laid[other - 1] = exposed(qualifier, hands[row, other], raises, work)
                exposed_cards |= laid[other - 1]
        code = best_flush(hand)
        length = signed(code >> U13)
        low, high = raises[LOW, length], raises[HIGH, length]
        unknown = ~hand & RANKS
        alone = meet(qualifier, hand, unknown, U0, U0, work)
        habit = _choose(low, high, alone)
        hidden = U0
        if suits_only:
            hidden = _suit_counts(seen_cards)
        else:
            unknown ^= seen_cards
        gain, looks = 0.0, HAND_SIZE if dealer_card else 1
        cards = hands[row, other_hands + 1] & RANKS if dealer_card else U0
        for _ in range(looks):
            card = cards & (U0 - cards)
            cards ^= card
            met = meet(qualifier, hand, unknown, hidden, card, work)
            decision = _choose(low, high, met)
            if exposed_only:
                met_shown = (
                    meet(qualifier, hand, unknown | seen_cards ^ exposed_cards, U0, U0, work)
                    if exposed_cards
                    else alone
                )
                decision = _choose(low, high, met_shown)
            elif len(by_count):
                decision = high if signed(code) >= by_count[_most_unseen(hand | seen_cards)] else -1.0
            more = _worth(decision, met) - _worth(habit, met)
            if exposed_only and decision != habit:
                more = _redealt(qualifier, hand, laid, more, decision, habit, raises, work)
            gain += more
            tally[CHANGED] += (more != 0.0) / looks
            tally[FOLDED] += (decision < 0.0) / looks
        gain /= looks
        own_value = _worth(habit, alone)
        tally[GAIN] += gain
        tally[GAIN_2] += gain * gain
        tally[OWN] += own_value
        tally[OWN_2] += own_value * own_value
        tally[GAIN_OWN] += gain * own_value


@compiled(nogil=True)
def raise_gains(hands: Array, other_hands: int, raises: Array, qualifier: Word, gains: Array) -> None:
    """Add to `gains` how much the largest Raise gains over a fold when the suits of the other hands are known."""
    work = np.empty((SUITS + 2, HAND_SIZE + 1))
    for row in range(len(hands)):
        hand, seen_cards = hands[row, 0], U0
        for other in range(1, other_hands + 1):
            seen_cards |= hands[row, other] & RANKS
        code = best_flush(hand)
        length, top = signed(code >> U13), 0
        for rank in range(SUIT_SIZE):
            if code >> np.uint64(rank) & U1:
                top = rank
        met = meet(qualifier, hand, ~hand & RANKS, _suit_counts(seen_cards), U0, work)
        gains[_most_unseen(hand | seen_cards), length, top] += _worth(raises[HIGH, length], met) + 1.0
