"""Settlement: every outcome of the main game, meters, Envy, voids, and the order and words in which it is told."""

from __future__ import annotations

import pytest

from highcardflush.errors import ActionError
from highcardflush.game import locked_meters, step
from highcardflush.game.actions import Lock, VoidHand
from highcardflush.game.events import Contributed, ContributionReversed, MeterMoved
from highcardflush.game.settle import check_displays, check_meters, settle
from highcardflush.jackpot import Meter, contribution
from highcardflush.money import format_micros, parse_micros
from highcardflush.notation import replay
from highcardflush.notation.replay import Replay
from highcardflush.rulebook import load
from highcardflush.rulebook.paytable import Plan
from highcardflush.words import say
from support.walkers.rounds import QUALIFIED, begin, cases, events, finish, nets, read, reason, results


def result_texts(game: Replay) -> list[str]:
    """Return each result with all of its amounts: `1 ante 2500 win full=2500 paid=2500 meter=0 net=2500`."""
    return [
        f"{r.seat} {r.wager} {r.stake_cents} {r.outcome} "
        f"full={r.full_cents} paid={r.paid_cents} meter={r.meter_cents} net={r.net_cents}"
        for r in results(game)
    ]


# An Ante of 10, and the Raise, 0 for a fold; what is won and lost, and what the dealer says.
MAIN = """
player            | dealer            | raise | net     | reason
Ah9h7h 6d5d 4c3c  | 8s7s6s 9d8d 9c8c  | 10    | +10 +0  | dealer does not qualify with three cards, eight high; seat 3 is paid on the Ante, the Raise pushes | clause G6
Ah9h 6d5d 4c3c 2s | AsKs QdJd TcQc Jh | 10    | +10 +0  | dealer does not qualify with two cards, ace high; seat 3 is paid on the Ante, the Raise pushes   | clause G6
Ah9h7h 6d5d 4c3c  | 9s3s2s 9d8d 9c8c  | 10    | +10 +10 | dealer qualifies with three cards, nine high; seat 3 wins with three cards, ace high             | clause G6 G7
8h7h6h 6d5d 4c3c  | 9s3s2s 9d8d 9c8c  | 10    | -10 -10 | dealer qualifies with three cards, nine high; seat 3 loses with three cards, eight high          | clause G7
9h3h2h 6d5d 4c3c  | 9s3s2s 9d8d 9c8c  | 10    | +0 +0   | dealer qualifies with three cards, nine-three-two; seat 3 ties with three cards, nine-three-two  | clause G2 G7
9h4h2h 6d5d 4c3c  | 9s3s2s 9d8d 9c8c  | 10    | +10 +10 | dealer qualifies with three cards, nine-three; seat 3 wins with three cards, nine-four           | clause G2 G7
9h3h2h 6d5d 4c3c  | 9s4s3s 9d8d 9c8c  | 10    | -10 -10 | dealer qualifies with three cards, nine-four; seat 3 loses with three cards, nine-three          | clause G2 G7
AhKhQh 6d5d 4c3c  | 5s4s3s2s 9d 9c8c  | 10    | -10 -10 | dealer qualifies with four cards, five high; seat 3 loses with three cards, ace high             | clause G2 G7
6h5h4h3h 6d5d 4c  | AsKsQs 9d8d 9c8c  | 10    | +10 +10 | dealer qualifies with three cards, ace high; seat 3 wins with four cards, six high               | clause G2 G7
8h7h6h5h 6d5d 4c  | 9s7s5s3s 9d 9c8c  | 10    | -10 -10 | dealer qualifies with four cards, nine high; seat 3 loses with four cards, eight high            | clause G3
AhKh9h8h7h 6d 4c  | AsQsJsTs9s 9d 9c  | 20    | +10 +20 | dealer qualifies with five cards, ace-queen; seat 3 wins with five cards, ace-king               | clause G7
7h6h5h4h3h2h 6d   | As9s8s 7d6s 9c8c  | 30    | +10 +30 | dealer qualifies with four cards, ace high; seat 3 wins with six cards, seven high               | clause G7
8h7h6h5h4h3h2h    | As9s8s 7d6s 9c8c  | 30    | +10 +30 | dealer qualifies with four cards, ace high; seat 3 wins with seven cards, eight high             | clause G7
AhKhQh 6d5d 4c2c  | 9s3s2s 9d8d 9c8c  | 0     | -10     | seat 3 folded                                                                                    | clause G5
AhKhQh 6d5d 4c2c  | 8s7s6s 9d8d 9c8c  | 0     | -10     | seat 3 folded                                                                                    | clause G5
"""  # noqa: E501


