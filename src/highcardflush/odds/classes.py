"""Classes of hands, computed in plain Python: the number of hands in each, their best decision and their results.

The result of a hand depends on four small numbers for each suit: the number of the player's cards, the numbers of
dealer sets below the qualifier and below the player's flush, and whether a dealer set can equal the flush. The masks of
a suit are grouped by these numbers, and each combination of groups represents all hands made of them. Suits are
distinct, so the number of hands is a plain product. Some 480,000 combinations represent all 133,784,560 hands.

At most three suits of a dealer hand have two or more cards. The number of dealer hands below a bound is therefore a sum
over the choices of up to three suits with exactly the bound's number of cards. `odds.kernel` computes the same sum.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations_with_replacement, groupby, product
from math import comb, factorial, prod
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from highcardflush.cards import HAND_SIZE, SUIT_MASK
from highcardflush.odds.counting import DEALER_HANDS, SUITS, factors, flush_masks
from highcardflush.odds.hand import HandOdds, sets_below
from highcardflush.odds.strategies import SHAPES
from highcardflush.ranking import QUALIFIER, FlushRank
from highcardflush.rulebook.wagers import Reach, straight_flush_match

FILE = Path(__file__).with_name("classes.json")
"""File with the classes of all hands for a Raise of one Ante. `make sums` writes it."""
Choice = Literal["fold", "low", "high"]
Met = tuple[int, int, int]
"""Numbers of dealer hands that do not qualify, lose and tie."""
Meets = tuple[Reach, Met, int]
"""Group of hands: their straight flush, the number of dealer hands with each result against any one, and its size."""
Products = tuple[int, int, int, int, int, int]


class DealClass(NamedTuple):
    """Hands that have the same length of the longest suit, the same straight flush and the same best decision."""

    cards: int
    straight: Reach
    choice: Choice
    hands: int
    met: Met
    """Numbers of dealer hands that do not qualify, lose and tie, summed over the hands of the class."""
    products: Products
    """Sums of the six pairwise products of these numbers over the hands of the class, needed for a variance."""

    @property
    def odds(self) -> HandOdds:
        """Odds of all hands of the class combined."""
        return HandOdds(*self.met, self.hands * DEALER_HANDS - sum(self.met))


class _Suit(NamedTuple):
    """Effect of one suit of the player's hand on the dealer's cards of that suit."""

    cards: int
    not_qualified: int
    straight: Reach
    below: int
    equal: int


@lru_cache(maxsize=2 * (SUIT_MASK + 1))
def _alone(mask: int, qualifier: FlushRank) -> tuple[int, int, Reach]:
    """Return the parts of a suit's effect that do not depend on the flush."""
    return mask.bit_count(), sets_below(~mask & SUIT_MASK, qualifier), straight_flush_match(mask).reach


def _suit(mask: int, flush: FlushRank, qualifier: FlushRank) -> _Suit:
    """Return the effect of a suit. A flush below the qualifier can neither beat nor tie a dealer who qualifies."""
    if flush < qualifier:
        return _Suit(*_alone(mask, qualifier), 0, 0)
    return _Suit(*_alone(mask, qualifier), sets_below(~mask & SUIT_MASK, flush), int(not mask & flush.ranks))


def _hands(
    flush: FlushRank, qualifier: FlushRank
) -> Iterator[tuple[tuple[int, ...], Iterator[tuple[tuple[_Suit, ...], int]]]]:
    """Yield each shape of hands with this best flush, its combinations of suits, and the number of hands of each."""
    flush_suit = _suit(flush.ranks, flush, qualifier)
    groups = {  # Masks below the flush, keyed by size.
        size: Counter(_suit(mask, flush, qualifier) for mask in flush_masks(size) if (size, mask) < flush)
        for size in range(min(flush.length, HAND_SIZE - flush.length) + 1)
    }
    for shape in (shape for shape in SHAPES if shape[0] == flush.length):
        for same in range(1, shape.count(flush.length) + 1):
            runs = [(size, len(list(run))) for size, run in groupby(shape[same:])]
            picks = [list(_picks(groups.get(size, {}), count)) for size, count in runs]
            orders = comb(SUITS, same) * factorial(SUITS - same)
            yield shape, _joined((flush_suit,) * same, orders, picks)


def _joined(
    flush_suits: tuple[_Suit, ...], orders: int, picks: list[list[tuple[tuple[_Suit, ...], int, int]]]
) -> Iterator[tuple[tuple[_Suit, ...], int]]:
    for choice in product(*picks):
        suits, hands = flush_suits, orders
        for part, masks, repeats in choice:
            suits += part
            hands = hands * masks // repeats
        yield suits, hands


