"""What only a mutant of ranking, settlement or jackpot made known to be untested (see sweep/mutants.py)."""

from __future__ import annotations

import pytest

from highcardflush.cards import Hand
from highcardflush.errors import ActionError
from highcardflush.game import replay
from highcardflush.game.actions import Wagers
from highcardflush.game.caps import apply_caps
from highcardflush.game.replay import Played
from highcardflush.game.settle import check_meters, reverses_contribution
from highcardflush.game.state import HandVoid, Result, Seat
from highcardflush.jackpot import Meter, Plan, contribution
from highcardflush.ranking import QUALIFIER, FlushRank, dealer_qualifies, straight_flush_cards
from highcardflush.rulebook import Rulebook, Settings, configure, load, packaged, parse_offer
from highcardflush.rulebook.model import Cents
from support.rounds import QUALIFIED, cases, finish, nets, read, reason, results

# --- ranking -------------------------------------------------------------------------------------


def test_a_flush_of_one_card_or_none_in_words() -> None:
    assert str(FlushRank(1, 1 << 12)) == "one card, ace high"
    assert str(FlushRank(0, 0)) == "no cards"


def test_the_ranks_of_a_flush_in_short() -> None:
    assert FlushRank(3, 1 << 8 | 1 << 6 | 1).short == "T-8-2"
    assert FlushRank(2, 1 << 12 | 1 << 11).short == "A-K"


@pytest.mark.clause("G6")
def test_the_qualifier_itself_qualifies() -> None:
    assert dealer_qualifies(QUALIFIER)


CARDS = """
hand             | cards
As2s3s 6d7d8d Kc | 8d7d6d
As2s3s QsKs 7h8d | AsKsQs
As2s3s 4h6h 8d9c | As3s2s
9c8c7c 9s8s7s 2h | 9s8s7s
9c8c7c 9d8d7d 2h | 9d8d7d
9c8c7c6c 9d8d7d  | 9c8c7c6c
AhKhQhJhTh9h8h   | AhKhQhJhTh9h8h
KsAs2s 4h6h8hTh  |
"""


@pytest.mark.clause("G9")
@pytest.mark.parametrize(("hand", "expected"), cases(CARDS))
def test_the_cards_of_the_straight_flush(hand: str, expected: str) -> None:
    assert straight_flush_cards(Hand.parse(hand)) == Hand.parse(expected)


# --- every field of a result ---------------------------------------------------------------------


def told(played: Played) -> list[str]:
    """Each result with all of its amounts: `1 ante 2500 win full=2500 paid=2500 meter=0 net=2500`."""
    return [
        f"{r.seat} {r.wager} {r.stake_cents} {r.outcome} "
        f"full={r.full_cents} paid={r.paid_cents} meter={r.meter_cents} net={r.net_cents}"
        for r in results(played)
    ]


# Ante and Raise are 10 each.
MAIN = """
dealer            | decision | ante                                         | raise
8s7s6s 9d8d 9c8c  | raise 10 | win full=1000 paid=1000 meter=0 net=1000     | push full=0 paid=0 meter=0 net=0            | clause G6
9s3s2s 9d8d 9c8c  | raise 10 | win full=1000 paid=1000 meter=0 net=1000     | win full=1000 paid=1000 meter=0 net=1000    | clause G7
AsKs2s 9d8d 9c8c  | raise 10 | lose full=0 paid=0 meter=0 net=-1000         | lose full=0 paid=0 meter=0 net=-1000        | clause G7
Ac9c7c 9d8d 9s8s  | raise 10 | push full=0 paid=0 meter=0 net=0             | push full=0 paid=0 meter=0 net=0            | clause G2 G7
8s7s6s 9d8d 9c8c  | fold     | lose full=0 paid=0 meter=0 net=-1000         |                                             | clause G5
"""  # noqa: E501


