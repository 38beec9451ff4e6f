"""Deals and settles simulated rounds in compiled code.

A hand is one 64-bit number with sixteen bits per suit. A card sets its rank's bit (0 to 12) and adds one to the three
bits above the ranks. After seven cards, the sixteen bits of each suit read `length << 13 | ranks`. Flushes are compared
by this code, so the best flush is the greatest of the four codes.

A hand of seven cards is drawn with one 64-bit word, as three, two and two cards. The word is multiplied by the number
of ways to take three of the remaining cards. The upper 64 bits of the product are the choice, and the lower 64 bits
serve as the word for the next choice. The result is exact unless the last lower half is below 2^64 mod (the product of
the three numbers). In that case, which occurs less than once in 2^29 hands, another word is drawn (Brackett-Rozinsky
and Lemire, "Batched Ranged Random Integer Generation"). A choice is a mask of places among the remaining cards. The
instruction pdep, or slower code with the same result, converts it to cards.

The words come from many xoshiro256** generators that run in parallel. Rounds are settled in columns: branch-free loops
settle one seat in all rounds, then the next seat. One word per round, its marks, counts the outcomes of the round in
bit fields. Money is summed per round over all seats, because they share a dealer and a deck.
"""

from itertools import combinations
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from highcardflush.cards import DECK_SIZE, HAND_SIZE
from highcardflush.odds.counting import HELD, MASKS
from highcardflush.odds.primitives import (
    MASK,
    NOT_ZERO,
    RANKS,
    U0,
    U1,
    U13,
    U16,
    U32,
    U48,
    Array,
    Word,
    best_flush,
    compiled,
    instruction,
    meet,
    popcount,
    signed,
)
from highcardflush.rulebook.wagers import straight_flush_match

FOLD, LOW, HIGH, ASK = range(4)
"""Decisions for a flush: fold, make the smallest or the largest Raise, or look at the other suits."""
FOLDED, NOT_QUALIFIED, LOST, TIED, WON = range(5)
"""Outcomes of an Ante."""
STRAIGHTS = 12
"""Number of straight-flush classes: 0 is none, 1 is unused, and each length (3 to 7) has two, the second ace-high."""
FLUSH_RETURN = 3
BATCH = 256
LANES = 16
"""Number of generators that the processor advances in parallel."""
STATE = 4 * (1 + LANES)
"""Number of words in a state: the four words of the generator for single numbers, then those of the parallel
generators, in four rows with one word of each generator."""
FOLDS = -1
LENGTHS = 8
MARKED_LENGTHS = 9
"""Bit offset of the length counts in a round's marks. The three bits from bit 3n on count the hands with outcome n; the
three bits from bit 9 + 3n on count the flushes of length n, which is at least two."""
# Layout of a tally (integers): sums of the rounds' totals, and of their squares and products for Ante and Raise; then
# numbers of hands with each outcome, length and straight-flush class; then, for each outcome, the sum over rounds of
# its squared number of hands. Raises are in hundredths of an Ante. Side bets are in bets, and a win includes its stake.
ANTE, RAISE, ANTE_2, RAISE_2, ANTE_RAISE, FLUSH, STRAIGHT, ENVY = range(8)
OUTCOMES_AT = 8
LENGTHS_AT = OUTCOMES_AT + 5
STRAIGHTS_AT = LENGTHS_AT + LENGTHS
OUTCOMES_2_AT = STRAIGHTS_AT + STRAIGHTS
COUNTS = OUTCOMES_2_AT + 5
CLASSES = 16
"""Maximum number of classes of a side bet that is not on the fast path."""
OTHER = 1 + CLASSES
"""Number of places that each of these side bets adds to a tally: its sum, then the number of hands in each class."""
_LOW_ACES = np.uint64(0x0001_0001_0001_0001)
_LOW_FOURS = np.uint64(0x000F_000F_000F_000F)
_BYTES, _BYTE_TOPS = np.uint64(0x0101_0101_0101_0101), np.uint64(0x8080_8080_8080_8080)
_U2, _U3, _U7, _U12 = (np.uint64(i) for i in (2, 3, 7, 12))


