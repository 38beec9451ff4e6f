"""Seen cards: the kernel against the exact odds of one hand, brute force, and what is known of the whole."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import sqrt
from random import Random
from statistics import mean, pvariance

import numpy as np
import pytest

from highcardflush.cards import DECK_SIZE, FULL_DECK, NO_CARDS, Hand
from highcardflush.errors import HcfError
from highcardflush.odds.game import game_odds
from highcardflush.odds.hand import FOLD, HandOdds, flush_odds, hand_odds, raise_value
from highcardflush.odds.primitives import meet
from highcardflush.odds.seen import CountRule, Sight
from highcardflush.odds.strategies import NAMED, threshold_code
from highcardflush.ranking import QUALIFIER, best_suits, flush_rank, straight_flush_cards
from highcardflush.rulebook import Rulebook, packaged
from highcardflush.rulebook.document import PRINTED
from highcardflush.simulate import seen_kernel as at
from highcardflush.simulate.chunks import CHUNK_ROUNDS
from highcardflush.simulate.seen import (
    LEAST_DEALS,
    _best,
    _threshold,
    estimate,
    find_rule,
    raise_limits,
    seen_odds,
    weigh_chunk,
)
from support.data.tables import table
from support.places.hcf import Hcf, assert_error
from support.twins.kernel import as_masks, as_word

WASHINGTON = packaged("washington")
HALF = table("galaxy-v7 | | raise-minimum 0.5x")
EXACT = Fraction(1348050875653, 50592437455560)
Met = tuple[int | Fraction, int | Fraction, int | Fraction]
WORK = np.empty((6, 8))
CODE = np.uint64(PRINTED)
BEST = np.array([], dtype=np.int64)
LONGEST = CountRule.parse("3:always 4:J-high 5:K-high 6:5-4-3-2 7:never")


def shuffled(random: Random) -> list[int]:
    return random.sample(range(DECK_SIZE), DECK_SIZE)


def deals(hands: int, number: int, seed: int = 0) -> Iterator[tuple[Hand, Hand, Hand]]:
    """Yield the player's hand, the other hands together, and the dealer's hand."""
    random = Random(seed)
    for _ in range(number):
        cards, last = shuffled(random), 7 * (hands + 1)
        yield Hand.of(cards[:7]), Hand.of(cards[7:last]), Hand.of(cards[last : last + 7])


def met(
    own: Hand, seen_cards: Hand = NO_CARDS, card: Hand = NO_CARDS, *, suits_only: bool = False
) -> tuple[float, ...]:
    """Return the kernel's odds of a hand."""
    unknown = FULL_DECK.without(own if suits_only else own | seen_cards)
    counts = sum(mask.bit_count() << 16 * suit for suit, mask in enumerate(seen_cards.suits)) if suits_only else 0
    result = meet(CODE, as_word(own), as_masks(unknown), np.uint64(counts), as_masks(card), WORK)
    return tuple(map(float, result))


def of(odds: HandOdds) -> Met:
    """Exact odds as the kernel has them: not qualified, how many more won than lost, all."""
    return odds.not_qualified, odds.win - odds.lose, odds.total