@pytest.mark.parametrize(("dealer", "decision", "ante", "raise_"), cases(MAIN))
def test_main_game_results_in_full(dealer: str, decision: str, ante: str, raise_: str) -> None:
    played = finish(
        f"rulebook oxford\nseat 3 ante 10\ndeal 3 Ah9h7h 6d5d 4c3c\ndeal dealer {dealer}\n3 {decision}",
    )
    assert told(played) == [f"3 ante 1000 {ante}", f"3 raise 1000 {raise_}"][: 2 if raise_ else 1]


BONUSES = """
hand             | flush                                         | straight flush
AsKs9s7s 6d7d8d  | 500 win full=500 paid=500 meter=0 net=500     | 500 win full=3500 paid=3500 meter=0 net=3500
AsKs9s 6d7d9d 2c | 500 lose full=0 paid=0 meter=0 net=-500       | 500 lose full=0 paid=0 meter=0 net=-500
"""


@pytest.mark.clause("G8")
@pytest.mark.parametrize(("hand", "flush", "straight"), cases(BONUSES))
def test_bonus_results_in_full(hand: str, flush: str, straight: str) -> None:
    played = finish(f"rulebook oxford\nseat 3 ante 5 flush 5 straight-flush 5\ndeal 3 {hand}\n{QUALIFIED}\n3 fold")
    assert told(played)[1:] == [f"3 flush {flush}", f"3 straight-flush {straight}"]


PROGRESSIVE = """
    rulebook galaxy-v7
    offer progressive PT-BJS-HCF-SF-E04
    seat 1 ante 5
    seat 2 ante 5 progressive 1
    seat 4 ante 5 progressive 1
    deal 1 KdQd6d 9s8s 6h2h
    deal 2 8c7c6c5c4c3c 2d
    deal 4 5h4h3h Ac Ts Td Kh
    deal dealer Ah9h QcJc 9d4d 3d
    1 fold
    2 fold
    4 fold
    """


@pytest.mark.clause("G4", "V5", "V9")
def test_progressive_and_envy_results_in_full_and_none_without_the_bet() -> None:
    played = finish(PROGRESSIVE)
    assert [line for line in told(played) if " ante " not in line] == [
        "4 progressive 100 win full=300 paid=300 meter=0 net=200",
        "4 envy 0 win full=20000 paid=20000 meter=0 net=20000",
        "2 progressive 100 win full=500054 paid=500054 meter=500054 net=499954",
    ]


@pytest.mark.clause("S6")
@pytest.mark.parametrize(("disposition", "outcome", "lost"), [("return", "returned", 0), ("forfeit", "forfeited", 1)])
def test_the_results_of_a_void_hand_in_full(disposition: str, outcome: str, lost: int) -> None:
    played = finish(PROGRESSIVE + f"void 2 {disposition} other a card fell")
    assert [line for line in told(played) if line.startswith("2 ")] == [
        f"2 ante 500 {outcome} full=0 paid=0 meter=0 net={-500 * lost}",
        f"2 progressive 100 {outcome} full=0 paid=0 meter=0 net={-100 * lost}",
    ]


@pytest.mark.clause("S6")
def test_a_void_round_moves_no_meter() -> None:
    settlement = finish(PROGRESSIVE + "void other a card fell").state.settlement
    assert settlement is not None
    assert settlement.moves == {}


# --- an operator's own pay tables ----------------------------------------------------------------

CLUB = """
name = "club"
extends = "BASE"
[paytables.flush]
pays = "for 1"
[paytables.straight-flush]
pays = "for 1"
lines = [{ cards = 6, pay = 1000 }, { cards = 4, pay = 60 }]
"""


def club(base: str, hand: str, decision: str) -> Played:
    """A round at a table whose bonus bets pay for 1 and whose straight flush begins at four cards."""
    book = load(CLUB.replace("BASE", base))
    lines = f"rulebook club\nseat 3 ante 5 flush 5 straight-flush 5\ndeal 3 {hand}\n{QUALIFIED}\n3 {decision}"
    return replay(read(lines), find=lambda _: book)