def in_full(gain: int) -> str:
    outcome, win_cents = "win" if gain > 0 else "lose" if gain < 0 else "push", max(gain, 0)
    return f"{outcome} full={win_cents} paid={win_cents} meter=0 net={gain}"


@pytest.mark.parametrize(("player", "dealer", "raise_text", "net", "explanation"), cases(MAIN))
def test_main_game(player: str, dealer: str, raise_text: str, net: str, explanation: str) -> None:
    for rulebook in ("oxford", "galaxy-v7", "washington", "meadows"):
        decision = f"raise {raise_text}" if int(raise_text) else "fold"
        game = finish(f"rulebook {rulebook}\nseat 3 ante 10\ndeal 3 {player}\ndeal dealer {dealer}\n3 {decision}")
        assert {say(result.reason) for result in results(game)} == {explanation}
        assert result_texts(game) == [
            f"3 {wager} {stake}00 {in_full(100 * int(gain))}"
            for wager, stake, gain in zip(("ante", "raise"), ("10", raise_text), net.split(), strict=False)
        ]


TABLE_OF_THREE = """
    seat 1 ante 10 flush 5 straight-flush 5
    seat 3 ante 10 straight-flush 5
    seat 6 ante 10 flush 5
    deal 1 AsKsQs9s 6d5d 4c
    deal 3 ThJhQh 9d8d 9c8c
    deal 6 AdKd4d3d 6c5c 4s
    deal dealer 9h8h6h Kc3c Td2s
    1 raise 10
    3 fold
    6 raise 10"""

OFFERS = "offer flush washington/PT-FLT-HCF-FB-01\noffer straight-flush washington/PT-FLT-HCF-SF-01"
BY_PLAYER = ["6 ante", "6 raise", "6 flush", "3 ante", "3 straight-flush", "1 ante", "1 raise", "1 flush"]
MAIN_FIRST = ["6 ante", "6 raise", "3 ante", "1 ante", "1 raise", "6 flush", "3 straight-flush", "1 flush"]


@pytest.mark.parametrize(
    ("table", "order"),
    [
        pytest.param("oxford", BY_PLAYER, marks=pytest.mark.clause("O11", "S14")),
        pytest.param(f"galaxy-v7\n{OFFERS}", MAIN_FIRST, marks=pytest.mark.clause("V3", "V4", "S14")),
    ],
)
def test_each_player_completely_from_seat_6_to_seat_1_or_the_main_game_first(table: str, order: list[str]) -> None:
    rows = results(finish(f"rulebook {table}{TABLE_OF_THREE}"))
    assert [f"{result.seat} {result.wager}" for result in rows] == [*order, "1 straight-flush"]


@pytest.mark.clause("S14")
def test_all_six_wagers_in_order_within_a_seat() -> None:
    game = finish(f"""
        rulebook galaxy-v7
        offer progressive PT-BJS-HCF-SF-E04
        {OFFERS}
        seat 1 ante 10 progressive 1
        seat 2 ante 10 flush 5 straight-flush 5 progressive 1
        deal 1 8s7s6s5s4s3s Kd
        deal 2 AdQd9d7d 6c5c 4c
        deal dealer 9h8h6h Kc3c Td2s
        1 fold
        2 raise 10""")
    assert nets(game) == (
        "2 ante +10, 2 raise +10, 1 ante -10, "
        "2 flush +5, 2 straight-flush +35, 2 progressive +2, 2 envy +200, 1 progressive +4999.54"
    )