def value(result: Met | tuple[float, ...], limits: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    """Return the best decision, -1 for a fold, and its value."""
    worth = {antes: worth_of(antes, result) for antes in (FOLD, *limits)}
    best = max(worth, key=worth.__getitem__)
    return best, worth[best]


def worth_of(antes: Fraction, result: Met | tuple[float, ...]) -> Fraction:
    not_qualified, ahead, total = map(Fraction, result)
    return FOLD if antes < 0 else (not_qualified + (1 + antes) * ahead) / total


@pytest.mark.parametrize("hands", range(6))
def test_the_hands_met_are_counted_exactly(hands: int) -> None:
    for own, seen_cards, _ in deals(hands, 60):
        assert met(own, seen_cards) == of(hand_odds(own, seen_cards))


@pytest.mark.parametrize("hands", range(6))
def test_a_card_of_the_dealer_is_in_every_hand_of_the_dealer(hands: int) -> None:
    for own, seen_cards, dealer in deals(hands, 30, seed=1):
        unknown, card, flush = FULL_DECK.without(own | seen_cards), Hand.of([next(iter(dealer))]), flush_rank(own)
        every, others = of(flush_odds(unknown, flush)), of(flush_odds(unknown.without(card), flush))
        assert met(own, seen_cards, card) == tuple(a - b for a, b in zip(every, others, strict=True))


def brute(own: Hand, unknown: Hand, card: Hand) -> Met:
    """Count every dealer hand, one by one."""
    not_qualified = ahead = total = 0
    flush = flush_rank(own)
    for cards in combinations(unknown, 7):
        dealer = Hand.of(cards)
        if dealer & card == card:
            other = flush_rank(dealer)
            total += 1
            not_qualified += other < QUALIFIER
            ahead += ((other < flush) - (other > flush)) if other >= QUALIFIER else 0
    return not_qualified, ahead, total


@pytest.mark.parametrize("look", [False, True])
def test_five_hands_seen_by_brute_force(look: bool) -> None:
    for own, seen_cards, dealer in deals(5, 25, seed=2):
        card = Hand.of([next(iter(dealer))]) if look else NO_CARDS
        assert met(own, seen_cards, card) == brute(own, FULL_DECK.without(own | seen_cards), card)


UNSEEN = {
    "one suit": ("AsKs2s 8h7h 3c2c", "10 of d"),
    "two suits": ("Kd8d5d 8s7s 3c2c", "8 of d, 2 of s"),
    "a long flush": ("KdTd9d5d4d 7h 3c", "7 of d, 3 of c"),
}


@pytest.mark.parametrize("look", [False, True])
@pytest.mark.parametrize("case", UNSEEN)
def test_suits_alone_are_the_mean_over_all_ranks_that_they_can_have(case: str, look: bool) -> None:
    text, cards_left = UNSEEN[case]
    own = Hand.parse(text)
    free = FULL_DECK.without(own)
    groups = [part.split(" of ") for part in cards_left.split(", ")]
    suits = ["cdhs".index(suit) for _, suit in groups]
    card = Hand.of([max(free.suit(suits[0]))]) if look else NO_CARDS
    sums, ways = [Fraction(0)] * 3, 0
    for sets in product(*(combinations(free.suit(s), int(n)) for (n, _), s in zip(groups, suits, strict=True))):
        unknown, ways = Hand.of(card for some in sets for card in some), ways + 1
        every = of(flush_odds(unknown, flush_rank(own)))
        if look:
            others = of(flush_odds(unknown.without(card), flush_rank(own)))
            every = tuple(a - b for a, b in zip(every, others, strict=True)) if unknown & card else (0, 0, 0)  # type: ignore[assignment]
        sums = [have + more for have, more in zip(sums, every, strict=True)]
    some = Hand.of(card for (n, _), s in zip(groups, suits, strict=True) for card in list(free.suit(s))[: int(n)])
    expected = [float(each / ways) for each in sums]
    assert met(own, free.without(some), card, suits_only=True) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("book", [WASHINGTON, packaged("atlantic-city"), HALF], ids=lambda book: book.name)
@pytest.mark.parametrize("sight", [Sight(1), Sight(5), Sight(0, 1), Sight(3, 1), Sight(4, suits_only=True)], ids=str)
def test_the_gain_of_a_deal_is_that_of_the_best_decision_over_the_habit(book: Rulebook, sight: Sight) -> None:
    for own, seen_cards, dealer in deals(sight.hands, 40, seed=3):
        limits = book.raise_antes(flush_rank(own).length)
        habit, mean_alone = value(of(hand_odds(own)), limits)
        looks = [Hand.of([card]) for card in dealer] if sight.dealer_cards else [NO_CARDS]
        gains, changed_count, fold_count = [], [], []
        for look in looks:
            result = met(own, seen_cards, look, suits_only=sight.suits_only)
            best, worth = value(result, limits)
            gains.append(worth - worth_of(habit, result))
            changed_count.append(gains[-1] > 0)
            fold_count.append(best < 0)
        cards = iter(seen_cards)
        others = [Hand.of(next(cards) for _ in range(7)) for _ in range(sight.hands)]
        row = np.array([[as_word(hand) for hand in (own, *others, dealer)]], dtype=np.uint64)
        tally = np.zeros(at.TALLY)
        key = (sight.hands, bool(sight.dealer_cards), sight.suits_only, False)
        at.weigh(row, *key, raise_limits(book), CODE, BEST, tally)
        assert tally[at.GAIN] == pytest.approx(float(mean(gains)), abs=1e-12)
        assert tally[at.OWN] == pytest.approx(float(mean_alone), abs=1e-12)
        assert tally[at.CHANGED] == pytest.approx(mean(changed_count))
        assert tally[at.FOLDED] == pytest.approx(mean(fold_count))


def test_the_habit_is_the_best_decision_of_one_hand() -> None:
    for own, _, _ in deals(0, 50, seed=4):
        odds, limits = hand_odds(own), WASHINGTON.raise_antes(flush_rank(own).length)
        assert value(met(own), limits)[1] == max(FOLD, *(raise_value(odds, antes) for antes in limits))


# The whole game.


def test_nothing_seen_is_exact() -> None:
    odds = seen_odds(WASHINGTON, Sight(0), LEAST_DEALS)
    assert (odds.unseen, odds.deals, odds.standard_error) == (EXACT, 0, 0)
    assert odds.edge == pytest.approx(0.026645303991, abs=5e-13)
    assert odds.fold_frequency == float(game_odds(WASHINGTON).fold_frequency)


def test_five_other_hands_turn_the_edge() -> None:
    odds = seen_odds(WASHINGTON, Sight(5), 400_000, seed=1)
    assert odds.standard_error < 0.0004
    assert abs(odds.edge + 0.0732) < 4 * odds.standard_error


def gain(sight: Sight, number: int) -> tuple[float, float]:
    """Return the value of seeing these cards, and its standard error."""
    return estimate(weigh_chunk(raise_limits(WASHINGTON), sight, None, 0, 0, number), -float(EXACT))


def test_the_more_is_seen_the_better() -> None:
    gains = [gain(Sight(hands), 40_000)[0] for hands in range(6)]
    assert gains == sorted(gains)
    assert gains[0] == 0
    assert gains[1] == pytest.approx(0.0008, abs=0.0002)


@pytest.mark.parametrize("hands", range(1, 6))
def test_suits_alone_are_worth_something_but_less_than_the_cards(hands: int) -> None:
    (suits, error), (cards, cards_error) = (gain(Sight(hands, suits_only=only), 40_000) for only in (True, False))
    assert 3 * error < suits < cards - 3 * (error + cards_error)


def test_a_card_of_the_dealer_is_worth_more_with_other_hands() -> None:
    gain_alone, both, hands = (gain(sight, 30_000)[0] for sight in (Sight(0, 1), Sight(2, 1), Sight(2)))
    assert gain_alone == pytest.approx(0.0036, abs=0.0004)
    assert both > max(gain_alone, hands)


def test_other_raise_limits_have_another_edge() -> None:
    odds = seen_odds(HALF, Sight(3), 20_000)
    assert odds.unseen == game_odds(HALF).house_edge
    assert odds.edge < float(odds.unseen) < 0


def test_the_standard_error_is_that_of_the_estimate() -> None:
    limits, true = raise_limits(WASHINGTON), 0.0066104
    runs = [estimate(weigh_chunk(limits, Sight(3), None, 9, chunk, 2000), -float(EXACT)) for chunk in range(200)]
    z = [(gain - true) / error for gain, error in runs]
    assert abs(mean(z)) < 4 / sqrt(len(z))
    assert 0.8 < pvariance(z) < 1.3


def test_a_seed_gives_the_same_figures_on_any_number_of_threads() -> None:
    number = 2 * CHUNK_ROUNDS + 1000
    odds = [seen_odds(WASHINGTON, Sight(5), number, seed=4, threads=threads) for threads in (1, 3)]
    assert odds[0] == odds[1]
    assert seen_odds(WASHINGTON, Sight(5), number, seed=5).gain != odds[0].gain


def test_an_interrupt_gives_the_result_so_far() -> None:
    def interrupt(step: int, _: int) -> None:
        if step > CHUNK_ROUNDS:
            raise KeyboardInterrupt

    odds = seen_odds(WASHINGTON, Sight(2), 50 * CHUNK_ROUNDS, progress=interrupt)
    assert (odds.interrupted, odds.deals) == (True, CHUNK_ROUNDS)
    assert odds.gain == seen_odds(WASHINGTON, Sight(2), CHUNK_ROUNDS).gain


@pytest.mark.parametrize("wrong", [(6, 0), (-1, 0), (0, 2)])
def test_impossible_sights_are_refused(wrong: tuple[int, int]) -> None:
    with pytest.raises(HcfError, match="seen"):
        Sight(*wrong)


# Rules by a count.


def test_a_rule_names_a_threshold_for_every_count() -> None:
    codes = LONGEST.codes
    assert len(codes) == 14
    assert codes[0] == codes[3] == 0
    assert codes[4] < codes[5] < codes[6] == threshold_code("5-4-3-2") < codes[7] == codes[13]
    assert CountRule.parse(str(LONGEST)) == LONGEST


@pytest.mark.parametrize("text", ["", "3", "x:never", "4:never 3:always", "14:never", "3:x", "3:optimal", "²:never"])
def test_a_rule_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(HcfError):
        CountRule.parse(text)


def test_a_word_that_no_rule_takes_is_not_offered(hcf: Hcf) -> None:
    for word in ("sometimes", "optimal"):
        result = hcf("odds", "seen", "--hands", 5, "--by-count", f"3:{word}", "--json")
        assert result.status == 2
        assert result.data["error"]["read"] == repr(word)
        assert "optimal" not in result.data["error"]["expected"]


def test_a_rule_that_asks_for_one_flush_is_that_strategy() -> None:
    exact = game_odds(WASHINGTON, NAMED["t-8-6"]).house_edge
    for sight in (Sight(0), Sight(4)):
        odds = seen_odds(WASHINGTON, sight, 60_000, rule=CountRule.parse("0:T-8-6"))
        assert abs(odds.edge - float(exact)) < 4 * odds.standard_error < 0.001


def test_the_longest_unseen_suit_beats_the_game_with_five_hands_seen() -> None:
    odds = [seen_odds(WASHINGTON, Sight(5, suits_only=only), 200_000, rule=LONGEST) for only in (False, True)]
    assert all(each.edge < -0.025 for each in odds)
    assert odds[1].standard_error < odds[0].standard_error
    assert abs(odds[0].edge - odds[1].edge) < 4 * odds[0].standard_error
    assert odds[1].gain < gain(Sight(5, suits_only=True), 40_000)[0]


def test_a_rule_counts_no_card_of_the_dealer(hcf: Hcf) -> None:
    result = hcf("odds", "seen", "--hands", 5, "--by-count", LONGEST, "--dealer-cards", 1, "--json")
    assert (result.status, result.data["error"]["read"]) == (1, "a dealer's card")
    result = hcf("odds", "seen", "--hands", 5, "--by-count", LONGEST, "--deals", 1000)
    assert "play by the rule 3:always 4:J-high" in result.words


# Exposed cards.


def laid(hand: Hand, book: Rulebook) -> Hand:
    """Return the cards that a player exposes: every straight flush except one in the flush that is raised."""
    limits, suits = book.raise_antes(flush_rank(hand).length), [0, 1, 2, 3]
    if value(of(hand_odds(hand)), limits)[0] >= 0:
        suits.remove(best_suits(hand)[0])
    return Hand(sum(straight_flush_cards(hand.suit(suit)) for suit in suits))


def test_straight_flushes_outside_the_raised_flush_are_exposed() -> None:
    book, count = packaged("atlantic-city"), 0
    for own, _, _ in deals(0, 1500, seed=6):
        exposure = at.exposed(CODE, as_word(own), raise_limits(book), WORK)
        if max(straight_flush_cards(own.suit(suit)) for suit in range(4)):
            count += 1
            assert exposure == as_masks(laid(own, book))
        else:
            assert exposure == 0
    assert count > 50


def test_exposed_cards_leak_next_to_nothing() -> None:
    sight, book = Sight(5, exposed_only=True), packaged("atlantic-city")
    odds = seen_odds(book, sight, 200_000)
    assert odds.standard_error < 0.00002  # a fifth of it without the mean over deals that show the same
    assert abs(odds.gain - 0.0000287) < 4 * odds.standard_error
    assert seen_odds(book, sight, 200_000, threads=2) == odds
    assert 0.0005 < odds.changed < 0.002


def test_exposed_cards_go_with_nothing_else() -> None:
    with pytest.raises(HcfError, match="exposed"):
        Sight(5, dealer_cards=1, exposed_only=True)
    with pytest.raises(HcfError, match="exposed"):
        seen_odds(WASHINGTON, Sight(5, exposed_only=True), 1000, rule=LONGEST)


@pytest.mark.parametrize("name", ["oxford", "washington", "galaxy-v7"])
def test_unexposed_cards_have_no_price(hcf: Hcf, name: str) -> None:
    result = hcf("odds", "seen", name, "--hands", 5, "--exposed-only", "--json")
    assert result.status == 1
    assert (result.data["error"]["message"], result.data["error"]["read"]) == ("exposed cards", name)
    assert "atlantic-city or meadows" in result.data["error"]["expected"]
    assert seen_odds(packaged("meadows"), Sight(5, exposed_only=True), LEAST_DEALS).sampled


# The command.


def test_no_error_is_told_that_the_sample_does_not_know(hcf: Hcf) -> None:
    few = hcf("odds", "seen", "--hands", 5, "--deals", 2)
    assert (few.status, "x>=1000" in few.err) == (2, True)
    with pytest.raises(HcfError, match=r"deals: read 2, expected 1000 or more"):
        seen_odds(WASHINGTON, Sight(5), 2)
    how = ("odds", "seen", "--hands", 2, "--deals", LEAST_DEALS, "--by-count", "0:T-8-6")
    assert hcf(*how, "--json").data["standard_error"] > 0
    unchanged = ("odds", "seen", "atlantic-city", "--hands", 1, "--exposed-only", "--deals", LEAST_DEALS)
    data = hcf(*unchanged, "--json").data
    assert (data["changed"], data["standard_error"]) == (0, None)
    assert "not known" in hcf(*unchanged).words


def test_the_command_as_data(hcf: Hcf) -> None:
    result = hcf("odds", "seen", "--hands", 5, "--deals", 70_000, "--seed", 3, "--json")
    odds = seen_odds(WASHINGTON, Sight(5), 70_000, seed=3)
    assert result.status == 0
    assert result.data["edge"] == odds.edge
    assert result.data["standard_error"] == odds.standard_error
    assert (result.data["deals"], result.data["seed"], result.data["hands"], result.data["edge_exact"]) == (
        70_000,
        3,
        5,
        None,
    )


def test_the_command_without_anything_seen_is_exact(hcf: Hcf) -> None:
    result = hcf("odds", "seen", "oxford", "--hands", 0, "--json")
    assert (result.data["edge"], result.data["standard_error"]) == (float(EXACT), 0)
    assert result.data["edge_exact"] == "1348050875653/50592437455560"
    assert "exactly 1348050875653 / 50592437455560" in hcf("odds", "seen", "--hands", 0).words


def test_the_command_on_the_screen(hcf: Hcf) -> None:
    how = ("--hands", 2, "--suits-only", "--dealer-cards", 1, "--deals", 1000)
    result = hcf("odds", "seen", *how, "--raise", "multiples 1 1 1 3 3 3")
    assert result.status == 0
    assert "What-if" in result.words
    assert "sees the suits of 2 other hands and a dealer card: 1,000 deals, seed 0" in result.words
    assert "1 other hand:" in hcf("odds", "seen", "--hands", 1, "--deals", 1000).words


def test_a_small_table_has_fewer_other_hands(hcf: Hcf) -> None:
    result = hcf("odds", "seen", "--hands", 3, "--set", "seats", 3, "--json")
    assert result.status == 1
    assert_error(result.data["error"], read="3", expected="0 to 2, the number of other seats")


# Finding the best rule by a count.


def test_the_best_rule_is_found_and_beats_another() -> None:
    rule = find_rule(WASHINGTON, 5, 100_000, seed=1)
    assert rule.codes[3] == 0
    assert rule == CountRule.parse(str(rule))
    best, longest = (seen_odds(WASHINGTON, Sight(5, suits_only=True), 100_000, rule=each) for each in (rule, LONGEST))
    assert best.gain > longest.gain - 2 * longest.standard_error
    assert find_rule(WASHINGTON, 5, 100_000, seed=1, threads=2) == rule


def test_a_threshold_is_the_lowest_flush_of_its_cards() -> None:
    assert [_threshold(*place) for place in ((2, 12), (3, 9), (4, 3), (5, 12))] == [
        "A-2",
        "J-high",
        "5-4-3-2",
        "A-5-4-3-2",
    ]
    gains = np.zeros((8, 13))
    assert _best(gains) == "never"
    gains[4, 7], gains[3, 12] = 1.0, -2.0
    assert _best(gains) == _threshold(4, 3)  # the first of all that gain as much
    gains[3, 12] = 2.0
    assert _best(gains) == "always"


def test_a_rule_is_found_or_given(hcf: Hcf) -> None:
    data = hcf("odds", "seen", "--hands", "5", "--suits-only", "--find-rule", "--deals", "20000", "--json").data
    assert str(data["rule"]).startswith("3:always ")
    both = ("--find-rule", "--by-count", "3:always")
    assert "exclude each other" in hcf("odds", "seen", "--hands", "5", *both).err