def test_a_bonus_that_pays_for_1_keeps_the_stake() -> None:
    played = club("oxford", "8s7s6s5s 3d2d Ad", "fold")
    assert nets(played) == "3 ante -5, 3 flush +0, 3 straight-flush +295"
    assert reason(played, 3, "straight-flush") == "four-card straight flush, eight high, pays 60 for 1"


# Where it must be shown, nothing is told of what was not.
UNPAID = """
base          | hand             | decision           | reason
oxford        | AsKs9s 6d7d8d 2c | fold               | three-card straight flush, eight high: does not pay | clause G10
oxford        | AsKs9s 6d7d9d 2c | fold               | no straight flush                                   | clause G9
atlantic-city | AsKs9s 6d7d8d 2c | fold expose 6d7d8d | three-card straight flush, eight high: does not pay | clause A3
atlantic-city | AsKs9s 6d7d8d 2c | fold               | no straight flush was kept or laid face up          | clause A3
"""


@pytest.mark.parametrize(("base", "hand", "decision", "said"), cases(UNPAID))
def test_why_a_straight_flush_does_not_pay(base: str, hand: str, decision: str, said: str) -> None:
    played = club(base, hand, decision)
    assert told(played)[2] == "3 straight-flush 500 lose full=0 paid=0 meter=0 net=-500"
    assert reason(played, 3, "straight-flush") == said


# --- meters --------------------------------------------------------------------------------------


def galaxy() -> Rulebook:
    return configure(packaged("galaxy-v7"), [parse_offer("progressive", "PT-PRG-HCF-MLP-01")])


def test_a_plan_without_rates_takes_nothing_from_a_bet() -> None:
    assert contribution(Plan("progressive", 0, 0), 500) == Meter(0)


@pytest.mark.clause("S4", "S6")
@pytest.mark.parametrize(("bet", "reverses"), [(0, False), (1, True), (100, True)])
def test_a_contribution_of_any_bet_is_reversed(bet: int, reverses: bool) -> None:
    seat = Seat(2, Wagers(ante=500, progressive=bet), void=HandVoid("return", "other", "x"))
    assert reverses_contribution(galaxy(), seat) is reverses


@pytest.mark.clause("S5")
@pytest.mark.parametrize(
    ("least", "amount", "message"),
    [
        (None, 0, ""),
        (None, -1, "meter level-2: read -$0.000001, expected $0 or more"),
        ({"level-2": 500_000000}, 500_000000, ""),
        ({"level-2": 500_000000}, 499_999999, "meter level-2: read $499.999999, expected $500 or more"),
        ({"level-1": 500_000000}, 499_999999, ""),
    ],
)
def test_a_meter_holds_what_it_must(least: dict[str, int] | None, amount: int, message: str) -> None:
    meters = {"level-1": Meter(500_000000), "level-2": Meter(amount)}
    if not message:
        check_meters(galaxy(), meters, least)
        return
    with pytest.raises(ActionError) as caught:
        check_meters(galaxy(), meters, least)
    assert str(caught.value) == message


# --- caps ----------------------------------------------------------------------------------------


@pytest.mark.clause("S1")
def test_nothing_is_said_of_a_pay_that_a_cap_leaves_whole() -> None:
    won = [
        Result(6, "flush", 100, "win", 1, 1, 0, 1, "small"),
        Result(6, "straight-flush", 100, "win", 3000, 3000, 0, 3000, "large"),
        Result(6, "ante", 100, "push", 0, 0, 0, 0, "tie"),
    ]
    small, large, tie = apply_caps(Settings(cap_player=Cents(3000)), won)
    assert (small, tie) == (won[0], won[2])
    assert (large.paid_cents, large.reason) == (2999, "large; cap-player $30 cuts $30 to $29.99")
