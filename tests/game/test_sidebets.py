"""Lines that hands reach, their pays, and the side bets of whole rounds."""

from __future__ import annotations

import pytest

from highcardflush.cards import FULL_DECK, NO_CARDS, Hand
from highcardflush.game import open_round, step
from highcardflush.game.actions import Deal, Lock, PlaceWagers, Raise
from highcardflush.game.events import BonusShown
from highcardflush.game.sidebets import fixed_pay, seat_match
from highcardflush.game.state import Seat
from highcardflush.rulebook import Line, PayTable, packaged
from highcardflush.rulebook.wagers import SIDE_BETS
from support.data.tables import table as table_of
from support.walkers.rounds import QUALIFIED, begin, cases, events, finish, nets, reason


def table(full_id: str) -> PayTable:
    name, key = full_id.split("/")
    return packaged(name).paytables[key]


def line_text(line: Line | None) -> str:
    return f"{line.name} {line.pay}" if line else "none"


FLUSHES = """
hand                  | line
AsKsQsJs9s8s7s        | 7-card 300
6s5s4s3s2s 7d7c       | 5-card 10
AsKs9s7s 6d7d8d       | 4-card 1
AsKs9s 6d7d8d 2c      | none
"""


@pytest.mark.clause("G8", "G10")
@pytest.mark.parametrize(("hand", "expected"), cases(FLUSHES))
def test_flush_line(hand: str, expected: str) -> None:
    assert line_text(table("oxford/flush").line_for(SIDE_BETS["flush"].best(Hand.parse(hand)))) == expected


STRAIGHTS = """
table                      | hand                 | line
oxford/straight-flush      | 8s7s6s5s4s3s2s       | 7-card 8000         | clause G9
oxford/straight-flush      | 8s7s6s5s4s 2s Kd     | 5-card 100          | clause G9
oxford/straight-flush      | 8s7s6s5s 3d2d Ad     | 4-card 60           | clause G10
oxford/straight-flush      | As2s3s Kd9d Jc5c     | 3-card 7            | clause G9
oxford/straight-flush      | AsKsQs 9d7d Jc5c     | 3-card 7            | clause G9
oxford/straight-flush      | 2sAsKs 9d7d Jc5c     | none                | clause G9
washington/PT-BJS-HCF-SF-02 | AsKsQs 9d7d Jc5c    | none                | clause G10
washington/PT-BJS-HCF-SF-02 | AsKsQsJs 7d Jc5c    | 4-card 50           | clause G10
galaxy-v7/PT-PRG-HCF-D03   | 8s7s6s5s4s3s2s       | 6-card 100%         | clause V11
galaxy-v7/PT-PRG-HCF-D03   | 8s7s6s5s4s3s Kd      | 6-card 100%         | clause V11
galaxy-v7/PT-BJS-HCF-SF-09 | AsKsQsJsTs9s Kd      | 6-card-ace-high 100% | clause V11
galaxy-v7/PT-BJS-HCF-SF-09 | KsQsJsTs9s8s Kd      | 6-card 10%          | clause V11
galaxy-v7/PT-BJS-HCF-SF-09 | 6s5s4s3s2sAs Kd      | 6-card 10%          | clause V11
galaxy-v7/PT-BJS-HCF-SF-09 | 7s6s5s4s3s2sAs       | 6-card-ace-high 100% | clause V11
galaxy-v7/PT-BJS-HCF-SF-09 | AsKsQsJsTs 8s Kd     | 5-card 250          | clause V11
"""


@pytest.mark.parametrize(("full_id", "hand", "expected"), cases(STRAIGHTS))
def test_straight_flush_line(full_id: str, hand: str, expected: str) -> None:
    assert line_text(table(full_id).line_for(SIDE_BETS[table(full_id).wager].best(Hand.parse(hand)))) == expected


def test_nothing_counts_before_a_decision_where_it_must_be_shown() -> None:
    seat = Seat(1, {"ante": 500}, Hand.parse("AsKs9s7s 6d7d8d"))
    bet = SIDE_BETS["straight-flush"]
    assert seat_match(packaged("atlantic-city"), seat, bet).cards == 0
    assert seat_match(packaged("oxford"), seat, bet).cards == 3


@pytest.mark.clause("V7", "V8")
def test_fixed_pay_is_the_rounds_dynamic_pay_or_the_default() -> None:
    table_lines = "rulebook galaxy-v7\noffer progressive PT-PRG-HCF-D01a\nseat 1 ante 5 progressive 1\n"
    state = begin(table_lines + "dynamic 5-card=200 3-card=8").state
    lines = table("galaxy-v7/PT-PRG-HCF-D01a").lines[1:]
    assert [fixed_pay(state, line) for line in lines] == [500, 200, 10, 8]
    assert [fixed_pay(begin(table_lines).state, line) for line in lines] == [500, 50, 10, 2]
    hands = "deal 1 6d5d4d3d 9c 8s7h\ndeal dealer Th9h8h 5c2c AcQs"
    game = finish(f"{table_lines}dynamic 3-card=20\n{hands}\n1 fold")
    assert nets(game) == "1 ante -5, 1 progressive +9", "the higher line, though it pays less"


