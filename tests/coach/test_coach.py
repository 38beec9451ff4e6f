"""The coach: values against the odds of a hand, its counts counted again, its payoffs against the engine."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import sqrt
from random import Random

import pytest
from msgspec.structs import replace

from highcardflush.cards import FULL_DECK, Hand
from highcardflush.coach.advice import Spot, _sides, advise, spot_of
from highcardflush.coach.reasons import explain
from highcardflush.coach.session import account, ante_value, grade, side_bet_value
from highcardflush.game import open_round, step, view
from highcardflush.game.actions import Deal, Lock, PlaceWagers, Raise, Settle, Wagers
from highcardflush.game.state import Decision
from highcardflush.jackpot import Meter
from highcardflush.notation import parse_rounds, replay
from highcardflush.odds.classes import DealClass
from highcardflush.odds.counting import DEALER_HANDS
from highcardflush.odds.hand import hand_odds, raise_value
from highcardflush.odds.paytable import table_odds
from highcardflush.odds.progressive import progressive_odds
from highcardflush.odds.prospect import _options, _weighed, _worth, deal_classes, group_by_hands, prospect
from highcardflush.ranking import FlushRank, dealer_qualifies, flush_of, flush_rank
from highcardflush.rulebook import Rulebook, configure, packaged, parse_offer
from highcardflush.rulebook.wagers import SIDE_BETS

OPTIMUM = Fraction(-1348050875653, 50592437455560)
OXFORD, ATLANTIC_CITY, MEADOWS = packaged("oxford"), packaged("atlantic-city"), packaged("meadows")
TEN = {"ante": 1000}


def spot(rulebook: Rulebook, hand: str, wagers: Wagers = TEN, seen_cards: str = "", purse: int | None = None) -> Spot:
    return Spot(rulebook, wagers, Hand.parse(hand), Hand.parse(seen_cards), purse_cents=purse)


def test_values_are_those_of_the_hand() -> None:
    random = Random(1)
    for _ in range(60):
        cards = random.sample(range(52), 7 + random.choice((0, 0, 3, 14)))
        hand, other_cards = Hand.of(cards[:7]), Hand.of(cards[7:])
        rulebook = random.choice((OXFORD, ATLANTIC_CITY, MEADOWS, packaged("washington"), packaged("galaxy-v7")))
        advice = advise(Spot(rulebook, TEN, hand, other_cards))
        assert advice.value(Decision()) == -1000
        for flush in advice.flushes:
            odds = hand_odds(hand, other_cards, flush.flush)
            assert flush.odds == odds
            for cents in flush.amounts.choices or (flush.amounts.minimum_cents, 1234, 1777, 1999):
                value = advice.value(Decision(cents, flush.keep))
                assert advice.antes(value) == raise_value(odds, Fraction(cents, 1000))
        best = raise_value(hand_odds(hand, other_cards), Fraction(advice.flushes[0].amounts.maximum_cents or 0, 1000))
        assert advice.antes(advice.best.value) >= max(best, Fraction(-1))
        assert advice.best == advice.best_of_all


def test_variance_of_what_the_dealer_may_hold() -> None:
    advice = advise(spot(OXFORD, "KsJs6s Qd2d 9c2c"))
    assert advice.variance(Decision()) == 0
    odds = advice.flushes[0].odds
    mean = advice.value(Decision(1000, 3))
    square = Fraction(10**6 * (odds.not_qualified + 4 * odds.win + 4 * odds.lose), odds.total)
    assert advice.variance(Decision(1000, 3)) == square - mean**2


def test_the_best_raise_is_bent_by_a_cap() -> None:
    """If pays are capped at $25, a Raise above $15 wins nothing more and loses more."""
    capped = configure(MEADOWS, None, {"cap-player": "25"})
    advice = advise(spot(capped, "AsKs9s7s6s 2d3c"))
    assert advice.best.raise_cents == 1500
    odds = advice.flushes[0].odds
    assert advice.best.value == Fraction(1000 * odds.not_qualified + 2500 * (odds.win - odds.lose), odds.total)
    assert advise(spot(MEADOWS, "AsKs9s7s6s 2d3c")).best.raise_cents == 2000


@pytest.mark.parametrize(
    ("hand", "raises", "decided_by"),
    [
        ("Ts8s6s 9d7d 9h8h", False, "other cards"),
        ("Ts8s6s AdKd AhKh", True, "other cards"),
        ("Ts2s3s AdKd QcJh", True, "other cards"),
        ("Ts3s2s 9d7d 9h8h", False, "other cards"),
        ("9s8s7s AdKd QcJh", False, "flush"),
        ("JsTs2s 4d5d 7c8h", True, "flush"),
        ("AsKs QdJd 9h8h 2c", False, "flush"),
        ("2s3s4s5s AdKd 9h", True, "flush"),
    ],
)
def test_the_advice_says_whether_other_cards_decide(hand: str, raises: bool, decided_by: str) -> None:
    advice = advise(spot(OXFORD, hand))
    assert (bool(advice.best.raise_cents), advice.decided_by) == (raises, decided_by)


def test_cards_face_up_decide() -> None:
    advice_alone = advise(spot(ATLANTIC_CITY, "Ts8s6s 9d7d 9h8h"))
    advice = advise(spot(ATLANTIC_CITY, "Ts8s6s 9d7d 9h8h", seen_cards="AcKcQc AhKhQh"))
    assert (advice_alone.best.raise_cents, advice.best.raise_cents) == (0, 1000)
    assert advice.decided_by == "seen cards"


def test_only_what_the_view_shows_is_seen() -> None:
    text = """\
