"""The one way through: the phase table, every refusal, dealing, clocks, and what is told."""

from __future__ import annotations

from itertools import product
from typing import Any, get_args

import pytest

from highcardflush.cards import NO_CARDS, Hand
from highcardflush.errors import ActionError
from highcardflush.game import actions as a
from highcardflush.game import events as e
from highcardflush.game import locked_meters, open_round, step
from highcardflush.game.dealing import deal_order, first_position, seat_at
from highcardflush.game.decisions import default_decision, playable_flushes
from highcardflush.game.phases import FULL, PROGRESSIVE_ONLY, Table
from highcardflush.game.state import DEALER, Decision, Phase, State
from highcardflush.jackpot import Meter
from highcardflush.money import MICROS_PER_CENT
from highcardflush.notation.replay import Replay
from highcardflush.rulebook import PACKAGED, load, packaged
from highcardflush.rulebook.load import packaged_text
from highcardflush.rulebook.wagers import Amounts
from highcardflush.words import Reason, say_amounts
from highcardflush.words.en import ACTIONS as WORDS
from support.twins.ledger import Ledger
from support.walkers.rounds import QUALIFIED, begin, cases, deck_from, events, finish, nets, refused, results, then

DEALT = """
    rulebook oxford
    seat 1 ante 10 straight-flush 5
    seat 4 ante 10
    deal 1 AsKs9s7s 6d7d8d
    deal 4 2c9c Jh4h 5s8s Qd
    deal dealer 9h8h6h Kc3c Td2s
    """
ONLY = "rulebook galaxy-v7\noffer progressive PT-BJS-HCF-SF-07\nset play progressive-only\n"

FULL_ROUNDS: dict[Phase, Replay] = {
    "betting": begin("rulebook oxford\nseat 1 ante 10\nseat 4 ante 10"),
    "locked": begin("rulebook oxford\nseat 1 ante 10\nseat 4 ante 10\nlock"),
    "dealt": begin(DEALT),
    "acting": begin(DEALT + "1 raise 10"),
    "showdown": begin(DEALT + "1 raise 10\n4 fold"),
    "settled": finish(DEALT + "1 raise 10\n4 fold"),
    "void": begin(DEALT + "void button"),
}
ONLY_ROUNDS: dict[Phase, Replay] = {
    "betting": begin(ONLY + "seat 1 progressive 1\nseat 4 progressive 1"),
    "locked": begin(ONLY + "seat 1 progressive 1\nseat 4 progressive 1\nlock"),
    "dealt": begin(ONLY + "seat 1 progressive 1\nseat 4 progressive 1\ndeal 1 AsKs9s7s 6d7d8d"),
    "settled": finish(ONLY + "seat 1 progressive 1\nseat 4 progressive 1"),
    "void": begin(ONLY + "seat 1 progressive 1\nseat 4 progressive 1\nvoid other x"),
}
ACTIONS: tuple[a.Action, ...] = (
    a.PlaceWagers(2, {"ante": 1000}),
    a.ClearWagers(1),
    a.RollDice((1, 2, 3)),
    a.Lock(),
    a.DrawDynamic((("5-card", 75),)),
    a.Deal(deck_from()),
    a.DealHand(4, Hand.parse("2c9c Jh4h 5s8s Qd")),
    a.Fold(4),
    a.Raise(4, 1000),
    a.TimeOut(4),
    a.VoidHand(4, "return", "other", "a test"),
    a.Void("other", "a test"),
    a.Settle({}),
)


def why(game: Replay, action: a.Action) -> str:
    return refused(game.rulebook, game.state, action)


def impossible(rounds: dict[Phase, Replay], table: Table, *clauses: str) -> list[Any]:
    pairs = [(phase, action) for phase, action in product(rounds, ACTIONS) if type(action) not in table[phase]]
    marks = pytest.mark.clause(*clauses)
    return [
        pytest.param(rounds[phase], action, list(table[phase]), marks=marks, id=f"{phase}-{type(action).__name__}")
        for phase, action in pairs
    ]


def test_the_rounds_are_in_their_phases_and_every_action_is_tried() -> None:
    for rounds in (FULL_ROUNDS, ONLY_ROUNDS):
        assert all(game.state.phase == phase for phase, game in rounds.items())
    assert tuple(FULL_ROUNDS) == get_args(Phase) == tuple(FULL)
    assert tuple(ONLY_ROUNDS) == tuple(PROGRESSIVE_ONLY)
    assert {type(action) for action in ACTIONS} == {kind for actions in FULL.values() for kind in actions}


@pytest.mark.parametrize(
    ("game", "action", "allowed_kinds"),
    [*impossible(FULL_ROUNDS, FULL, "O1", "O3", "G4"), *impossible(ONLY_ROUNDS, PROGRESSIVE_ONLY, "S12")],
)
def test_actions_of_another_phase_are_refused(
    game: Replay, action: a.Action, allowed_kinds: list[type[a.Action]]
) -> None:
    read = WORDS[type(action).__name__]
    expected = ", ".join(WORDS[kind.__name__] for kind in allowed_kinds) or "nothing more"
    message = f"the round is in phase {game.state.phase}: read {read}, expected {expected}"
    assert why(game, action) == message


@pytest.mark.clause("G5", "G6")
@pytest.mark.parametrize(
    ("dealer", "qualifies", "code"),
    [("9h8h6h", True, "dealer-qualifies"), ("8h7h6h", False, "dealer-does-not-qualify")],
)
def test_events_tell_a_whole_round(dealer: str, qualifies: bool, code: str) -> None:
    game = finish(DEALT.replace("9h8h6h", dealer) + "1 raise 10 expose 6d7d8d\n4 fold")
    assert [type(event).__name__ for event in game.events] == [
        "WagersPlaced", "WagersPlaced", "WagersLocked", "HandDealt", "HandDealt", "HandDealt",
        "BonusShown", "Raised", "Folded", "DealerShown",
        "WagerSettled", "WagerSettled", "WagerSettled", "WagerSettled", "RoundSettled",
    ]  # fmt: skip
    why = Reason(code, {"dealer": "-".join(dealer[::2])})
    assert events(game, e.DealerShown) == [e.DealerShown(Hand.parse(f"{dealer} Kc3c Td2s"), qualifies, why)]


