"""The coach: values against the odds of a hand, its counts counted again, its payoffs against the engine."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import sqrt
from random import Random

import pytest

from highcardflush.cards import Hand
from highcardflush.coach import Spot, account, counsel, grade, spot_of
from highcardflush.coach.counted import ALWAYS_RAISED, ONE_ANTE
from highcardflush.coach.deals import DealClass, best_choice, count_classes, decided, flush_classes
from highcardflush.coach.expectation import HANDS, deal_classes, prospect
from highcardflush.coach.payoff import Case, main_results, net_cents, side_results
from highcardflush.game import open_round, parse, replay, step, view
from highcardflush.game.actions import Deal, DrawDynamic, Fold, Lock, PlaceWagers, Raise, RollDice, Settle, Wagers
from highcardflush.game.decisions import basic_decision, playing_flush
from highcardflush.game.settle import locked_meters
from highcardflush.game.sidebets import counted_straight_flush
from highcardflush.game.state import Decision, State
from highcardflush.jackpot import Meter, plans
from highcardflush.odds.hand import hand_odds, raise_value
from highcardflush.odds.paytable import table_odds
from highcardflush.ranking import FlushRank, dealer_qualifies, flush_rank, straight_flush
from highcardflush.rulebook import Rulebook, configure, packaged, parse_offer
from support.tables import ROWS, table

ONE = Fraction(1)
OPTIMUM = Fraction(-1348050875653, 50592437455560)
OXFORD, ATLANTIC_CITY, MEADOWS = packaged("oxford"), packaged("atlantic-city"), packaged("meadows")
TEN = Wagers(ante=1000)


def spot(rulebook: Rulebook, hand: str, wagers: Wagers = TEN, seen: str = "", purse: int | None = None) -> Spot:
    return Spot(rulebook, wagers, Hand.parse(hand), Hand.parse(seen), purse_cents=purse)


# Values.


def test_values_are_those_of_the_hand() -> None:
    random = Random(1)
    for _ in range(60):
        cards = random.sample(range(52), 7 + random.choice((0, 0, 3, 14)))
        hand, seen = Hand.of(cards[:7]), Hand.of(cards[7:])
        rulebook = random.choice((OXFORD, ATLANTIC_CITY, MEADOWS, packaged("washington"), packaged("galaxy-v7")))
        advised = counsel(Spot(rulebook, TEN, hand, seen))
        assert advised.value(Decision()) == -1000
        for kept in advised.kept:
            odds = hand_odds(hand, seen, kept.flush)
            assert kept.odds == odds
            for cents in kept.amounts.choices or (kept.amounts.minimum_cents, 1234, 1777, 1999):
                value = advised.value(Decision(cents, kept.keep))
                assert advised.antes(value) == raise_value(odds, Fraction(cents, 1000))
        best = raise_value(hand_odds(hand, seen), Fraction(advised.kept[0].amounts.maximum_cents or 0, 1000))
        assert advised.antes(advised.best.value) >= max(best, Fraction(-1))
        assert advised.best == advised.best_of_all


def test_variance_of_what_the_dealer_may_hold() -> None:
    advised = counsel(spot(OXFORD, "KsJs6s Qd2d 9c2c"))
    assert advised.variance(Decision()) == 0
    odds = advised.kept[0].odds
    mean = advised.value(Decision(1000, 3))
    square = Fraction(10**6 * (odds.not_qualified + 4 * odds.win + 4 * odds.lose), odds.total)
    assert advised.variance(Decision(1000, 3)) == square - mean**2


def test_the_best_raise_is_bent_by_a_cap() -> None:
    """Where no more than $25 is paid, a Raise above $15 wins nothing more and loses more."""
    capped = configure(MEADOWS, None, {"cap-player": "25"})
    advised = counsel(spot(capped, "AsKs9s7s6s 2d3c"))
    assert advised.best.raise_cents == 1500
    odds = advised.kept[0].odds
    assert advised.best.value == Fraction(1000 * odds.not_qualified + 2500 * (odds.win - odds.lose), odds.total)
    assert counsel(spot(MEADOWS, "AsKs9s7s6s 2d3c")).best.raise_cents == 2000


# Whether the other cards decide.


@pytest.mark.parametrize(
    ("hand", "raised", "decided_by"),
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
def test_who_decides(hand: str, raised: bool, decided_by: str) -> None:
    advised = counsel(spot(OXFORD, hand))
    assert (bool(advised.best.raise_cents), advised.decided_by) == (raised, decided_by)


def test_cards_face_up_decide() -> None:
    alone = counsel(spot(ATLANTIC_CITY, "Ts8s6s 9d7d 9h8h"))
    told = counsel(spot(ATLANTIC_CITY, "Ts8s6s 9d7d 9h8h", seen="AcKcQc AhKhQh"))
    assert (alone.best.raise_cents, told.best.raise_cents) == (0, 1000)
    assert told.decided_by == "seen cards"


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
    played = replay(parse(text)[0])
    state = played.state.with_seat(played.state.seat(3))
    before = State(**{field: getattr(state, field) for field in state.__struct_fields__} | {"phase": "acting"})
    found = spot_of(played.rulebook, view(played.rulebook, before, 3), 3, 9000)
    assert found.seen == Hand.parse("AcKcQc")
    assert (str(found.hand), found.purse_cents, found.envied) == ("Ts8s6s 9h8h 9d7d", 9000, 0)


# Every hand counted.


def rows(rows: tuple[DealClass, ...]) -> list[tuple[object, ...]]:
    return [tuple(getattr(row, field) for field in row.__struct_fields__) for row in rows]


@pytest.mark.parametrize("cards", range(2, 8))
def test_shipped_counts(cards: int) -> None:
    shipped = [row for row in (*ONE_ANTE, *ALWAYS_RAISED) if row[0] == cards]
    assert rows(count_classes(cards, ONE, ONE)) == shipped


def test_shipped_counts_are_all_hands() -> None:
    assert sum(row[3] for row in (*ONE_ANTE, *ALWAYS_RAISED)) == HANDS
    assert {row[2] for row in ALWAYS_RAISED} == {"high"}  # whatever the limits: see best_choice
    assert best_choice(0, 2, 1, Fraction(0), Fraction(3)) == "high"


@pytest.mark.parametrize("flush", ["AsKsQsJsTs9s", "9s7s5s3s2s", "Ks8s6s3s"])
def test_hands_of_one_flush_one_by_one(flush: str) -> None:
    """The same sums over single hands, each with its own odds. Suits are alike, so spades stand for all four."""
    spades, rank = Hand.parse(flush), flush_rank(Hand.parse(flush))
    sums: dict[tuple[object, ...], list[int]] = {}
    known: dict[tuple[int, ...], tuple[int, ...]] = {}
    for others in combinations(range(39), 7 - rank.length):
        hand = Hand(Hand.of(others) | spades)
        key = tuple(sorted(hand.suits))
        if key not in known:
            odds = hand_odds(hand)
            known[key] = (odds.not_qualified, odds.win, odds.tie, odds.lose)
        bad, win, tie, lose = known[key]
        straight = straight_flush(hand)
        cell = (
            (straight.length, straight.top == 12) if straight else (0, False),
            best_choice(bad, win, lose, ONE, ONE),
        )
        numbers = (1, bad, win, tie, bad * bad, bad * win, bad * tie, win * win, win * tie, tie * tie)
        held = sums.setdefault(cell, [0] * 10)
        sums[cell] = [have + 4 * number for have, number in zip(held, numbers, strict=True)]
    counted = flush_classes(rank, ONE, ONE)
    assert {(each.straight, each.choice): [each.hands, *each.met, *each.products] for each in counted} == sums


def test_other_cards_of_three_one_by_one() -> None:
    """Hands drawn at random that hold T-8-6: raised and folded about as often as counted."""
    random, spades = Random(3), Hand.parse("Ts8s6s")
    raised, folded = decided(flush_rank(spades), ONE, ONE)
    assert (raised, folded) == (102408, 152340)
    drawn = [Hand(Hand.of(random.sample(range(39), 4)) | spades) for _ in range(1500)]
    best = [hand_odds(hand) for hand in drawn if flush_rank(hand) == flush_rank(spades)]
    up = sum(best_choice(odds.not_qualified, odds.win, odds.lose, ONE, ONE) != "fold" for odds in best)
    assert up / len(best) == pytest.approx(raised / (raised + folded), abs=0.04)


def test_optimum_of_every_rulebook() -> None:
    for name in ("oxford", "atlantic-city", "meadows", "galaxy-v7", "washington"):
        assert prospect(packaged(name), TEN, {}).mean / 1000 == OPTIMUM


def test_the_kernel_counts_the_same() -> None:
    pytest.importorskip("numba")
    from highcardflush.odds.game import game_odds

    half = configure(packaged("galaxy-v7"), None, {"raise-minimum": "0.5x"})
    assert prospect(half, TEN, {}).mean / 1000 == game_odds(half).expected
    whole = game_odds(OXFORD)
    assert whole.expected == OPTIMUM
    for each in whole.decided:
        if FlushRank(3, 0) < each.flush < FlushRank(3, 1 << 9) and each.flush.ranks % 7 == 0:
            assert decided(each.flush, ONE, ONE) == (each.raised, each.folded)
    zones = {zone[0]: zone[1:3] for zone in whole.zones()}
    assert zones["the other cards decide"] == ("T-3-2", "T-9-8")


def test_variance_in_two_steps() -> None:
    """What the player's cards scatter and what the dealer's cards add is the variance of the whole game."""
    variance = prospect(OXFORD, TEN, {}).variance
    left = Fraction(0)
    for each in deal_classes(OXFORD, 1000):
        if each.choice == "fold":
            continue
        total = 45379620
        bet = {5: 3000, 6: 4000, 7: 4000}.get(each.cards, 2000)
        bad, win, tie = each.met
        lose = each.hands * total - bad - win - tie
        left += Fraction(10**6 * bad + bet**2 * (win + lose), total)
        bb, bw, bt, ww, wt, tt = each.products
        more = (1000 + bet, 2 * bet, bet)
        square = bb * more[0] ** 2 + ww * more[1] ** 2 + tt * more[2] ** 2
        square += 2 * (bw * more[0] * more[1] + bt * more[0] * more[2] + wt * more[1] * more[2])
        linear = bad * more[0] + win * more[1] + tie * more[2]
        left -= each.hands * bet**2 - Fraction(2 * bet * linear, total) + Fraction(square, total**2)
    assert sqrt((variance + left / HANDS) / 10**6) == pytest.approx(1.630870, abs=1e-6)


# Side bets.


def meters_of(rulebook: Rulebook) -> dict[str, Meter]:
    return {name: Meter(plan.seed_micros) for name, plan in plans(rulebook).items()}


def test_side_bets_expect_what_their_tables_return() -> None:
    wagers = Wagers(ante=1000, flush=500, straight_flush=500)
    edge = table_odds(ATLANTIC_CITY.paytables["flush"]).house_edge
    edge += table_odds(ATLANTIC_CITY.paytables["straight-flush"]).house_edge
    uncapped = configure(ATLANTIC_CITY, None, {"cap-table": "none"})
    assert prospect(uncapped, wagers, {}).mean == 1000 * OPTIMUM - 500 * edge
    assert prospect(ATLANTIC_CITY, wagers, {}).mean == 1000 * OPTIMUM - 500 * edge
    assert prospect(OXFORD, wagers, {}).mean < 1000 * OPTIMUM - 500 * edge  # $25,000 to one player


def test_a_cap_on_a_side_bet() -> None:
    capped = configure(packaged("washington"), [parse_offer("flush", "PT-FLT-HCF-FB-01")], {"cap-flush-player": "40"})
    pays = table_odds(capped.paytables["PT-FLT-HCF-FB-01"], cap=Fraction(4000, 500))
    assert prospect(capped, Wagers(ante=1000, flush=500), {}).mean == 1000 * OPTIMUM - 500 * pays.house_edge


@pytest.mark.parametrize("name", ["PT-BJS-HCF-SF-07", "PT-PRG-HCF-MLP-01", "PT-PRG-HCF-D01a", "PT-BJS-HCF-SF-E05"])
def test_progressives_at_the_meters_of_the_round(name: str) -> None:
    rulebook = configure(packaged("galaxy-v7"), [parse_offer("progressive", name)], {})
    meters = meters_of(rulebook)
    amounts = {meter: Fraction(held.amount_micros, 10**6) for meter, held in meters.items()}
    returned = table_odds(rulebook.paytables[name], amounts, seats=3).returned
    wagers = Wagers(ante=1000, progressive=100)
    assert prospect(rulebook, wagers, meters, envied=2).mean == 1000 * OPTIMUM + 100 * (returned - 1)
    more = {meter: Meter(held.amount_micros * 2) for meter, held in meters.items()}
    assert prospect(rulebook, wagers, more).mean > prospect(rulebook, wagers, meters).mean


def case_of(rulebook: Rulebook, state: State) -> Case:
    seat = state.seat(1)
    assert state.dealer is not None
    assert seat.decision is not None
    if not seat.decision.raise_cents:
        return "fold"
    mine, dealer = playing_flush(seat), flush_rank(state.dealer)
    if not dealer_qualifies(dealer):
        return "not_qualified"
    return "win" if mine > dealer else "lose" if mine < dealer else "tie"


@pytest.mark.parametrize("row", [row for row in ROWS if "progressive-only" not in row])
def test_payoffs_are_the_engines(row: str) -> None:
    rulebook, random = table(row), Random(row)
    progressive = rulebook.offer("progressive")
    for _ in range(12):
        wagers = Wagers(
            ante=1000,
            flush=500 if rulebook.offer("flush") else 0,
            straight_flush=500 if rulebook.offer("straight-flush") else 0,
            progressive=int(progressive.base) if progressive else 0,
        )
        suited = random.sample(range(13), random.choice((3, 5, 6, 7)))  # hands that win side bets
        deck = [*suited, *random.sample([card for card in range(52) if card not in suited], 52 - len(suited))]
        state = open_round(rulebook, {})
        actions = [PlaceWagers(1, wagers), Lock()]
        for action in actions:
            state, _ = step(rulebook, state, action)
        if rulebook.settings.dealing == "dice":
            state, _ = step(rulebook, state, RollDice((1, 1, 1)))
        paytable = rulebook.table("progressive")
        if paytable and paytable.dynamic_lines:
            line = paytable.dynamic_lines[0]
            state, _ = step(rulebook, state, DrawDynamic(((line.name, line.dynamic[0]),)))
        state, _ = step(rulebook, state, Deal(tuple(deck)))
        decision = basic_decision(rulebook, state.seat(1)) if random.random() < 0.8 else Fold(1)
        state, _ = step(rulebook, state, decision)
        seat, seen = state.seat(1), view(rulebook, state, 1)
        assert seat.hand is not None
        assert seat.decision is not None
        found = spot_of(rulebook, seen, 1)
        length, held = flush_rank(seat.hand).length, straight_flush(seat.hand)
        counted = counted_straight_flush(rulebook, seat)
        sides = side_results(rulebook, wagers, length, held, counted, found.meters, dict(found.dynamic))
        main = main_results(wagers.ante, seat.decision.raise_cents, case_of(rulebook, state))
        state, _ = step(rulebook, state, Settle(locked_meters(rulebook, state)))
        assert state.settlement is not None
        engine = sum(result.net_cents for result in state.settlement.results)
        assert net_cents(rulebook.settings, [*main, *sides]) == engine


# Mistakes.


def kinds(found: Spot, decision: Decision) -> list[tuple[str, Fraction]]:
    return [(mistake.kind, mistake.cost) for mistake in counsel(found).mistakes(decision)]


def test_fold_and_raise() -> None:
    strong, weak = spot(OXFORD, "KsJs6s Qd2d 9c2c"), spot(OXFORD, "9s8s7s AdKd QcJh")
    value = counsel(strong).value(Decision(1000, 3))
    assert kinds(strong, Decision(1000, 3)) == kinds(weak, Decision()) == []
    assert kinds(strong, Decision()) == [("fold", value + 1000)]
    assert kinds(weak, Decision(1000, 3)) == [("raise", -1000 - counsel(weak).value(Decision(1000, 3)))]


def test_amount_and_keep() -> None:
    five = spot(OXFORD, "AsKs9s7s6s 2d3d")
    advised = counsel(five)
    assert advised.best == counsel(five).best_of_all
    assert (advised.best.raise_cents, advised.best.keep) == (2000, 3)
    cost = advised.value(Decision(2000, 3)) - advised.value(Decision(1000, 3))
    assert kinds(five, Decision(1000, 3)) == [("amount", cost)]
    assert [kind for kind, _ in kinds(five, Decision(1000, 1))] == ["keep"]
    equal = spot(OXFORD, "AsKs9s AdKd9d 2c")
    assert kinds(equal, Decision(1000, 1)) == kinds(equal, Decision(1000, 3)) == []


def test_straight_flush_not_shown() -> None:
    wagers = Wagers(ante=1000, straight_flush=500)
    hidden = spot(ATLANTIC_CITY, "Qs8s7s 8d7d6d Ac", wagers)
    run = Hand.parse("8d7d6d")
    assert kinds(hidden, Decision(1000, 3, run)) == []
    assert kinds(hidden, Decision(1000, 3)) == [("hidden", Fraction(4000))]
    assert kinds(hidden, Decision(1000, 3, Hand.parse("8d7d"))) == [("hidden", Fraction(4000))]
    assert [kind for kind, _ in kinds(hidden, Decision(0, None, run))] == ["fold"]
    assert [kind for kind, _ in kinds(hidden, Decision())] == ["fold", "hidden"]
    assert [kind for kind, _ in kinds(hidden, Decision(1000, 1))] == ["keep"]
    assert kinds(spot(OXFORD, "Qs8s7s 8d7d6d Ac", wagers), Decision(1000, 3)) == []  # paid either way


def test_raise_not_covered() -> None:
    poor = spot(OXFORD, "AsKs9s7s6s 2d3d", purse=1500)
    advised = counsel(poor)
    assert (advised.best.raise_cents, advised.best_of_all.raise_cents) == (1000, 2000)
    assert [kind for kind, _ in kinds(poor, Decision(1000, 3))] == ["short"]
    broke = counsel(spot(OXFORD, "AsKs9s7s6s 2d3d", purse=500))
    assert broke.best.raise_cents == broke.loss(Decision()) == 0


# A session.


def test_account_adds_up() -> None:
    wagers = Wagers(ante=1000, flush=500, straight_flush=500)
    hands = ["KsJs6s Qd2d 9c2c", "9s8s7s AdKd QcJh", "AsKs9s7s6s 2d3d", "Qs8s7s 8d7d6d Ac"]
    decisions = [Decision(1000, 3), Decision(1000, 3), Decision(1000, 3), Decision()]
    nets = [-3000, 0, 6500, -2000]
    played = [
        (spot(ATLANTIC_CITY, hand, wagers), decision, net)
        for hand, decision, net in zip(hands, decisions, nets, strict=True)
    ]
    found = account(played)
    graded = [grade(*each) for each in played]
    assert (found.rounds, found.net_cents) == (4, 1500)
    assert found.expected - found.cost + found.luck == found.net_cents
    assert found.luck == sum(each.luck for each in graded)
    assert found.expected == 4 * prospect(ATLANTIC_CITY, wagers, {}).mean
    assert found.cost == sum(each.cost for each in graded) > 0
    assert found.mistakes == {"raise": 1, "amount": 1, "fold": 1, "hidden": 1}
    assert found.z == float(found.luck) / sqrt(sum(each.variance for each in graded))
    assert account([]).z == 0


def test_luck_is_nothing_on_average() -> None:
    """Over all that the dealer may hold, a hand's luck is its own: what the best play is worth above expectation."""
    one = spot(OXFORD, "KsJs6s Qd2d 9c2c")
    advised, odds = counsel(one), counsel(one).kept[0].odds
    expected = prospect(OXFORD, TEN, {}).mean
    for decision in (Decision(), Decision(1000, 3)):
        nets = {1000: odds.not_qualified, 2000: odds.win, 0: odds.tie, -2000: odds.lose}
        if not decision.raise_cents:
            nets = {-1000: odds.total}
        luck = sum(grade(one, decision, net).luck * count for net, count in nets.items()) / odds.total
        assert luck == advised.best.value - expected


def test_always_raising_for_a_while() -> None:
    """800 rounds in which every hand is raised: z is small, and luck squared comes to its variance."""
    random, before, graded = Random(7), prospect(OXFORD, TEN, {}), []
    for _ in range(800):
        deck = random.sample(range(52), 52)
        state = open_round(OXFORD, {})
        for placed in (PlaceWagers(1, TEN), Lock(), Deal(tuple(deck))):
            state, _ = step(OXFORD, state, placed)
        known = spot_of(OXFORD, view(OXFORD, state, 1), 1)
        for action in (Raise(1, 1000), Settle({})):
            state, _ = step(OXFORD, state, action)
        decision = state.seat(1).decision
        assert state.settlement is not None
        assert decision is not None
        net = sum(result.net_cents for result in state.settlement.results)
        graded.append(grade(known, decision, net, before))
    variance = sum(each.variance for each in graded)
    assert abs(float(sum(each.luck for each in graded))) < 3 * sqrt(variance)
    assert float(sum(each.luck**2 for each in graded) / variance) == pytest.approx(1, abs=0.1)