# A $5 bet on each bonus, against a dealer who qualifies with four hearts, nine high.
EXPOSURE = """
rulebook      | hand            | decision                               | ante raise flush straight-flush
atlantic-city | AsKs9s7s 6d7d8d | raise 25                               | +25 +25 +5 -5  | clause A3 A4 G8
atlantic-city | AsKs9s7s 6d7d8d | raise 25 expose 6d7d8d                 | +25 +25 +5 +35 | clause A3 A4 G8
atlantic-city | AsKs9s7s 6d7d8d | raise 25 expose 6d7d                   | +25 +25 +5 -5  | clause A3
atlantic-city | AsKs9s7s 6d7d8d | raise 25 keep diamonds                 | -25 -25 +5 +35 | clause A3 A4 G8
atlantic-city | AsKs9s7s 6d7d8d | fold                                   | -25 +5 -5      | clause A3 G8
atlantic-city | AsKs9s7s 6d7d8d | fold expose 6d7d8d                     | -25 +5 +35     | clause A3 G8
atlantic-city | 9s8s7s6s 4d3d2d | raise 25 expose 4d3d2d                 | +25 +25 +5 +300 | clause A3
atlantic-city | 9s8s7s6s 4d3d2d | raise 25 keep diamonds expose 9s8s7s6s | -25 -25 +5 +300 | clause A3 A4
meadows       | AsKs9s7s 6d7d8d | raise 25                               | +25 +25 +5 +35 | clause M2 M3 M5 G8
meadows       | AsKs9s7s 6d7d8d | raise 25 expose 6d7d8d                 | +25 +25 +5 +35 | clause M2 M3 M5 G8
meadows       | 9s8s7s6s 4d3d2d | raise 25 expose 4d3d2d                 | +25 +25 +5 +35 | clause M3
meadows       | AsKs9s7s 6d7d8d | fold                                   | -25 +5 +35     | clause M3 G8
meadows       | 9s8s7s6s 4d3d2d | raise 25                               | +25 +25 +5 +300 | clause M3
meadows       | AsKs9s7s 6d7d8d | fold expose 6d7d8d                     | -25 +5 +35     | clause M3 G8
oxford        | AsKs9s7s 6d7d8d | raise 25                               | +25 +25 +5 +35 | clause O9 G8
oxford        | AsKs9s7s 6d7d8d | raise 25 keep diamonds                 | -25 -25 +5 +35 | clause O9 G8
oxford        | AsKs9s7s 6d7d8d | fold                                   | -25 +5 +35     | clause O9 G8
"""


def round_of(rulebook: str, decision: str, hand: str = "AsKs9s7s 6d7d8d") -> str:
    return f"""
        rulebook {rulebook}
        seat 1 ante 25 flush 5 straight-flush 5
        deal 1 {hand}
        deal dealer 9h8h6h4h 3c TdJs
        1 {decision}"""


@pytest.mark.parametrize(("rulebook", "hand", "decision", "expected"), cases(EXPOSURE))
def test_exposure(rulebook: str, hand: str, decision: str, expected: str) -> None:
    game = finish(round_of(rulebook, decision, hand))
    assert [words.split()[2] for words in nets(game).split(", ")] == expected.split()


@pytest.mark.clause("M3")
def test_without_the_bet_nothing_is_paid_at_once() -> None:
    game = finish(round_of("meadows", "fold expose 6d7d8d").replace(" straight-flush 5", ""))
    assert events(game, BonusShown) == []
    assert nets(game) == "1 ante -25, 1 flush +5"


@pytest.mark.clause("O9", "V5")
@pytest.mark.parametrize(("cap", "paid_now"), [(45_560, True), (45_559, False)])
def test_a_win_is_paid_at_once_if_all_pays_of_the_round_with_envy_stay_within_the_cap(cap: int, paid_now: bool) -> None:
    """Seat 1 can still win $10, $10, $500 and twice $1,250 with Envy, and seat 2 $10, $30, $40,000 and twice $1,250."""
    book = table_of(
        f"north | straight-flush straight-flush, progressive galaxy-v7/PT-BJS-HCF-SF-E05 5 | cap-table {cap}"
    )
    state, hands = open_round(book), [Hand.parse("AsKs9s7s 6d7d8d"), Hand.parse("2c9c Jh4h 5s8s Qd")]
    deck = [card for hand in (*hands, FULL_DECK.without(hands[0] | hands[1])) for card in hand]
    wagers = {"ante": 1000, "straight-flush": 500, "progressive": 500}
    for action in PlaceWagers(1, wagers), PlaceWagers(2, wagers), Lock(), Deal(tuple(deck)):
        state, _ = step(book, state, action)
    _, facts = step(book, state, Raise(1, 1000, expose=Hand.parse("6d7d8d")))
    assert [fact.paid_now for fact in facts if isinstance(fact, BonusShown)] == [paid_now]


REASONS = """
bet            | hand              | reason
flush          | AsKs9s7s 6d7d8d   | four-card flush pays 1 to 1
flush          | AsKs9s 6d7d8d 2c  | three-card flush does not pay
straight-flush | AsKs9s 6d7d8d 2c  | three-card straight flush, eight high, pays 7 to 1
straight-flush | AsKs9s 6d7d9d 2c  | no straight flush
"""


@pytest.mark.clause("G8")
@pytest.mark.parametrize(("bet", "hand", "expected"), cases(REASONS))
def test_the_dealer_gives_the_reason_for_each_side_bet(bet: str, hand: str, expected: str) -> None:
    game = finish(f"rulebook oxford\nseat 3 ante 5 {bet} 5\ndeal 3 {hand}\n{QUALIFIED}\n3 fold")
    assert reason(game, 3, bet) == expected


def test_no_cards_reach_no_line() -> None:
    for bet in ("straight-flush", "flush"):
        assert table(f"oxford/{bet}").line_for(SIDE_BETS[bet].best(NO_CARDS)) is None
