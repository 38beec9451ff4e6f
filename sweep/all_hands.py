"""Compares fast ranking and the solver with slow, obvious code on all 133,784,560 seven-card hands.

    .venv/bin/python sweep/all_hands.py ranking [--processes 2] [--fraction 1.0]
    .venv/bin/python sweep/all_hands.py solver [--processes 2] [--fraction 1.0]

A hand is four sets of ranks, one for each suit, with seven cards in total. The script visits every such combination
once. The slow code ranks each of the 8192 sets of one suit once, and then takes the best of the four suits of every
hand. A chunk of the work is one set of clubs with some sets of diamonds. The chunks have a fixed, shuffled order, so
that a fraction of them is a fair sample.

The solver's counts are compared flush by flush with the sums over the classes of its hands: some six million classes,
each with the exact odds of one hand. `--fraction` checks that fraction of the flushes.

Exit status: 0 no difference, 1 a difference, 2 usage, 130 interrupted.
"""

import json
import multiprocessing
import random
import signal
import sys
import time
from argparse import ArgumentTypeError
from collections import Counter
from math import comb

import options

from highcardflush.cards import DECK_SIZE, HAND_SIZE, Hand
from highcardflush.odds.primitives import Array
from highcardflush.ranking import SMALLEST_FLUSH, StraightFlush, dealer_qualifies, flush_rank, straight_flush
from support.twins import ranking as twins
from support.twins.solver import compare_flush, solver_pass

ALL_HANDS = comb(DECK_SIZE, HAND_SIZE)
CHUNK_HANDS = 100_000
SHOWN_DIFFERENCES = 10

MASKS = sorted((mask for mask in range(1 << 13) if mask.bit_count() <= HAND_SIZE), key=int.bit_count)
OF_SIZE = [[mask for mask in MASKS if mask.bit_count() == size] for size in range(HAND_SIZE + 1)]
SUIT = {mask: twins.suits_of(card for card in range(13) if mask >> card & 1)[0] for mask in MASKS}
STRAIGHT = {mask: twins.suit_straight(SUIT[mask]) for mask in MASKS}
MASK_OF = {tuple(suit): mask for mask, suit in SUIT.items()}

Chunk = tuple[int, int, int]  # clubs; diamonds from and to, as places in MASKS
Tally = Counter[tuple[int, bool, StraightFlush | None]]


def chunks() -> list[tuple[int, Chunk]]:
    tasks = []
    for clubs in MASKS:
        start = hands = 0
        for stop, diamonds in enumerate(MASKS, start=1):
            cards_left = HAND_SIZE - clubs.bit_count() - diamonds.bit_count()
            if cards_left < 0:
                break
            hands += comb(26, cards_left)
            if hands >= CHUNK_HANDS:
                tasks.append((hands, (clubs, start, stop)))
                start, hands = stop, 0
        if hands:
            tasks.append((hands, (clubs, start, len(MASKS))))
    return tasks


def walk(chunk: Chunk) -> tuple[Tally, list[str]]:
    """Compare all hands of a chunk: return the number of each kind, and the first differences."""
    clubs, start, stop = chunk
    tally: Tally = Counter()
    different: list[str] = []
    for diamonds in MASKS[start:stop]:
        for hearts in MASKS:
            cards_left = HAND_SIZE - clubs.bit_count() - diamonds.bit_count() - hearts.bit_count()
            if cards_left < 0:
                break
            for spades in OF_SIZE[cards_left]:
                masks = (clubs, diamonds, hearts, spades)
                hand = Hand(clubs | diamonds << 13 | hearts << 26 | spades << 39)
                flush, straight = flush_rank(hand), straight_flush(hand)
                qualifies = dealer_qualifies(flush)
                slow_flush = twins.best_flush([SUIT[mask] for mask in masks])
                slow_straight = twins.best_straight([STRAIGHT[mask] for mask in masks])
                if (
                    flush.length != len(slow_flush)
                    or flush.ranks != MASK_OF[tuple(slow_flush)]
                    or qualifies is not twins.qualifies(slow_flush)
                    or (straight and (straight.length, straight.top + 2)) != slow_straight
                ) and len(different) < SHOWN_DIFFERENCES:
                    different.append(f"{hand}: {flush} {straight} {qualifies}, twin {slow_flush} {slow_straight}")
                tally[flush.length, qualifies, straight] += 1
    return tally, different