class Rules(NamedTuple):
    """A table, a strategy and a number of seats in the form that the kernels read. The module `plan` builds it."""

    seats: int
    action: Array
    """Decision (FOLD, LOW, HIGH or ASK) for each code of the best flush."""
    by_length: Array
    """Raise in hundredths of an Ante (FOLDS: fold), for each decision and length. Last row: Flush Bonus returns."""
    thresholds: Array
    """Lowest code to raise, for each number of side cards and suit lengths (3 bits each). Negative: `weigh` decides."""
    side: Word
    """Mask of the ranks that are counted outside the flush."""
    qualifier: Word
    """Code of the weakest flush with which the dealer qualifies."""
    by_straight: Array
    """Bonus return, index of progressive line (one past the last if none) and Envy Pay of each straight-flush class."""
    pays: Array
    """Return of each progressive line, then a 0. A percentage line's return is computed from the meter's amount."""
    dynamic: Array
    """Indices of the lines that have Dynamic Pays."""
    dynamic_pays: Array
    """Dynamic Pays of these lines, one row per line."""
    others: Array
    """Class of each rank mask, for each side bet off the fast path. A hand has the greatest class of its four masks."""
    other_returns: Array
    """Return of each class, for each of these side bets."""
    triples: Array
    """The result of `subsets` for three places. It is too long to be a constant of the compiled code."""
    pairs: Array
    """The result of `subsets` for two places."""


def _bounds(*sizes: int) -> Array:
    """Return, for each hand dealt, the numbers of ways to take sets of these sizes, their product P, and 2^64 mod P."""
    rows = []
    for cards_left in range(DECK_SIZE, HAND_SIZE, -HAND_SIZE):
        numbers = [comb(cards_left - sum(sizes[:i]), size) for i, size in enumerate(sizes)]
        rows.append((*numbers, prod(numbers), (1 << 64) % prod(numbers)))
    return np.array(rows, dtype=np.uint64)


def subsets(size: int) -> Array:
    """Return the masks of all sets of `size` bit positions, sorted so that for every n the sets within the n lowest
    positions come first."""
    return np.array(sorted(sum(1 << i for i in each) for each in combinations(range(DECK_SIZE), size)), dtype=np.uint64)


def _suit_straights() -> Array:
    """Return the number of the straight-flush class for each mask of a suit's ranks."""
    numbers = np.zeros(len(MASKS), dtype=np.uint8)
    for ranks in HELD:
        cards, ace_on_top = straight_flush_match(ranks).reach
        numbers[ranks] = 2 * (cards - 2) + ace_on_top if cards else 0
    return numbers


def _nth(mask: int, n: int) -> int:
    """Return the bit of a mask that has n set bits below it, or 0 if there is none."""
    return next((1 << i for i in range(8) if mask >> i & 1 and (mask & (1 << i) - 1).bit_count() == n), 0)


# The compiled code treats module-level arrays as constants.
DECK = np.array([(1 << rank | 1 << 13) << 16 * suit for suit in range(4) for rank in range(13)], dtype=np.uint64)
"""Value that each card adds to a hand."""
_PRODUCTS = _bounds(*[1] * HAND_SIZE)[:, HAND_SIZE:].copy()
_BOUNDS = _bounds(3, 2, 2)
_NTH: Array = np.array([[_nth(byte, n) for n in range(8)] for byte in range(256)], dtype=np.uint8)
"""The bits that are set in each byte, from the lowest to the highest."""
_SUIT_STRAIGHTS = _suit_straights()


def _product(typing: Any, left: Any, right: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide, narrow = ir.IntType(128), ir.IntType(64)
        product = builder.mul(*(builder.zext(each, wide) for each in arguments))
        upper = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), narrow)
        return context.make_tuple(builder, signature.return_type, (upper, builder.trunc(product, narrow)))

    return types.UniTuple(types.uint64, 2)(types.uint64, types.uint64), build  # type: ignore[no-untyped-call]


_multiply: Any = intrinsic(_product)
"""Function that returns the upper and lower halves of the 128-bit product of two words."""

_trailing_zeros = instruction("cttz", types.uint64, NOT_ZERO)


@compiled()
def _byte_counts(mask: Word) -> Word:
    """Return the number of set bits in each byte."""
    pairs = mask - (mask >> U1 & np.uint64(0x5555_5555_5555_5555))
    fours = (pairs & np.uint64(0x3333_3333_3333_3333)) + (pairs >> _U2 & np.uint64(0x3333_3333_3333_3333))
    return fours + (fours >> np.uint64(4)) & np.uint64(0x0F0F_0F0F_0F0F_0F0F)


