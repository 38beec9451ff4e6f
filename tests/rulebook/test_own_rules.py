"""Rulebooks with another qualifier or Raise: every part of the product is compared with slow, independent code."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random

import numpy as np
import pytest

from highcardflush.cards import FULL_DECK, RANKS, SUIT_SIZE, Hand
from highcardflush.coach.advice import Spot, advise
from highcardflush.coach.reasons import explain
from highcardflush.errors import RulebookError
from highcardflush.figures.main_game import MainGame
from highcardflush.game import open_round, step
from highcardflush.game.actions import Deal, Fold, Lock, PlaceWagers, Raise, Settle
from highcardflush.game.events import DealerShown
from highcardflush.house import commands as c
from highcardflush.odds.classes import count_classes
from highcardflush.odds.counting import HANDS
from highcardflush.odds.frontier import frontier, largest_cost
from highcardflush.odds.game import GameOdds, game_odds
from highcardflush.odds.hand import FOLD, HandOdds, hand_odds, raise_value
from highcardflush.odds.hold import main_odds
from highcardflush.odds.primitives import meet
from highcardflush.odds.strategies import NAMED, Strategy
from highcardflush.ranking import FlushRank, flush_rank
from highcardflush.rulebook import PACKAGED, Rulebook, configure, load, packaged, warnings
from highcardflush.rulebook.document import Qualifier
from highcardflush.rulebook.load import from_json, to_json
from highcardflush.simulate import kernel, simulate
from highcardflush.simulate.plan import make_plan
from highcardflush.simulate.simulation import play_chunk
from highcardflush.words import say, say_amounts, say_raises
from support.data.tables import OWN, book_of
from support.places.floor import Floor, dollars
from support.places.hcf import Hcf
from support.twins import oracle
from support.twins.kernel import as_hand, as_masks, as_word, record_chunk

BOOKS = {name: book_of(name) for name in OWN}
EDGES = {
    "four": Fraction(7755362238469, 14664474624800),
    "open": Fraction(758013380483, 4864657447650),
    "ranks": Fraction(9263582243893, 126481093638900),
    "pairs": Fraction(34689086257909, 337282916370400),
}
"""Gain of the player per Ante: by the kernel, and by the classes of `odds.classes` over all lengths."""


@pytest.fixture(scope="module")
def odds_by_book() -> dict[str, GameOdds]:
    return {name: game_odds(book) for name, book in BOOKS.items()}


def own(parent: str, **settings: str) -> str:
    rows = "".join(f'{key.replace("_", "-")} = "{value}"\n' for key, value in settings.items())
    return f'name = "own"\nextends = "{parent}"\n[settings]\n{rows}'


@pytest.mark.clause("A7")
@pytest.mark.parametrize("name", [*PACKAGED, *OWN])
def test_no_table_changes_what_its_document_prints(name: str) -> None:
    book = book_of(name)
    for key, other in (("qualifier", "5"), ("raise-step", "0.2x"), ("qualifier", "3:8")):
        with pytest.raises(RulebookError, match=rf"settings.{key}: read {other}, expected .*, which {name} prints"):
            configure(book, None, {key: other})
    for key, printed_value in book.settings.own_rules.items():
        assert (
            configure(book, None, {key: "none" if printed_value is None else str(printed_value)}).qualifier
            == book.qualifier
        )


REFUSED = """
washington    | raise-step 0.3x                      | settings.raise-step: read 0.3x, expected a fraction that divides an Ante evenly
washington    | raise-step 0x                        | settings.raise-step: read 0x
washington    | raise-minimum 0.5x                   | settings.raise-minimum: read 0.5x, expected 1x, the smallest Raise that own prints
washington    | raise-step 0.5x, raise-minimum 0.25x | settings.raise-minimum: read 0.25x, expected a positive multiple of the raise-step 0.5x
washington    | raise-step 0.5x, raise-minimum 0x    | settings.raise-minimum: read 0x, expected a positive multiple
atlantic-city | raise-step 0.5x                      | settings.raise-step: read 0.5x, expected none, because raise.kind = 'exact'
oxford        | qualifier 9-high                     | settings.qualifier: read '9-high', expected a number of cards such as 4
"""  # noqa: E501


@pytest.mark.parametrize("row", REFUSED.strip().splitlines())
def test_a_document_that_makes_no_sense_is_refused(row: str) -> None:
    parent, settings, message = (part.strip() for part in row.split("|"))
    pairs = dict(pair.split() for pair in settings.split(","))
    with pytest.raises(RulebookError) as error_info:
        load(own(parent, **pairs))
    assert str(error_info.value).startswith(message)


def test_the_smallest_raise_of_an_own_document_is_its_own() -> None:
    with pytest.raises(
        RulebookError, match=r"settings.raise-minimum: read 1x, expected 0.5x, the smallest Raise that four prints"
    ):
        configure(BOOKS["four"], None, {"raise-minimum": "1x"})
    assert configure(BOOKS["pairs"], None, {"raise-minimum": "1x"}).raise_antes(3)[0] == 1  # V2: the operator's


@pytest.mark.parametrize("name", PACKAGED)
def test_the_texts_say_the_qualifier_in_force(name: str) -> None:
    """No rule and no step says nine high where another flush is needed; what is printed is not touched."""
    for text, words in (
        ("4", "four-card flush or better"),
        ("any", "any hand"),
        ("3:T-8-6", "ten-eight-six, or better"),
    ):
        book = load(own(name, qualifier=text))
        rules, steps = (tuple(map(str, book.rules)), tuple(step.text for step in book.procedure))
        assert not [sentence for sentence in (*rules, *steps) if "nine high" in sentence]
        assert any(words in sentence for sentence in rules)
        assert any(words in sentence.replace("Any", "any") for sentence in steps)
        assert len(rules) == len(packaged(name).rules)
    assert load(own(name, qualifier="3:9")).rules == packaged(name).rules


def test_warnings_and_the_exact_edge(hcf: Hcf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("four.toml").write_text(OWN["four"])
    *data, edge = hcf("rules", "check", "four.toml", "--json").data["warnings"]
    assert [line.split(": read")[0] for line in data] == [
        "settings.qualifier",
        "settings.raise-step",
        "settings.raise-minimum",
    ]
    exactly = f"52.8853739 % of the Ante, exactly {EDGES['four']}"
    keys = "settings.raise-step, settings.qualifier, settings.raise-minimum"
    assert edge == f"{keys}: with best play the player has an edge of {exactly}"
    assert hcf("odds", "game", "four.toml", "--json").data["expected"] == str(EDGES["four"])
    assert not [line for line in warnings(load(own("galaxy-v7", qualifier="3:9"))) if "qualifier" in line]


def test_a_rulebook_of_ones_own_goes_through_json() -> None:
    for book in BOOKS.values():
        again = from_json(to_json(book))
        assert (again, again.qualifier, again.table_hash) == (book, book.qualifier, book.table_hash)


AMOUNTS = """
four  | 1000 | 3 | $5 or $10
four  | 1000 | 6 | $5 to $30 in steps of $5
four  | 1001 | 5 | $10.01 or $20.02
open  | 1000 | 4 | $10
open  | 1000 | 5 | $10 to $20 in steps of $2.50
ranks | 1000 | 5 | $5 or $10 or $15 or $20
ranks | 1500 | 5 | $15 or $30
"""


@pytest.mark.parametrize("row", AMOUNTS.strip().splitlines())
def test_raises_are_whole_steps_of_the_ante_and_of_the_increment(row: str) -> None:
    name, ante, cards, expected = (part.strip() for part in row.split("|"))
    amounts, step_antes = BOOKS[name].raise_amounts(int(ante), int(cards)), BOOKS[name].raise_step
    assert say_amounts(amounts) == expected
    assert step_antes is not None
    assert (Fraction(amounts.step_cents, int(ante)) / step_antes).denominator == 1
    assert amounts.step_cents % (BOOKS[name].settings.increment or 1) == 0


def test_raises_as_they_are_said() -> None:
    assert say_raises(BOOKS["four"]) == [
        ("2 to 4", "0.5x or 1x"),
        ("5", "0.5x or 1x or 1.5x or 2x"),
        ("6 or 7", "0.5x to 3x in steps of 0.5x"),
    ]


def test_the_dealer_says_what_is_needed() -> None:
    book = BOOKS["four"]
    state, announcements = open_round(book), list[DealerShown]()
    deck = [*Hand.parse("AsKs9s7s 6d7d8d"), *Hand.parse("AhKhQh Kc3c Td2s")]
    for action in (
        PlaceWagers(1, {"ante": 1000}),
        Lock(),
        Deal((*deck, *FULL_DECK.without(Hand.of(deck)))),
        Raise(1, 500),
    ):
        state, facts = step(book, state, action)
        announcements += [event for event in facts if isinstance(event, DealerShown)]
    assert say(announcements[0].reason) == (
        "dealer does not qualify with three cards, ace high (needs a four-card flush or better)"
    )
    state, _ = step(book, state, Settle({}))
    assert state.settlement is not None
    ante, raise_result = state.settlement.results
    assert (ante.net_cents, raise_result.net_cents) == (1000, 0)
    assert "(needs a four-card flush or better); seat 1 is paid on the Ante" in say(ante.reason)


def test_a_house_plays_it_and_the_audit_agrees(file_floor: Floor) -> None:
    """Three cards to the ace do not qualify: the Ante is won, the half Raise goes back."""
    file_floor.players("ann", cents=5000)
    stream = file_floor.table("one", BOOKS["four"], seats={1: "ann"})
    file_floor.do(stream, c.OpenRound(), "dan")
    file_floor.bet(stream, 1, ante=1000)
    file_floor.deal_by_hand(stream, {1: "AsKs9s7s 6d7d8d", 0: "AhKhQh Kc3c Td2s"})
    file_floor.do(stream, Raise(1, 500), "dan")
    file_floor.do(stream, c.SettleRound(), "dan")
    assert file_floor.check()["wallet/ann"] == dollars(60)


def twin(flush: FlushRank, qualifier: FlushRank) -> bool:
    ranks = [RANKS.index(rank) + 2 for rank in flush.short.split("-")]
    return oracle.qualifies(ranks, str(Qualifier.of(qualifier)))


@pytest.mark.parametrize("name", OWN)
def test_one_hand_agrees_with_enumeration(name: str) -> None:
    book, random = BOOKS[name], Random(name)
    for _ in range(4):
        deck = random.sample(range(52), 52)
        hand, seen_cards = Hand.of(deck[:7]), Hand.of(deck[7:37])
        mine, counts = flush_rank(hand), Counter[str]()
        for cards in combinations(FULL_DECK.without(hand | seen_cards), 7):
            dealer = flush_rank(Hand.of(cards))
            outcome = "win" if dealer < mine else "tie" if dealer == mine else "lose"
            counts[outcome if twin(dealer, book.qualifier) else "not"] += 1
        expected = HandOdds(counts["not"], counts["win"], counts["tie"], counts["lose"])
        assert hand_odds(hand, seen_cards, qualifier=book.qualifier) == expected


@pytest.mark.parametrize("name", OWN)
def test_the_solver_sums_the_odds_of_each_hand(name: str, odds_by_book: dict[str, GameOdds]) -> None:
    book, counts = BOOKS[name], Counter[tuple[Fraction | None, int]]()
    for ranks in combinations(range(SUIT_SIZE), 7):
        odds = hand_odds(Hand.of(ranks), qualifier=book.qualifier)
        value, size = max((raise_value(odds, size), size) for size in book.raise_antes(7))
        for i, count in enumerate(odds.counts):
            counts[size if value > FOLD else None, i] += 4 * count
    kernel_says = {
        (choice.raised, i): count
        for choice in odds_by_book[name].choices
        if choice.cards == 7
        for i, count in enumerate(choice.odds.counts)
    }
    assert +counts == +Counter(kernel_says)


@pytest.mark.parametrize(
    ("name", "lengths"), [("four", (2, 3, 5, 6)), ("open", (2, 6)), ("ranks", (2, 6)), ("pairs", (2, 6))]
)
def test_the_solver_agrees_with_the_classes(
    name: str, lengths: tuple[int, ...], odds_by_book: dict[str, GameOdds]
) -> None:
    """The kernel against plain Python that groups the masks of a suit; over all lengths `EDGES` was found so."""
    book, game = BOOKS[name], odds_by_book[name]
    assert game.expected == EDGES[name]
    assert sum(each.raised + each.folded for each in game.flushes) == HANDS
    for cards in lengths:
        low, high = book.raise_antes(cards)
        raise_odds = {"fold": None, "low": low, "high": high}
        counts = Counter[tuple[Fraction | None, int]]()
        for each in count_classes(cards, low, high, book.qualifier):
            counts.update({(raise_odds[each.choice], i): count for i, count in enumerate(each.odds.counts)})
        choices = [choice for choice in game.choices if choice.cards == cards]
        assert +counts == +Counter(
            {(choice.raised, i): count for choice in choices for i, count in enumerate(choice.odds.counts)}
        )


def test_steps_between_the_ends_change_no_edge(odds_by_book: dict[str, GameOdds]) -> None:
    """The value is linear in the Raise: only the smallest and the largest count."""
    assert game_odds(load(own("washington", raise_step="0.5x"))).expected == game_odds(packaged("washington")).expected
    assert (
        game_odds(load(own("washington", raise_step="0.25x", raise_minimum="0.5x"))).expected
        == game_odds(configure(packaged("galaxy-v7"), None, {"raise-minimum": "0.5x"})).expected
    )


def test_strategies_are_priced_by_the_own_rules() -> None:
    """A player who always raises against a dealer who never qualifies wins an Ante, whatever the Raise."""
    never = load(own("washington", qualifier="7:A-K-Q-J-T-9-8"))
    always = game_odds(never, NAMED["always"])
    qualified = Fraction(4, HANDS)
    assert 1 - 4 * qualified < always.expected < 1
    fold = Strategy("never", "Never raise", "never")
    assert all(game_odds(book, fold).expected == -1 for book in (never, BOOKS["open"]))


def test_the_best_simple_rule_may_be_to_raise_always() -> None:
    (rule,) = frontier(BOOKS["four"])
    assert rule.strategy.name == "always"
    assert rule.cost == EDGES["four"] - rule.odds.expected > 0  # the largest Raise, where the smallest is better
    assert rule.cost == largest_cost(BOOKS["four"])


def test_the_cost_of_largest_raises_is_exact(hcf: Hcf, tmp_path: Path) -> None:
    """A player who always makes the largest Raise plays washington's game, whose Raise cannot be smaller."""
    washington = packaged("washington")
    half = load(own("washington", raise_step="0.5x", raise_minimum="0.5x"))
    most = game_odds(half).expected - game_odds(washington).expected
    assert largest_cost(half) == most
    assert largest_cost(washington) == 0
    assert all(rule.cost > most for rule in frontier(half))
    words, data = (
        hcf("odds", "strategies", "galaxy-v7", "--set", "raise-minimum", "0.5x", *as_) for as_ in ((), ("--json",))
    )
    assert f"accounts for {100 * float(most):.6f} % of the Ante in every cost" in words.words
    assert "9.191861 %" in words.words
    assert Fraction(data.data["largest_raise_cost_exact"]) == most


