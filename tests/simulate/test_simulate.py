"""The simulator: its rounds replayed through the engine, its cards and draws, its totals against exact counts."""

import json
import sys
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise, product
from math import comb
from pathlib import Path
from random import Random

import numpy as np
import pytest
from click.testing import CliRunner
from numba.core.registry import cpu_target

from highcardflush.cards import FULL_DECK, Hand
from highcardflush.cli import cli
from highcardflush.errors import HcfError
from highcardflush.game import open_round, step
from highcardflush.game.actions import Deal, DrawDynamic, Lock, PlaceWagers, Settle
from highcardflush.game.decisions import basic_decision
from highcardflush.game.state import Result
from highcardflush.jackpot import Meter
from highcardflush.odds.counting import DEALER_HANDS
from highcardflush.odds.hand import FOLD, hand_odds, raise_value
from highcardflush.odds.paytable import table_odds
from highcardflush.odds.primitives import Array
from highcardflush.odds.strategies import NAMED, Strategy, flush_code
from highcardflush.ranking import flush_rank
from highcardflush.rulebook import Rulebook, packaged
from highcardflush.rulebook.wagers import SIDE_BETS
from highcardflush.simulate import Simulation, kernel, simulate
from highcardflush.simulate.chunks import CHUNK_ROUNDS, Totals, stream
from highcardflush.simulate.pairs import mean_product, pair_counts
from highcardflush.simulate.plan import Plan, make_plan
from highcardflush.simulate.simulation import play_chunk, wager_results
from support.data.tables import table
from support.places.hcf import process
from support.twins.kernel import as_hand, record_chunk, settle_slowly

EXACT = json.loads((Path(__file__).parents[1] / "data" / "exact-counts.json").read_text(encoding="utf-8"))
HANDS = EXACT["hands"]
T86 = NAMED["t-8-6"]
BY_SHAPE = Strategy("by-shape", "By shape", "J-high", {"3-2-1-1": "T-8-6", "2-2-2-1": "A-K", "3-3-1-0": "optimal"})

# rulebook | offers | settings
TABLES = {
    "atlantic-city": "atlantic-city | |",
    "oxford": "oxford | |",
    "for one": "galaxy-v7 | flush washington/PT-FLT-HCF-FB-07, progressive PT-BJS-HCF-SF-09 | ",
    "dynamic": "galaxy-v7 | straight-flush washington/PT-FLT-HCF-SF-10, progressive PT-PRG-HCF-D02c | ",
    "dynamic of three": "galaxy-v7 | progressive PT-PRG-HCF-D03 5 | ",
    "envy": "galaxy-v7 | progressive PT-BJS-HCF-SF-E04 | ",
    "envy, ace high": "galaxy-v7 | progressive PT-BJS-HCF-SF-E05 2.50 | ",
    "envy off": "galaxy-v7 | progressive PT-BJS-HCF-SF-E04 | envy off",
    "multi-level": "galaxy-v7 | progressive PT-PRG-HCF-MLP-03 | ",
    "bonus jackpot": "washington | flush PT-FLT-HCF-FB-14, progressive PT-BJS-HCF-SF-03 | jackpot bonus, seed 2500",
    "four, half steps": "four | flush PT-FLT-HCF-FB-07 |",
    "any dealer plays": "open | |",
    "ranks": "ranks | |",
    "half a Raise": "galaxy-v7 | flush washington/PT-FLT-HCF-FB-01 | raise-minimum 0.5x",
}
BOOKS = {name: table(row) for name, row in TABLES.items()}


@lru_cache
def plan_of(name: str, seats: int, strategy: str = "t-8-6") -> Plan:
    return make_plan(BOOKS[name], seats, NAMED[strategy])


def number(hand: Hand) -> int:
    """Return a hand as the kernel encodes it."""
    return sum(int(kernel.DECK[card]) for card in hand)


# The engine plays what the kernel dealt.


def unit_of(book: Rulebook) -> int:
    """Return a bet in cents that is small enough for the caps."""
    return int(book.settings.increment or 100)


