"""Rounds dealt and settled at full speed. All compiled code is in this one module: numba notices a change only there.

A hand is one 64-bit number, sixteen bits a suit. A card adds its rank's bit (0 to 12) and one to the three bits
above; so after seven cards each sixteen bits read `length << 13 | ranks`, the code by which flushes compare, and
the best flush is the greatest of the four.

A hand of seven is drawn with one 64-bit word: multiply by the number of cards left, the upper 64 bits are the card's
place and the lower ones go on as the next fraction. That is exact unless the last fraction is below 2^64 mod (the
product of the seven numbers); then, less than once in 2^24 hands, the hand is drawn again (Brackett-Rozinsky and
Lemire, "Batched Ranged Random Integer Generation"). The deck is never put back in order: a uniform draw from any
order is uniform. Words come from xoshiro256**.

Money is counted by the round, over all seats, since the seats of a round share its dealer and its deck.
"""

from __future__ import annotations

from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from highcardflush.cards import DECK_SIZE, HAND_SIZE
from highcardflush.odds.counting import DEALER_HANDS, MASKS
from highcardflush.ranking import QUALIFIER
from highcardflush.rulebook.wagers import straight_flush_match

Array = np.ndarray[Any, np.dtype[Any]]
Word = Any
"""A number of 64 bits without a sign; mixed with a signed one it would become a float."""
_signed: Any = np.int64
FOLD, LOW, HIGH, ASK = range(4)
"""What to do with a flush: fold, make the smallest or the largest Raise, or look at the other suits."""
FOLDED, NOT_QUALIFIED, LOST, TIED, WON = range(5)
"""What becomes of an Ante."""
STRAIGHTS = 12
"""Straight flushes by rank: 0 none, then for 3 to 7 cards two each, without and with the ace on top."""
FLUSH_RETURN = 3
BATCH = 64
LENGTHS = 8
ANTE, RAISE, ANTE_2, RAISE_2, ANTE_RAISE, FLUSH, STRAIGHT, ENVY = range(8)
OUTCOMES_AT = 8
LENGTHS_AT = OUTCOMES_AT + 5
STRAIGHTS_AT = LENGTHS_AT + LENGTHS
OUTCOMES_2_AT = STRAIGHTS_AT + STRAIGHTS
COUNTS = OUTCOMES_2_AT + 5
CLASSES = 16
"""What a side bet off the fast path can find in a hand, at the most."""
OTHER = 1 + CLASSES
"""Each such bet has so many places more: its sum, then hands by class."""
"""A tally of ints: sums of the round's totals, for Ante and Raise also of their squares, then hands by outcome, length
and straight flush, then the squares of each round's number of hands by outcome.

The Raise is in hundredths of the Ante; a side bet counts what comes back, the stake included, in bets."""
_QUALIFIER = np.uint64(QUALIFIER.length << 13 | QUALIFIER.ranks)
_CODE = np.uint64(0xFFFF)
_RANKS = np.uint64(0x1FFF_1FFF_1FFF_1FFF)
_LOW_ACES = np.uint64(0x0001_0001_0001_0001)
_U0, _U1, _U2, _U7, _U12, _U13, _U16, _U32, _U48 = (np.uint64(i) for i in (0, 1, 2, 7, 12, 13, 16, 32, 48))


class Rules(NamedTuple):
    """What the kernels know of a table, a strategy and a number of seats; `plan` makes it."""

    seats: int
    action: Array
    """FOLD, LOW, HIGH or ASK, by the code of the best flush."""
    by_length: Array
    """By length: the Raise in hundredths of the Ante for each decision, and (at FLUSH_RETURN) the Flush Bonus."""
    thresholds: Array
    """From which code on to raise, by the lengths of the four suits (three bits each); below 0: weigh the hand."""
    by_straight: Array
    """By straight flush: what the Straight Flush Bonus returns, the progressive's line (the one after the last
    where nothing is paid), and the Envy Pay to one other seat."""
    pays: Array
    """What each line of the progressive returns, a percentage at the meter's value; 0 after the last."""
    dynamic: Array
    """The lines that have Dynamic Pays."""
    dynamic_pays: Array
    """Those pays, by dynamic line."""
    others: Array
    """For each side bet off the fast path: the class of a suit by its ranks. The hand's is the greatest of four."""
    other_returns: Array
    """What each class returns on such a bet."""