def _picks(groups: dict[_Suit, int], count: int) -> Iterator[tuple[tuple[_Suit, ...], int, int]]:
    """Yield each multiset of groups of one size, and its numbers of combinations of masks and of equal permutations."""
    for choice in combinations_with_replacement(groups, count):
        repeats = prod(factorial(choice.count(suit)) for suit in set(choice)) if count > 1 else 1
        yield choice, prod([groups[suit] for suit in choice]), repeats


def _below(ways: tuple[int, ...], a: int, b: int, c: int, d: int) -> int:
    """Count the dealer hands below a bound, given each suit's number of sets that are below it and of its length."""
    none, f0, f1, f01, f2, f02, f12, f012, f3, f03, f13, f013, f23, f023, f123, _ = ways
    return (
        none
        + a * (f0 + b * (f01 + c * f012 + d * f013) + c * (f02 + d * f023) + d * f03)
        + b * (f1 + c * (f12 + d * f123) + d * f13)
        + c * (f2 + d * f23)
        + d * f3
    )  # fmt: skip


def flush_meets(flush: FlushRank, qualifier: FlushRank = QUALIFIER) -> Iterator[Meets]:
    """Yield all hands with this best flush, grouped by their results."""
    plays = flush >= qualifier
    for sizes, hands in _hands(flush, qualifier):
        unqualified, factors_flush = factors(sizes, qualifier.length), factors(sizes, flush.length)
        for (a, b, c, d), count in hands:
            not_qualified = _below(unqualified, a.not_qualified, b.not_qualified, c.not_qualified, d.not_qualified)
            win = tie = 0
            if plays:
                lower = _below(factors_flush, a.below, b.below, c.below, d.below)
                equal = (a.below + a.equal, b.below + b.equal, c.below + c.equal, d.below + d.equal)
                win, tie = lower - not_qualified, _below(factors_flush, *equal) - lower
            yield max(a.straight, b.straight, c.straight, d.straight), (not_qualified, win, tie), count


@lru_cache(maxsize=8)
def hands_met(cards: int, qualifier: FlushRank = QUALIFIER) -> dict[Reach, dict[Met, int]]:
    """Return the numbers of hands whose longest suit has this length, keyed by straight flush and then by result."""
    totals: dict[Reach, dict[Met, int]] = {}
    for straight, met, hands in _all_meets(cards, qualifier):
        by_met = totals.setdefault(straight, {})
        by_met[met] = by_met.get(met, 0) + hands
    return totals


def _all_meets(cards: int, qualifier: FlushRank) -> Iterator[Meets]:
    for mask in flush_masks(cards):
        yield from flush_meets(FlushRank(cards, mask), qualifier)


def count_classes(cards: int, low: Fraction, high: Fraction, qualifier: FlushRank = QUALIFIER) -> tuple[DealClass, ...]:
    """Return the classes of all hands whose longest suit has this length. A length of 3 or 4 takes about a second."""
    return classes_of(cards, _all_meets(cards, qualifier), low, high)


@cache
def shipped_classes() -> tuple[DealClass, ...]:
    """Return the shipped classes: all hands, with a Raise of one Ante."""
    return msgspec.json.decode(FILE.read_bytes(), type=tuple[DealClass, ...])


def classes_of(cards: int, meets: Iterable[Meets], low: Fraction, high: Fraction) -> tuple[DealClass, ...]:
    """Group hands into classes by their best decision, given that a Raise must be from `low` to `high` Antes."""
    sums: dict[tuple[Reach, Choice], list[int]] = {}
    for straight, (n, w, t), count in meets:
        choice = best_choice(n, w, DEALER_HANDS - n - w - t, low, high)
        cell = sums.setdefault((straight, choice), [0] * 10)
        for i, number in enumerate((1, n, w, t, n * n, n * w, n * t, w * w, w * t, t * t)):
            cell[i] += count * number
    return tuple(
        DealClass(cards, straight, choice, hands, (n, w, t), (nn, nw, nt, ww, wt, tt))
        for (straight, choice), (hands, n, w, t, nn, nw, nt, ww, wt, tt) in sorted(sums.items())
    )


def best_choice(not_qualified: int, win: int, lose: int, low: Fraction, high: Fraction) -> Choice:
    """Return the best decision. A Raise's value is linear in its size, so the smallest or the largest Raise is best."""
    size = high if win >= lose else low
    raised = not_qualified * size.denominator + (size.denominator + size.numerator) * (win - lose)
    if raised <= -size.denominator * DEALER_HANDS:
        return "fold"
    return "high" if win >= lose else "low"


@lru_cache(maxsize=64)
def decided(flush: FlushRank, low: Fraction, high: Fraction, qualifier: FlushRank = QUALIFIER) -> tuple[int, int]:
    """Return how many hands with this best flush should be raised, and how many should be folded."""
    classes = classes_of(flush.length, flush_meets(flush, qualifier), low, high)
    folded = sum(each.hands for each in classes if each.choice == "fold")
    return sum(each.hands for each in classes) - folded, folded