def settle_hands(book: Rulebook, hands: list[Hand], pays: list[float]) -> tuple[Result, ...]:
    """Return the results of a round through `step`, with every wager on every seat and meters at their seeds."""
    unit = unit_of(book)
    wagers: dict[str, int] = {"ante": unit}
    wagers |= {offer.wager: int(offer.base) if offer.wager == "progressive" else unit for offer in book.offers}
    state, seats = open_round(book), range(1, len(hands))
    for seat in seats:
        state, _ = step(book, state, PlaceWagers(seat, wagers))
    state, _ = step(book, state, Lock())
    progressive = book.paytable("progressive")
    if progressive and progressive.dynamic_lines:
        lines = zip(progressive.lines, pays, strict=False)
        dynamic_pays = tuple((line.name, int(pay)) for line, pay in lines if line.dynamic and pay != line.pay)
        state, _ = step(book, state, DrawDynamic(dynamic_pays))
    rest = FULL_DECK.without(sum(hands))
    state, _ = step(book, state, Deal(tuple(card for hand in (*hands, rest) for card in hand)))
    for seat in seats:
        state, _ = step(book, state, basic_decision(book, state.seat(seat)))
    meters = {name: Meter(plan.seed_micros) for name, plan in book.plans.items()}
    state, _ = step(book, state, Settle(meters))
    assert state.settlement is not None
    return state.settlement.results


def settled(plan: Plan, hands: list[int], pays: list[float]) -> Totals:
    """Return the kernel's totals of one round."""
    rules = plan.rules._replace(seats=len(hands) - 1)
    column = np.zeros((7, 1), dtype=np.uint64)
    column[: len(hands), 0] = hands
    tally, money = np.zeros(kernel.COUNTS, dtype=np.int64), np.zeros(1)
    winners = np.zeros(1, dtype=np.int64)
    winning = kernel.settle(rules, column, 1, tally, winners)
    kernel.settle_straights(rules, column, np.array([pays]), winners[:winning], tally, money)
    return Totals(1, (*tally.tolist(), *money.tolist()))


def nets(plan: Plan, totals: Totals, seats: int) -> dict[str, Fraction]:
    """Return each wager's net in cents, summed over all seats."""
    unit, base = unit_of(plan.rulebook), {str(offer.wager): int(offer.base) for offer in plan.rulebook.offers}
    returns = {
        "flush": Fraction(totals.tally[kernel.FLUSH] * unit),
        "straight-flush": Fraction(totals.tally[kernel.STRAIGHT] * unit),
        "progressive": Fraction(totals.tally[-1]) * base.get("progressive", 0),
    }
    wager_nets = {"ante": Fraction(totals.tally[kernel.ANTE] * unit)}
    wager_nets["raise"] = Fraction(totals.tally[kernel.RAISE] * unit, 100)
    for wager in plan.tables:
        wager_nets[wager] = returns[wager] - seats * (unit if wager != "progressive" else base[wager])
    wager_nets["envy"] = Fraction(totals.tally[kernel.ENVY] * base.get("progressive", 0))
    return wager_nets


def assert_alike(plan: Plan, hands: list[Hand], pays: list[float]) -> Counter[str]:
    """Compare kernel and engine on a round, by seat and wager, and return the engine's nets by wager."""
    results = settle_hands(plan.rulebook, hands, pays)
    whole: Counter[str] = Counter()
    for result in results:
        whole[result.wager] += result.net_cents
    for seat, hand in enumerate(hands[:-1], 1):
        own = nets(plan, settled(plan, [number(hand), number(hands[-1])], pays), 1)
        nets_of_seat = Counter({str(result.wager): result.net_cents for result in results if result.seat == seat})
        for wager in own:
            assert wager == "envy" or own[wager] == nets_of_seat[wager], (wager, hands, pays)
    together = nets(plan, settled(plan, [number(hand) for hand in hands], pays), len(hands) - 1)
    assert together == {wager: whole[wager] for wager in together}
    return whole


@pytest.mark.parametrize(
    ("name", "seats", "rounds"),
    [
        ("oxford", 6, 300),
        ("atlantic-city", 5, 300),
        ("for one", 1, 500),
        ("dynamic", 6, 200),
        ("dynamic of three", 4, 300),
        ("envy", 6, 100),
        ("multi-level", 2, 300),
        ("bonus jackpot", 3, 200),
        ("half a Raise", 2, 200),
        ("four, half steps", 6, 100),
        ("any dealer plays", 3, 100),
        ("ranks", 4, 100),
    ],
)
def test_rounds_of_the_kernel_replay_in_the_engine(name: str, seats: int, rounds: int) -> None:
    plan = plan_of(name, seats)
    hands, pays = record_chunk(plan.rules, 7, 2, rounds)
    whole: Counter[str] = Counter()
    for row, pay_row in zip(hands.tolist(), pays.tolist(), strict=True):
        whole.update(assert_alike(plan, [as_hand(each) for each in row], pay_row))
    chunk = nets(plan, play_chunk(plan.rules, 7, 2, rounds), seats * rounds)
    assert chunk == {wager: whole[wager] for wager in chunk}


