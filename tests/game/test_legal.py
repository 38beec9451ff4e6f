"""`legal_actions` agrees with `step`: what is offered is accepted to its ends, and just outside is refused.

Random rounds at every kind of table are walked, and at every state each seat and the dealer ask what they may
do. Every answer is tried, and so is everything that is not in the answer.
"""

from __future__ import annotations

from random import Random

import pytest

from highcardflush.cards import DECK_SIZE, NO_CARDS, Hand
from highcardflush.errors import ActionError
from highcardflush.game import actions as a
from highcardflush.game import legal_actions, step
from highcardflush.game.legal import ClearOption, FoldOption, Option, RaiseOption, TableOption, WagerOption
from highcardflush.game.phases import FULL, PROGRESSIVE_ONLY
from highcardflush.game.state import DEALER, State
from highcardflush.rulebook import PACKAGED, Rulebook, packaged
from highcardflush.rulebook.wagers import Amounts
from highcardflush.words import say_amounts
from support.data.tables import ROWS, table
from support.walkers.rounds import QUALIFIED, begin, cases, ends, table_actions, walk

ROUNDS = 3
SEATS_TRIED = range(8)
TABLE_KINDS = {
    kind.__name__: kind
    for actions in (*FULL.values(), *PROGRESSIVE_ONLY.values())
    for kind in actions
    if kind not in (a.PlaceWagers, a.ClearWagers, a.Fold, a.Raise)
}


def accepts(rulebook: Rulebook, state: State, action: a.Action) -> bool:
    try:
        step(rulebook, state, action)
    except ActionError:
        return False
    return True


def outside(amounts: Amounts) -> list[int]:
    near = [amounts.minimum_cents - 1, amounts.minimum_cents - amounts.step_cents, amounts.minimum_cents + 1]
    if amounts.maximum_cents is not None:
        near += [amounts.maximum_cents + 1, amounts.maximum_cents + amounts.step_cents]
    return [cents for cents in near if cents not in amounts]


def check_bets(rulebook: Rulebook, state: State, number: int, options: tuple[Option, ...]) -> None:
    options_by_wager = {option.wager: option for option in options if isinstance(option, WagerOption)}
    least = {name: option.amounts.minimum_cents for name, option in options_by_wager.items() if option.required}

    def place(amounts: dict[str, int]) -> bool:
        return accepts(rulebook, state, a.PlaceWagers(number, amounts))

    for name in ("ante", "flush", "straight-flush", "progressive"):
        if name not in options_by_wager:
            assert not place(least | {name: 500})
            continue
        option = options_by_wager[name]
        assert all(place(least | {name: cents}) for cents in ends(option.amounts))
        assert not any(place(least | {name: cents}) for cents in outside(option.amounts) if cents)
        assert place({**least, name: 0}) == (bool(options_by_wager) and not option.required)
    can_clear = accepts(rulebook, state, a.ClearWagers(number))
    assert can_clear == (ClearOption() in options)


def check_decisions(rulebook: Rulebook, state: State, number: int, options: tuple[Option, ...]) -> None:
    folds = [option for option in options if isinstance(option, FoldOption)]
    raises = {option.keep: option for option in options if isinstance(option, RaiseOption)}
    hands = {seat.number: seat.hand for seat in state.seats}
    hand = hands.get(number) or NO_CARDS
    strange = next(card for card in range(DECK_SIZE) if card not in hand)

    assert accepts(rulebook, state, a.Fold(number)) == bool(folds)
    for fold in folds:
        assert accepts(rulebook, state, a.Fold(number, fold.exposable))
        assert not accepts(rulebook, state, a.Fold(number, Hand.of([*fold.exposable, strange])))
        check_exposable(rulebook, state, hand, fold.exposable, a.Fold(number))

    for keep in (None, 0, 1, 2, 3):
        option = raises.get(keep)
        if option is None:
            if keep is not None or not raises:  # without a suit the best one is kept, which is offered by its name
                assert not any(accepts(rulebook, state, a.Raise(number, cents, keep)) for cents in (500, 1000, 1500))
            continue
        for cents in ends(option.amounts) + option.amounts.choices:
            assert accepts(rulebook, state, a.Raise(number, cents, keep))
            assert accepts(rulebook, state, a.Raise(number, cents, keep, option.exposable))
        for cents in outside(option.amounts):
            assert not accepts(rulebook, state, a.Raise(number, cents, keep))
        check_exposable(rulebook, state, hand, option.exposable, a.Raise(number, option.amounts.minimum_cents, keep))


def check_exposable(rulebook: Rulebook, state: State, hand: Hand, exposable: Hand, action: a.Fold | a.Raise) -> None:
    for card in hand:
        one = Hand.of([card])
        runs = (
            a.Fold(action.seat, one)
            if isinstance(action, a.Fold)
            else a.Raise(action.seat, action.amount_cents, action.keep, one)
        )
        assert accepts(rulebook, state, runs) == (card in exposable)


