"""Rounds for the tests: snippets of notation played through the engine, text tables, and random walks.

A snippet is a round without its first line: `rulebook oxford`, `seat 1 ante 25`, ... The cells of a text table are
separated by `|`; the first line is the heading.
"""

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import msgspec
import pytest

from highcardflush.cards import DECK_SIZE, HAND_SIZE, NO_CARDS, Card, Hand
from highcardflush.errors import ActionError
from highcardflush.fairness import draw_dynamic
from highcardflush.game import actions as a
from highcardflush.game import legal_actions, locked_meters, open_round, step
from highcardflush.game.events import Event
from highcardflush.game.legal import ClearOption, FoldOption, RaiseOption, TableOption, WagerOption
from highcardflush.game.state import DEALER, Result, State
from highcardflush.money import format_net
from highcardflush.notation import parse_rounds, play, replay
from highcardflush.notation.replay import Replay
from highcardflush.notation.rounds import Round
from highcardflush.rulebook import Rulebook
from highcardflush.rulebook.wagers import Amounts
from highcardflush.words import say

QUALIFIED = "deal dealer 9h8h6h Kc3c Td2s"
"""Three cards, nine high: the lowest hand that qualifies."""


def rows(text: str) -> list[list[str]]:
    """Split a text table into cells, without its heading."""
    lines = [line for line in text.splitlines() if line.strip()]
    return [[cell.strip() for cell in line.split("|")] for line in lines[1:]]


def cases(text: str, *marks: pytest.MarkDecorator) -> list[Any]:
    """Return the rows of a text table as parameters; a last cell `clause ...` becomes another mark."""
    params = []
    for *cells, last in rows(text):
        is_clause_line = last.startswith("clause ")
        own = (pytest.mark.clause(*last.split()[1:]),) if is_clause_line else ()
        values = cells if is_clause_line else [*cells, last]
        params.append(pytest.param(*values, marks=[*marks, *own], id=" ".join(values[:3])))
    return params


def read(snippet: str) -> Round:
    (round_,) = parse_rounds("hcf 1\n" + snippet)
    return round_


def begin(snippet: str) -> Replay:
    """Play a round as far as the snippet goes."""
    return play(read(snippet))


def finish(snippet: str) -> Replay:
    """Play a whole round and check its expected results, if it has any."""
    game = replay(read(snippet))
    assert game.differences == ()
    return game


def then(game: Replay, *actions: a.Action) -> Replay:
    """Return the round after these actions, with their events."""
    state, new_events = game.state, tuple[Event, ...]()
    for action in actions:
        state, more = step(game.rulebook, state, action)
        new_events += more
    return Replay(game.rulebook, state, new_events)


def results(game: Replay) -> tuple[Result, ...]:
    assert game.state.settlement is not None
    return game.state.settlement.results


def nets(game: Replay) -> str:
    """Return gains and losses in the order of their settlement: `6 ante +25, 6 raise +25, 1 ante -10`."""
    return ", ".join(f"{result.seat} {result.wager} {format_net(result.net_cents)}" for result in results(game))


def reason(game: Replay, seat: int, wager: str) -> str:
    (text,) = (say(result.reason) for result in results(game) if (result.seat, result.wager) == (seat, wager))
    return text


def events(game: Replay, *kinds: type[Event]) -> list[Event]:
    return [event for event in game.events if isinstance(event, kinds)]


def refused(rulebook: Rulebook, state: State, action: a.Action) -> str:
    """Return the refusal of an action, which must leave the state as it was."""
    before, encoded_state = deepcopy(state), msgspec.json.encode(state, enc_hook=str)
    with pytest.raises(ActionError) as error_info:
        step(rulebook, state, action)
    assert state == before
    assert msgspec.json.encode(state, enc_hook=str) == encoded_state
    error = error_info.value
    assert error.read is not None
    assert error.expected is not None
    assert error.as_dict()["code"] == "not-allowed"
    return str(error)


def deck_from(*first: str) -> tuple[Card, ...]:
    """Return a deck that begins with these cards; the others follow in numerical order."""
    cards = [card for text in first for card in Hand.parse(text)]
    return (*cards, *(card for card in range(DECK_SIZE) if card not in cards))