@pytest.mark.clause("S8")
def test_another_rulebook_or_a_change_of_it_or_of_the_table_is_refused() -> None:
    oxford = packaged("oxford")
    other_book = load(packaged_text("oxford").replace("cap-player = 25000", "cap-player = 24000"))
    for other in (packaged("meadows"), other_book, begin("rulebook oxford\nset seats 4").rulebook):
        assert refused(other, open_round(oxford), a.PlaceWagers(1, {"ante": 100})) == (
            f"the round was opened at a different table: read {other.name} @{other.sha256[:12]}, "
            f"expected oxford @{oxford.sha256[:12]} with the offers and settings of the round"
        )


GALAXY = "rulebook galaxy-v7\noffer progressive PT-BJS-HCF-SF-07 base=2"
WASHINGTON = """
    rulebook washington
    offer flush PT-FLT-HCF-FB-01
    offer straight-flush PT-FLT-HCF-SF-01
    offer progressive PT-BJS-HCF-SF-01 base=6
    set flush-maximum 5
    set jackpot progressive
    set seed 100
    set rate 10%
    set reserve-rate 0%
    """

WAGERS = """
table        | seat | wagers                                     | refused because
oxford       | 7    | ante=10                                    | seat: read seat 7, expected a seat from 1 to 6                | clause G11 O1
oxford4      | 5    | ante=10                                    | seat: read seat 5, expected a seat from 1 to 4                | clause G11
oxford       | 1    |                                            | seat 1: a wager is missing: read no wager, expected a wager on ante | clause G4
oxford       | 1    | flush=5                                    | seat 1: a wager is missing: read flush, expected a wager on ante    | clause G4 O3
atlantic-city | 1   | flush=5                                    | seat 1: a wager is missing: read flush, expected a wager on ante    | clause A1
oxford       | 1    | ante=-10                                   | seat 1: ante: read -$10, expected any amount                 | clause S10
oxford       | 1    | ante=10 progressive=1                      | seat 1: wager not offered: read progressive, expected one of ante, flush, straight-flush | clause S15
galaxy-v7    | 1    | ante=10 flush=5                            | seat 1: wager not offered: read flush, expected one of ante         | clause S15 V1
atlantic-city | 1   | ante=12                                    | seat 1: ante: read $12, expected $5 or more in steps of $5       | clause A6
atlantic-city | 1   | ante=5 straight-flush=12.50                | seat 1: straight-flush: read $12.50, expected $5 or more in steps of $5 | clause A6
limits       | 1    | ante=50.01                                 | seat 1: ante: read $50.01, expected $10 to $50                   | clause V1 S10
limits       | 1    | ante=10 flush=0.99                         | seat 1: flush: read $0.99, expected $1 to $5                     | clause V1
limits       | 1    | ante=10 straight-flush=3.01                | seat 1: straight-flush: read $3.01, expected $2 to $3            | clause V1
steps        | 1    | ante=10                                    | seat 1: ante: read $10, expected $15 or $30 or $45                | clause S10
galaxy       | 1    | ante=10 progressive=1                      | seat 1: progressive: read $1, expected $2                       | clause S10
mandatory    | 1    | ante=10                                    | seat 1: a wager is missing: read ante, expected a wager on progressive | clause V6
washington   | 1    | ante=10 flush=6                            | seat 1: flush: read $6, expected $0.01 to $5               | clause W2
only         | 1    | ante=10 progressive=1                      | seat 1: wager not offered: read ante, expected one of progressive   | clause S12
only         | 1    | flush=5 progressive=1                      | seat 1: wager not offered: read flush, expected one of progressive  | clause S12
other-order  | 1    | flush=5 progressive=1                      | seat 1: wager not offered: read flush, expected one of progressive  | clause S12
only         | 1    |                                            | seat 1: a wager is missing: read no wager, expected a wager on progressive | clause S12
"""  # noqa: E501
FLUSH = "offer flush washington/PT-FLT-HCF-FB-01"
TABLES = {
    **{name: f"rulebook {name}" for name in PACKAGED},
    "oxford4": "rulebook oxford\nset seats 4",
    "washington": WASHINGTON,
    "galaxy": GALAXY,
    "mandatory": GALAXY + "\nset mandatory progressive",
    "limits": "rulebook oxford\nset ante-minimum 10\nset ante-maximum 50\nset flush-minimum 1\nset flush-maximum 5\n"
    "set straight-flush-minimum 2\nset straight-flush-maximum 3",
    "steps": "rulebook galaxy-v7\nset increment 15\nset ante-minimum 10\nset ante-maximum 50",
    "only": ONLY.replace("offer", f"{FLUSH}\noffer"),
    "other-order": f"{ONLY.strip()}\n{FLUSH}",
}


def wagers(text: str) -> a.Wagers:
    pairs = (pair.split("=") for pair in text.split())
    return a.Wagers(**{name: round(float(amount) * 100) for name, amount in pairs})


@pytest.mark.parametrize(("table", "seat", "bets", "message"), cases(WAGERS))
def test_refused_wagers(table: str, seat: str, bets: str, message: str) -> None:
    game = begin(TABLES[table])
    assert why(game, a.PlaceWagers(int(seat), wagers(bets))) == message


@pytest.mark.clause("O3")
def test_wagers_are_replaced_and_taken_back_until_they_lock() -> None:
    oxford = packaged("oxford")
    state, _ = step(oxford, open_round(oxford), a.PlaceWagers(3, {"ante": 1000, "flush": 500}))
    state, _ = step(oxford, state, a.PlaceWagers(1, {"ante": 2000}))
    state, _ = step(oxford, state, a.PlaceWagers(3, {"ante": 700}))
    assert [(seat.number, seat.wagers) for seat in state.seats] == [(1, {"ante": 2000}), (3, {"ante": 700})]
    state, facts = step(oxford, state, a.ClearWagers(1))
    assert [seat.number for seat in state.seats] == [3]
    assert facts == (e.WagersCleared(1),)


