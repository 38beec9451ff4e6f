"""Gains of a seat in each case: random rounds against the engine."""

from __future__ import annotations

from random import Random

import pytest

from highcardflush.game import open_round, step, view
from highcardflush.game.actions import Deal, DrawDynamic, Fold, Lock, PlaceWagers, RollDice, Settle
from highcardflush.game.decisions import basic_decision, playing_flush
from highcardflush.game.settle import locked_meters
from highcardflush.game.sidebets import seat_match
from highcardflush.game.state import State
from highcardflush.odds.hand import RAISED
from highcardflush.odds.payoff import main_results, net_cents, side_results
from highcardflush.ranking import MAIN_PAYS, Showdown, flush_rank, showdown
from highcardflush.rulebook import Rulebook
from highcardflush.rulebook.wagers import SIDE_BETS
from highcardflush.words.en import SHOWDOWNS
from support.data.tables import ROWS, table


def test_every_case_has_its_pays_and_its_words() -> None:
    assert {"fold", *RAISED} == set(MAIN_PAYS) == set(SHOWDOWNS)
    assert [(result.wager, result.net_cents) for result in main_results(1000, 2000, "win")] == [
        ("ante", 1000),
        ("raise", 2000),
    ]
    assert [result.net_cents for result in main_results(1000, 0, "fold")] == [-1000]


def case_of(rulebook: Rulebook, state: State) -> Showdown:
    seat = state.seat(1)
    assert state.dealer is not None
    assert seat.decision is not None
    if not seat.decision.raise_cents:
        return "fold"
    return showdown(playing_flush(seat), flush_rank(state.dealer), rulebook.qualifier)


@pytest.mark.parametrize("row", [row for row in ROWS if "progressive-only" not in row])
def test_payoffs_are_the_engines(row: str) -> None:
    rulebook, random = table(row), Random(row)
    progressive = rulebook.offer("progressive")
    for _ in range(12):
        wagers = {"ante": 1000} | {wager: 500 for wager in ("flush", "straight-flush") if rulebook.offer(wager)}
        wagers |= {"progressive": int(progressive.base)} if progressive else {}
        suited = random.sample(range(13), random.choice((3, 5, 6, 7)))  # hands that win side bets
        deck = [*suited, *random.sample([card for card in range(52) if card not in suited], 52 - len(suited))]
        state = open_round(rulebook, {})
        for action in (PlaceWagers(1, wagers), Lock()):
            state, _ = step(rulebook, state, action)
        if rulebook.settings.dealing == "dice":
            state, _ = step(rulebook, state, RollDice((1, 1, 1)))
        paytable = rulebook.paytable("progressive")
        if paytable and paytable.dynamic_lines:
            line = paytable.dynamic_lines[0]
            state, _ = step(rulebook, state, DrawDynamic(((line.name, line.dynamic[0]),)))
        state, _ = step(rulebook, state, Deal(tuple(deck)))
        decision = basic_decision(rulebook, state.seat(1)) if random.random() < 0.8 else Fold(1)
        state, _ = step(rulebook, state, decision)
        seat, seat_view = state.seat(1), view(rulebook, state, 1)
        assert seat.hand is not None
        assert seat.decision is not None
        matches = {name: seat_match(rulebook, seat, bet) for name, bet in SIDE_BETS.items()}
        sides = side_results(rulebook, wagers, matches, dict(seat_view.meters), dict(seat_view.dynamic or ()))
        main = main_results(wagers["ante"], seat.decision.raise_cents, case_of(rulebook, state))
        state, _ = step(rulebook, state, Settle(locked_meters(rulebook, state)))
        assert state.settlement is not None
        engine = sum(result.net_cents for result in state.settlement.results)
        assert net_cents(rulebook.settings, [*main, *sides]) == engine