def progressive(
    table: str, hands: str, lines: str = "", rulebook: str = "galaxy-v7", bet: str = "1", end: str = ""
) -> Replay:
    """Play a round whose hands fold. Each has the progressive bet, unless its hand begins with `-`."""
    hands_by_seat = dict(pair.split(":") for pair in hands.split(", "))
    seats = [
        f"seat {n} ante 5" + ("" if hand[0] == "-" else f" progressive {bet}") for n, hand in hands_by_seat.items()
    ]
    deals = [f"deal {n} {hand.lstrip('-')}" for n, hand in hands_by_seat.items()]
    folds = [f"{n} fold" for n in hands_by_seat]
    table = f"rulebook {rulebook}\noffer progressive {table}\n{lines}\n"
    return finish(table + "\n".join([*seats, *deals, "deal dealer Ah9h QcJc 9d4d 3d", *folds, end]))


def side_nets(game: Replay, *wagers: str) -> str:
    net_texts = nets(game).split(", ")
    return ", ".join(text for text in net_texts if (text.split()[1] in wagers if wagers else "ante" not in text))


def meters(game: Replay) -> str:
    assert game.state.settlement is not None
    return ", ".join(
        f"{format_micros(meter.amount_micros)} {format_micros(meter.reserve_micros)}"
        for meter in game.state.settlement.meters.values()
    )


SEVEN, SIX, SIX_ACE = "8s7s6s5s4s3s2s", "8c7c6c5c4c3c 2d", "AsKsQsJsTs9s 2h"
FIVE, FOUR, THREE, NONE = "Kh7h6h5h4h3h Ts", "6h5h4h3h Ac Ts Td", "5h4h3h Ac Ts Td Kd", "5h4h2h Ac Ts Td Kd"

# One seat, a base bet of 1: what it gains, the meter and reserve after, and the words.
LINES = """
table             | hand  | net     | meter after    | reason
PT-BJS-HCF-SF-07  | SEVEN | +29999.23 | 30000 -29999.95 | seven-card straight flush, eight high, takes 100% of the progressive meter: $30,000.23 | clause V9 V13 S3
PT-BJS-HCF-SF-07  | SIX   | +2999.03 | 27000.20 0.05 | six-card straight flush, eight high, takes 10% of the progressive meter: $3,000.03 | clause S3 W6
PT-BJS-HCF-SF-07  | FIVE  | +249    | 30000.23 0.05  | five-card straight flush, seven high, pays $250 for $1                            | clause V9 W6
PT-BJS-HCF-SF-07  | FOUR  | +49     | 30000.23 0.05  | four-card straight flush, six high, pays $50 for $1                               | clause V9 W6
PT-BJS-HCF-SF-07  | THREE | +2      | 30000.23 0.05  | three-card straight flush, five high, pays $3 for $1                              | clause V9 W6
PT-BJS-HCF-SF-07  | NONE  | -1      | 30000.23 0.05  | no straight flush                                                                 | clause S4
PT-BJS-HCF-SF-08b | SIX   | +2499.25 | 2500 0        | six-card straight flush, eight high, takes 100% of the progressive meter: $2,500.25 | clause V13
PT-BJS-HCF-SF-09  | SIX_ACE | +29999.23 | 30000 -29999.95 | six-card straight flush, ace high, takes 100% of the progressive meter: $30,000.23 | clause V11
PT-BJS-HCF-SF-09  | SIX   | +2999.03 | 27000.20 0.05 | six-card straight flush, eight high, takes 10% of the progressive meter: $3,000.03 | clause V11
PT-PRG-HCF-MLP-01 | SEVEN | +49999.07 | 50000 -49999.97, 5000.09 0.06 | seven-card straight flush, eight high, takes 100% of the level-1 meter: $50,000.07 | clause V10
PT-PRG-HCF-MLP-01 | SIX   | +4999.09 | 50000.07 0.03, 5000 -4999.94 | six-card straight flush, eight high, takes 100% of the level-2 meter: $5,000.09    | clause V10
"""  # noqa: E501
HANDS = {"SEVEN": SEVEN, "SIX_ACE": SIX_ACE, "SIX": SIX, "FIVE": FIVE, "FOUR": FOUR, "THREE": THREE, "NONE": NONE}