def _products() -> Array:
    """For each hand dealt: the product of the numbers of cards left for its seven draws, and 2^64 modulo it."""
    products = [prod(range(left - HAND_SIZE + 1, left + 1)) for left in range(DECK_SIZE, HAND_SIZE, -HAND_SIZE)]
    return np.array([(product, (1 << 64) % product) for product in products], dtype=np.uint64)


def _suit_straights() -> Array:
    """The straight flush in a suit as the kernel numbers it, by the suit's ranks."""
    numbers = np.zeros(len(MASKS), dtype=np.uint8)
    for ranks in MASKS:
        cards, ace_on_top = straight_flush_match(ranks).reach
        if cards and ranks.bit_count() <= HAND_SIZE:
            numbers[ranks] = 2 * (cards - 2) + ace_on_top
    return numbers


# Arrays of the module are constants of the compiled code.
DECK = np.array([(1 << rank | 1 << 13) << 16 * suit for suit in range(4) for rank in range(13)], dtype=np.uint64)
"""Each card as it adds up to a hand."""
_PRODUCTS = _products()
_SUIT_STRAIGHTS = _suit_straights()
_BINOMIALS: Array = np.array([[comb(n, k) for k in range(HAND_SIZE + 1)] for n in range(14)], dtype=np.int64)


def _product(typing: Any, left: Any, right: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide, narrow = ir.IntType(128), ir.IntType(64)
        product = builder.mul(*(builder.zext(each, wide) for each in arguments))
        upper = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), narrow)
        return context.make_tuple(builder, signature.return_type, (upper, builder.trunc(product, narrow)))

    return types.UniTuple(types.uint64, 2)(types.uint64, types.uint64), build  # type: ignore[no-untyped-call]


_multiply: Any = intrinsic(_product)
"""The upper and the lower half of the 128-bit product of two words."""


@njit(cache=True)
def _rotate(word: Word, bits: int) -> Word:
    return (word << np.uint64(bits)) | (word >> np.uint64(64 - bits))


@njit(cache=True)
def next_word(state: Array) -> Word:
    """The next word of xoshiro256**."""
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    word = _rotate(s1 * np.uint64(5), 7) * np.uint64(9)
    s2 ^= s0
    s3 ^= s1
    state[0] = s0 ^ s3
    state[1] = s1 ^ s2
    state[2] = s2 ^ (s1 << np.uint64(17))
    state[3] = _rotate(s3, 45)
    return word


@njit(cache=True)
def _below(state: Array, bound: int) -> Word:
    """A number from 0 to bound - 1, each with the same chance."""
    limit = np.uint64(bound)
    while True:
        upper, lower = _multiply(next_word(state), limit)
        if lower >= limit or lower >= (_U0 - limit) % limit:
            return upper


@njit(cache=True)
def deal(seats: int, state: Array, deck: Array, hands: Array) -> None:
    """A row of hands a round, the dealer's after the seats'. The first card dealt ends as the last of the deck."""
    for row in range(len(hands)):
        left = np.uint64(52)
        for place in range(seats + 1):
            while True:
                fraction, hand = next_word(state), _U0
                for i in range(7):
                    cards = left - np.uint64(i)
                    at, fraction = _multiply(fraction, cards)
                    card = deck[at]
                    deck[at] = deck[cards - _U1]
                    deck[cards - _U1] = card
                    hand += card
                if fraction >= _PRODUCTS[place, 0] or fraction >= _PRODUCTS[place, 1]:
                    break
            hands[row, place] = hand
            left -= _U7


@njit(cache=True)
def draw_dynamic(rules: Rules, state: Array, pays: Array) -> None:
    """A row of pays a round, with Dynamic Pays: how many lines, which ones, and one of its pays for each."""
    dynamic, choices, default = rules.dynamic, rules.dynamic_pays, rules.pays
    lines = len(dynamic)
    order = np.arange(lines)
    for row in range(len(pays)):
        for line in range(len(default)):
            pays[row, line] = default[line]
        for i in range(1 + _below(state, lines - 1)):
            at = np.uint64(i) + _below(state, lines - i)
            order[i], order[at] = order[at], order[i]
            pays[row, dynamic[order[i]]] = choices[order[i], _below(state, choices.shape[1])]