def straight_flush_round(random: Random, seats: int) -> list[Hand]:
    """Return a round in which seat 1 has a straight flush of three to seven cards."""
    length, suit = random.randint(3, 7), random.randrange(4)
    low = random.randint(-1, 13 - length)  # -1: the ace is low
    run = {suit * 13 + rank % 13 for rank in range(low, low + length)}
    others = random.sample([card for card in range(52) if card not in run], 52 - length)
    cards = [*run, *others]
    return [Hand.of(cards[7 * i : 7 * i + 7]) for i in range(seats + 1)]


@pytest.mark.parametrize("name", [name for name in TABLES if "half" not in name])
def test_rare_hands_are_settled_as_the_engine_does(name: str) -> None:
    plan, random = plan_of(name, 6), Random(name)
    recorded_rows = record_chunk(plan.rules, 1, 1, 120)[1].tolist()
    progressive, lines_hit = plan.rulebook.paytable("progressive"), set()
    shares = {line.name for line in progressive.lines if line.percent_bp} if progressive else set()
    for pays in recorded_rows:
        hands = straight_flush_round(random, random.randint(1, 6))
        hits = [line_name(plan, hand) for hand in hands[:-1]]
        if len([line for line in hits if line in shares]) <= 1:  # the kernel shares no meter
            lines_hit.update(hits)
            assert_alike(plan, hands, pays)
    assert shares <= lines_hit


def line_name(plan: Plan, hand: Hand) -> str | None:
    """Return the line of the progressive that a hand reaches, by the kernel's tables."""
    table, straight = plan.rulebook.paytable("progressive"), kernel.best_straight(np.uint64(number(hand)))
    line = int(plan.rules.by_straight[straight, 1])
    return table.lines[line].name if table and line < len(table.lines) else None


# Decisions.


def decided(plan: Plan, hand: Hand) -> Fraction | None:
    """Return the kernel's decision on a hand: the Raise in Antes, or `None` for a fold."""
    rules, code = plan.rules, flush_code(flush_rank(hand))
    action = int(rules.action[code])
    if action == kernel.ASK:
        work = np.empty((6, 8))
        cards = np.uint64(number(hand))
        tables = (rules.thresholds, rules.side, rules.by_length)
        action = kernel.decide(*tables, cards, np.uint64(code), work, rules.qualifier)
    return Fraction(int(rules.by_length[action, code >> 13]), 100) if action != kernel.FOLD else None


def best_decision(book: Rulebook, hand: Hand) -> Fraction | None:
    """Return the best decision by the exact odds of one hand."""
    odds = hand_odds(hand, qualifier=book.qualifier)
    assert odds.total == DEALER_HANDS
    value, size = max((raise_value(odds, size), size) for size in book.raise_antes(flush_rank(hand).length))
    return size if value > FOLD else None


@pytest.mark.parametrize("name", ["oxford", "half a Raise", "four, half steps", "any dealer plays"])
def test_optimal_play_is_that_of_the_exact_odds(name: str) -> None:
    plan, random, decision_count = plan_of(name, 1, "optimal"), Random(2), 0
    for _ in range(1500):
        hand = Hand.of(random.sample(range(52), 7))
        decision_count += int(plan.rules.action[flush_code(flush_rank(hand))]) == kernel.ASK
        assert decided(plan, hand) == best_decision(plan.rulebook, hand), hand
    assert decision_count > 50


def test_a_strategy_by_shape_is_followed() -> None:
    plan, random = make_plan(packaged("oxford"), 1, BY_SHAPE), Random(3)
    for _ in range(3000):
        hand = Hand.of(random.sample(range(52), 7))
        shape = "-".join(sorted((str(mask.bit_count()) for mask in hand.suits), reverse=True))
        flush = flush_rank(hand)
        if shape == "3-3-1-0":
            expected = best_decision(plan.rulebook, hand)
        else:
            ranks = {"3-2-1-1": (3, 0b1_0101_0000), "2-2-2-1": (2, 0b1_1000_0000_0000)}.get(shape, (3, 1 << 9))
            expected = plan.rulebook.raise_antes(flush.length)[1] if flush >= ranks else None
        assert decided(plan, hand) == expected, hand


# Cards and draws.


def fair(counts: Array) -> bool:
    """Return whether chi-square lies within five standard deviations of its mean."""
    freedom, expected = counts.size - 1, counts.sum() / counts.size
    chi_square = float(((counts - expected) ** 2).sum() / expected)
    return bool(abs(chi_square - freedom) < 5 * (2 * freedom) ** 0.5)