hcf 1
rulebook atlantic-city
seat 1 ante 10 straight-flush 5
seat 2 ante 10
seat 3 ante 10
deal 1 AcKcQc 2d3d 5h6h
deal 2 AhKhQh 4d5d 5s7s
deal 3 Ts8s6s 9d7d 9h8h
deal dealer Js9s Kd2c Jd4h3h
1 fold expose AcKcQc
2 fold
3 fold
"""
    game = replay(parse_rounds(text)[0])
    before = replace(game.state, phase="acting")
    seen_spot = spot_of(game.rulebook, view(game.rulebook, before, 3), 3, 9000)
    assert seen_spot.seen == Hand.parse("AcKcQc")
    assert (str(seen_spot.hand), seen_spot.purse_cents, seen_spot.envied) == ("Ts8s6s 9h8h 9d7d", 9000, 0)


@pytest.mark.parametrize(("hand", "raises"), [("Ts8s6s", True), ("Ts8s5s", False), ("2s3s4s5s", True), ("AsKs", False)])
def test_the_simple_rule(hand: str, raises: bool) -> None:
    others = {3: "AdKd QcJc", 4: "AdKd Qc", 2: "QdJd 9h8h 2c"}[len(Hand.parse(hand))]
    advice = advise(spot(OXFORD, f"{hand} {others}"))
    assert explain(advice, advice.flushes[0]).rule_raises is raises


def drawn(unknown: Hand, suit: int, flush: FlushRank, random: Random, hands: int) -> tuple[float, float]:
    cards, bad, wins = list(unknown), 0, 0
    for _ in range(hands):
        dealer = Hand.of(random.sample(cards, 7))
        bad += not dealer_qualifies(flush_rank(dealer))
        dealer_flush = flush_of(dealer, suit)
        wins += dealer_flush > flush and dealer_qualifies(dealer_flush)
    return bad / hands, wins / hands


@pytest.mark.parametrize("cards", ["Ts8s6s AdKd AhKh", "8s7s6s 5d4d 3h2h"])
def test_the_explanation_counts_the_effect_of_other_cards(cards: str) -> None:
    """Counted against hands that are drawn, with all cards known and with the flush alone."""
    random, advice = Random(11), advise(spot(OXFORD, cards))
    why, flush = explain(advice, advice.flushes[0]), advice.flushes[0].flush
    assert [effect.suit for effect in why.suits if not effect.held] == [0]
    assert {Hand(sum(effect.held for effect in why.suits))} == {advice.spot.hand.without(advice.spot.hand.suit(3))}
    without = FULL_DECK.without(advice.spot.hand.suit(3))
    for effect in why.suits:
        _, now = drawn(FULL_DECK.without(advice.spot.hand), effect.suit, flush, random, 6000)
        bad, losses_alone = drawn(without, effect.suit, flush, random, 6000)
        assert float(effect.beaten) == pytest.approx(now, abs=0.025)
        assert float(effect.beaten_without) == pytest.approx(losses_alone, abs=0.025)
        assert why.flush_alone.not_qualified / why.flush_alone.total == pytest.approx(bad, abs=0.025)
    effects = [effect.beaten - effect.beaten_without for effect in why.suits]
    assert effects == sorted(effects)


def test_the_flush_alone_is_the_hand_without_other_cards() -> None:
    """Seven cards of one suit have no other cards: then both are the same."""
    advice = advise(spot(OXFORD, "AsKsQsJs9s7s5s"))
    assert explain(advice, advice.flushes[0]).flush_alone == advice.flushes[0].odds


def test_a_bonus_bet_costs_its_house_edge() -> None:
    for wager in ("flush", "straight-flush"):
        assert side_bet_value(MEADOWS, wager, 500, {}) == -500 * table_odds(MEADOWS.paytables[wager]).house_edge
        capped = table_odds(OXFORD.paytables[wager], cap=Fraction(2_500_000, 500)).house_edge
        assert side_bet_value(OXFORD, wager, 500, {}) == -500 * capped
    assert side_bet_value(OXFORD, "straight-flush", 500, {}) < side_bet_value(MEADOWS, "straight-flush", 500, {})
    assert ante_value(OXFORD, 1000) == 1000 * OPTIMUM


@pytest.mark.parametrize("name", ["PT-BJS-HCF-SF-07", "PT-PRG-HCF-MLP-01", "PT-PRG-HCF-D01a", "PT-BJS-HCF-SF-E05"])
def test_a_progressive_bet_is_priced_at_its_meters(name: str) -> None:
    rulebook = configure(packaged("galaxy-v7"), [parse_offer("progressive", name, "5")], {})
    meters = {meter: Meter(3 * meter_state.amount_micros) for meter, meter_state in open_round(rulebook).meters.items()}
    dollars = {meter: Fraction(meter_state.amount_micros, 10**6) for meter, meter_state in meters.items()}
    edge = progressive_odds(rulebook, dollars, seats=3).at_meters.house_edge
    assert side_bet_value(rulebook, "progressive", 500, meters, envied=2) == -500 * edge
    mean_alone = prospect(rulebook, {"ante": 1000}, meters).mean
    with_bet = prospect(rulebook, {"ante": 1000, "progressive": 500}, meters, envied=2).mean
    assert side_bet_value(rulebook, "progressive", 500, meters, envied=2) == with_bet - mean_alone


def kinds(seen_spot: Spot, decision: Decision) -> list[tuple[str, Fraction]]:
    return [(mistake.kind, mistake.cost) for mistake in advise(seen_spot).mistakes(decision)]


def test_fold_and_raise() -> None:
    strong, weak = spot(OXFORD, "KsJs6s Qd2d 9c2c"), spot(OXFORD, "9s8s7s AdKd QcJh")
    value = advise(strong).value(Decision(1000, 3))
    assert kinds(strong, Decision(1000, 3)) == kinds(weak, Decision()) == []
    assert kinds(strong, Decision()) == [("fold", value + 1000)]
    assert kinds(weak, Decision(1000, 3)) == [("raise", -1000 - advise(weak).value(Decision(1000, 3)))]


def test_amount_and_keep() -> None:
    five = spot(OXFORD, "AsKs9s7s6s 2d3d")
    advice = advise(five)
    assert advice.best == advise(five).best_of_all
    assert (advice.best.raise_cents, advice.best.keep) == (2000, 3)
    cost = advice.value(Decision(2000, 3)) - advice.value(Decision(1000, 3))
    assert kinds(five, Decision(1000, 3)) == [("amount", cost)]
    assert [kind for kind, _ in kinds(five, Decision(1000, 1))] == ["keep"]
    equal = spot(OXFORD, "AsKs9s AdKd9d 2c")
    assert kinds(equal, Decision(1000, 1)) == kinds(equal, Decision(1000, 3)) == []


def test_straight_flush_not_shown() -> None:
    wagers = {"ante": 1000, "straight-flush": 500}
    hidden_spot = spot(ATLANTIC_CITY, "Qs8s7s 8d7d6d Ac", wagers)
    run = Hand.parse("8d7d6d")
    assert kinds(hidden_spot, Decision(1000, 3, run)) == []
    assert kinds(hidden_spot, Decision(1000, 3)) == [("hidden", Fraction(4000))]
    assert kinds(hidden_spot, Decision(1000, 3, Hand.parse("8d7d"))) == [("hidden", Fraction(4000))]
    assert [kind for kind, _ in kinds(hidden_spot, Decision(0, None, run))] == ["fold"]
    assert [kind for kind, _ in kinds(hidden_spot, Decision())] == ["fold", "hidden"]
    assert [kind for kind, _ in kinds(hidden_spot, Decision(1000, 1))] == ["keep"]
    assert kinds(spot(OXFORD, "Qs8s7s 8d7d6d Ac", wagers), Decision(1000, 3)) == []  # paid either way


def test_raise_not_covered() -> None:
    poor = spot(OXFORD, "AsKs9s7s6s 2d3d", purse=1500)
    advice = advise(poor)
    assert (advice.best.raise_cents, advice.best_of_all.raise_cents) == (1000, 2000)
    assert [kind for kind, _ in kinds(poor, Decision(1000, 3))] == ["short"]
    broke = advise(spot(OXFORD, "AsKs9s7s6s 2d3d", purse=500))
    assert broke.best.raise_cents == broke.loss(Decision()) == 0


def test_account_adds_up() -> None:
    wagers = {"ante": 1000, "flush": 500, "straight-flush": 500}
    hands = ["KsJs6s Qd2d 9c2c", "9s8s7s AdKd QcJh", "AsKs9s7s6s 2d3d", "Qs8s7s 8d7d6d Ac"]
    decisions = [Decision(1000, 3), Decision(1000, 3), Decision(1000, 3), Decision()]
    nets = [-3000, 0, 6500, -2000]
    game = [
        (spot(ATLANTIC_CITY, hand, wagers), decision, net)
        for hand, decision, net in zip(hands, decisions, nets, strict=True)
    ]
    sums = account(game)
    grades = [grade(*each) for each in game]
    assert (sums.rounds, sums.net_cents) == (4, 1500)
    assert sums.expected - sums.cost + sums.luck == sums.net_cents
    assert sums.luck == sum(each.luck for each in grades)
    assert sums.expected == 4 * prospect(ATLANTIC_CITY, wagers, {}).mean
    assert sums.cost == sum(each.cost for each in grades) > 0
    assert Counter(mistake.kind for mistake in sums.mistakes) == {"raise": 1, "amount": 1, "fold": 1, "hidden": 1}
    assert sums.z == float(sums.luck) / sqrt(sum(each.variance for each in grades))
    assert account([]).z == 0


def test_luck_is_nothing_on_average() -> None:
    """Over all that the dealer may hold, a hand's luck is its own: what the best play is worth above expectation."""
    one = spot(OXFORD, "KsJs6s Qd2d 9c2c")
    advice_now, odds = advise(one), advise(one).flushes[0].odds
    expected = prospect(OXFORD, TEN, {}).mean
    for decision in (Decision(), Decision(1000, 3)):
        nets = {1000: odds.not_qualified, 2000: odds.win, 0: odds.tie, -2000: odds.lose}
        if not decision.raise_cents:
            nets = {-1000: odds.total}
        luck = sum(grade(one, decision, net).luck * count for net, count in nets.items()) / odds.total
        assert luck == advice_now.best.value - expected