@njit(cache=True)
def best_flush(hand: Word) -> Word:
    """The code of the best flush."""
    return max(hand & _CODE, hand >> _U16 & _CODE, hand >> _U32 & _CODE, hand >> _U48)


@njit(cache=True)
def best_straight(hand: Word) -> Any:
    """The best straight flush, 0 if there is none: most hands are seen to have no three in a row at once."""
    ranks = hand & _RANKS
    runs = (ranks << _U1) | (ranks >> _U12 & _LOW_ACES)
    if not runs & (runs << _U1) & (runs << _U2):
        return 0
    table, mask = _SUIT_STRAIGHTS, np.uint64(0x1FFF)
    first = max(table[ranks & mask], table[ranks >> _U16 & mask])
    return max(first, table[ranks >> _U32 & mask], table[ranks >> _U48])


@njit(cache=True)
def _popcount(mask: Word) -> Word:
    pairs = mask - (mask >> _U1 & np.uint64(0x5555))
    fours = (pairs & np.uint64(0x3333)) + (pairs >> _U2 & np.uint64(0x3333))
    eights = (fours + (fours >> np.uint64(4))) & np.uint64(0x0F0F)
    return (eights + (eights >> np.uint64(8))) & np.uint64(0x1F)


@njit(cache=True)
def _ways_below(hand: Word, length: int, ranks: Word, work: Array) -> int:
    """How many dealer's hands have every suit below a bound; as odds.hand, with a polynomial a suit in `work`."""
    for i in range(48):
        work.flat[i] = 0
    for suit in range(4):
        available = ~(hand >> np.uint64(16 * suit)) & np.uint64(0x1FFF)
        for cards in range(length):
            work[suit, cards] = _BINOMIALS[_popcount(available), cards]
        left = length
        for rank in range(13, -1, -1):
            bit = _U1 << np.uint64(rank)
            if ranks & bit:
                work[suit, length] += _BINOMIALS[_popcount(available & (bit - _U1)), left]
                left -= 1
                if not available & bit:
                    break
    for pair in range(2):
        for i in range(length + 1):
            for j in range(min(length, 7 - i) + 1):
                work[4 + pair, i + j] += work[2 * pair, i] * work[2 * pair + 1, j]
    total = 0
    for i in range(8):
        total += work[4, i] * work[5, 7 - i]
    return total


@njit(cache=True)
def weigh(by_length: Array, hand: Word, code: Word, work: Array) -> int:
    """The best decision. A Raise's value is linear in its size, so the smallest or the largest is best."""
    length, ranks = _signed(code >> _U13), code & np.uint64(0x1FFF)
    not_qualified = _ways_below(hand, 3, np.uint64(1 << 7), work)
    below = max(_ways_below(hand, length, ranks, work), not_qualified)
    not_above = max(_ways_below(hand, length, ranks + _U1, work), not_qualified)
    ahead = (below - not_qualified) - (DEALER_HANDS - not_above)
    choice = HIGH if ahead >= 0 else LOW
    worth = 100 * not_qualified + (100 + by_length[choice, length]) * ahead
    return choice if worth > -100 * DEALER_HANDS else FOLD


@njit(cache=True)
def decide(thresholds: Array, by_length: Array, hand: Word, code: Word, work: Array) -> int:
    """The strategy's decision where the best flush alone does not tell it."""
    lengths = (hand >> _U13 & _U7) | (hand >> np.uint64(26) & np.uint64(0x38))
    lengths |= (hand >> np.uint64(39) & np.uint64(0x1C0)) | (hand >> np.uint64(52) & np.uint64(0xE00))
    if thresholds[lengths] < 0:
        return weigh(by_length, hand, code, work)
    return HIGH if _signed(code) >= thresholds[lengths] else FOLD


