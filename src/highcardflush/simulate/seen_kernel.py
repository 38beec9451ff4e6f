"""Deals in which a player sees more than the own hand, each weighed exactly. All compiled code is in this one module.

The dealer's hands below a bound are counted as in `odds.hand`, a polynomial a suit, from what the player knows:

- A card that was seen is not with the dealer: it leaves the suit's available cards.
- Of a card that is known by its suit only, every rank that the player does not hold is as likely. A set of j of the
  suit's u available cards is with the dealer in C(u - s, j) / C(u, j) of the cases in which s of them are elsewhere:
  so much is each number of sets scaled by.
- A dealer's card that was seen is in each of the dealer's hands: the sets with it are those of all available cards
  less those of the others.

Polynomials are floats so that the scaled ones are of the same kind. Counts of whole hands stay far below 2^53, so
without scaling they are exact ints all the same, and so is every comparison of two decisions.

A hand is the four codes of `simulate.kernel` in one word; a set of cards is four masks of ranks in such a word.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
from numba import njit

from highcardflush.cards import HAND_SIZE, SUIT_SIZE, Hand
from highcardflush.odds.counting import HELD, MASKS, SUITS
from highcardflush.ranking import straight_flush_cards

Array = np.ndarray[Any, np.dtype[Any]]
Word = Any
"""An unsigned 64-bit number; mixed with a signed one it would become a float."""
_signed: Any = np.int64
LOW, HIGH = range(2)
"""Rows of the Raises by length, in Antes: the smallest and the largest."""
GAIN, GAIN_2, OWN, OWN_2, GAIN_OWN, CHANGED, FOLDED = range(7)
"""Places of a tally. `GAIN` is the gain from seeing more, `OWN` the hand's value without it; then their squares and
product, the deals with a different decision of different value, and those folded."""
TALLY = 7
REDEALS, TRIES = 40, 4000
"""Number of deals that show the same cards, including the current one, and the most that are drawn to find them."""
_RANKS = np.uint64(0x1FFF_1FFF_1FFF_1FFF)
_CODE, _MASK = np.uint64(0xFFFF), np.uint64(0x1FFF)
_U0, _U1, _U2, _U13, _U16, _U32, _U48 = (np.uint64(i) for i in (0, 1, 2, 13, 16, 32, 48))
_BINOMIALS: Array = np.array([[comb(n, k) for k in range(HAND_SIZE + 1)] for n in range(14)], dtype=np.float64)
_TOTALS: Array = np.array([[comb(n, k) for k in range(HAND_SIZE + 1)] for n in range(53)], dtype=np.float64)


def _straights() -> Array:
    """Return the length of the straight flush in a suit, or 0, by the suit's ranks."""
    straights = np.zeros(len(MASKS), dtype=np.uint64)
    for ranks in HELD:
        straights[ranks] = straight_flush_cards(Hand(ranks))
    return straights


_STRAIGHTS = _straights()


@njit(cache=True)
def _popcount(mask: Word) -> Any:
    pairs = mask - (mask >> _U1 & np.uint64(0x5555))
    fours = (pairs & np.uint64(0x3333)) + (pairs >> _U2 & np.uint64(0x3333))
    eights = (fours + (fours >> np.uint64(4))) & np.uint64(0x0F0F)
    return _signed((eights + (eights >> np.uint64(8))) & np.uint64(0x1F))


@njit(cache=True)
def _best_flush(hand: Word) -> Word:
    return max(hand & _CODE, hand >> _U16 & _CODE, hand >> _U32 & _CODE, hand >> _U48)


@njit(cache=True)
def _sets_below(available: Word, length: int, ranks: Word) -> Any:
    """Count sets of `length` of these ranks below the bound; see odds.hand.sets_below."""
    sets, remaining = 0.0, length
    for rank in range(SUIT_SIZE, -1, -1):
        bit = _U1 << np.uint64(rank)
        if ranks & bit:
            sets += _BINOMIALS[_popcount(available & (bit - _U1)), remaining]
            remaining -= 1
            if not available & bit:
                break
    return sets