CAPPED = [
    (OXFORD, {"ante": 1_000_000}),
    (configure(MEADOWS, None, {"cap-player": "60"}), {"ante": 2500}),
    (configure(MEADOWS, None, {"cap-player": "60"}), {"ante": 2500, "flush": 500, "straight-flush": 500}),
    (OXFORD, {"ante": 500_000, "straight-flush": 500}),
]


@pytest.mark.parametrize(("rulebook", "wagers"), CAPPED)
def test_under_a_cap_luck_is_nothing_on_average(rulebook: Rulebook, wagers: dict[str, int]) -> None:
    """Every hand of seven suited cards: what the coach makes of each adds up to what was expected of them."""
    luck = Fraction(0)
    for ranks in combinations(range(13), 7):
        advice = advise(Spot(rulebook, wagers, Hand(sum(1 << rank for rank in ranks))))
        luck += 4 * (advice.best.value + _sides(advice.spot).uncut)
    sevens = [each for each in deal_classes(rulebook, wagers["ante"]) if each.cards == 7]
    expected = sum(_worth(rulebook, wagers, classes, {}, {})[0] for classes in group_by_hands(sevens))
    assert luck == Fraction(expected, DEALER_HANDS)


@pytest.mark.parametrize(("rulebook", "wagers"), CAPPED)
def test_under_a_cap_each_hand_is_expected_to_be_played_best(rulebook: Rulebook, wagers: dict[str, int]) -> None:
    """Hands of all lengths, dealt at random: the best of the options that are weighed is the coach's."""
    random = Random(3)
    for _ in range(60):
        hand = Hand(sum(1 << card for card in random.sample(range(52), 7)))
        advice = advise(Spot(rulebook, wagers, hand))
        odds, flush = hand_odds(hand), flush_rank(hand)
        straight = SIDE_BETS["straight-flush"].best(hand).reach
        one = DealClass(flush.length, straight, "fold", 1, odds.counts[:3], (0, 0, 0, 0, 0, 0))
        nets, _ = _options(rulebook, wagers, one, {}, {})
        best, _ = _weighed({odds.counts[:3]: 1}, nets)
        assert Fraction(best, DEALER_HANDS) == advice.best.value + _sides(advice.spot).uncut