def test_every_card_falls_on_every_position_alike() -> None:
    state, deck = np.array([1, 2, 3, 4], dtype=np.uint64), kernel.DECK.copy()
    row, rounds = np.zeros((1, 7), dtype=np.uint64), 20_000
    cards = {int(card): i for i, card in enumerate(kernel.DECK)}
    decks = np.zeros((rounds, 52), dtype=np.int64)
    for i in range(rounds):
        kernel.deal(6, state, deck, row)
        decks[i] = [cards[card] for card in deck.tolist()[::-1]]
        assert as_hand(row[0, 0]) == Hand.of(decks[i, :7].tolist())
    assert all(sorted(one) == list(range(52)) for one in decks[::100].tolist())
    assert all(fair(np.bincount(decks[:, place], minlength=52)) for place in range(52))
    for first, second in pairwise((0, 1, 7, 48)):
        pairs = np.bincount(decks[:, first] * 52 + decks[:, second], minlength=52 * 52).reshape(52, 52)
        assert fair(pairs[~np.eye(52, dtype=bool)])
        assert not pairs.diagonal().any()
    assert fair(np.bincount(decks[:-1, 0] * 52 + decks[1:, 0], minlength=52 * 52)), "one round after another"


RULES = plan_of("oxford", 6).rules


def dealt(words: list[int], places: int = 7) -> tuple[list[int], list[int]]:
    """Return the hands of some words, round by round, and the state of the single generator after them."""
    state, hands = np.array([1, 2, 3, 4], dtype=np.uint64), np.zeros((places, len(words) // places), dtype=np.uint64)
    columns = np.array(words, dtype=np.uint64).reshape(-1, places).T
    kernel.deal_words(RULES.triples, RULES.pairs, state, columns.ravel(), hands)
    kernel.add_lengths(hands)
    return hands.T.ravel().tolist(), state.tolist()


def test_the_kernel_deals_every_card_to_every_place_alike() -> None:
    hands, _ = record_chunk(RULES, 3, 0, 20_000)
    masks = np.stack([hands >> np.uint64(16 * suit) & np.uint64(0x1FFF) for suit in range(4)], axis=-1)
    bits = masks[..., None] >> np.arange(13, dtype=np.uint64) & np.uint64(1)
    card_bits = bits.reshape(len(hands), 7, 52).astype(np.int64)
    assert (card_bits.sum(axis=2) == 7).all()
    assert card_bits.sum(axis=1).max() == 1
    assert all(fair(card_bits[:, place].sum(axis=0)) for place in range(7))
    together = card_bits[:, 0].T @ card_bits[:, 0]
    assert fair(together[np.triu_indices(52, 1)])
    apart = card_bits[:, 0].T @ card_bits[:, 6]
    assert fair(apart[~np.eye(52, dtype=bool)])
    assert fair((card_bits[:-1, 6].T @ card_bits[1:, 0]).ravel()), "one round after another"
    lengths = np.stack([hands >> np.uint64(16 * suit + 13) & np.uint64(7) for suit in range(4)], axis=-1)
    assert (lengths == np.bitwise_count(masks)).all()


def test_every_hand_has_as_many_draws() -> None:
    """The last hand of seven: all draws of three, two and two of ten cards give every seven of them 210 times."""
    threes, twos, others = (comb(n, k) for n, k in ((10, 3), (7, 2), (5, 2)))
    whole, rest = threes * twos * others, [7**40 % 2**64] * 6
    words = [word for i in range(whole) for word in (*rest, -(-(i << 64) // whole) + (1 << 20))]
    hands, _ = dealt(words)
    assert set(Counter(hands[6::7]).values()) == {210}
    assert len(set(hands[6::7])) == comb(10, 7)


def test_subsets_of_the_lowest_places_come_first() -> None:
    for size, masks in ((3, RULES.triples), (2, RULES.pairs)):
        for places in range(size, 53):
            lowest = masks[: comb(places, size)].tolist()
            assert len(set(lowest)) == comb(places, size)
            assert all(mask < 1 << places and mask.bit_count() == size for mask in lowest)


def test_a_word_that_is_not_fair_is_drawn_again() -> None:
    state = np.array([1, 2, 3, 4], dtype=np.uint64)
    words = [int(kernel.next_word(state)) for _ in range(2)]
    for place, cards_left in enumerate(range(52, 3, -7)):
        fair_words = [7**40 % 2**64] * 7
        product = comb(cards_left, 3) * comb(cards_left - 3, 2) * comb(cards_left - 5, 2)
        limit = 2**64 % product
        last_refused = next(w for w in (-(-(i << 64) // product) for i in range(1000)) if w * product % 2**64 < limit)
        first_taken = next(w for w in (-(-(i << 64) // product) for i in range(1000)) if w * product % 2**64 >= limit)
        first_deal, unchanged = dealt([*fair_words[:place], first_taken, *fair_words[place + 1 :]])
        assert unchanged == [1, 2, 3, 4]
        again, other_deal = dealt([*fair_words[:place], last_refused, *fair_words[place + 1 :]])
        assert again == dealt([*fair_words[:place], words[0], *fair_words[place + 1 :]])[0] != first_deal
        assert other_deal != unchanged


def test_generators_side_by_side_are_those_of_single_words() -> None:
    state, words = stream(5, 6, kernel.STATE), np.zeros(3 * kernel.LANES, dtype=np.uint64)
    assert state[:4].tolist() == stream(5, 6).tolist()
    lanes = state[4:].reshape(4, kernel.LANES)
    singles = [lanes[:, i].copy() for i in range(kernel.LANES)]
    kernel.draw_words(lanes, words)
    assert words.tolist() == [int(kernel.next_word(each)) for _ in range(3) for each in singles]


def test_without_the_instruction_the_same_bits_are_found() -> None:
    random, cards = Random(8), int(sum(0x1FFF << 16 * suit for suit in range(4)))
    for _ in range(3000):
        into = cards & random.getrandbits(64) | random.getrandbits(64) & random.getrandbits(64) & cards
        bits = [1 << i for i in range(64) if into >> i & 1]
        bits_chosen = random.sample(range(len(bits)), random.randint(0, min(3, len(bits))))
        deposit = kernel.deposit_slowly(np.uint64(sum(1 << i for i in bits_chosen)), np.uint64(into))
        assert int(deposit) == sum(bits[i] for i in bits_chosen)


@pytest.mark.skipif(not kernel.has_pdep(), reason="this processor has no pdep: there is nothing to compare")
def test_with_the_instruction_and_without_the_hands_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second run is in a process that compiles for a processor without the instruction."""
    code = """if True:
        import numpy as np
        from highcardflush.simulate import kernel
        words = np.random.default_rng(1).integers(2**64, size=2100, dtype=np.uint64)
        hands = np.zeros((7, 300), dtype=np.uint64)
        kernel.deal_words(kernel.subsets(3), kernel.subsets(2), words[:4].copy(), words, hands)
        print(kernel.has_pdep(), hands.tolist())
    """
    *_, features = cpu_target.target_context.codegen().magic_tuple()
    outputs = [process(sys.executable, "-c", code).stdout]
    monkeypatch.setenv("NUMBA_CPU_FEATURES", features.replace("+bmi2", "-bmi2"))
    outputs.append(process(sys.executable, "-c", code).stdout)
    assert [words.partition(" ")[0] for words in outputs] == ["True", "False"]
    assert len({words.partition(" ")[2] for words in outputs}) == 1


COLUMNS = pytest.mark.parametrize(
    ("name", "seats", "strategy"),
    [("oxford", 6, "t-8-6"), ("half a Raise", 5, "optimal"), ("for one", 1, "eleven"), ("oxford", 2, "always")],
)


@COLUMNS
def test_columns_are_settled_as_hand_by_hand(name: str, seats: int, strategy: str) -> None:
    """The whole tally agrees, and so does the list of rounds with a straight flush."""
    rules = plan_of(name, seats, strategy).rules
    rows, _ = record_chunk(rules, 9, 1, 2000)
    tally, winners = np.zeros(kernel.COUNTS, dtype=np.int64), np.zeros(len(rows), dtype=np.int64)
    winning = kernel.settle(rules, np.ascontiguousarray(rows.T), len(rows), tally, winners)
    assert (tally.tolist(), winners[:winning].tolist()) == settle_slowly(rules, rows)
    assert winning > 0


@COLUMNS
def test_a_chunk_adds_up_its_rounds(name: str, seats: int, strategy: str) -> None:
    """Each round settled alone, as the engine does; the squares and the product are those of the rounds' totals."""
    plan = plan_of(name, seats, strategy)
    rows, pays = record_chunk(plan.rules, 9, 1, 5000)
    rounds = zip(rows.tolist(), pays.tolist(), strict=True)
    singles = np.array([settled(plan, hands, pay_row).tally[: kernel.COUNTS] for hands, pay_row in rounds])
    expected = singles.sum(axis=0)
    antes, raises = singles[:, kernel.ANTE], singles[:, kernel.RAISE]
    outcomes = singles[:, kernel.OUTCOMES_AT : kernel.LENGTHS_AT]
    expected[[kernel.ANTE_2, kernel.RAISE_2, kernel.ANTE_RAISE]] = antes @ antes, raises @ raises, antes @ raises
    expected[kernel.OUTCOMES_2_AT :] = (outcomes**2).sum(axis=0)
    assert play_chunk(plan.rules, 9, 1, 5000).tally[: kernel.COUNTS] == tuple(expected.tolist())


def test_dynamic_pays_are_drawn_as_the_rules_say() -> None:
    plan = plan_of("dynamic", 1)
    _, pays = record_chunk(plan.rules, 5, 0, 24_000)
    lines = [line for line in plan.tables["progressive"].table.lines if line.dynamic]
    is_drawn = np.stack([pays[:, plan.rules.dynamic[i]] != int(line.pay) for i, line in enumerate(lines)], axis=1)
    sizes, sets = is_drawn.sum(axis=1), is_drawn @ np.array([1, 2, 4, 8])
    assert fair(np.bincount(sizes, minlength=4)[1:])
    for size in (1, 2, 3):
        assert fair(np.array([n for n in np.bincount(sets[sizes == size], minlength=16) if n]))
        assert len(set(sets[sizes == size].tolist())) == comb(4, size)
    for i, line in enumerate(lines):
        pays_drawn = pays[is_drawn[:, i], plan.rules.dynamic[i]].tolist()
        assert fair(np.array([pays_drawn.count(pay) for pay in line.dynamic]))
        assert set(pays_drawn) == set(line.dynamic)
    assert (pays[:, 0] == plan.rules.pays[0]).all()


# Totals.


@lru_cache
def run(name: str, seats: int, strategy: str = "t-8-6", hands: int = 2_000_000) -> Simulation:
    return simulate(BOOKS[name], hands // seats, seats, NAMED[strategy], seed=11)


def reached(wager: str, cards: int, ace_high: bool) -> int:
    """Hands that reach a line, from the exact counts on file."""
    counts = EXACT["longest_flush" if wager == "flush" else "longest_straight_flush"]
    if ace_high:
        return int(counts["7"]) + int(EXACT["six_card_straight_flush_ace_high"])
    return sum(int(count) for length, count in counts.items() if int(length) >= cards)


@pytest.mark.parametrize(
    ("name", "seats", "strategy"),
    [
        ("atlantic-city", 1, "always"),
        ("oxford", 6, "t-8-6"),
        ("oxford", 3, "optimal"),
        ("for one", 4, "j-high"),
        ("dynamic", 6, "t-8-6"),
        ("dynamic of three", 2, "j-high"),
        ("envy", 6, "t-8-6"),
        ("envy, ace high", 6, "t-8-6"),
        ("multi-level", 5, "t-8-6"),
        ("bonus jackpot", 3, "optimal"),
    ],
)
def test_means_and_counts_are_within_five_standard_errors(name: str, seats: int, strategy: str) -> None:
    totals = run(name, seats, strategy)
    tables = BOOKS[name].paytable
    assert list(totals.wagers)[:3] == ["main", "ante", "raise"]
    assert totals.wagers["main"].expected == totals.wagers["ante"].expected + totals.wagers["raise"].expected
    for wager, result in totals.wagers.items():
        assert result.count == totals.hands
        assert abs(result.z) < 5, (wager, result)
        assert all(
            abs(line.observed - line.expected_count) < 5 * line.expected_count**0.5 + 2 for line in result.lines
        ), (wager, result.lines)
        if paytable := tables(wager):
            above = 0
            for line, line_result in zip(paytable.lines, result.lines, strict=True):
                count = reached(wager, line.cards, line.ace_high)
                assert line_result.expected_count == pytest.approx((count - above) / HANDS * totals.hands)
                above = count
    assert sum(line.observed for line in totals.wagers["main"].lines) == totals.hands


def test_envy_is_what_the_other_seats_win() -> None:
    envy = run("envy", 6).wagers["envy"]
    assert envy.expected == Fraction(5 * 200 * reached("straight-flush", 6, False), HANDS)
    assert "envy" not in simulate(BOOKS["envy"], 1000, 1, T86).wagers
    assert "envy" not in simulate(BOOKS["envy off"], 1000, 6, T86).wagers


def test_the_standard_error_comes_from_rounds() -> None:
    """Six seats share a dealer: their error is larger than that of as many independent hands."""
    one, six = run("oxford", 1).wagers["main"], run("oxford", 6).wagers["main"]
    assert 1.3 < six.standard_error / one.standard_error < 1.6
    assert run("oxford", 6).wagers["flush"].standard_error == pytest.approx(
        run("oxford", 1).wagers["flush"].standard_error, rel=0.1
    )


def test_two_hands_of_one_deck() -> None:
    """Independent counts: hands by length, two flushes of seven (of two suits), two of six by the seventh cards."""
    for wager in "flush", "straight-flush":
        pairs = pair_counts(SIDE_BETS[wager].match)
        for cards, count in EXACT["longest_flush" if wager == "flush" else "longest_straight_flush"].items():
            hands = sum(pairs[one, other] for one, other in pairs if one[0] == int(cards))
            assert hands == count * DEALER_HANDS
        assert all(pairs[one, other] == pairs[other, one] for one, other in pairs)
    flushes = pair_counts(SIDE_BETS["flush"].match)
    assert flushes[(7, False), (7, False)] == 4 * 1716 * 3 * 1716
    same_suit = 4 * comb(13, 6) * comb(7, 6) * 39 * 38
    other_suit = 4 * 3 * comb(13, 6) * (13 * comb(12, 6) * 33 + 26 * comb(13, 6) * 32)
    assert flushes[(6, False), (6, False)] == same_suit + other_suit


def test_two_lines_of_one_draw() -> None:
    """Every draw of a Dynamic table of three lines: the mean product of two of its pays."""
    odds = table_odds(packaged("galaxy-v7").paytables["PT-PRG-HCF-D03"])
    lines = [each for each in odds.lines if each.line.dynamic]
    assert len(lines) == 3
    for one, other in combinations(lines, 2):
        total = Fraction(0)
        for line_count in (1, 2):
            for lines_drawn in combinations(lines, line_count):
                pays = [each.line.dynamic if each in lines_drawn else (each.line.pay_for_1,) for each in (one, other)]
                products = [left_pay * right for left_pay, right in product(*pays)]
                total += Fraction(sum(products), len(products)) / (2 * 3)
        assert mean_product(odds, one, other) == total


def test_the_exact_error_is_that_of_the_rounds() -> None:
    """Frequent lines and the flush bonus, so that a run can tell: rounds vary as much as is stated."""
    plan, seats, rounds = make_plan(BOOKS["oxford"], 6, T86), 6, 30_000
    totals, (hands, _) = play_chunk(plan.rules, 5, 0, rounds), record_chunk(plan.rules, 5, 0, rounds)
    results = wager_results(plan, totals)
    for wager, name in (("flush", "4-card"), ("straight-flush", "3-card")):
        counts = [sum(_line(plan, wager, hand) == name for hand in row[:seats]) for row in hands]
        line = next(line for line in results[wager].lines if line.line == name)
        assert line.observed == sum(counts)
        assert line.standard_error**2 == pytest.approx(float(np.var(counts)) * rounds, rel=0.02)
    outcome = results["main"].lines[1]
    assert outcome.line == "not-qualified"
    variance_alone = outcome.expected_count * (1 - outcome.expected_count / (rounds * seats))
    assert 2 < outcome.standard_error / variance_alone**0.5 < 2.2, "six seats have one dealer"


def _line(plan: Plan, wager: str, hand: int) -> str:
    line = plan.tables[wager].table.line_for(SIDE_BETS[wager].best(as_hand(hand)))
    return line.name if line else ""


def test_a_meter_is_valued_as_told() -> None:
    book = BOOKS["for one"]
    rich, poor = (simulate(book, 1000, 2, T86, meter={"progressive": Fraction(m)}) for m in (1_000_000, 30_000))
    top = Fraction(reached("straight-flush", 6, True), HANDS)
    tenth = Fraction(reached("straight-flush", 6, False), HANDS) - top
    more = rich.wagers["progressive"].expected - poor.wagers["progressive"].expected
    assert more == 970_000 * (top + tenth / 10)
    assert poor.wagers["progressive"].expected == simulate(book, 1000, 2, T86).wagers["progressive"].expected
    assert abs(rich.wagers["progressive"].z) < 1, "no hit in a short run is no wonder"


# Running.


def test_a_seed_gives_the_same_totals_on_any_number_of_threads() -> None:
    rounds = 5 * CHUNK_ROUNDS + 1000
    results = [simulate(BOOKS["dynamic"], rounds, 3, T86, seed=4, threads=threads) for threads in (1, 2, 3)]
    assert results[0].wagers == results[1].wagers == results[2].wagers
    assert results[0].hands == 3 * rounds
    other = simulate(BOOKS["dynamic"], rounds, 3, T86, seed=5)
    assert other.wagers["main"].mean != results[0].wagers["main"].mean


def test_chunks_are_different_and_repeatable() -> None:
    rules = plan_of("oxford", 6).rules
    chunks = [play_chunk(rules, 0, chunk, 2000) for chunk in range(20)]
    assert len({chunk.tally for chunk in chunks}) == 20
    assert chunks[7] == play_chunk(rules, 0, 7, 2000)


def test_an_interrupt_gives_the_result_so_far() -> None:
    steps = []

    def interrupt(count: int, rounds: int) -> None:
        steps.append((count, rounds))
        if len(steps) == 4:
            raise KeyboardInterrupt

    result = simulate(BOOKS["oxford"], 50 * CHUNK_ROUNDS, 6, T86, threads=2, progress=interrupt)
    assert result.interrupted
    assert result.rounds == 3 * CHUNK_ROUNDS
    assert steps[2] == (result.rounds, 50 * CHUNK_ROUNDS)
    whole = simulate(BOOKS["oxford"], 3 * CHUNK_ROUNDS, 6, T86)
    assert not whole.interrupted
    assert whole.wagers == result.wagers


def test_an_interrupt_before_any_result_is_an_interrupt() -> None:
    def interrupt(count: int, rounds: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(BOOKS["oxford"], 3 * CHUNK_ROUNDS, 6, T86, progress=interrupt)


def test_one_round_has_a_result() -> None:
    result = simulate(BOOKS["oxford"], 1, 1, T86)
    assert all(abs(wager.z) < 5 and wager.standard_error > 0 for wager in result.wagers.values())
    never = simulate(BOOKS["oxford"], 10, 1, Strategy("never", "Never raise", "never"))
    assert (never.wagers["main"].mean, never.wagers["raise"].mean, never.wagers["main"].z) == (-1, 0, 0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rounds": 0}, "rounds: read 0, expected 1 or more"),
        ({"threads": 0}, "threads: read 0, expected 1 or more"),
        ({"seed": -1}, "seed: read -1, expected 0 or more"),
        ({"seats": 7}, "seats: read 7, expected 1 to 6"),
        ({"meter": {"level-1": Fraction(1)}}, "meter: read level-1, expected no meter"),
        (
            {"rulebook": table("galaxy-v7 | progressive PT-BJS-HCF-SF-E04 | play progressive-only")},
            "play: read progressive-only, expected full, because a simulation plays the whole game",
        ),
    ],
)
def test_impossible_simulations_are_refused(changes: dict[str, object], message: str) -> None:
    arguments: dict[str, object] = {"rulebook": packaged("washington"), "rounds": 10, "seats": 1, "strategy": T86}
    with pytest.raises(HcfError) as error:
        simulate(**arguments | changes)  # type: ignore[arg-type]
    assert str(error.value) == message


# The command.


def test_the_command_tells_exactly_this() -> None:
    result = CliRunner().invoke(
        cli, ["simulate", "oxford", "--rounds", "20000", "--seats", "6", "--seed", "3", "--json"]
    )
    data = json.loads(result.stdout)
    assert list(data) == ["rounds", "hands", "seconds", "hands_per_second", "wagers"]
    assert (data["rounds"], data["hands"]) == (20000, 120000)
    assert list(data["wagers"]) == ["main", "ante", "raise", "flush", "straight-flush"]
    for wager in data["wagers"].values():
        assert list(wager) == ["count", "mean", "standard_error", "expected", "lines", "exact", "z"]
        assert float(Fraction(wager["expected"])) == wager["exact"]
        assert wager["z"] == pytest.approx((wager["mean"] - wager["exact"]) / wager["standard_error"])
    assert data["wagers"]["main"]["exact"] == pytest.approx(-0.027113820571)
    assert list(data["wagers"]["flush"]["lines"][0]) == ["line", "observed", "expected_count", "standard_error", "z"]


def test_the_command_prints_a_table() -> None:
    arguments = ["galaxy-v7", "--rounds", "1000", "--seats", "2", "--strategy", "j-high"]
    table = ["--set", "raise-minimum", "0.5x", "--offer", "progressive", "PT-BJS-HCF-SF-E04 base=5"]
    result = CliRunner().invoke(cli, ["simulate", *arguments, *table])
    assert result.exit_code == 0
    assert result.stdout.startswith("With the setting raise-minimum 0.5x.\n")
    assert [line.split()[0] for line in result.stdout.splitlines()[6:11]] == [
        "Ante", "Ante", "Raise", "Progressive", "Envy",
    ]  # fmt: skip
    assert "1,000 rounds, 2,000 hands" in result.stdout.replace("\n", " ")


def test_without_offers_only_the_main_game_runs() -> None:
    assert list(simulate(packaged("washington"), 100, 1, T86).wagers) == ["main", "ante", "raise"]