@njit(cache=True)
def _ways_below(available: Word, hidden: Word, card: Word, length: int, ranks: Word, work: Array) -> Any:
    """Count the dealer's hands with every suit below a bound, with a polynomial per suit in `work`.

    `hidden` has, in the place of each suit, how many of its available cards are elsewhere; `card` is the dealer's seen
    card, if any.
    """
    for i in range(SUITS, SUITS + 2):
        for j in range(HAND_SIZE + 1):
            work[i, j] = 0.0
    for suit in range(SUITS):
        at = np.uint64(16 * suit)
        mask, one, elsewhere = available >> at & _MASK, card >> at & _MASK, _signed(hidden >> at & _CODE)
        cards = _popcount(mask)
        for size in range(length):
            work[suit, size] = _BINOMIALS[cards, size]
        work[suit, length] = _sets_below(mask, length, ranks)
        if one:
            for size in range(length):
                work[suit, size] -= _BINOMIALS[cards - 1, size]
            work[suit, length] -= _sets_below(mask ^ one, length, ranks)
        if elsewhere:
            for size in range(min(length, cards) + 1):
                work[suit, size] = work[suit, size] * _BINOMIALS[cards - elsewhere, size] / _BINOMIALS[cards, size]
    for pair in range(2):
        for i in range(length + 1):
            for j in range(min(length, HAND_SIZE - i) + 1):
                work[SUITS + pair, i + j] += work[2 * pair, i] * work[2 * pair + 1, j]
    total = 0.0
    for i in range(HAND_SIZE + 1):
        total += work[SUITS, i] * work[SUITS + 1, HAND_SIZE - i]
    return total


@njit(cache=True)
def _total(available: Word, hidden: Word, card: Word) -> Any:
    """Count all of the dealer's hands."""
    cards, elsewhere, part = 0, 0, 1.0
    for suit in range(SUITS):
        at = np.uint64(16 * suit)
        available_count, hidden_count = _popcount(available >> at & _MASK), _signed(hidden >> at & _CODE)
        cards, elsewhere = cards + available_count, elsewhere + hidden_count
        if card >> at & _MASK:
            part = (available_count - hidden_count) / available_count
    if card:
        return _TOTALS[cards - elsewhere - 1, HAND_SIZE - 1] * part
    return _TOTALS[cards - elsewhere, HAND_SIZE]


@njit(cache=True)
def meet(qualifier: Word, hand: Word, available: Word, hidden: Word, card: Word, work: Array) -> Any:
    """Count the dealer's hands: not qualified, those beaten less those lost to, and all."""
    code = _best_flush(hand)
    length, ranks = _signed(code >> _U13), code & _MASK
    total = _total(available, hidden, card)
    not_qualified = _ways_below(available, hidden, card, _signed(qualifier >> _U13), qualifier & _MASK, work)
    below = not_above = not_qualified
    if code >= qualifier:
        below = _ways_below(available, hidden, card, length, ranks, work)
        not_above = _ways_below(available, hidden, card, length, ranks + _U1, work)
    return not_qualified, (below - not_qualified) - (total - not_above), total


@njit(cache=True)
def _worth(raised: float, met: Any) -> Any:
    """Return the value of a Raise in Antes; below zero a fold is better."""
    not_qualified, ahead, total = met
    return (not_qualified + (1.0 + raised) * ahead) / total if raised >= 0.0 else -1.0


@njit(cache=True)
def _choose(low: float, high: float, met: Any) -> Any:
    """Return the best Raise, -1 to fold. Its value is linear in its size, so the smallest or the largest is best."""
    not_qualified, ahead, total = met
    raised = high if ahead >= 0.0 else low
    return raised if not_qualified + (1.0 + raised) * ahead > -total else -1.0


@njit(cache=True)
def _suit_counts(cards: Word) -> Word:
    counts = _U0
    for suit in range(SUITS):
        at = np.uint64(16 * suit)
        counts |= np.uint64(_popcount(cards >> at & _MASK)) << at
    return counts


@njit(cache=True)
def _most_unseen(known_cards: Word) -> int:
    """Return the most cards of one suit that are not among the known ones."""
    most = 0
    for suit in range(SUITS):
        most = max(most, SUIT_SIZE - _popcount(known_cards >> np.uint64(16 * suit) & _MASK))
    return most


@njit(cache=True)
def exposed(qualifier: Word, hand: Word, raises: Array, work: Array) -> Word:
    """Return the straight flushes that another player exposes: those outside the raised flush."""
    straights = _U0
    for suit in range(SUITS):
        at = np.uint64(16 * suit)
        straights |= _STRAIGHTS[hand >> at & _MASK] << at
    if not straights:
        return straights
    code = _best_flush(hand)
    length = _signed(code >> _U13)
    if _choose(raises[LOW, length], raises[HIGH, length], meet(qualifier, hand, ~hand & _RANKS, _U0, _U0, work)) >= 0.0:
        for suit in range(SUITS - 1, -1, -1):
            at = np.uint64(16 * suit)
            if hand >> at & _CODE == code:
                return straights & ~(_MASK << at)
    return straights


@njit(cache=True)
def _coded(cards: Word) -> Word:
    """Return four masks of ranks as the codes of a hand."""
    return cards | _suit_counts(cards) << _U13