def counts(tally: Tally) -> dict[str, object]:
    """Return the tally in the shape of exact-counts.json."""
    flushes: Counter[str] = Counter()
    straights: Counter[str] = Counter()
    six_ace_high = qualifying = 0
    for (length, qualifies, straight), hands in tally.items():
        flushes[str(length)] += hands
        qualifying += hands if qualifies else 0
        if straight:
            straights[str(straight.length)] += hands
            six_ace_high += hands if straight == StraightFlush(6, 12) else 0
    return {
        "hands": tally.total(),
        "longest_flush": dict(flushes),
        "longest_straight_flush": dict(straights),
        "six_card_straight_flush_ace_high": six_ace_high,
        "dealer_qualifies": qualifying,
    }


def compared(flush: int) -> tuple[int, tuple[list[str], Array]]:
    return flush, compare_flush(flush)


def leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def sweep(what: str, processes: int, fraction: float) -> int:
    if not 0 < fraction <= 1:
        raise ArgumentTypeError("--fraction is above 0 and at most 1")
    return sweep_solver(processes, fraction) if what == "solver" else sweep_ranking(processes, fraction)


def sweep_solver(processes: int, fraction: float) -> int:
    flushes = [mask for mask in MASKS if mask.bit_count() >= SMALLEST_FLUSH]
    sample = random.Random(52).sample(flushes, max(1, round(fraction * len(flushes))))
    outcomes: dict[int, Array] = {}
    start = time.monotonic()
    with multiprocessing.Pool(processes, leave_interrupts_to_the_parent) as pool:
        for number, (flush, (wrong, deals)) in enumerate(pool.imap_unordered(compared, sample), 1):
            if wrong:
                print("", *wrong, sep="\n", file=sys.stderr)
                return 1
            cards = flush.bit_count()
            outcomes[cards] = outcomes.get(cards, 0) + deals
            options.tell(number, len(sample), "flushes", start)
    print(f"\n{len(sample):,} flushes as their classes say, in {time.monotonic() - start:.0f} s")
    if len(sample) < len(flushes):
        print("totals not compared: only a fraction was counted")
        return 0
    for cards, deals in outcomes.items():
        for game, own in enumerate(deals):
            if (solver_pass(game, cards)[1][0] != own).any():
                print(f"{cards} cards, game {game}: counted {own.tolist()}", file=sys.stderr)
                return 1
    return 0


def sweep_ranking(processes: int, fraction: float) -> int:
    work = chunks()
    assert sum(hands for hands, _ in work) == ALL_HANDS
    random.Random(52).shuffle(work)
    hands_planned, sample = 0, []
    for hands, chunk in work:
        if hands_planned >= fraction * ALL_HANDS:
            break
        hands_planned += hands
        sample.append(chunk)
    tally: Tally = Counter()
    start = time.monotonic()
    with multiprocessing.Pool(processes, leave_interrupts_to_the_parent) as pool:
        for part, different in pool.imap_unordered(walk, sample):
            if different:
                print("", *different, sep="\n", file=sys.stderr)
                return 1
            tally += part
            options.tell(tally.total(), hands_planned, "hands", start)
    seconds = time.monotonic() - start
    print(f"\n{tally.total():,} hands as the twin says, in {seconds:.0f} s")
    if hands_planned < ALL_HANDS:
        minutes = seconds * ALL_HANDS / hands_planned / 60
        print(f"totals not compared: only a fraction was walked; all hands take {minutes:.0f} min")
        return 0
    exact = json.loads((options.ROOT / "tests/data/exact-counts.json").read_text())
    figures = counts(tally)
    for key in exact:
        if figures[key] != exact[key]:
            print(f"{key}: counted {figures[key]}, expected {exact[key]}", file=sys.stderr)
    return 0 if figures == exact else 1


if __name__ == "__main__":
    options.run(sweep, __doc__, "ranking", "solver", processes=2, fraction=1.0)