@compiled()
def deposit_slowly(mask: Word, into: Word) -> Word:
    """Do what the instruction pdep does: return the n-th set bit of `into` for each bit n of `mask`."""
    sums, result = _byte_counts(into) * _BYTES, U0  # Each byte has the number of set bits up to its end.
    while mask:
        place = _trailing_zeros(mask)
        mask &= mask - U1
        passed = (((place * _BYTES | _BYTE_TOPS) - sums) & _BYTE_TOPS) >> _U7  # 1 in each byte below the bit.
        shift = (passed * _BYTES >> np.uint64(56)) << _U3
        before = (sums << np.uint64(8)) >> shift & np.uint64(0xFF)
        result |= np.uint64(_NTH[into >> shift & np.uint64(0xFF), place - before]) << shift
    return result


insert_function: Any = cgutils.get_or_insert_function


def _pdep(typing: Any, mask: Any, into: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        return builder.call(insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64"), arguments)

    return types.uint64(types.uint64, types.uint64), build


def has_pdep() -> bool:
    """Return True if code is compiled for a processor whose pdep is fast."""
    triple, name, features = cpu_target.target_context.codegen().magic_tuple()
    return triple.startswith("x86_64") and "+bmi2" in features.split(",") and name not in ("znver1", "znver2", "bdver4")


_deposit: Any = intrinsic(_pdep) if has_pdep() else deposit_slowly


@compiled()
def _rotate(word: Word, bits: int) -> Word:
    return (word << np.uint64(bits)) | (word >> np.uint64(64 - bits))


@compiled()
def next_word(state: Array) -> Word:
    """Return the next word of xoshiro256**."""
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    word = _rotate(s1 * np.uint64(5), 7) * np.uint64(9)
    s2 ^= s0
    s3 ^= s1
    state[0] = s0 ^ s3
    state[1] = s1 ^ s2
    state[2] = s2 ^ (s1 << np.uint64(17))
    state[3] = _rotate(s3, 45)
    return word


@compiled()
def _below(state: Array, bound: int) -> Word:
    """Return a uniformly random number from 0 to bound - 1."""
    limit = np.uint64(bound)
    while True:
        upper, lower = _multiply(next_word(state), limit)
        if lower >= limit or lower >= (U0 - limit) % limit:
            return upper


@compiled(nogil=True)
def deal(seats: int, state: Array, deck: Array, hands: Array) -> None:
    """Deal a row of hands per round, with the dealer's hand last. One word per hand determines all its cards.

    Dealt cards move to the end of the deck. The deck is never sorted, because a draw from any order is uniform.
    """
    for row in range(len(hands)):
        cards_left = np.uint64(52)
        for place in range(seats + 1):
            while True:
                fraction, hand = next_word(state), U0
                for i in range(7):
                    cards = cards_left - np.uint64(i)
                    at, fraction = _multiply(fraction, cards)
                    card = deck[at]
                    deck[at] = deck[cards - U1]
                    deck[cards - U1] = card
                    hand += card
                if fraction >= _PRODUCTS[place, 0] or fraction >= _PRODUCTS[place, 1]:
                    break
            hands[row, place] = hand
            cards_left -= _U7


@compiled()
def draw_words(lanes: Array, words: Array) -> None:
    """Fill `words` from the parallel generators in turn. Each generator gives the same words as `next_word`."""
    for first in range(0, len(words), LANES):
        for i in range(LANES):
            s0, s1, s2, s3 = lanes[0, i], lanes[1, i], lanes[2, i], lanes[3, i]
            words[first + i] = _rotate(s1 * np.uint64(5), 7) * np.uint64(9)
            s2 ^= s0
            s3 ^= s1
            lanes[0, i] = s0 ^ s3
            lanes[1, i] = s1 ^ s2
            lanes[2, i] = s2 ^ (s1 << np.uint64(17))
            lanes[3, i] = _rotate(s3, 45)


@compiled()
def deal_words(triples: Array, pairs: Array, state: Array, words: Array, hands: Array) -> None:
    """Deal a column of hands per round, with one word per hand. Words that would cause bias are replaced from `state`.

    All rounds get their first hand, then their second, so that the processor works on several hands at the same time.
    """
    places, rounds = hands.shape
    cards_left = np.full(rounds, RANKS)
    for place in range(places):
        threes, twos, remaining, product, limit = _BOUNDS[place]
        for i in range(rounds):
            fraction = words[place * rounds + i]
            while True:
                first, fraction = _multiply(fraction, threes)
                second, fraction = _multiply(fraction, twos)
                third, fraction = _multiply(fraction, remaining)
                if fraction >= product or fraction >= limit:
                    break
                fraction = next_word(state)
            before = cards_left[i]
            after = before ^ _deposit(triples[first], before)
            after ^= _deposit(pairs[second], after)
            after ^= _deposit(pairs[third], after)
            hands[place, i] = before ^ after
            cards_left[i] = after


@compiled()
def add_lengths(hands: Array) -> None:
    """Put the number of cards of each suit into the bits above that suit's ranks, in every hand."""
    for place in range(len(hands)):
        for i in range(hands.shape[1]):
            counts = _byte_counts(hands[place, i])
            hands[place, i] |= (counts + (counts >> np.uint64(8)) & _LOW_FOURS) << U13


@compiled()
def draw_dynamic(rules: Rules, state: Array, pays: Array) -> None:
    """Draw a row of Dynamic Pays per round: the number of lines that change, these lines, and a pay for each."""
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


@compiled()
def _runs(hand: Word) -> Word:
    """Return nonzero if a suit has three ranks in a row, with the ace low or high."""
    ranks = hand & RANKS
    runs = (ranks << U1) | (ranks >> _U12 & _LOW_ACES)
    return runs & (runs << U1) & (runs << _U2)


@compiled()
def best_straight(hand: Word) -> Any:
    """Return the class of the best straight flush, or 0 if there is none. A quick test rules out most hands."""
    if not _runs(hand):
        return 0
    ranks = hand & RANKS
    table = _SUIT_STRAIGHTS
    first = max(table[ranks & MASK], table[ranks >> U16 & MASK])
    return max(first, table[ranks >> U32 & MASK], table[ranks >> U48])


@compiled()
def weigh(by_length: Array, hand: Word, code: Word, work: Array, qualifier: Word) -> Any:
    """Return the best decision. A Raise's value is linear in its size, so the smallest or the largest is best."""
    not_qualified, ahead, total = meet(qualifier, hand, ~hand & RANKS, U0, U0, work)
    choice = HIGH if ahead >= 0.0 else LOW
    worth = 100.0 * not_qualified + (100 + by_length[choice, code >> U13]) * ahead
    return choice if worth > -100.0 * total else FOLD


@compiled()
def decide(
    thresholds: Array, side: Word, by_length: Array, hand: Word, code: Word, work: Array, qualifier: Word
) -> Any:
    """Return the strategy's decision when the best flush alone does not determine it."""
    lengths = (hand >> U13 & _U7) | (hand >> np.uint64(26) & np.uint64(0x38))
    lengths |= (hand >> np.uint64(39) & np.uint64(0x1C0)) | (hand >> np.uint64(52) & np.uint64(0xE00))
    count = popcount(hand & side) + popcount(hand >> U16 & side) + popcount(hand >> U32 & side)
    count += popcount(hand >> U48 & side) - popcount(code & side)
    threshold = thresholds[count, lengths]
    if threshold < 0:
        return weigh(by_length, hand, code, work, qualifier)
    return HIGH if signed(code) >= threshold else FOLD


@compiled()
def decide_all(
    action: Array,
    by_length: Array,
    thresholds: Array,
    side: Word,
    qualifier: Word,
    hands: Array,
    codes: Array,
    raises: Array,
) -> None:
    """Set the Raise of each hand in a column, in hundredths of an Ante. FOLDS means a fold."""
    any_open = False
    for i in range(len(codes)):
        decision = action[codes[i]]
        any_open |= decision == ASK
        raises[i] = by_length[decision, codes[i] >> U13]
    if any_open:
        work = np.empty((6, 8))
        for i in range(len(codes)):
            if action[codes[i]] == ASK:
                decision = decide(thresholds, side, by_length, hands[i], codes[i], work, qualifier)
                raises[i] = by_length[decision, codes[i] >> U13]


@compiled()
def rank_all(hands: Array, codes: Array) -> None:
    """Set the code of the best flush of each hand in a column."""
    for i in range(len(hands)):
        codes[i] = best_flush(hands[i])


@compiled()
def mark_straights(hands: Array, straights: Array) -> None:
    """Mark the rounds in which a hand of the column has a straight flush."""
    for i in range(len(hands)):
        straights[i] |= _runs(hands[i])


@compiled()
def settle_seat(qualifier: Word, dealers: Array, codes: Array, raises: Array, marks: Array, won: Array) -> None:
    """Settle a seat in all rounds: count its outcome and length in `marks`, and add its Raise's net result to `won`."""
    for i in range(len(dealers)):
        code, dealer, raised = codes[i], dealers[i], raises[i]
        ahead = signed(code > dealer) - signed(code < dealer)
        outcome = TIED + ahead if dealer >= qualifier else NOT_QUALIFIED
        outcome = outcome if raised >= 0 else FOLDED
        net = raised if code > dealer else -raised if code < dealer else 0
        won[i] += net if outcome >= LOST else 0
        marks[i] += (U1 << np.uint64(3 * outcome)) + (U1 << (np.uint64(MARKED_LENGTHS) + _U3 * (code >> U13)))


@compiled()
def _fields(marks: Array, first: int) -> tuple[Array, Array]:
    """Return the sums of six three-bit fields of the marks, and the sums of their squares.

    Separate variables let the processor add them in parallel.
    """
    a, b, c, d, e, f, a2, b2, c2, d2, e2, f2 = 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    for i in range(len(marks)):
        mark = signed(marks[i]) >> first
        n0, n1, n2, n3, n4, n5 = mark & 7, mark >> 3 & 7, mark >> 6 & 7, mark >> 9 & 7, mark >> 12 & 7, mark >> 15 & 7
        a, b, c, d, e, f = a + n0, b + n1, c + n2, d + n3, e + n4, f + n5
        a2, b2, c2, d2, e2, f2 = a2 + n0 * n0, b2 + n1 * n1, c2 + n2 * n2, d2 + n3 * n3, e2 + n4 * n4, f2 + n5 * n5
    return np.array((a, b, c, d, e, f)), np.array((a2, b2, c2, d2, e2, f2))


@compiled()
def add_marks(by_length: Array, marks: Array, won: Array, tally: Array) -> None:
    """Add rounds to the tally. The results of the Ante follow from the outcomes."""
    outcomes, squares = _fields(marks, 0)
    lengths, _ = _fields(marks, MARKED_LENGTHS + 6)
    for i in range(5):
        tally[OUTCOMES_AT + i] += outcomes[i]
        tally[OUTCOMES_2_AT + i] += squares[i]
    for i in range(6):
        tally[LENGTHS_AT + 2 + i] += lengths[i]
        tally[FLUSH] += lengths[i] * by_length[FLUSH_RETURN, 2 + i]
    antes, raises, antes_2, raises_2, both = 0, 0, 0, 0, 0
    for i in range(len(marks)):
        mark, raised = signed(marks[i]), won[i]
        ante = (mark >> 3 * NOT_QUALIFIED & 7) + (mark >> 3 * WON & 7) - (mark & 7) - (mark >> 3 * LOST & 7)
        antes, raises = antes + ante, raises + raised
        antes_2, raises_2, both = antes_2 + ante * ante, raises_2 + raised * raised, both + ante * raised
    for place, value in ((ANTE, antes), (RAISE, raises), (ANTE_2, antes_2), (RAISE_2, raises_2), (ANTE_RAISE, both)):
        tally[place] += value


@compiled()
def settle(rules: Rules, hands: Array, rounds: int, tally: Array, winners: Array) -> int:
    """Add rounds to the tally, without straight-flush wins.

    List the rounds with a straight flush in `winners`, and return their number.
    """
    seats, action, by_length, thresholds = rules.seats, rules.action, rules.by_length, rules.thresholds
    words, ints = np.zeros((4, rounds), dtype=np.uint64), np.zeros((2, rounds), dtype=np.int64)
    # The compiler does not know the stride of a slice with several rows.
    dealers, codes, marks, straights = words[0], words[1], words[2], words[3]
    raises, won = ints[0], ints[1]
    rank_all(hands[seats][:rounds], dealers)
    for seat in range(seats):
        column = hands[seat][:rounds]
        rank_all(column, codes)
        mark_straights(column, straights)
        decide_all(action, by_length, thresholds, rules.side, rules.qualifier, column, codes, raises)
        settle_seat(rules.qualifier, dealers, codes, raises, marks, won)
    add_marks(by_length, marks, won, tally)
    winning = 0
    for i in range(rounds):
        winners[winning] = i
        winning += straights[i] != U0
    return winning


@compiled()
def settle_straights(rules: Rules, hands: Array, pays: Array, winners: Array, tally: Array, money: Array) -> None:
    """Add the straight-flush wins to the tally, and the progressive's pays to `money`."""
    seats, by_straight = rules.seats, rules.by_straight
    for i in winners:
        bonus, envy, progressive = 0, 0, 0.0
        for seat in range(seats):
            straight = best_straight(hands[seat, i])
            tally[STRAIGHTS_AT + straight] += 1
            bonus += by_straight[straight, 0]
            progressive += pays[i, by_straight[straight, 1]]
            envy += by_straight[straight, 2] * (seats - 1)
        tally[STRAIGHT] += bonus
        tally[ENVY] += envy
        money[0] += progressive


@compiled()
def settle_others(rules: Rules, hands: Array, rounds: int, tally: Array) -> None:
    """Add the side bets that are not on the fast path to the tally."""
    for bet in range(len(rules.others)):
        by_suit, returns, first = rules.others[bet], rules.other_returns[bet], COUNTS + OTHER * bet
        for i in range(rounds):
            total = 0
            for seat in range(rules.seats):
                ranks = hands[seat, i] & RANKS
                low = max(by_suit[ranks & MASK], by_suit[ranks >> U16 & MASK])
                best = max(low, by_suit[ranks >> U32 & MASK], by_suit[ranks >> U48])
                total += returns[best]
                tally[first + 1 + best] += 1
            tally[first] += total


@compiled()
def deal_batch(rules: Rules, state: Array, words: Array, hands: Array, pays: Array) -> None:
    """Deal a batch of rounds: a row of Dynamic Pays and a column of hands per round."""
    if len(rules.dynamic):
        draw_dynamic(rules, state[:4], pays)
    dealt = hands[: rules.seats + 1]
    draw_words(state[4:].reshape(4, LANES), words[: dealt.size])
    deal_words(rules.triples, rules.pairs, state[:4], words, dealt)
    add_lengths(dealt)


@compiled(nogil=True)
def play(rules: Rules, state: Array, rounds: int, tally: Array, money: Array) -> None:
    """Deal and settle rounds with random words from one state, in batches that fit into the fastest cache."""
    hands, words = np.zeros((7, BATCH), dtype=np.uint64), np.zeros(7 * BATCH, dtype=np.uint64)
    pays, winners = np.empty((BATCH, len(rules.pays))), np.zeros(BATCH, dtype=np.int64)
    pays[:] = rules.pays
    for first in range(0, rounds, BATCH):
        size = min(BATCH, rounds - first)
        deal_batch(rules, state, words, hands, pays[:size])
        winning = settle(rules, hands, size, tally, winners)
        settle_straights(rules, hands, pays, winners[:winning], tally, money)
        settle_others(rules, hands, size, tally)


@compiled(nogil=True)
def pack_cards(cards: Array, hands: Array) -> int:
    """Pack rows of cards into hands; return the first row with a repeated or invalid card, or -1 if there is none."""
    for row in range(len(cards)):
        hand, cards_seen = U0, U0
        for place in range(cards.shape[1]):
            card = cards[row, place]
            if not 0 <= card < DECK_SIZE:
                return row
            bit = U1 << np.uint64(card)
            if cards_seen & bit:
                return row
            cards_seen |= bit
            hand += DECK[card]
        hands[row] = hand
    return -1


@compiled(nogil=True)
def pack_suits(suits: Array, hands: Array) -> int:
    """Pack rows of four rank masks into hands; return the first invalid row, or -1 if there is none."""
    for row in range(len(suits)):
        hand, cards = U0, U0
        for suit in range(4):
            mask = suits[row, suit]
            if not 0 <= mask < len(_SUIT_STRAIGHTS):
                return row
            ranks = np.uint64(mask)
            length = np.uint64(popcount(ranks))
            cards += length
            hand |= (min(length, _U7) << U13 | ranks) << np.uint64(16 * suit)
        if cards > _U7:
            return row
        hands[row] = hand
    return -1


@compiled(nogil=True)
def rank(hands: Array, flushes: Array, straights: Array) -> None:
    """Set the code of the best flush and the class of the best straight flush of each hand."""
    for i in range(len(hands)):
        flushes[i] = best_flush(hands[i])
        straights[i] = best_straight(hands[i])