@pytest.mark.parametrize(("table", "hand", "net", "after", "explanation"), cases(LINES))
def test_progressive_lines(table: str, hand: str, net: str, after: str, explanation: str) -> None:
    game = progressive(table, f"4:{HANDS[hand]}")
    assert side_nets(game) == f"4 progressive {net}"
    assert meters(game) == after
    assert reason(game, 4, "progressive") == explanation


@pytest.mark.clause("G10")
def test_a_straight_flush_below_the_lowest_line() -> None:
    lines = "set jackpot progressive\nset seed 100\nset rate 10%\nset reserve-rate 0%"
    game = progressive("PT-BJS-HCF-SF-02", f"4:{THREE}", lines, "washington")
    assert reason(game, 4, "progressive") == "three-card straight flush, five high: does not pay"


@pytest.mark.clause("V9", "W7", "S10")
def test_another_base_bet_multiplies_pays_and_seed() -> None:
    game = progressive("PT-BJS-HCF-SF-07 base=5", f"4:{THREE}, 3:{SIX}", bet="5")
    # 150,000 + 2 x 5 x 23 % = 150,002.30, of which 10 % is 15,000.23.
    assert side_nets(game) == "4 progressive +10, 3 progressive +14995.23"
    assert meters(game) == "135002.07 0.50"
    assert reason(game, 4, "progressive") == "three-card straight flush, five high, pays $15 for $5"


HITS = """
policy  | nets                                           | meter
share   | 6 progressive +2499.20, 2 progressive +2499.20 | 5000 -4999.84
each    | 6 progressive +4999.40, 2 progressive +4999.40 | 5000 -4999.84
in-turn | 6 progressive +4999.40, 2 progressive +4999    | 5000 -9999.84
"""


@pytest.mark.clause("S2")
@pytest.mark.parametrize(("policy", "expected", "after"), cases(HITS))
def test_two_winners_of_one_meter(policy: str, expected: str, after: str) -> None:
    game = progressive("PT-BJS-HCF-SF-08a", f"6:{SEVEN}, 2:{SIX}", f"set hits {policy}")
    assert side_nets(game) == expected
    assert meters(game) == after
    assert reason(game, 2, "progressive").endswith(f"(2 winners: {policy})")


@pytest.mark.clause("S2", "S14")
def test_percentages_before_and_after_the_whole_meter_go_by_seat() -> None:
    game = progressive("PT-BJS-HCF-SF-07", f"6:{SIX}, 4:{SEVEN}, 1:8h7h6h5h4h3h Ts", "set reserve-rate 0%")
    # 30,000.69: seat 6 takes 3,000.07, seat 4 the rest, seat 1 a tenth of the new 30,000.
    assert side_nets(game) == "6 progressive +2999.07, 4 progressive +26999.62, 1 progressive +2999"
    assert meters(game) == "27000 0"
    assert "winners" not in reason(game, 4, "progressive")


@pytest.mark.clause("V10", "S2")
def test_winners_of_different_levels_do_not_share() -> None:
    game = progressive("PT-PRG-HCF-MLP-01", f"6:{SEVEN}, 2:{SIX}")
    assert side_nets(game) == "6 progressive +49999.14, 2 progressive +4999.18"
    assert "winners" not in reason(game, 6, "progressive")