@njit(cache=True)
def _redealt(
    qualifier: Word, hand: Word, laid: Array, first: float, chosen: float, habit: float, raises: Array, work: Array
) -> float:
    """Return the mean gain of a decision over deals with the same own hand and the same exposed cards of each other
    seat.

    `first` is the gain of the current deal; the others are redrawn until each exposes the same cards again.
    """
    cards, count, open_cards = np.empty(len(laid) * HAND_SIZE * SUITS, dtype=np.uint64), 0, _U0
    for other in range(len(laid)):
        open_cards |= laid[other]
    for place in range(64):
        bit = _U1 << np.uint64(place)
        if bit & _RANKS & ~(hand | open_cards):
            cards[count] = bit
            count += 1
    total, matches = first, 1
    for _ in range(TRIES):
        at, dealt, same = 0, open_cards, True
        for other in range(len(laid)):
            laid_cards = laid[other]
            need = HAND_SIZE
            for suit in range(SUITS):
                need -= _popcount(laid_cards >> np.uint64(16 * suit) & _MASK)
            for _ in range(need):
                pick = at + np.random.randint(0, count - at)
                cards[at], cards[pick] = cards[pick], cards[at]
                laid_cards |= cards[at]
                at += 1
            dealt |= laid_cards
            if exposed(qualifier, _coded(laid_cards), raises, work) != laid[other]:
                same = False
                break
        if same:
            met = meet(qualifier, hand, ~hand & _RANKS ^ dealt, _U0, _U0, work)
            total += _worth(chosen, met) - _worth(habit, met)
            matches += 1
            if matches == REDEALS:
                break
    return total / matches


@njit(cache=True, nogil=True)
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
    """Add deals to the tally. A row is the player's hand, then the other hands, and the dealer's if a card is seen.

    A seen card of the dealer may be any of the seven, so the mean over them stands for the deal. Decisions are the
    best, or if `by_count` is not empty those of a rule: thresholds for the largest Raise by the most unseen cards of
    one suit. With `exposed_only` they are the best for a player who sees only the exposed cards of the other hands and
    concludes only that the dealer lacks them; their value is counted from all hands, as the mean over deals that show
    the same. The randomness of these deals starts from the cards of the last row.
    """
    work, laid = np.empty((SUITS + 2, HAND_SIZE + 1)), np.zeros(other_hands, dtype=np.uint64)
    if exposed_only:
        np.random.seed(_signed(hands[-1, 0] % np.uint64(0x7FFF_FFFF)))
    for row in range(len(hands)):
        hand, seen_cards, exposed_cards = hands[row, 0], _U0, _U0
        for other in range(1, other_hands + 1):
            seen_cards |= hands[row, other] & _RANKS
            if exposed_only:
                laid[other - 1] = exposed(qualifier, hands[row, other], raises, work)
                exposed_cards |= laid[other - 1]
        code = _best_flush(hand)
        length = _signed(code >> _U13)
        low, high = raises[LOW, length], raises[HIGH, length]
        unknown = ~hand & _RANKS
        alone = meet(qualifier, hand, unknown, _U0, _U0, work)
        habit = _choose(low, high, alone)
        hidden = _U0
        if suits_only:
            hidden = _suit_counts(seen_cards)
        else:
            unknown ^= seen_cards
        gain, looks = 0.0, HAND_SIZE if dealer_card else 1
        cards = hands[row, other_hands + 1] & _RANKS if dealer_card else _U0
        for _ in range(looks):
            card = cards & (_U0 - cards)
            cards ^= card
            met = meet(qualifier, hand, unknown, hidden, card, work)
            decision = _choose(low, high, met)
            if exposed_only:
                met_shown = (
                    meet(qualifier, hand, unknown | seen_cards ^ exposed_cards, _U0, _U0, work)
                    if exposed_cards
                    else alone
                )
                decision = _choose(low, high, met_shown)
            elif len(by_count):
                decision = high if _signed(code) >= by_count[_most_unseen(hand | seen_cards)] else -1.0
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


@njit(cache=True, nogil=True)
def raise_gains(hands: Array, other_hands: int, raises: Array, qualifier: Word, gains: Array) -> None:
    """Add the gain of the largest Raise over a fold for a player who knows the suits of the other hands.

    Gains are summed by the most unseen cards of one suit, and by the cards and the highest rank of the best flush.
    """
    work = np.empty((SUITS + 2, HAND_SIZE + 1))
    for row in range(len(hands)):
        hand, seen_cards = hands[row, 0], _U0
        for other in range(1, other_hands + 1):
            seen_cards |= hands[row, other] & _RANKS
        code = _best_flush(hand)
        length, top = _signed(code >> _U13), 0
        for rank in range(SUIT_SIZE):
            if code >> np.uint64(rank) & _U1:
                top = rank
        met = meet(qualifier, hand, ~hand & _RANKS, _suit_counts(seen_cards), _U0, work)
        gains[_most_unseen(hand | seen_cards), length, top] += _worth(raises[HIGH, length], met) + 1.0
