"""Random legal play over every kind of table, checked at every step.

Hypothesis draws the wagers, the cards (with straight flushes planted, so that meters are hit),
the decisions and the accidents. HCF_ROUNDS says how many rounds in all: some hundreds by default.
"""

import os
from itertools import combinations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from highcardflush.cards import FULL_DECK, HAND_SIZE, NO_CARDS, Hand
from highcardflush.game import actions as a
from highcardflush.game import legal_actions, locked_meters, open_round, step
from highcardflush.game.dealing import deal_order
from highcardflush.game.legal import FoldOption, RaiseOption, WagerOption
from highcardflush.game.state import DEALER, State
from highcardflush.jackpot import Meter
from highcardflush.notation import format_round, parse_rounds, play, replay
from highcardflush.rulebook import Rulebook
from highcardflush.rulebook.wagers import Amounts
from support.data.tables import ROWS, book_of, table
from support.twins.ledger import Ledger
from support.twins.oracle import settle_text

ROUNDS = int(os.environ.get("HCF_ROUNDS", "450"))


class Game:
    """A round being played, with every check made after every step."""

    def __init__(self, rulebook: Rulebook, meters: dict[str, Meter]) -> None:
        self.rulebook = rulebook
        self.state = open_round(rulebook, meters)
        self.meters = self.state.meters
        bonus = rulebook.settings.jackpot == "bonus"
        opening = {name: (meter.amount_micros, meter.reserve_micros) for name, meter in self.state.meters.items()}
        self.ledger = Ledger(opening, bonus=bonus)

    def do(self, action: a.Action) -> None:
        self.state, events = step(self.rulebook, self.state, action)
        for event in events:
            self.ledger.post(event)
        assert sum(self.ledger.balances.values()) == self.ledger.total
        for one, other in combinations(self.state.hands.values(), 2):
            assert not one & other, "a card was dealt twice"
        check_round_trip(self.rulebook, self.state)


def check_round_trip(rulebook: Rulebook, state: State) -> None:
    text = format_round(rulebook, state, with_hash=True)
    (round_text,) = parse_rounds(text)
    again = play(round_text, find=book_of).state
    if state.phase == "settled":
        again = replay(round_text, find=book_of).state
    assert again == state
    assert format_round(rulebook, again, with_hash=True) == text


def check_end(game: Game) -> None:
    """Check that the books of a finished round agree with its results and with an independent settlement."""
    state, ledger = game.state, game.ledger
    settlement = state.settlement
    assert settlement is not None
    assert ledger.balances["table"] == 0
    for seat in state.seats:
        net = sum(result.net_cents for result in settlement.results if result.seat == seat.number)
        assert ledger.balances[f"seat {seat.number}"] == net * 10_000
        assert ledger.balances[f"won {seat.number}"] == 0
    for name, meter in settlement.meters.items():
        assert ledger.balances[f"meter {name}"] == meter.amount_micros
        assert ledger.balances[f"reserve {name}"] == meter.reserve_micros
    for result in settlement.results:
        assert 0 <= result.paid_cents <= result.full_cents
        assert result.net_cents >= -result.stake_cents
        assert result.reason
    text = format_round(game.rulebook, state)
    nets, meters = settle_text("".join(line for line in text.splitlines(True) if not line.startswith("=")))
    assert {(r.seat, str(r.wager)): r.net_cents for r in settlement.results} == nets
    assert {name: (m.amount_micros, m.reserve_micros) for name, m in settlement.meters.items()} == meters


def draw_amount(data: st.DataObject, amounts: Amounts) -> int:
    top = amounts.maximum_cents if amounts.maximum_cents is not None else max(20_000, amounts.minimum_cents)
    steps = (top - amounts.minimum_cents) // amounts.step_cents
    return amounts.minimum_cents + data.draw(st.integers(0, steps)) * amounts.step_cents


def draw_meters(data: st.DataObject, rulebook: Rulebook) -> dict[str, Meter]:
    amounts = st.one_of(st.none(), st.integers(0, 10**11))
    meters_drawn = {}
    for name, plan in rulebook.plans.items():
        amount = data.draw(amounts)
        reserve = data.draw(st.integers(-(10**10), 10**11)) if plan.reserve_rate_bp else 0
        if amount is not None:
            meters_drawn[name] = Meter(amount, reserve)
    return meters_drawn


def place_wagers(data: st.DataObject, game: Game) -> None:
    seats = data.draw(st.sets(st.integers(1, game.rulebook.settings.seats), min_size=1))
    for seat in sorted(seats):
        amounts = {
            option.wager: draw_amount(data, option.amounts)
            for option in legal_actions(game.rulebook, game.state, seat)
            if isinstance(option, WagerOption) and (option.required or data.draw(st.integers(0, 3)))
        }
        game.do(a.PlaceWagers(seat, amounts))