@pytest.mark.clause("W5a", "W6")
@pytest.mark.parametrize(("hand", "net", "after"), [(SEVEN, "+999", "0"), (SIX, "+99", "900"), (FIVE, "+249", "1000")])
def test_a_bonus_jackpot_is_lowered_and_not_reset(hand: str, net: str, after: str) -> None:
    game = progressive("PT-BJS-HCF-SF-01", f"4:{hand}", "set jackpot bonus\nset seed 1000", "washington")
    assert (side_nets(game), meters(game)) == (f"4 progressive {net}", f"{after} 0")
    assert len(events(game, Contributed, MeterMoved)) == (hand != FIVE)


ENVY = """
table                    | hands                          | lines        | envy
PT-BJS-HCF-SF-E04        | 6:SEVEN, 5:NONE                |              | 5 envy +200
PT-BJS-HCF-SF-E04        | 6:SEVEN, 5:NONE, 3:-OTHER      |              | 5 envy +200
PT-BJS-HCF-SF-E04        | 6:-SEVEN, 5:NONE               |              |
PT-BJS-HCF-SF-E04        | 6:FOUR, 5:OTHER                |              |
PT-BJS-HCF-SF-E04        | 6:SEVEN                        |              |
PT-BJS-HCF-SF-E04        | 6:SEVEN, 5:NONE, 2:SIX         |              | 6 envy +200, 5 envy +400, 2 envy +200
PT-BJS-HCF-SF-E04        | 6:SEVEN, 5:NONE                | set envy off |
PT-BJS-HCF-SF-E05        | 6:SEVEN, 5:NONE, 2:SIX         |              | 5 envy +250, 2 envy +250
PT-BJS-HCF-SF-08a        | 6:SEVEN, 5:NONE                |              |
"""


@pytest.mark.clause("V5")
@pytest.mark.parametrize(("table", "hands", "lines", "expected"), cases(ENVY))
def test_envy(table: str, hands: str, lines: str, expected: str) -> None:
    for name, hand in (HANDS | {"OTHER": "Ks8d7c6d5c2d Kc"}).items():
        hands = hands.replace(f":{name}", f":{hand}").replace(f":-{name}", f":-{hand}")
    game = progressive(table, hands, lines)
    assert side_nets(game, "envy") == expected


@pytest.mark.clause("V5", "V9")
def test_envy_is_for_the_base_bet_and_not_from_the_meter() -> None:
    game = progressive("PT-BJS-HCF-SF-E04 base=2", f"6:{SEVEN}, 5:{NONE}, 2:{SIX}", bet="2")
    assert reason(game, 5, "envy") == "Envy Pay of $400 for seat 2's hand; Envy Pay of $400 for seat 6's hand"
    assert meters(game) == "10000 0"
    winner_seats = [event.move.seat for event in game.events if isinstance(event, MeterMoved)]
    assert winner_seats == [6, 2, 0]


@pytest.mark.clause("V5", "S6")
@pytest.mark.parametrize("disposition", ["return", "forfeit"])
def test_a_void_hand_neither_causes_nor_earns_envy(disposition: str) -> None:
    void = f"void 4 {disposition} other cards were shown"
    game = progressive("PT-BJS-HCF-SF-E04", f"2:{SIX}, 4:{SEVEN}, 6:{NONE}", end=void)
    assert side_nets(game, "envy") == "6 envy +200"


VOID = """
    rulebook oxford
    seat 1 ante 25 flush 5 straight-flush 5
    seat 4 ante 10
    deal 1 AsKs9s7s 6d7d8d
    deal 4 2c9c Jh4h 5s8s Qd
    deal dealer 9h8h6h Kc3c Td2s
    1 raise 25 expose 6d7d8d
    """


