"""The rounds that the simulation's kernel deals, one by one."""

import numpy as np

from highcardflush.cards import Hand
from highcardflush.odds.primitives import Array
from highcardflush.simulate.chunks import stream
from highcardflush.simulate.kernel import BATCH, DECK, STATE, Rules, deal_batch


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
