"""The twin of the simulation's kernel, as it was before: a deck in memory, dealt card by card, settled hand by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from highcardflush.odds.primitives import Array, best_flush
from highcardflush.simulate.kernel import (
    ANTE,
    ANTE_2,
    ANTE_RAISE,
    ASK,
    DECK,
    FLUSH,
    FLUSH_RETURN,
    FOLD,
    FOLDED,
    LENGTHS_AT,
    LOST,
    NOT_QUALIFIED,
    OUTCOMES_2_AT,
    OUTCOMES_AT,
    RAISE,
    RAISE_2,
    TIED,
    Rules,
    best_straight,
    deal,
    decide,
    settle_straights,
)

BATCH = 64
_signed: Any = np.int64
_U13 = np.uint64(13)


@njit(cache=True)
def settle(rules: Rules, hands: Array, tally: Array, winners: Array) -> int:
    """Add rounds to the tally, but for what a straight flush wins: the rounds that have one are listed, and counted."""
    seats, action, by_length, thresholds = rules.seats, rules.action, rules.by_length, rules.thresholds
    work, winning = np.empty((6, 8)), 0
    for i in range(len(hands)):
        dealer = best_flush(hands[i, seats])
        qualifies = dealer >= rules.qualifier
        antes, raises, flushes, any_straight, outcomes = 0, 0, 0, 0, 0
        for seat in range(seats):
            hand = hands[i, seat]
            code = best_flush(hand)
            length = code >> _U13
            decision = action[code]
            if decision == ASK:
                decision = decide(thresholds, rules.side, by_length, hand, code, work, rules.qualifier)
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


@njit(cache=True, nogil=True)
def play(rules: Rules, state: Array, rounds: int, tally: Array, money: Array) -> None:
    """Deal and settle rounds of the main game and the bonuses from one stream of words."""
    deck, hands, winners = DECK.copy(), np.zeros((BATCH, 7), dtype=np.uint64), np.zeros(BATCH, dtype=np.int64)
    pays = np.empty((BATCH, len(rules.pays)))
    pays[:] = rules.pays
    for first in range(0, rounds, BATCH):
        size = min(BATCH, rounds - first)
        deal(rules.seats, state, deck, hands[:size])
        winning = settle(rules, hands[:size], tally, winners)
        settle_straights(rules, hands.T, pays, winners[:winning], tally, money)