def walk(rulebook: Rulebook, rng: Random, *, accidents: bool = True) -> Iterator[State]:
    """Yield every state of a random legal round that is guided only by `legal_actions`."""
    state = open_round(rulebook)
    yield state
    for number in rng.sample(range(1, rulebook.settings.seats + 1), rng.randint(1, min(3, rulebook.settings.seats))):
        state, _ = step(rulebook, state, a.PlaceWagers(number, some_wagers(rulebook, state, number, rng)))
        yield state
    while actions := next_actions(rulebook, state, rng, accidents=accidents):
        state, _ = step(rulebook, state, rng.choice(actions))
        yield state


def some_wagers(rulebook: Rulebook, state: State, number: int, rng: Random) -> a.Wagers:
    """Choose offered wagers, each at the smallest amount or ten steps above it."""
    wagers = {}
    for option in legal_actions(rulebook, state, number):
        if isinstance(option, WagerOption) and (option.required or rng.random() < 0.6):
            small = option.amounts.minimum_cents
            above = small + 10 * option.amounts.step_cents
            wagers[option.wager] = rng.choice([c for c in (small, above) if c in option.amounts])
    return wagers


def next_actions(rulebook: Rulebook, state: State, rng: Random, *, accidents: bool) -> list[a.Action]:
    """List possible next actions, except changes of wagers."""
    actions: list[a.Action] = []
    for option in legal_actions(rulebook, state, DEALER):
        assert isinstance(option, TableOption)
        accident = option.action in ("Void", "VoidHand")
        if not accident or (accidents and rng.random() < 0.1):
            actions += table_actions(rulebook, state, option.action, rng)
    for number in state.undecided:
        for choice in legal_actions(rulebook, state, number):
            if not isinstance(choice, (WagerOption, ClearOption)):
                actions.append(decision(number, choice, rng))
    return actions


def table_actions(rulebook: Rulebook, state: State, kind: str, rng: Random) -> list[a.Action]:
    """Return actions of one kind that the table should accept if it offers that kind."""
    cards_left = [card for card in range(DECK_SIZE) if not any(card in hand for hand in state.hands.values())]
    progressive = rulebook.paytable("progressive")
    only = rulebook.settings.play == "progressive-only"
    waiting = [seat.number for seat in state.seats if seat.hand is None]
    waiting += [DEALER] * (state.dealer is None and not only)
    match kind:
        case "RollDice":
            dice = rng.randint(1, 6), rng.randint(1, 6), rng.randint(1, 6)
            way = rulebook.settings.dice_direction
            return [a.RollDice(dice, clockwise=rng.random() < 0.5 if way == "any" else way == "clockwise")]
        case "Lock":
            return [a.Lock()]
        case "DrawDynamic":
            assert progressive is not None
            return [a.DrawDynamic(draw_dynamic(rng.randbytes(32), progressive))]
        case "Deal":
            return [a.Deal(tuple(rng.sample(range(DECK_SIZE), DECK_SIZE)))]
        case "DealHand":
            return [a.DealHand(number, Hand.of(rng.sample(cards_left, HAND_SIZE))) for number in waiting]
        case "TimeOut":
            return [a.TimeOut(number) for number in state.undecided]
        case "VoidHand":
            live = [seat.number for seat in state.seats if seat.void is None]
            return [a.VoidHand(number, rng.choice(("return", "forfeit")), "other", "a test") for number in live]
        case "Void":
            return [a.Void("other", "a test")]
        case "Settle":
            return [a.Settle(locked_meters(rulebook, state))]
        case _:
            raise ValueError(kind)


def decision(number: int, option: object, rng: Random) -> a.Action:
    match option:
        case FoldOption(exposable=exposable):
            return a.Fold(number, some_cards(exposable, rng))
        case RaiseOption(keep=keep, amounts=amounts, exposable=exposable):
            return a.Raise(number, rng.choice(ends(amounts)), keep, some_cards(exposable, rng))
        case _:
            raise ValueError(option)


def some_cards(cards: Hand, rng: Random) -> Hand:
    return rng.choice((NO_CARDS, cards, Hand.of(card for card in cards if rng.random() < 0.5)))


def ends(amounts: Amounts) -> list[int]:
    """Return the smallest and the largest amount, or a very large one if there is no maximum."""
    most = amounts.maximum_cents
    return [amounts.minimum_cents, most if most is not None else amounts.minimum_cents + 1000 * amounts.step_cents]
