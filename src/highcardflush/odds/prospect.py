"""A round before the deal: the value of the wagers with the best play, and the variance due to the player's cards.

Every hand is in one of a few dozen classes (`odds.classes`). Within a class, the results of all wagers depend only on
the dealer's hand. The mean and variance of all wagers together are therefore exact, even under the player's caps. Two
effects far below one cent are left out: another seat may hit the same meter in the same round, and hands that earn Envy
Pays come from the same deck. A side bet that the classes do not cover is valued as if it were made alone.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache, partial
from itertools import groupby
from math import lcm

from msgspec import Struct

from highcardflush.cards import ACE, HAND_SIZE
from highcardflush.game.actions import Wagers
from highcardflush.jackpot import Meter
from highcardflush.odds.classes import DealClass, Met, count_classes, hands_met, shipped_classes
from highcardflush.odds.counting import DEALER_HANDS, HANDS
from highcardflush.odds.game import Choice
from highcardflush.odds.hand import RAISED
from highcardflush.odds.payoff import main_results, net_cents, raise_sizes, side_results
from highcardflush.odds.paytable import LineOdds, TableOdds, table_odds
from highcardflush.ranking import QUALIFIER, SMALLEST_FLUSH, FlushRank
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.wagers import PROGRESSIVE, SIDE_BETS, Match, flush_match, straight_flush_match

LENGTHS = range(SMALLEST_FLUSH, HAND_SIZE + 1)
PAIRS = [(i, j) for i in range(3) for j in range(i, 3)]


class Prospect(Struct, frozen=True):
    """Value of a round's wagers in cents, and its variance in square cents."""

    mean: Fraction
    variance: Fraction
    """Variance of the best decision's value over the player's cards. The dealer's cards add more variance."""


def raise_limits(rulebook: Rulebook, ante_cents: int, cards: int) -> tuple[Fraction, Fraction]:
    """Return the smallest and largest Raise at this Ante, in Antes."""
    amounts = rulebook.raise_amounts(ante_cents, cards)
    assert amounts.maximum_cents is not None
    return Fraction(amounts.minimum_cents, ante_cents), Fraction(amounts.maximum_cents, ante_cents)


def deal_classes(rulebook: Rulebook, ante_cents: int | None = None) -> list[DealClass]:
    """Return the classes of all 133,784,560 hands. Raises have this Ante's limits or, without one, those printed."""
    limits = partial(raise_limits, rulebook, ante_cents) if ante_cents else rulebook.raise_antes
    return [each for cards in LENGTHS for each in _classes(cards, *limits(cards), rulebook.qualifier)]


def class_choice(rulebook: Rulebook, each: DealClass) -> Choice:
    """Return the best decision for the hands of a class, with their odds."""
    low, high = rulebook.raise_antes(each.cards)
    return Choice(each.cards, {"fold": None, "low": low, "high": high}[each.choice], each.odds)


def class_line(odds: TableOdds, each: DealClass) -> LineOdds | None:
    """Return the line of a side bet that the hands of a class reach, or `None`."""
    by_length = SIDE_BETS[odds.table.wager].match is flush_match
    return odds.at((each.cards, False) if by_length else each.straight)


@lru_cache(maxsize=32)
def _classes(cards: int, low: Fraction, high: Fraction, qualifier: FlushRank) -> tuple[DealClass, ...]:
    """Return the shipped classes if they apply under these limits. If not, count the classes and cache them."""
    # Flushes of four cards or more win more often than they lose, so the largest Raise is best under any limits.
    if qualifier == QUALIFIER and (cards >= 4 or low == high == 1):
        return tuple(each for each in shipped_classes() if each.cards == cards)
    return count_classes(cards, low, high, qualifier)


def prospect(rulebook: Rulebook, wagers: Wagers, meters: Mapping[str, Meter], envied: int = 0) -> Prospect:
    """Return the value of a round's wagers. `envied` is the number of other seats that made the progressive bet."""
    first, second, table = 0, 0, rulebook.paytable(PROGRESSIVE)
    # Number of equally likely cases into which every line's draw of a Dynamic Pay can be divided.
    whole = lcm(*(2 * len(line.dynamic) for line in table.dynamic_lines)) if table else 1
    for classes in group_by_hands(deal_classes(rulebook, wagers["ante"])):
        for weight, dynamic in _draws(rulebook, wagers, classes[0], whole):
            sums = _worth(rulebook, wagers, classes, meters, dynamic)
            first += weight * sums[0]
            second += weight * sums[1]
    mean = Fraction(first, whole * HANDS * DEALER_HANDS)
    variance = Fraction(second, whole * HANDS * DEALER_HANDS**2) - mean**2
    envy, alone = _envy(rulebook, wagers), _alone(rulebook, wagers)
    return Prospect(mean + envied * envy.mean + alone.mean, variance + envied * envy.variance + alone.variance)


def group_by_hands(classes: Iterable[DealClass]) -> list[list[DealClass]]:
    """Group the classes that differ only in their best decision."""
    return [list(group) for _, group in groupby(classes, lambda each: (each.cards, each.straight))]


