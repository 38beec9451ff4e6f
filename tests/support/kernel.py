"""The rounds that the simulation's kernel deals, one by one."""

import numpy as np

from highcardflush.cards import Hand
from highcardflush.simulate.kernel import BATCH, DECK, Array, Rules, deal_batch
from highcardflush.simulate.run import stream


def record_chunk(rules: Rules, seed: int, chunk: int, rounds: int) -> tuple[Array, Array]:
    """The rounds that `play_chunk` settles: the kernel's hands (seats, then dealer) and the progressive's pays."""
    state, deck = stream(seed, chunk), DECK.copy()
    hands, pays = np.zeros((rounds, 7), dtype=np.uint64), np.tile(rules.pays, (rounds, 1))
    for first in range(0, rounds, BATCH):
        deal_batch(rules, state, deck, hands[first : first + BATCH], pays[first : first + BATCH])
    return hands[:, : rules.seats + 1], pays


def as_hand(number: int) -> Hand:
    """A hand of the kernel as a set of cards."""
    return Hand(sum((int(number) >> 16 * suit & 0x1FFF) << 13 * suit for suit in range(4)))