@njit(cache=True)
def settle(rules: Rules, hands: Array, tally: Array, winners: Array) -> int:
    """Add rounds to the tally, but for what a straight flush wins: the rounds that have one are listed, and counted."""
    seats, action, by_length, thresholds = rules.seats, rules.action, rules.by_length, rules.thresholds
    work, winning = np.empty((6, 8), dtype=np.int64), 0
    for i in range(len(hands)):
        dealer = best_flush(hands[i, seats])
        qualifies = dealer >= _QUALIFIER
        antes, raises, flushes, any_straight, outcomes = 0, 0, 0, 0, 0
        for seat in range(seats):
            hand = hands[i, seat]
            code = best_flush(hand)
            length = code >> _U13
            decision = action[code]
            if decision == ASK:
                decision = decide(thresholds, by_length, hand, code, work)
            ahead = _signed(code > dealer) - _signed(code < dealer)
            outcome = TIED + ahead if qualifies else NOT_QUALIFIED
            outcome = outcome if decision != FOLD else FOLDED
            antes += ahead if outcome >= LOST else 2 * outcome - 1
            raises += ahead * by_length[decision, length] if outcome >= LOST else 0
            flushes += by_length[FLUSH_RETURN, length]
            outcomes += 1 << 3 * outcome
            tally[np.uint64(LENGTHS_AT) + length] += 1
            any_straight |= best_straight(hand)
        for outcome in range(5):
            count = outcomes >> 3 * outcome & 7
            tally[OUTCOMES_AT + outcome] += count
            tally[OUTCOMES_2_AT + outcome] += count * count
        tally[ANTE] += antes
        tally[RAISE] += raises
        tally[ANTE_2] += antes * antes
        tally[RAISE_2] += raises * raises
        tally[ANTE_RAISE] += antes * raises
        tally[FLUSH] += flushes
        winners[winning] = i
        winning += any_straight != 0
    return winning


@njit(cache=True)
def settle_straights(rules: Rules, hands: Array, pays: Array, winners: Array, tally: Array, money: Array) -> None:
    """Add what straight flushes win. `money` is the progressive's sum."""
    seats, by_straight = rules.seats, rules.by_straight
    for i in winners:
        bonus, envy, progressive = 0, 0, 0.0
        for seat in range(seats):
            straight = best_straight(hands[i, seat])
            tally[STRAIGHTS_AT + straight] += 1
            bonus += by_straight[straight, 0]
            progressive += pays[i, by_straight[straight, 1]]
            envy += by_straight[straight, 2] * (seats - 1)
        tally[STRAIGHT] += bonus
        tally[ENVY] += envy
        money[0] += progressive


@njit(cache=True)
def settle_others(rules: Rules, hands: Array, tally: Array) -> None:
    """Add the side bets that have a table of their own."""
    mask = np.uint64(0x1FFF)
    for bet in range(len(rules.others)):
        by_suit, returns, first = rules.others[bet], rules.other_returns[bet], COUNTS + OTHER * bet
        for i in range(len(hands)):
            total = 0
            for seat in range(rules.seats):
                ranks = hands[i, seat] & _RANKS
                low = max(by_suit[ranks & mask], by_suit[ranks >> _U16 & mask])
                best = max(low, by_suit[ranks >> _U32 & mask], by_suit[ranks >> _U48])
                total += returns[best]
                tally[first + 1 + best] += 1
            tally[first] += total


@njit(cache=True)
def deal_batch(rules: Rules, state: Array, deck: Array, hands: Array, pays: Array) -> None:
    """The cards and the Dynamic Pays of some rounds, a row for each."""
    if len(rules.dynamic):
        draw_dynamic(rules, state, pays)
    deal(rules.seats, state, deck, hands)


@njit(cache=True, nogil=True)
def play(rules: Rules, state: Array, rounds: int, tally: Array, money: Array) -> None:
    """Deal and settle rounds from one stream of words, in batches that stay in the fastest cache."""
    deck, hands, winners = DECK.copy(), np.zeros((BATCH, 7), dtype=np.uint64), np.zeros(BATCH, dtype=np.int64)
    pays = np.empty((BATCH, len(rules.pays)))
    pays[:] = rules.pays
    for first in range(0, rounds, BATCH):
        size = min(BATCH, rounds - first)
        deal_batch(rules, state, deck, hands[:size], pays[:size])
        winning = settle(rules, hands[:size], tally, winners)
        settle_straights(rules, hands, pays, winners[:winning], tally, money)
        settle_others(rules, hands[:size], tally)