COVERED_MATCHES = (flush_match, straight_flush_match)
"""Match functions of the side bets that the classes cover."""


def class_matches(each: DealClass) -> dict[str, Match]:
    """Return how the hands of a class match each side bet that the classes cover."""
    cards, ace = each.straight
    matches = dict(zip(COVERED_MATCHES, (Match(each.cards), Match(cards, ACE if ace else 0)), strict=True))
    return {name: matches[bet.match] for name, bet in SIDE_BETS.items() if bet.match in matches}


def _alone(rulebook: Rulebook, wagers: Wagers) -> Prospect:
    """Return the value of the side bets that the classes do not cover."""
    mean, variance = Fraction(0), Fraction(0)
    for name, bet in SIDE_BETS.items():
        table, stake = rulebook.paytable(name), wagers.get(name, 0)
        if table is not None and stake and bet.match not in COVERED_MATCHES:
            odds = table_odds(table)
            mean -= stake * odds.house_edge
            variance += stake**2 * odds.variance
    return Prospect(mean, variance)


def _draws(rulebook: Rulebook, wagers: Wagers, each: DealClass, whole: int) -> list[tuple[int, dict[str, int]]]:
    """Return the Dynamic Pays of a class's line, each with its share of `whole`. Half is for no draw."""
    table = rulebook.paytable(PROGRESSIVE)
    line = table.line_at(each.straight) if table and wagers.get(PROGRESSIVE, 0) else None
    if line is None or not line.dynamic:
        return [(whole, {})]
    draws = [(whole // (2 * len(line.dynamic)), {line.name: pay}) for pay in line.dynamic]
    return [(whole // 2, {}), *draws]


def _options(
    rulebook: Rulebook, wagers: Wagers, one: DealClass, meters: Mapping[str, Meter], dynamic: Mapping[str, int]
) -> tuple[list[list[int]], bool]:
    """Return the nets of a fold and of each Raise that may be best (smallest first), and whether a cap reduces any."""
    settings, ante = rulebook.settings, wagers["ante"]
    sides = side_results(rulebook, wagers, class_matches(one), meters, dynamic)
    amounts = rulebook.raise_amounts(ante, one.cards)
    assert amounts.maximum_cents is not None
    sizes = raise_sizes(settings, ante, amounts, amounts.maximum_cents, sides)
    cases = [
        [[*main_results(ante, raised, case if raised else "fold"), *sides] for case in RAISED] for raised in (0, *sizes)
    ]
    nets = [[net_cents(settings, results) for results in each] for each in cases]
    uncut = [[sum(result.net_cents for result in results) for results in each] for each in cases]
    return nets, nets != uncut


def _worth(
    rulebook: Rulebook,
    wagers: Wagers,
    classes: list[DealClass],
    meters: Mapping[str, Meter],
    dynamic: Mapping[str, int],
) -> tuple[int, int]:
    """Return the first two moments of the sum of all wagers, for hands with one length and one straight flush."""
    one = classes[0]
    nets, cut = _options(rulebook, wagers, one, meters, dynamic)
    if cut:  # The classes' best decisions apply only without a cap.
        return _weighed(hands_met(one.cards, rulebook.qualifier)[one.straight], nets)
    place = {"fold": 0, "low": 1, "high": -1}
    sums = [_moments(each, nets[place[each.choice]]) for each in classes]
    return sum(linear for linear, _ in sums), sum(square for _, square in sums)


def _weighed(hands: Mapping[Met, int], options: list[list[int]]) -> tuple[int, int]:
    """Return the first two moments if the best of these options is chosen for each hand."""
    first = second = 0
    for (n, w, t), count in hands.items():
        lose = DEALER_HANDS - n - w - t
        best = max(n * a + w * b + t * c + lose * d for a, b, c, d in options)
        first += count * best
        second += count * best * best
    return first, second


def _moments(each: DealClass, nets: list[int]) -> tuple[int, int]:
    """Return the sums of v and of v squared over a class, where v is the value times the number of dealer hands."""
    lose = nets[3]
    more = [net - lose for net in nets[:3]]
    linear = sum(met * gain for met, gain in zip(each.met, more, strict=True))
    quadratic = sum(
        product * more[i] * more[j] * (1 if i == j else 2) for product, (i, j) in zip(each.products, PAIRS, strict=True)
    )
    base = lose * DEALER_HANDS
    return each.hands * base + linear, each.hands * base**2 + 2 * base * linear + quadratic


def _envy(rulebook: Rulebook, wagers: Wagers) -> Prospect:
    """Return the value, for a progressive bet, of the Envy Pays from one other seat's hand."""
    table = rulebook.paytable(PROGRESSIVE)
    if table is None or not wagers.get(PROGRESSIVE, 0) or rulebook.settings.envy == "off":
        return Prospect(Fraction(0), Fraction(0))
    pays = [(line.line.envy * wagers[PROGRESSIVE], line.probability) for line in table_odds(table).lines]
    mean, square = (sum((pay**power * chance for pay, chance in pays), Fraction(0)) for power in (1, 2))
    return Prospect(mean, square - mean * mean)