@pytest.mark.parametrize("qualifier", ["4", "4:T", "5"])
def test_the_card_of_a_rule_that_always_raises(hcf: Hcf, tmp_path: Path, qualifier: str) -> None:
    file, card = tmp_path / "own.toml", tmp_path / "card.html"
    file.write_text(own("washington", qualifier=qualifier))
    assert hcf("odds", "strategies", file, "-o", tmp_path / "card.pdf").status == 0
    assert hcf("odds", "strategies", file, "-o", card).status == 0
    page = card.read_text("utf-8")
    assert "Raise every hand" in page
    assert ("The best play raises less with some hands" in page) == (largest_cost(load(file.read_text())) > 0)


def test_the_coach_weighs_by_the_own_rules() -> None:
    random = Random(5)
    for name, book in BOOKS.items():
        for _ in range(20):
            hand = Hand.of(random.sample(range(52), 7))
            advice = advise(Spot(book, {"ante": 1000}, hand))
            odds = hand_odds(hand, qualifier=book.qualifier)
            best = max(FOLD, *(raise_value(odds, size) for size in book.raise_antes(flush_rank(hand).length)))
            assert advice.antes(advice.best.value) == best, (name, hand)
            flush = advice.flushes[0]
            suit_effects = explain(advice, flush).suits
            assert all(0 <= each.beaten <= Fraction(odds.lose, odds.total) for each in suit_effects), (name, hand)