@pytest.mark.clause("S6", "O14")
@pytest.mark.parametrize(
    ("why", "words"),
    [("button", "The dealer presses a button in error"), ("other the lights went out", "the lights went out")],
)
def test_a_void_round_returns_every_wager(why: str, words: str) -> None:
    game = finish(VOID + f"void {why}")
    assert game.state.phase == "void"
    assert nets(game) == "4 ante +0, 1 ante +0, 1 raise +0, 1 flush +0, 1 straight-flush +0"
    assert {result.outcome for result in results(game)} == {"returned"}
    assert [result.stake_cents for result in results(game)] == [1000, 2500, 2500, 500, 500]
    assert reason(game, 4, "ante") == f"round void ({words}), wager returned"


@pytest.mark.clause("O7", "S6")
@pytest.mark.parametrize(
    ("disposition", "outcome", "loss_cents"), [("return", "returned", 0), ("forfeit", "forfeited", 1)]
)
def test_a_void_hand(disposition: str, outcome: str, loss_cents: int) -> None:
    game = finish(VOID + f"4 fold\nvoid 1 {disposition} other he showed his cards")
    assert result_texts(game) == [
        "4 ante 1000 lose full=0 paid=0 meter=0 net=-1000",
        *(
            f"1 {wager} {stake} {outcome} full=0 paid=0 meter=0 net={-stake * loss_cents}"
            for wager, stake in (("ante", 2500), ("raise", 2500), ("flush", 500), ("straight-flush", 500))
        ),
    ]
    assert reason(game, 1, "flush") == f"hand void (he showed his cards), wager {outcome}"
    conduct = reason(finish(VOID + f"4 fold\nvoid 1 {disposition} conduct"), 1, "ante")
    assert conduct.startswith("hand void (A player again shows or discusses cards")


METERED = f"""
    seat 2 ante 5 progressive 1
    seat 4 ante 5 progressive 1
    deal 2 {SIX}
    deal 4 {NONE}
    deal dealer Ah9h QcJc 9d4d 3d
    2 fold
    4 fold
    """
GALAXY = "rulebook galaxy-v7\noffer progressive PT-BJS-HCF-SF-07"
WASHINGTON = (
    "rulebook washington\noffer progressive PT-BJS-HCF-SF-01\n"
    "set jackpot progressive\nset seed 30000\nset rate 23%\nset reserve-rate 5%"
)
BONUS = "rulebook washington\noffer progressive PT-BJS-HCF-SF-01\nset jackpot bonus\nset seed 30000"

# Meter and reserve after the round, and for which seats the contribution is reversed. Seat 2 would win 10 %.
REVERSALS = """
rulebook   | void                       | meter         | reversed
galaxy-v7  | void other x               | 30000 0       | 2 4      | clause S4 S6
washington | void other x               | 30000.46 0.10 |          | clause S4 W5b
bonus      | void other x               | 30000 0       |          | clause W5a S6
galaxy-v7  | void 2 return other x      | 30000.23 0.05 | 2        | clause S4 S6
galaxy-v7  | void 4 return other x      | 27000.20 0.05 | 4        | clause S4 S6
galaxy-v7  | void 2 forfeit other x     | 30000.46 0.10 |          | clause S6
washington | void 2 return other x      | 30000.46 0.10 |          | clause S4 W5b
bonus      | void 2 return other x      | 30000 0       |          | clause W5a S6
"""


@pytest.mark.parametrize(("rulebook", "void", "after", "reversals"), cases(REVERSALS))
def test_a_void_reverses_contributions_unless_the_meter_may_not_fall(
    rulebook: str, void: str, after: str, reversals: str
) -> None:
    table = {"galaxy-v7": GALAXY, "washington": WASHINGTON, "bonus": BONUS}[rulebook]
    game = finish(table + METERED + void)
    assert meters(game) == after
    reversal_events = [event for event in game.events if isinstance(event, ContributionReversed)]
    assert [event.seat for event in reversal_events] == [int(seat) for seat in reversals.split()]
    assert all(event.amount == Meter(230000, 50000) and event.meter == "progressive" for event in reversal_events)