def check_table(rulebook: Rulebook, state: State, rng: Random) -> None:
    options = legal_actions(rulebook, state, DEALER)
    actions_on_offer = {option.action for option in options if isinstance(option, TableOption)}
    assert len(actions_on_offer) == len(options)
    for kind in TABLE_KINDS:
        if kind == "DrawDynamic" and kind not in actions_on_offer:
            actions: list[a.Action] = [a.DrawDynamic((("5-card", 75),)), a.DrawDynamic((("5-card", 150),))]
        else:
            actions = table_actions(rulebook, state, kind, rng)
        if kind in actions_on_offer:
            assert actions, kind
            assert all(accepts(rulebook, state, action) for action in actions), kind
        else:
            actions += [a.TimeOut(seat) for seat in SEATS_TRIED if kind == "TimeOut"]
            actions += [a.VoidHand(seat, "return", "other", "x") for seat in SEATS_TRIED if kind == "VoidHand"]
            assert not any(accepts(rulebook, state, action) for action in actions), kind


def check_state(rulebook: Rulebook, state: State, rng: Random) -> None:
    for number in SEATS_TRIED[1:]:
        options = legal_actions(rulebook, state, number)
        check_bets(rulebook, state, number, options)
        check_decisions(rulebook, state, number, options)
    check_table(rulebook, state, rng)


@pytest.mark.clause("G4", "G5", "S10", "S11")
@pytest.mark.parametrize("row", ROWS)
def test_legal_actions_agree_with_step(row: str) -> None:
    rulebook, phases = table(row), set()
    for number in range(ROUNDS):
        rng = Random(f"{row} {number}")
        for state in walk(rulebook, rng, accidents=number > 0):
            phases.add(state.phase)
            check_state(rulebook, state, rng)
    least = {"betting", "locked", "settled"}
    assert (least if rulebook.settings.play != "full" else least | {"dealt", "showdown"}) <= phases


@pytest.mark.clause("O6", "O14")
@pytest.mark.parametrize("rulebook", PACKAGED)
@pytest.mark.parametrize("hand", ["As", "AsKs9s 6d7d8d", "AsKsQsJs9s8s7s6s", "AsKsQsJs9s8s7s6s Ad2c"])
def test_after_a_wrong_count_all_but_the_settlement_is_offered(rulebook: str, hand: str) -> None:
    lines = f"rulebook {rulebook}\nseat 1 ante 5\nseat 2 ante 5\ndeal 1 {hand}\n"
    more = f"deal 2 2s3s4s5s 2d3d4d\n{QUALIFIED.replace('2s', 'Ts')}\n"
    for snippet in (lines, lines + more, lines + more + "1 fold\n", lines + more + "1 fold\n2 fold"):
        game = begin(snippet)
        check_state(game.rulebook, game.state, Random(snippet))
        actions = legal_actions(game.rulebook, game.state, DEALER)
        assert TableOption("Void") in actions
        assert TableOption("Settle") not in actions


@pytest.mark.clause("G11")
def test_a_seat_that_is_not_at_the_table_may_do_nothing() -> None:
    state = begin("rulebook oxford\nseat 1 ante 5").state
    assert legal_actions(packaged("oxford"), state, 7) == ()
    assert legal_actions(packaged("oxford"), state, -1) == ()


WAGERS = """
table                                                     | offered
oxford                                                    | ante 0.01+ required, flush 0.01+, straight-flush 0.01+ | clause S10 S15
atlantic-city                                             | ante 5+ required, flush 5+, straight-flush 5+          | clause A1 A6
meadows                                                   | ante 0.01+ required, flush 0.01+, straight-flush 0.01+ | clause S15
galaxy-v7                                                 | ante 0.01+ required                                    | clause S15
washington                                                | ante 0.01+ required                                    | clause S15 W3
galaxy-v7, offer progressive PT-BJS-HCF-SF-07 base=3      | ante 0.01+ required, progressive 3                     | clause S10
galaxy-v7, offer progressive PT-BJS-HCF-SF-07, set mandatory progressive | ante 0.01+ required, progressive 1 required | clause V6
galaxy-v7, offer progressive PT-BJS-HCF-SF-07, set play progressive-only | progressive 1 required                  | clause S12
oxford, set ante-minimum 10, set ante-maximum 50          | ante 10 to 50 required, flush 0.01+, straight-flush 0.01+ | clause V1
"""  # noqa: E501


@pytest.mark.parametrize(("lines", "expected"), cases(WAGERS))
def test_the_legal_bets_of_a_seat_are_those_of_its_rules(lines: str, expected: str) -> None:
    game = begin("rulebook " + lines.replace(", ", "\n"))
    options = legal_actions(game.rulebook, game.state, 6)
    texts = [
        f"{option.wager} "
        + say_amounts(option.amounts).replace("any amount", "0.01").replace("$", "").split(" or more")[0]
        + "+" * (option.amounts.maximum_cents is None)
        + " required" * option.required
        for option in options
        if isinstance(option, WagerOption)
    ]
    assert ", ".join(texts) == expected


@pytest.mark.clause("S11", "A2", "A4")
def test_each_suit_of_two_cards_or_more_may_be_kept() -> None:
    game = begin(f"rulebook atlantic-city\nseat 1 ante 5\ndeal 1 AsKsQsJs9s 8d7d\n{QUALIFIED}")
    spades, diamonds = Hand.parse("AsKsQsJs9s"), Hand.parse("8d7d")
    assert legal_actions(game.rulebook, game.state, 1) == (
        FoldOption(Hand(spades | diamonds)),
        RaiseOption(3, Amounts(1000, 1000, 500), diamonds),
        RaiseOption(1, Amounts(500, 500, 500), spades),
    )