def test_the_qualifying_frequency_of_the_dealer_is_exact(odds_by_book: dict[str, GameOdds]) -> None:
    for name, game in odds_by_book.items():
        book = BOOKS[name]
        sheet = MainGame(qualifier=book.qualifier, best=game, strategies=(), minima=None, sessions=())
        hands = sum(each.raised + each.folded for each in game.flushes if twin(each.flush, book.qualifier))
        assert sheet.dealer_qualifies == Fraction(hands, HANDS)


def test_the_audit_expects_the_own_edge() -> None:
    assert main_odds(BOOKS["four"]).mean == EDGES["four"]


@pytest.mark.parametrize("name", OWN)
def test_seen_cards_are_weighed_by_the_own_rules(name: str) -> None:
    book, random, work = BOOKS[name], Random(name), np.empty((6, 8))
    code = np.uint64(Qualifier.of(book.qualifier))
    for _ in range(50):
        deck = random.sample(range(52), 52)
        hand, seen_cards = Hand.of(deck[:7]), Hand.of(deck[7:21])
        odds = hand_odds(hand, seen_cards, qualifier=book.qualifier)
        unknown = as_masks(FULL_DECK.without(hand | seen_cards))
        meets = meet(code, as_word(hand), unknown, np.uint64(0), np.uint64(0), work)
        assert meets == (odds.not_qualified, odds.win - odds.lose, odds.total)