def test_a_capped_expectation_is_that_of_the_best_smaller_raise() -> None:
    """A cap that cuts a Raise is met by a smaller one, so less is lost than by the best play without it."""
    means = [float(prospect(rulebook, wagers, {}).mean) for rulebook, wagers in CAPPED[:2]]
    assert means == pytest.approx([-39731.00978, -104.22766], abs=1e-4)


def test_always_raising_for_a_while() -> None:
    """800 rounds in which every hand is raised: z is small, and luck squared comes to its variance."""
    random, before, grades = Random(7), prospect(OXFORD, TEN, {}), []
    for _ in range(800):
        deck = random.sample(range(52), 52)
        state = open_round(OXFORD, {})
        for placed in (PlaceWagers(1, TEN), Lock(), Deal(tuple(deck))):
            state, _ = step(OXFORD, state, placed)
        fresh_spot = spot_of(OXFORD, view(OXFORD, state, 1), 1)
        for action in (Raise(1, 1000), Settle({})):
            state, _ = step(OXFORD, state, action)
        decision = state.seat(1).decision
        assert state.settlement is not None
        assert decision is not None
        net = sum(result.net_cents for result in state.settlement.results)
        grades.append(grade(fresh_spot, decision, net, before))
    variance = sum(each.variance for each in grades)
    assert abs(float(sum(each.luck for each in grades))) < 3 * sqrt(variance)
    assert float(sum(each.luck**2 for each in grades) / variance) == pytest.approx(1, abs=0.1)