AMOUNTS = """
minimum | maximum | step | text                      | choices
1       | -       | 1    | any amount              |
500     | -       | 500  | $5 or more in steps of $5   |
100     | 100     | 1    | $1                         | 100
100     | 400     | 100  | $1 or $2 or $3 or $4          | 100 200 300 400
100     | 500     | 100  | $1 to $5 in steps of $1      |
100     | 104     | 1    | $1 to $1.04                 |
"""


@pytest.mark.parametrize(("low", "high", "by", "text", "choices"), cases(AMOUNTS))
def test_amounts(low: str, high: str, by: str, text: str, choices: str) -> None:
    amounts = Amounts(int(low), None if high == "-" else int(high), int(by))
    assert say_amounts(amounts) == text
    assert amounts.choices == [int(choice) for choice in choices.split()]
    assert int(low) in amounts
    assert int(low) - 1 not in amounts
    assert (int(low) + 1 in amounts) == (by == "1" and high != low)


DICE = "rulebook washington\nseat 1 ante 10\n"
DYNAMIC = "rulebook galaxy-v7\noffer progressive PT-PRG-HCF-D01a\nseat 1 ante 10 progressive 1\n"
ONE = "rulebook oxford\nseat 1 ante 10\nseat 3 ante 10\n"

REFUSED: list[tuple[str, a.Action, str, str]] = [
    ("rulebook oxford", a.Lock(), "lock: read no wager, expected a wager from at least one seat", "G4"),
    (ONE, a.ClearWagers(2), "seat: read seat 2, expected a seat with a wager (1, 3)", "O3"),
    ("rulebook oxford", a.ClearWagers(2), "seat: read seat 2, expected a seat with a wager (none)", "O3"),
    # dice
    (ONE, a.RollDice((1, 2, 3)), "dealing: read dice, expected left-to-right", "O5"),
    (DICE.replace("seat", "set dealing left-to-right\nseat", 1), a.RollDice((1, 2, 3)),
     "dealing: read dice, expected left-to-right", "W10"),
    (DICE + "dice 1 2 3", a.RollDice((1, 2, 3)),
     "dice: read a second roll or a roll after the deal, expected one roll before the deal", "W10"),
    (DICE + "deal 1 AsKs9s7s 6d7d8d", a.RollDice((1, 2, 3)),
     "dice: read a second roll or a roll after the deal, expected one roll before the deal", "W10"),
    (DICE, a.RollDice((1, 2, 7)), "dice: read 1 2 7, expected three dice, each 1 to 6", "W10"),
    (DICE, a.RollDice((0, 2, 6)), "dice: read 0 2 6, expected three dice, each 1 to 6", "W10"),
    (DICE.replace("seat", "set dealing dice\nseat", 1) + "lock", a.Deal(deck_from()),
     "deal: read no roll of the dice, expected a roll before the deal", "W10"),
    # dynamic
    (ONE + "lock", a.DrawDynamic((("5-card", 75),)),
     "dynamic: read a draw of Dynamic Pays, expected no draw, because no pay table with Dynamic Pays is offered", "V7"),
    (DYNAMIC + "dynamic 5-card=75", a.DrawDynamic((("5-card", 75),)),
     "dynamic: read a second draw or a draw after a card, expected one draw before the first card", "V7"),
    (DYNAMIC + "dynamic 5-card=75\ndeal 1 AsKs9s7s 6d7d8d", a.DrawDynamic((("4-card", 15),)),
     "dynamic: read a second draw or a draw after a card, expected one draw before the first card", "V7"),
    (DYNAMIC + "lock", a.DrawDynamic(()),
     "dynamic: read no line, expected 1 to 3 different lines from 6-card, 5-card, 4-card, 3-card", "V7"),
    (DYNAMIC + "lock", a.DrawDynamic((("6-card", 750), ("5-card", 75), ("4-card", 15), ("3-card", 3))),
     "dynamic: read 6-card, 5-card, 4-card, 3-card, "
     "expected 1 to 3 different lines from 6-card, 5-card, 4-card, 3-card",
     "V7"),
    (DYNAMIC + "lock", a.DrawDynamic((("5-card", 75), ("5-card", 100))),
     "dynamic: read 5-card, 5-card, expected 1 to 3 different lines from 6-card, 5-card, 4-card, 3-card", "V7"),
    (DYNAMIC + "lock", a.DrawDynamic((("7-card", 75),)),
     "dynamic: read 7-card, expected one of 6-card, 5-card, 4-card, 3-card", "V7"),
    (DYNAMIC + "lock", a.DrawDynamic((("3-card", 2),)),
     "dynamic 3-card: read 2, expected one of 3, 4, 6, 8, 10, 12, 14, 16, 18, 20", "V7"),
    (DYNAMIC + "lock", a.Deal(deck_from()),
     "dynamic: read no draw of Dynamic Pays, expected a draw before the first card", "V7"),
    # deal
    (ONE + "lock", a.Deal(deck_from()[1:]),
     "deck: read 51 cards, 51 of them different, expected each of the 52 cards once",
     "G1"),
    (ONE + "lock", a.Deal((*deck_from()[1:], 7)),
     "deck: read 52 cards, 51 of them different, expected each of the 52 cards once", "G1"),
    (ONE + "lock", a.DealHand(1, NO_CARDS), "deal 1: read 0, expected a hand of at least one card", "O6"),
    (ONE + "deal 1 AsKs9s7s 6d7d8d", a.Deal(deck_from()),
     "some hands have been dealt: read a deck, expected the other hands, one by one", "G1"),
    (ONE + "lock", a.DealHand(2, Hand.parse("AsKs9s7s 6d7d8d")),
     "seat: read seat 2, expected a seat with a wager (1, 3)", "G4"),
    (ONE + "deal 1 AsKs9s7s 6d7d8d", a.DealHand(1, Hand.parse("AhKh9h7h 6c7c8c")),
     "deal 1: read a second hand, expected one hand each", "O1"),
    (ONE + "deal dealer AsKs9s7s 6d7d8d", a.DealHand(0, Hand.parse("AhKh9h7h 6c7c8c")),
     "deal dealer: read a second hand, expected one hand each", "G1"),
    (ONE + "deal 1 AsKs9s7s 6d7d8d", a.DealHand(3, Hand.parse("AsKs9h7h 6c7c8c")),
     "card dealt twice: read As, Ks for 3, already dealt to 1, expected each card once", "G1"),
    (ONE + "deal 1 AsKs9s7s 6d7d8d", a.DealHand(0, Hand.parse("AhKh9h7h 6c7c8d")),
     "card dealt twice: read 8d for dealer, already dealt to 1, expected each card once", "G1"),
    (ONLY + "seat 1 progressive 1\nlock", a.DealHand(0, Hand.parse("AsKs9s7s 6d7d8d")),
     "deal: read the dealer's hand, expected a player's hand, because this table runs only the jackpot", "S12"),
    # decisions
    (DEALT, a.Fold(2), "seat: read seat 2, expected a seat with a wager (1, 4)", "G5"),
    (DEALT + "1 fold", a.Raise(1, 1000),
     "seat 1: read a second decision, expected a seat without a decision (4)", "O3"),
    (DEALT + "1 fold", a.TimeOut(1), "seat 1: read a second decision, expected a seat without a decision (4)", "S9"),
    (DEALT + "void 1 return conduct", a.Fold(1),
     "seat 1: read a decision on a void hand, expected a seat without a decision (4)", "O7"),
    (DEALT, a.Fold(1, Hand.parse("2c")),
     "seat 1: expose: read 2c, expected cards from the seat's own hand (AsKs9s7s 8d7d6d)",
     "O9"),
    (DEALT, a.Raise(1, 1000, None, Hand.parse("As 6d")),
     "seat 1: expose: read As 6d, expected cards that are not kept (8d7d6d)", "O9"),
    (DEALT, a.Raise(1, 1000, 1, Hand.parse("8d")),
     "seat 1: expose: read 8d, expected cards that are not kept (AsKs9s7s)", "O9"),
    (DEALT, a.Raise(4, 1000, 1),
     "seat 4: the flush that plays: read one card, queen high, expected a suit with at least two cards "
     "(hearts, clubs, spades)", "S11"),
    (DEALT, a.Raise(1, 1000, 2),
     "seat 1: the flush that plays: read no cards, expected a suit with at least two cards (spades, diamonds)", "S11"),
    # voids
    (DEALT, a.VoidHand(2, "return", "button"),
     "void of a hand: read button, expected one of conduct, other; `other` must be followed by a text", "O14"),
    (DEALT, a.VoidHand(2, "return", "conduct"), "seat: read seat 2, expected a seat with a wager (1, 4)", "S6"),
    (DEALT + "void 1 return conduct", a.VoidHand(1, "forfeit", "conduct"),
     "seat 1: read a second void, expected only one void per hand", "S6"),
    (DEALT, a.VoidHand(1, "keep", "conduct"), "void: read keep, expected return or forfeit", "S6"),  # type: ignore[arg-type]
    (DEALT, a.Void("rain"), "void of a round: read rain, expected one of deck-count, shuffler, button, dropped-cards, "
     "co-mingled, card-count, other; `other` must be followed by a text", "O14"),
    (DEALT, a.Void("conduct"), "void of a round: read conduct, expected one of deck-count, shuffler, button, "
     "dropped-cards, co-mingled, card-count, other; `other` must be followed by a text", "O7"),
    (DEALT, a.Void(""), "void of a round: read no reason, expected one of deck-count, shuffler, button, dropped-cards, "
     "co-mingled, card-count, other; `other` must be followed by a text", "O14"),
    (DEALT.replace("oxford", "meadows"), a.Void("button"),
     "void of a round: read button, expected one of other; `other` must be followed by a text", "O14"),
    *[(DEALT, a.Void(code, text), f"void: read {f'{code} {text}'.strip()!r}, expected one line of text without # "
       "after other, and no text after any other reason", "O14")
      for code, text in [("other", ""), ("button", "by mistake"), ("other", "a # b"), ("other", " a"),
                         ("other", "a  b"), ("other", "a\nb"), ("other", "#")]],
    # settle
    (DEALT + "1 fold\n4 fold", a.Settle({"progressive": Meter(0)}),
     "meters: read progressive, expected no meter", "S5"),
    (ONLY + "seat 1 progressive 1\nlock", a.Settle(), "meters: read no meter, expected progressive", "S5"),
    (ONLY + "seat 1 progressive 1\ndeal 1 AsKs9s 6d7d8d", a.Settle({"progressive": Meter(30000_230000)}),
     "seat 1 has 6 cards instead of 7: read settlement, expected a void", "O6"),
    (ONLY.replace("BJS-HCF-SF-07", "PRG-HCF-D01a") + "seat 1 progressive 1\nlock",
     a.Settle({"progressive": Meter(50000_230000)}),
     "dynamic: read no draw of Dynamic Pays, expected a draw before the first card", "V7"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("snippet", "action", "message"),
    [pytest.param(*case, marks=pytest.mark.clause(clause), id=f"{case[1]}") for *case, clause in REFUSED],
)
def test_refusals(snippet: str, action: a.Action, message: str) -> None:
    game = begin(snippet)
    assert why(game, action) == message


@pytest.mark.clause("S15")
def test_a_round_opens_with_the_tables_own_meters_alone() -> None:
    with pytest.raises(ActionError) as error_info:
        open_round(packaged("oxford"), {"progressive": Meter(1)})
    assert str(error_info.value) == "meter: read progressive, expected no meter, because no progressive is offered"
    rulebook = begin(GALAXY).rulebook
    with pytest.raises(ActionError) as error_info:
        open_round(rulebook, {"level-1": Meter(1)})
    assert str(error_info.value) == "meter: read level-1, expected progressive"
    with pytest.raises(ActionError, match=r"meter progressive: read -\$0.000001, expected \$0 or more"):
        open_round(rulebook, {"progressive": Meter(-1)})


@pytest.mark.clause("S15", "V9", "W7")
def test_a_meter_that_is_not_given_starts_at_its_seed() -> None:
    rulebook = begin(GALAXY).rulebook
    assert open_round(rulebook).meters == {"progressive": Meter(60000_000000)}
    assert open_round(rulebook, {"progressive": Meter(5, 6)}).meters == {"progressive": Meter(5, 6)}
    levels = begin("rulebook galaxy-v7\noffer progressive PT-PRG-HCF-MLP-01").rulebook
    assert open_round(levels, {"level-2": Meter(5)}).meters == {"level-1": Meter(50000_000000), "level-2": Meter(5)}


@pytest.mark.clause("S11")
@pytest.mark.parametrize("keep", [4, 9, -1])
@pytest.mark.parametrize("rulebook", ["oxford", "washington"])
def test_a_suit_that_does_not_exist_is_refused(rulebook: str, keep: int) -> None:
    game = begin(DEALT.replace("oxford", rulebook).replace(" straight-flush 5", ""))
    assert "keep" in why(game, a.Raise(1, 1000, keep))


def decided(state: State, number: int) -> Decision:
    decision = state.seat(number).decision
    assert decision is not None
    return decision


# By rulebook and cards in the flush that plays, for an Ante of 10.
RAISES = """
rulebook      | settings             | 2 to 4      | 5           | 6 and 7
galaxy-v7     |                      | $10          | $10 to $20    | $10 to $30    | clause V2
galaxy-v7     | raise-minimum 0.5x   | $5 to $10     | $5 to $20     | $5 to $30     | clause V2
galaxy-v7     | raise-minimum 0x     | $0.01 to $10  | $0.01 to $20  | $0.01 to $30  | clause V2
atlantic-city |                      | $10          | $20          | $30          | clause A2
washington    |                      | $10          | $10 or $20    | $10 or $20 or $30 | clause W1
meadows       |                      | $10          | $10 to $20    | $10 to $30    | clause M1
oxford        |                      | $10          | $10 or $20    | $10 or $20 or $30 | clause O2
"""


@pytest.mark.parametrize(("rulebook", "setting", "few", "five", "many"), cases(RAISES))
def test_raise_amounts(rulebook: str, setting: str, few: str, five: str, many: str) -> None:
    table = begin(f"rulebook {rulebook}\n" + (f"set {setting}" if setting else "")).rulebook
    amounts = [say_amounts(table.raise_amounts(1000, cards)) for cards in range(2, 8)]
    assert amounts == [few, few, few, five, many, many]


@pytest.mark.clause("V2", "S10")
def test_a_raise_keeps_to_the_tables_increment() -> None:
    table = begin("rulebook galaxy-v7\nset increment 3\nset raise-minimum 0.5x").rulebook
    assert table.raise_amounts(900, 5) == Amounts(600, 1800, 300)


@pytest.mark.clause("A2", "A4", "M5", "S11")
def test_the_kept_flush_sets_the_raise() -> None:
    game = begin("rulebook atlantic-city\nseat 2 ante 5\ndeal 2 AsKsQs9s8s 7c6c\ndeal dealer 9h8h6h Kc3c Td2s")
    assert why(game, a.Raise(2, 500)) == "seat 2: raise with a 5-card flush: read $5, expected $10"
    assert why(game, a.Raise(2, 1000, keep=0)) == "seat 2: raise with a 2-card flush: read $10, expected $5"
    assert decided(then(game, a.Raise(2, 500, keep=0)).state, 2).keep == 0


@pytest.mark.clause("S11")
@pytest.mark.parametrize("rulebook", ["galaxy-v7", "washington"])
def test_keep_and_expose_are_refused_where_the_best_flush_plays(rulebook: str) -> None:
    game = begin(DEALT.replace("oxford", rulebook).replace(" straight-flush 5", ""))
    assert why(game, a.Raise(1, 1000, keep=3)) == (
        f"seat 1: keep: read spades, expected no suit, because in {rulebook} the best flush always plays"
    )
    for action in (a.Raise(1, 1000, expose=Hand.parse("8d7d6d")), a.Fold(1, Hand.parse("8d7d6d"))):
        assert why(game, action) == (
            f"seat 1: expose: read 8d7d6d, expected no exposed cards, because in {rulebook} all seven cards count"
        )
    assert list(playable_flushes(game.rulebook, Hand.parse("AsKs9s7s 6d7d8d"))) == [None]


@pytest.mark.clause("O9", "S11")
def test_the_unexposed_one_of_two_equal_flushes_is_kept() -> None:
    game = begin("rulebook oxford\nseat 2 ante 5\ndeal 2 8s7s6s 8d7d6d 2c\ndeal dealer 9h8h6h Kc3c Td2s")
    for expose, suit_seat in (("", 3), ("8s7s6s", 1), ("8d7d6d", 3), ("2c", 3)):
        assert decided(then(game, a.Raise(2, 500, expose=Hand.parse(expose))).state, 2).keep == suit_seat


STRATEGY = """
hand              | basic strategy
AsKs QhJh 9d8d 7c | fold
Ts8s5s QhJh 9d 7c | fold
Ts7s6s QhJh 9d 7c | fold
9s8s7s QhJh 9d 7c | fold
Ts8s6s QhJh 9d 7c | raise 5
Ts9s2s QhJh 9d 7c | raise 5
5s4s3s2s Qh 9d 7c | raise 5
AsKsQs9s8s 7c6c   | raise 10
AsKsQs9s8s7s 6c   | raise 15
AsKsQs9s8s7s6s    | raise 15
"""


@pytest.mark.clause("S9")
@pytest.mark.parametrize("rulebook", PACKAGED)
@pytest.mark.parametrize(("hand", "expected"), cases(STRATEGY))
def test_a_silent_player_is_folded_or_plays_basic_strategy(rulebook: str, hand: str, expected: str) -> None:
    for setting, outcome in (("fold", "fold"), ("basic-strategy", expected)):
        table = f"rulebook {rulebook}\nset default-action {setting}"
        game = then(begin(f"{table}\nseat 2 ante 5\ndeal 2 {hand}\ndeal dealer 9h8h6h Kc3c Td2c"), a.TimeOut(2))
        assert decided(game.state, 2).raise_cents == int(outcome.partition("raise ")[2] or 0) * 100
        (event,) = events(game, e.Folded, e.Raised)
        assert isinstance(event, (e.Folded, e.Raised))
        assert event.timed_out
        assert game.state.phase == "showdown"


# With a Straight Flush bet of 5. `shown` is what the house lays face up.
SHOWN = """
rulebook      | action         | hand                | shown    | nets
atlantic-city | fold           | AsKs9s7s 6d7d8d     | 8d7d6d   | -5 +35
atlantic-city | basic-strategy | AsKs9s7s 6d7d8d     | 8d7d6d   | +5 +5 +35
atlantic-city | fold           | As3s2s 6d7d9d 4h    | As3s2s   | -5 +35
atlantic-city | fold           | 9s8s7s6s 4d3d2d     | 9s8s7s6s | -5 +300
atlantic-city | basic-strategy | 9s8s7s6s 4d3d2d     |          | +5 +5 +300
atlantic-city | basic-strategy | AsTs8s 5d4d3d 2c    | 5d4d3d   | +5 +5 +35
atlantic-city | basic-strategy | Ts9s8s Td9d8d 2c    | Td9d8d   | +5 +5 +35
atlantic-city | fold           | AsKs9s7s 5d7d8d     |          | -5 -5
meadows       | basic-strategy | Ts9s8s Td9d8d 2c    |          | +5 +5 +35
meadows       | fold           | AsKs9s7s 6d7d8d     |          | -5 +35
oxford        | fold           | AsKs9s7s 6d7d8d     |          | -5 +35
"""


@pytest.mark.clause("S9", "A3", "M3")
@pytest.mark.parametrize(("rulebook", "setting", "hand", "cards", "expected"), cases(SHOWN))
def test_the_house_lays_face_up_what_wins(rulebook: str, setting: str, hand: str, cards: str, expected: str) -> None:
    game = begin(
        f"rulebook {rulebook}\nset default-action {setting}\nseat 2 ante 5 straight-flush 5\ndeal 2 {hand}\n"
        "deal dealer 9h8h6h Kc3c QsJd"
    )
    outcome = then(game, a.TimeOut(2), a.Settle())
    assert str(decided(outcome.state, 2).expose) == cards
    assert [text.split()[2] for text in nets(outcome).split(", ")] == expected.split()


@pytest.mark.clause("S9")
@pytest.mark.parametrize("rulebook", PACKAGED)
def test_without_the_bet_the_house_lays_nothing_face_up(rulebook: str) -> None:
    game = begin(f"rulebook {rulebook}\nseat 2 ante 5\ndeal 2 AsKs9s7s 6d7d8d\n{QUALIFIED}")
    assert default_decision(game.rulebook, game.state.seat(2)) == a.Fold(2)


def packets(state: State) -> dict[int, int]:
    """Return the packet of seven of each hand, from a deck in order of its numbers: 0 is the first."""
    return {number: min(hand) // 7 for number, hand in state.hands.items()}


@pytest.mark.clause("O5", "G1")
@pytest.mark.parametrize("rulebook", PACKAGED)
def test_left_to_right_with_the_dealer_last(rulebook: str) -> None:
    game = begin(f"rulebook {rulebook}\nseat 5 ante 5\nseat 2 ante 5\nseat 6 ante 5\nlock")
    state, facts = step(game.rulebook, game.state, a.Deal(tuple(range(52))))
    assert packets(state) == {2: 0, 5: 1, 6: 2, DEALER: 3}
    assert [event.seat for event in facts if isinstance(event, e.HandDealt)] == [2, 5, 6, DEALER]
    assert all(len(hand) == 7 for hand in state.hands.values())
    assert state.phase == "dealt"


# Seats 2 and 5 are taken. The packets, by seat, in the order in which they are dealt.
BY_DICE = """
dice      | direction        | order            | first
1 1 1     | clockwise        | 2 3 4 5 6 0 1    | 3
1 1 1     | counterclockwise | 5 4 3 2 1 0 6    | 3
6 1 1     | counterclockwise | 0 6 5 4 3 2 1    | 1
5 1 1     | clockwise        | 6 0 1 2 3 4 5    | 7
6 6 6     | clockwise        | 3 4 5 6 0 1 2    | 4
"""


@pytest.mark.clause("W10")
@pytest.mark.parametrize(("dice", "direction", "order", "first"), cases(BY_DICE))
def test_by_dice_to_every_position(dice: str, direction: str, order: str, first: str) -> None:
    way = " clockwise" if direction == "clockwise" else ""
    game = begin(f"rulebook washington\nseat 2 ante 5\nseat 5 ante 5\ndice {dice}{way}\nlock")
    (dice_event,) = (event for event in game.events if isinstance(event, e.DiceRolled))
    assert dice_event.first_position == int(first)
    state, facts = step(game.rulebook, game.state, a.Deal(tuple(range(52))))
    numbers = [int(number) for number in order.split()]
    assert deal_order(game.rulebook, state) == numbers
    assert packets(state) == {number: numbers.index(number) for number in (2, 5, DEALER)}
    empty = [number for number in numbers if number not in (2, 5, DEALER)]
    kinds = [e.PacketDealt if number in empty else e.HandDealt for number in numbers]
    assert [(type(event), event.seat) for event in facts if isinstance(event, (*DEALING, e.PacketCollected))] == [
        *zip(kinds, numbers, strict=True),
        *((e.PacketCollected, number) for number in empty),
    ]


DEALING = (e.HandDealt, e.PacketDealt)


@pytest.mark.clause("S17")
@pytest.mark.parametrize("set_to", ["any", "clockwise", "counterclockwise"])
@pytest.mark.parametrize("way", ["clockwise", "counterclockwise"])
def test_a_roll_goes_the_way_that_the_table_has_set(set_to: str, way: str) -> None:
    direction = f"set dice-direction {set_to}\n" if set_to != "any" else ""
    game = begin(f"rulebook washington\n{direction}seat 2 ante 5")
    roll = a.RollDice((1, 2, 3), clockwise=way == "clockwise")
    if set_to in ("any", way):
        state, _ = step(game.rulebook, game.state, roll)
        assert state.clockwise == (way == "clockwise")
    else:
        message = f"dice: read {way}, expected {set_to}, the direction at this table"
        assert why(game, roll) == message


@pytest.mark.clause("W10")
def test_positions_are_counted_from_the_dealer_round_all_seats() -> None:
    assert [seat_at(position, clockwise=True) for position in range(1, 8)] == [0, 1, 2, 3, 4, 5, 6]
    assert [seat_at(position, clockwise=False) for position in range(1, 8)] == [0, 6, 5, 4, 3, 2, 1]
    for dice in product(range(1, 7), repeat=3):
        position = 1
        for _ in range(sum(dice) - 1):  # one is the dealer, and after seven comes one again
            position = position + 1 if position < 7 else 1
        assert first_position(dice) == position


@pytest.mark.clause("W10")
def test_dice_after_the_lock_and_hands_one_by_one() -> None:
    game = begin("rulebook washington\nset dealing dice\nseat 2 ante 5\nlock\ndice 1 2 3\ndeal 2 AsKs9s7s 6d7d8d")
    assert game.state.dice == (1, 2, 3)
    assert game.state.seat(2).hand == Hand.parse("AsKs9s7s 6d7d8d")


IRREGULAR = """
deals                                                          | message
deal 1 AsKs9s 6d7d8d, deal dealer 9h8h6h Kc3c Td2s             | seat 1 has 6 cards instead of 7
deal 1 AsKs9s7s 6d7d8d, deal dealer 9h8h6h Kc3c Td2s 2d        | the dealer has 8 cards instead of 7
deal 1 AsKs9s 6d7d8d, deal dealer 9h8h6h Kc3c Td2s 2d          | seat 1 has 6 cards, the dealer has 8 cards instead of 7
"""


@pytest.mark.clause("O6", "O14")
@pytest.mark.parametrize("rulebook", PACKAGED)
@pytest.mark.parametrize(("deals", "message"), cases(IRREGULAR))
def test_a_wrong_number_of_cards_is_voided_and_never_settled(rulebook: str, deals: str, message: str) -> None:
    game = begin(f"rulebook {rulebook}\nseat 1 ante 5\n" + "\n".join(deals.split(", ")) + "\n1 fold")
    error_text = why(game, a.Settle())
    assert error_text == f"{message}: read settlement, expected a void"
    void = then(game, a.Void("other", "a wrong count"))
    assert [(result.outcome, result.net_cents) for result in results(void)] == [("returned", 0)]


@pytest.mark.clause("O6")
@pytest.mark.parametrize("rulebook", PACKAGED)
def test_a_single_card_is_no_flush_to_raise_with(rulebook: str) -> None:
    game = begin(f"rulebook {rulebook}\nseat 1 ante 5\ndeal 1 As\n{QUALIFIED}")
    assert why(game, a.Raise(1, 500)) == (
        "seat 1: the flush that plays: read one card, ace high, expected a suit with at least two cards (none)"
    )


@pytest.mark.clause("O6", "O14")
@pytest.mark.parametrize("rulebook", PACKAGED)
def test_the_round_goes_on_to_its_void_with_far_too_many_cards(rulebook: str) -> None:
    hearts = "AhKhQhJhTh9h8h7h6h5h4h3h2h"
    game = begin(f"rulebook {rulebook}\nseat 1 ante 5\ndeal 1 AsKs9s7s 6d7d8d\ndeal dealer {hearts} 2c")
    assert then(game, a.Fold(1), a.Void("other", "co-mingled hands")).state.phase == "void"


@pytest.mark.clause("S2", "S13")
def test_linked_tables_settle_with_the_meter_as_it_stands() -> None:
    """Other tables have fed the meter since this round was opened: the win is of all that."""
    lines = """
        rulebook galaxy-v7
        offer progressive PT-BJS-HCF-SF-07
        meter progressive 30000 reserve=10
        seat 2 ante 5 progressive 1
        deal 2 8c7c6c5c4c3c Kd
        deal dealer 9h8h6h Kc3s Td2s
        2 fold"""
    game = begin(lines)
    assert locked_meters(game.rulebook, game.state) == {"progressive": Meter(30000_230000, 10_050000)}
    outcome = then(game, a.Settle({"progressive": Meter(31000_000000, 200_000000)}))
    state, facts = outcome.state, outcome.events
    assert nets(outcome) == "2 ante -5, 2 progressive +3099"
    assert state.settlement is not None
    assert state.settlement.meters == {"progressive": Meter(27900_000000, 200_000000)}
    # What the round's text says the meter was, before its own contribution: so that it replays to the same end.
    assert state.meters == {"progressive": Meter(30999_770000, 199_950000)}
    assert facts[-1] == e.RoundSettled(state.settlement.meters)


FACE_UP = """
rulebook      | settings                     | decision                    | told
meadows       |                              | raise 10 expose 4d3d2d      | 3500 now, Raised 1000 with 1000
meadows       | cap-straight-flush-player 30 | raise 10 expose 4d3d2d      | Raised 1000 with 0, 3500 later
meadows       | cap-player 30                | raise 10 expose 4d3d2d      | Raised 1000 with 0, 3500 later
meadows       | cap-flush-player 30          | raise 10 expose 4d3d2d      | 3500 now, Raised 1000 with 1000
meadows       |                              | raise 10                    | Raised 1000 with 0
meadows       |                              | raise 10 expose 4d3d        | Raised 1000 with 0
meadows       |                              | fold expose 4d3d2d          | Folded, 3500 later
meadows       |                              | fold expose 9s8s7s6s4d3d2d  | Folded, 30000 later
atlantic-city |                              | raise 10 expose 4d3d2d      | Raised 1000 with 0, 3500 later
oxford        |                              | raise 10 expose 4d3d2d      | 3500 now, Raised 1000 with 0
oxford        | cap-player 500               | raise 10 expose 4d3d2d      | Raised 1000 with 0, 3500 later
oxford        | cap-player 520               | raise 10 expose 4d3d2d      | 3500 now, Raised 1000 with 0
oxford        |                              | raise 10 expose 4d3d        | Raised 1000 with 0
oxford        |                              | fold expose 4d3d2d          | Folded, 3500 later
meadows       | cap-table 100000             | raise 10 expose 4d3d2d      | 3500 now, Raised 1000 with 0
"""


@pytest.mark.clause("M3", "A3", "O9")
@pytest.mark.parametrize(("rulebook", "settings", "decision", "expected"), cases(FACE_UP))
def test_facts_follow_from_the_cards_face_up(rulebook: str, settings: str, decision: str, expected: str) -> None:
    """No fact mentions the four spades that lie face down. A win paid at once comes before the Raise it funds."""
    lines = (
        f"seat 1 ante 10 straight-flush 5\nseat 2 ante 10\ndeal 1 9s8s7s6s 4d3d2d\ndeal 2 AcJc4c 7h2h QdJd\n{QUALIFIED}"
    )
    lines = lines.replace("Kc3c Td2s", "Kc3c TdJs")
    game = begin(f"rulebook {rulebook}\n{f'set {settings}' * bool(settings)}\n{lines}\n1 {decision}")
    facts = []
    for event in game.events:
        match event:
            case e.BonusShown(pay_cents=cents, paid_now=now):
                facts.append(f"{cents} {'now' if now else 'later'}")
            case e.Raised(amount_cents=cents, from_wins_cents=wins_cents):
                facts.append(f"Raised {cents} with {wins_cents}")
            case e.Folded():
                facts.append("Folded")
    assert ", ".join(facts) == expected


@pytest.mark.clause("O9")
@pytest.mark.parametrize(("bettors", "now"), [(1, True), (2, True), (3, False)])
def test_what_others_may_win_under_a_cap_of_the_table_decides_whether_a_win_waits(bettors: int, now: bool) -> None:
    """The other bets may win $40,000 each, and this one at most $500, because three of its cards lie face up."""
    seats = [f"seat {seat} ante 10 straight-flush 5" for seat in range(1, bettors + 1)]
    hands = ["9s8s7s6s 4d3d2d", "AcJc4c 7h2h QdJd", "Kh8h5h Tc2c As3s"][:bettors]
    deals = [f"deal {seat} {hand}" for seat, hand in enumerate(hands, 1)]
    lines = [*seats, *deals, "deal dealer 9h6h3h Kc3c TdJs", "1 raise 10 expose 4d3d2d"]
    (shown,) = events(begin("rulebook oxford\n" + "\n".join(lines)), e.BonusShown)
    assert isinstance(shown, e.BonusShown)
    assert shown.paid_now is now


EARLY = """
ante | bet | end                              | raise won | ante raise straight-flush, and early and raised of the bet
40   | 5   |                                  | 4000      | +4000 +4000 +3500 3500 4000
50   | 5   |                                  | 4000      | +5000 +5000 +3500 3500 4000
50   | 5   | void other a test                | 4000      | +0 +0 +0 3500 4000
50   | 5   | void 1 return other a test       | 4000      | +0 +0 +0 3500 4000
50   | 5   | void 1 forfeit other a test      | 4000      | -5000 -5000 -500 3500 4000
"""


@pytest.mark.clause("M3", "S6")
@pytest.mark.parametrize(("ante", "bet", "end", "wins_cents", "expected"), cases(EARLY))
def test_a_raise_is_made_with_stake_and_win_first(
    ante: str, bet: str, end: str, wins_cents: str, expected: str
) -> None:
    """A void or a returned hand gives back what the player put in. A forfeit takes the whole Raise."""
    game = finish(f"""
        rulebook meadows
        seat 1 ante {ante} straight-flush {bet}
        deal 1 9s8s7s6s 4d3d2d
        deal dealer 9h8h6h Kc3c TdJc
        1 raise {ante} expose 4d3d2d
        {end}
        = 1 ante {int(expected.split()[0]) // 100:+}""")
    words = Reason("pays", {"wager": "straight-flush", "cards": 3, "top": 2, "pay": 7, "pays": "to 1"})
    bonus, raise_ = events(game, e.BonusShown, e.Raised)
    assert bonus == e.BonusShown(1, 3500, True, words)
    assert isinstance(raise_, e.Raised)
    assert raise_.from_wins_cents == int(wins_cents)
    net_texts = [f"{result.net_cents:+}" for result in results(game)]
    last = results(game)[-1]
    assert " ".join([*net_texts, str(last.early_cents), str(last.raised_cents)]) == expected
    assert end or (last.reason, last.paid_cents) == (words, 3500)
    ledger = Ledger({}, bonus=False)
    for event in game.events:
        ledger.post(event)
        assert ledger.balances["seat 1"] >= -int(ante) * 200 * MICROS_PER_CENT - 500 * MICROS_PER_CENT
    assert ledger.balances["table"] == 0
    assert ledger.balances["seat 1"] == sum(result.net_cents for result in results(game)) * MICROS_PER_CENT


@pytest.mark.clause("O14", "S6")
def test_a_void_tells_who_decided_it_and_why() -> None:
    game = begin(DEALT)
    _, facts = step(game.rulebook, game.state, a.Void("button", by="shift manager"))
    assert facts[0] == e.RoundVoided("button", "", "shift manager")
    _, facts = step(game.rulebook, game.state, a.VoidHand(1, "forfeit", "conduct", by="pit boss"))
    assert facts == (e.HandVoided(1, "forfeit", "conduct", "", "pit boss"),)


@pytest.mark.clause("O7", "S6")
def test_a_void_hand_is_waited_for_no_more() -> None:
    game = begin(DEALT)
    state, facts = step(game.rulebook, game.state, a.VoidHand(1, "return", "conduct"))
    assert (state.phase, state.undecided) == ("dealt", [4])
    state, facts = step(game.rulebook, state, a.VoidHand(4, "return", "conduct"))
    assert state.phase == "showdown"
    assert [type(event).__name__ for event in facts] == ["HandVoided", "DealerShown"]
    game = begin(DEALT + "1 fold\n4 fold")
    state, facts = step(game.rulebook, game.state, a.VoidHand(4, "return", "conduct"))
    assert [type(event).__name__ for event in facts] == ["HandVoided"], "the dealer's hand is shown once"


@pytest.mark.clause("S6")
def test_a_void_round_returns_even_a_hand_that_was_forfeited() -> None:
    game = finish(DEALT + "void 1 forfeit conduct\nvoid button")
    assert nets(game) == "4 ante +0, 1 ante +0, 1 straight-flush +0"
