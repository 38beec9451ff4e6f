"""Measure the lab as ratios within one run: the whole game, one hand, and ranking against other evaluators.

    python bench/lab.py

The evaluators of poker hands rank the same seven cards by poker's rules, not by this game's; they are the
usual choice. Those that are not installed are left out.
"""

import random
import time
from collections.abc import Callable

import numpy as np

from highcardflush.cards import Hand, format_card
from highcardflush.odds.counting import HANDS
from highcardflush.odds.hand import hand_odds
from highcardflush.odds.kernel import length_pass
from highcardflush.odds.strategies import NAMED
from highcardflush.odds.sums import questions
from highcardflush.ranking import flush_rank, straight_flush
from highcardflush.rulebook import packaged

COUNT = 20_000


def best_seconds(work: Callable[[], object], times: int = 5) -> float:
    """Return the shortest time of some runs."""
    durations = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        durations.append(time.perf_counter() - start)
    return min(durations)


def numpy_flushes(hands: list[list[int]]) -> Callable[[], object]:
    """Flush length and ranks of every hand at once, as one would write it with NumPy."""
    cards = np.array(hands)

    def work() -> object:
        masks = np.zeros((len(cards), 4), dtype=np.int64)
        for column in cards.T:
            masks[np.arange(len(cards)), column // 13] |= 1 << column % 13
        lengths = np.zeros_like(masks)
        for rank in range(13):
            lengths += masks >> rank & 1
        return (lengths << 13 | masks).max(axis=1)

    return work


def evaluators(hands: list[list[int]]) -> dict[str, Callable[[], object]]:
    """Other people's evaluators on the same hands, cards in their own form beforehand."""
    texts = [[format_card(card) for card in cards] for cards in hands]
    evaluators: dict[str, Callable[[], object]] = {}
    try:
        import treys

        ranker, own = treys.Evaluator(), [[treys.Card.new(card) for card in hand] for hand in texts]
        evaluators["treys (poker)"] = lambda: [ranker.evaluate(hand[:2], hand[2:]) for hand in own]
    except ImportError:
        pass
    try:
        import phevaluator

        ints = [[phevaluator.Card(card) for card in hand] for hand in texts]
        evaluators["phevaluator (poker)"] = lambda: [phevaluator.evaluate_cards(*hand) for hand in ints]
    except ImportError:
        pass
    try:
        import eval7

        theirs = [[eval7.Card(card) for card in hand] for hand in texts]
        evaluators["eval7, compiled (poker)"] = lambda: [eval7.evaluate(hand) for hand in theirs]
    except ImportError:
        pass
    try:
        import pokerkit

        few = ["".join(hand) for hand in texts[: COUNT // 100]]
        evaluators["pokerkit (poker), 1 in 100"] = lambda: [pokerkit.StandardHighHand.from_game(hand) for hand in few]
    except ImportError:
        pass
    return evaluators


def main() -> None:
    chance, game_questions = random.Random(1), questions(packaged("washington"), NAMED["optimal"])
    hands = [chance.sample(range(52), 7) for _ in range(COUNT)]
    own = [Hand.of(cards) for cards in hands]
    solve = best_seconds(lambda: [length_pass(*each) for each in game_questions], 15)
    one = best_seconds(lambda: [hand_odds(hand) for hand in own[:500]]) / 500
    print(f"whole game, optimal, {HANDS:,} hands: {solve:.3f} s on one core ({HANDS / solve / 1e6:,.0f} M hands/s)")
    print(f"one hand, exact: {one * 1e3:.3f} ms (the whole game takes {solve / one:,.0f} times as long)")
    print(f"\n{f'ranking the same {COUNT:,} hands':<38}{'hands/s':>14}{'times ours':>12}")
    work: dict[str, Callable[[], object]] = {
        "flush_rank": lambda: [flush_rank(hand) for hand in own],
        "flush_rank and straight_flush": lambda: [(flush_rank(hand), straight_flush(hand)) for hand in own],
        "NumPy, flush only": numpy_flushes(hands),
        **evaluators(hands),
    }
    base = 0.0
    for name, job in work.items():
        count = COUNT // 100 if "1 in 100" in name else COUNT
        rate = count / best_seconds(job)
        base = base or rate
        print(f"{name:<38}{rate:>14,.0f}{rate / base:>12.2f}")


if __name__ == "__main__":
    main()