def draw_hands(data: st.DataObject, places: list[int]) -> dict[int, Hand]:
    deck, hands = FULL_DECK, {}
    for place in places:
        planted_cards = NO_CARDS
        if data.draw(st.integers(0, 2)) == 0:
            suit, top = data.draw(st.integers(0, 3)), data.draw(st.integers(2, 12))
            length = data.draw(st.integers(3, min(HAND_SIZE, top + 2)))
            run = Hand.of(suit * 13 + (top - i) % 13 for i in range(length))
            planted_cards = run if not run.without(deck) else NO_CARDS
        hands[place] = planted_cards
        deck = deck.without(planted_cards)
    order = data.draw(st.permutations(list(deck)))
    for place, planted_cards in hands.items():
        missing = HAND_SIZE - len(planted_cards)
        hands[place], order = Hand(planted_cards | Hand.of(order[:missing])), order[missing:]
    return hands


def draw_dynamic(data: st.DataObject, game: Game) -> None:
    progressive = game.rulebook.paytable("progressive")
    lines = progressive.dynamic_lines if progressive else ()
    if lines:
        lines_drawn = data.draw(st.lists(st.sampled_from(lines), min_size=1, max_size=len(lines) - 1, unique=True))
        game.do(a.DrawDynamic(tuple((line.name, data.draw(st.sampled_from(line.dynamic))) for line in lines_drawn)))


def deal(data: st.DataObject, game: Game) -> None:
    rulebook, state = game.rulebook, game.state
    if rulebook.settings.play == "progressive-only":
        hands = draw_hands(data, [seat.number for seat in state.seats])
        for number in data.draw(st.lists(st.sampled_from(sorted(hands)), unique=True)):
            game.do(a.DealHand(number, hands[number]))
        return
    order = deal_order(rulebook, state)
    hands = draw_hands(data, order)
    if data.draw(st.booleans()):
        deck = [card for number in order for card in hands[number]]
        game.do(a.Deal((*deck, *(card for card in FULL_DECK if card not in deck))))
        assert game.state.hands == {number: hands[number] for number in [DEALER, *(s.number for s in state.seats)]}
    else:
        for number in data.draw(st.permutations([DEALER, *(seat.number for seat in state.seats)])):
            game.do(a.DealHand(number, hands[number]))


def draw_expose(data: st.DataObject, exposable: Hand) -> Hand:
    cards = list(exposable)
    if not cards or not data.draw(st.booleans()):
        return NO_CARDS
    return exposable if data.draw(st.booleans()) else Hand.of(data.draw(st.sets(st.sampled_from(cards))))


def decide(data: st.DataObject, game: Game, seat: int) -> None:
    options = legal_actions(game.rulebook, game.state, seat)
    option = data.draw(st.sampled_from([*options, None]))
    match option:
        case FoldOption(exposable=cards):
            game.do(a.Fold(seat, draw_expose(data, cards)))
        case RaiseOption(keep=keep, amounts=amounts, exposable=cards):
            game.do(a.Raise(seat, draw_amount(data, amounts), keep, draw_expose(data, cards)))
        case None:
            game.do(a.TimeOut(seat))


def accident(data: st.DataObject, game: Game) -> bool:
    if data.draw(st.integers(0, 40)):
        return False
    reason = data.draw(st.sampled_from(game.rulebook.reasons_for("round")))
    game.do(a.Void(reason, "a fire alarm" if reason == "other" else ""))
    return True


def play_round(data: st.DataObject, rulebook: Rulebook) -> Game:
    game = Game(rulebook, draw_meters(data, rulebook))
    assume(legal_actions(rulebook, game.state, 1))  # a display of nothing may leave nothing to bet on
    place_wagers(data, game)
    if rulebook.settings.dealing == "dice" or ("dice" in rulebook.dealing_methods and data.draw(st.booleans())):
        die = st.integers(1, 6)
        game.do(a.RollDice((data.draw(die), data.draw(die), data.draw(die)), data.draw(st.booleans())))
    if accident(data, game):
        return game
    game.do(a.Lock())
    if accident(data, game):
        return game
    draw_dynamic(data, game)
    deal(data, game)
    for seat in data.draw(st.permutations([seat.number for seat in game.state.seats])):
        if game.state.phase in ("dealt", "acting", "showdown") and data.draw(st.integers(0, 12)) == 0:
            disposition: a.Disposition = data.draw(st.sampled_from(("return", "forfeit")))
            game.do(a.VoidHand(seat, disposition, "other", "cards shown"))
        elif rulebook.settings.play == "full":
            decide(data, game, seat)
        if accident(data, game):
            return game
    game.do(a.Settle(locked_meters(rulebook, game.state)))
    return game


@pytest.mark.clause("G1", "S3", "S5", "S7")
@pytest.mark.parametrize("row", ROWS)
def test_random_legal_play_keeps_every_cent_and_can_be_written_down(row: str) -> None:
    @settings(max_examples=-(-ROUNDS // len(ROWS)), suppress_health_check=list(HealthCheck))
    @given(st.data())
    def some_rounds(data: st.DataObject) -> None:
        check_end(play_round(data, table(row)))

    some_rounds()