@pytest.mark.clause("S4")
def test_a_void_before_the_lock_has_nothing_to_reverse() -> None:
    for table in (GALAXY, WASHINGTON):
        game = finish(f"{table}\nseat 2 ante 5 progressive 1\nvoid other x")
        assert meters(game) == "30000 0"
        assert nets(game) == "2 ante +0, 2 progressive +0"
        assert events(game, ContributionReversed) == []


@pytest.mark.clause("S4", "S6")
def test_a_hand_without_the_bet_has_no_contribution_to_reverse() -> None:
    game = finish(GALAXY + METERED.replace("seat 4 ante 5 progressive 1", "seat 4 ante 5") + "void 4 return other x")
    assert events(game, ContributionReversed) == []
    assert meters(game) == "27000.20 0.05"


ONLY = f"""
    rulebook galaxy-v7
    offer progressive PT-BJS-HCF-SF-E04
    set play progressive-only
    seat 2 progressive 1
    seat 3 progressive 1
    seat 5 progressive 1
    deal 3 {SIX}
    deal 5 {NONE}
    """


@pytest.mark.clause("S12")
def test_a_seat_whose_cards_are_not_entered_has_not_won() -> None:
    game = finish(ONLY)
    assert nets(game) == "5 progressive -1, 5 envy +200, 3 progressive +4999.81, 2 progressive -1, 2 envy +200"
    assert reason(game, 2, "progressive") == "no winning hand was shown"


@pytest.mark.clause("S12", "S6")
def test_a_void_hand_of_a_progressive_only_round() -> None:
    game = finish(ONLY + "void 3 return other a marked card")
    assert nets(game) == "5 progressive -1, 3 progressive +0, 2 progressive -1"
    assert meters(game) == "5000.54 0"


GIVEN = """
given                        | least       | message
level-1 500, level-2 0       |             |
level-1 500, level-2 500     | level-2 500 |
level-1 500, level-2 499.999999 | level-1 500 |
level-1 500, level-2 499.999999 | level-2 500 | meter level-2: read $499.999999, expected $500 or more
level-1 500, level-2 -0.01   |             | meter level-2: read -$0.01, expected $0 or more
                             |             | meters: read no meter, expected level-1, level-2
progressive 1                |             | meters: read progressive, expected level-1, level-2
level-1 1, level-2 1, other 1 |            | meters: read level-1, level-2, other, expected level-1, level-2
"""


@pytest.mark.clause("S5")
@pytest.mark.parametrize(("meter", "least", "message"), cases(GIVEN))
def test_the_tables_own_meters_are_settled_with_what_they_must_hold(meter: str, least: str, message: str) -> None:
    table = begin("rulebook galaxy-v7\noffer progressive PT-PRG-HCF-MLP-01").rulebook
    amounts, must = (dict(pair.split() for pair in text.split(", ") if pair) for text in (meter, least))
    meters = {name: Meter(parse_micros(amount, signed=True)) for name, amount in amounts.items()}
    error_text = ""
    try:
        check_meters(table, meters, {name: parse_micros(amount) for name, amount in must.items()})
    except ActionError as error:
        error_text = str(error)
    assert error_text == message


@pytest.mark.clause("W5a")
def test_a_bonus_jackpot_is_settled_on_its_display_at_the_lock() -> None:
    offer = "rulebook washington\noffer progressive PT-BJS-HCF-SF-01\nset jackpot bonus\nmeter progressive 500"
    game = begin(f"{offer}\nseat 1 ante 5 progressive 1\nlock")
    check_displays(game.rulebook, game.state, {"progressive": Meter(500_000000)})
    with pytest.raises(ActionError) as error_info:
        check_displays(game.rulebook, game.state, {"progressive": Meter(499_990000)})
    assert str(error_info.value) == (
        "display of bonus jackpot progressive: read $499.99, expected $500, as when the wagers locked"
    )