def best_played(book: Rulebook, hands: list[Hand]) -> int:
    state, seats = open_round(book), range(1, len(hands))
    for seat in seats:
        state, _ = step(book, state, PlaceWagers(seat, {"ante": 1000}))
    state, _ = step(book, state, Lock())
    rest = FULL_DECK.without(Hand(sum(hands)))
    state, _ = step(book, state, Deal(tuple(card for hand in (*hands, rest) for card in hand)))
    for seat in seats:
        best = advise(Spot(book, {"ante": 1000}, hands[seat - 1])).best
        action = Raise(seat, best.raise_cents, best.keep) if best.raise_cents else Fold(seat)
        state, _ = step(book, state, action)
    state, _ = step(book, state, Settle({}))
    assert state.settlement is not None
    return sum(result.net_cents for result in state.settlement.results)


@pytest.mark.parametrize("name", OWN)
def test_best_play_of_the_kernel_is_that_of_coach_and_engine(name: str) -> None:
    plan = make_plan(BOOKS[name], 3, NAMED["optimal"])
    hands, _ = record_chunk(plan.rules, 3, 1, 60)
    tally = play_chunk(plan.rules, 3, 1, 60).tally
    win_count = sum(best_played(BOOKS[name], [as_hand(each) for each in row]) for row in hands.tolist())
    assert win_count == 1000 * tally[kernel.ANTE] + 10 * tally[kernel.RAISE]


@pytest.mark.parametrize("name", EDGES)
def test_a_simulation_agrees_with_the_solver(name: str) -> None:
    result = simulate(BOOKS[name], 200_000, 3, NAMED["optimal"], seed=8).wagers["main"]
    assert result.expected == EDGES[name]
    assert abs(result.z) < 4
    assert result.standard_error < 0.004
    assert all(line.z is None or abs(line.z) < 4 for line in result.lines)
