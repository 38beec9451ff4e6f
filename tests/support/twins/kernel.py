"""The rounds that the simulation's kernel deals, and their settlement in plain Python, hand by hand."""

from collections import Counter

import numpy as np

from highcardflush.cards import Hand
from highcardflush.odds.primitives import Array
from highcardflush.simulate import kernel as k
from highcardflush.simulate.chunks import stream
from highcardflush.simulate.kernel import BATCH, DECK, STATE, Rules, deal_batch
from support.twins.ranking import suit_straight, suits_of


def record_chunk(rules: Rules, seed: int, chunk: int, rounds: int) -> tuple[Array, Array]:
    """Return the rounds that `play_chunk` settles: the kernel's hands (seats, then dealer) and the progressive pays."""
    state, words, hands = stream(seed, chunk, STATE), np.zeros(7 * BATCH, np.uint64), np.zeros((7, BATCH), np.uint64)
    pays, rows = np.tile(rules.pays, (rounds, 1)), []
    for first in range(0, rounds, BATCH):
        deal_batch(rules, state, words, hands, pays[first : first + BATCH])
        rows.append(hands.T.copy())
    return np.concatenate(rows)[:rounds, : rules.seats + 1], pays


def as_hand(number: int) -> Hand:
    """Return a hand of the kernel as a set of cards."""
    return Hand(sum((int(number) >> 16 * suit & 0x1FFF) << 13 * suit for suit in range(4)))


def as_word(hand: Hand) -> np.uint64:
    """Return a set of cards, with at most seven in a suit, as the kernel encodes a hand."""
    return np.uint64(sum(int(DECK[card]) for card in hand))


def as_masks(hand: Hand) -> np.uint64:
    """Return a set of cards as four masks of ranks in one word."""
    return np.uint64(sum(mask << 16 * suit for suit, mask in enumerate(hand.suits)))


def settle_slowly(rules: Rules, rows: Array) -> tuple[list[int], list[int]]:
    """Return what `kernel.settle` adds to the tally for these rounds, and the rounds with a straight flush."""
    tally, winners, work = [0] * k.COUNTS, [], np.empty((6, 8))
    for number, row in enumerate(rows):
        hands = [as_hand(word) for word in row]
        *codes, dealer = [max(mask.bit_count() << 13 | mask for mask in hand.suits) for hand in hands]
        ante, raise_sum, outcomes = 0, 0, Counter[int]()
        for word, code in zip(row, codes, strict=False):
            decision, length = rules.action[code], code >> 13
            if decision == k.ASK:
                tables = rules.thresholds, rules.side, rules.by_length
                decision = k.decide(*tables, word, np.uint64(code), work, rules.qualifier)
            ahead = (code > dealer) - (code < dealer)
            outcome = k.NOT_QUALIFIED if dealer < rules.qualifier else (k.LOST, k.TIED, k.WON)[ahead + 1]
            outcome = k.FOLDED if decision == k.FOLD else outcome
            outcomes[outcome] += 1
            ante += {k.FOLDED: -1, k.NOT_QUALIFIED: 1}.get(outcome, ahead)
            raise_sum += int(rules.by_length[decision, length]) * ahead * (outcome >= k.LOST)
            tally[k.FLUSH] += int(rules.by_length[k.FLUSH_RETURN, length])
            tally[k.LENGTHS_AT + length] += 1
        for outcome, count in outcomes.items():
            tally[k.OUTCOMES_AT + outcome] += count
            tally[k.OUTCOMES_2_AT + outcome] += count**2
        places = (k.ANTE, ante), (k.RAISE, raise_sum), (k.ANTE_2, ante**2), (k.RAISE_2, raise_sum**2)
        for place, value in (*places, (k.ANTE_RAISE, ante * raise_sum)):
            tally[place] += value
        if any(suit_straight(suit) for hand in hands[:-1] for suit in suits_of(hand)):
            winners.append(number)
    return tally, winners