@pytest.mark.clause("S4", "W5b")
def test_the_display_grows_when_the_wagers_lock() -> None:
    game = begin(f"{WASHINGTON}\nmeter progressive 100 reserve=-7\nseat 2 ante 5 progressive 1\nseat 4 ante 5")
    assert locked_meters(game.rulebook, game.state) == {"progressive": Meter(100_000000, -7_000000)}
    state, facts = step(game.rulebook, game.state, Lock())
    assert locked_meters(game.rulebook, state) == {"progressive": Meter(100_230000, -6_950000)}
    assert facts[1:] == (Contributed(2, "progressive", Meter(230000, 50000)),)


@pytest.mark.clause("S2", "S5")
def test_settle_does_not_touch_the_meters_it_is_given() -> None:
    game = begin(GALAXY + METERED)
    state, _ = step(game.rulebook, game.state, VoidHand(4, "return", "other", "x"))
    meters_before = {"progressive": Meter(500_000000)}
    settlement = settle(game.rulebook, state, meters_before)
    assert meters_before == {"progressive": Meter(500_000000)}
    # Less seat 4's contribution of 0.23, and then seat 2's 10 %, rounded up.
    assert settlement.meters == {"progressive": Meter(449_790000, -50000)}


@pytest.mark.clause("G4", "V5", "V9")
def test_progressive_and_envy_results_in_full_and_none_without_the_bet() -> None:
    game = progressive("PT-BJS-HCF-SF-E04", f"1:-QdJd6d 9s8s 6h2c, 2:{SIX}, 4:{THREE}")
    assert [line for line in result_texts(game) if " ante " not in line] == [
        "4 progressive 100 win full=300 paid=300 meter=0 net=200",
        "4 envy 0 win full=20000 paid=20000 meter=0 net=20000",
        "2 progressive 100 win full=500054 paid=500054 meter=500054 net=499954",
    ]


CLUB = """
name = "club"
extends = "BASE"
[paytables.flush]
pays = "for 1"
[paytables.straight-flush]
pays = "for 1"
lines = [{ cards = 6, pay = 1000 }, { cards = 4, pay = 60 }]
"""


def club(base: str, hand: str, decision: str) -> Replay:
    """Play a round at a table whose bonus bets pay for 1 and whose straight flush begins at four cards."""
    book = load(CLUB.replace("BASE", base))
    lines = f"rulebook club\nseat 3 ante 5 flush 5 straight-flush 5\ndeal 3 {hand}\n{QUALIFIED}\n3 {decision}"
    return replay(read(lines), find=lambda _: book)


def test_a_bonus_that_pays_for_1_keeps_the_stake() -> None:
    game = club("oxford", "8s7s6s5s 3d2d Ad", "fold")
    assert nets(game) == "3 ante -5, 3 flush +0, 3 straight-flush +295"
    assert reason(game, 3, "straight-flush") == "four-card straight flush, eight high, pays 60 for 1"


# If a straight flush must be shown, the reason does not mention one that was not shown.
UNPAID = """
base          | hand             | decision           | reason
oxford        | AsKs9s 6d7d8d 2c | fold               | three-card straight flush, eight high: does not pay | clause G10
oxford        | AsKs9s 6d7d9d 2c | fold               | no straight flush                                   | clause G9
atlantic-city | AsKs9s 6d7d8d 2c | fold expose 6d7d8d | three-card straight flush, eight high: does not pay | clause A3
atlantic-city | AsKs9s 6d7d8d 2c | fold               | no straight flush was kept or laid face up          | clause A3
"""


@pytest.mark.parametrize(("base", "hand", "decision", "explanation"), cases(UNPAID))
def test_an_unpaid_straight_flush_has_its_reason(base: str, hand: str, decision: str, explanation: str) -> None:
    game = club(base, hand, decision)
    assert result_texts(game)[2] == "3 straight-flush 500 lose full=0 paid=0 meter=0 net=-500"
    assert reason(game, 3, "straight-flush") == explanation


def test_a_plan_without_rates_takes_nothing_from_a_bet() -> None:
    assert contribution(Plan("progressive", 0, 0), 500) == Meter(0)