@pytest.mark.clause("M3")
def test_a_straight_flush_that_is_better_kept_face_down() -> None:
    """Laying 4-3-2 face up ends the bet at 7 to 1. Face down, the four spades are paid 60 to 1."""
    wagers = {"ante": 1000, "straight-flush": 500}
    hidden_spot, run = spot(packaged("meadows"), "9s8s7s6s 4d3d2d", wagers), Hand.parse("4d3d2d")
    assert kinds(hidden_spot, Decision(1000, 3)) == []
    assert kinds(hidden_spot, Decision(1000, 3, run)) == [("hidden", Fraction(26500))]
    assert kinds(spot(ATLANTIC_CITY, "9s8s7s6s 4d3d2d", wagers), Decision(1000, 3, run)) == []


@pytest.mark.clause("M3")
def test_a_raise_that_a_win_paid_at_once_covers() -> None:
    wagers = {"ante": 1000, "straight-flush": 500}
    broke = advise(spot(packaged("meadows"), "AsKs9s7s 4d3d2d", wagers, purse=0))
    assert broke.best == broke.best_of_all
    assert broke.best.raise_cents == 1000
    capped = configure(packaged("meadows"), None, {"cap-player": "100000"})
    for rulebook in (capped, ATLANTIC_CITY):
        assert advise(spot(rulebook, "AsKs9s7s 4d3d2d", wagers, purse=0)).best.raise_cents == 0
