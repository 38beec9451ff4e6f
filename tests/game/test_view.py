"""Each viewer's view of a round: everything that must be seen, and not one card more."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from highcardflush.cards import HIDDEN, NO_CARDS, Hand, format_card
from highcardflush.errors import NotationError
from highcardflush.game import actions as a
from highcardflush.game import step, view
from highcardflush.game.state import DEALER, Seat, State
from highcardflush.game.view import View, Viewer
from highcardflush.jackpot import Meter
from highcardflush.notation import format_round, parse_rounds, replay
from highcardflush.notation.replay import Replay
from highcardflush.notation.rounds import parse_each
from highcardflush.rulebook import Rulebook
from support.data.tables import ROWS, book_of, table
from support.walkers.rounds import begin, cases, finish, walk

ROUNDS = 4
VIEWERS: tuple[Viewer, ...] = (1, 2, 3, 4, 5, 6, "dealer", "spectator")


def turned_up(rulebook: Rulebook, state: State, seat: Seat) -> Hand:
    assert seat.hand is not None
    face_up = seat.decision.expose if seat.decision else NO_CARDS
    if state.phase != "settled" or seat.void:
        return face_up
    bets, discards = seat.wagers, rulebook.expose != "refused"
    if "flush" in bets or "progressive" in bets:
        return seat.hand
    if "straight-flush" in bets and rulebook.expose != "required":
        return seat.hand
    if seat.decision and seat.decision.raise_cents:
        keep = seat.decision.keep
        return Hand(face_up | seat.hand.suit(keep)) if discards and keep is not None else seat.hand
    return face_up


def allowed(rulebook: Rulebook, state: State, viewer: Viewer) -> dict[int, Hand]:
    may = {
        seat.number: seat.hand if seat.number == viewer else turned_up(rulebook, state, seat)
        for seat in state.seats
        if seat.hand is not None
    }
    if state.dealer is not None:
        phase = state.void.phase if state.void else state.phase
        may[DEALER] = state.dealer if phase in ("showdown", "settled") else NO_CARDS
    return may


def hands_within(value: Any) -> Iterator[Hand]:
    if isinstance(value, Hand):
        yield value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from hands_within(getattr(value, name))
    elif isinstance(value, dict):
        for item in value.items():
            yield from hands_within(item)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from hands_within(part)
    else:
        assert value is None or isinstance(value, (str, int, bool)), f"{value!r} is not searched"


def check_view(rulebook: Rulebook, state: State, viewer: Viewer) -> None:
    visible, may = view(rulebook, state, viewer), allowed(rulebook, state, viewer)
    visible_cards = Hand.of(card for hand in may.values() for card in hand)
    hidden_cards = Hand.of(card for hand in state.hands.values() for card in hand).without(visible_cards)
    assert all(not hand & hidden_cards for hand in hands_within(visible))
    # Digits and letters of the content hash, and words of a notice, could look like cards.
    text = msgspec.json.encode(msgspec.structs.replace(visible, sha256="", notice=""), enc_hook=str).decode()
    assert not [format_card(card) for card in hidden_cards if format_card(card) in text]
    assert hands_of(visible) == may
    counts = {seat.number: seat.hand.cards for seat in visible.seats if seat.hand}
    counts |= {DEALER: visible.dealer.cards} if visible.dealer else {}
    assert {number: len(hand) for number, hand in state.hands.items()} == counts


def hands_of(seat_view: View) -> dict[int, Hand]:
    hands = {seat.number: seat.hand.seen for seat in seat_view.seats if seat.hand}
    return hands | ({DEALER: seat_view.dealer.seen} if seat_view.dealer else {})


def check_text(rulebook: Rulebook, state: State, viewer: Viewer) -> None:
    text = format_round(rulebook, state, viewer)
    may = allowed(rulebook, state, viewer)
    hidden_count = sum(len(hand) - len(may[number]) for number, hand in state.hands.items())
    assert text.count(HIDDEN) == hidden_count
    (round_text,) = parse_rounds(text)
    assert round_text.text() == text
    # the 2c of D02c, the ID of an offered pay table, is not the two of clubs
    words = "\n".join(line for line in text.splitlines() if not line.startswith("offer "))
    for card in Hand.of(card for hand in state.hands.values() for card in hand):
        assert (format_card(card) in words) == any(card in hand for hand in may.values())
    if hidden_count and state.phase in ("settled", "void"):
        with pytest.raises(NotationError, match="every card, because hidden cards cannot be played"):
            replay(round_text, find=book_of)


@pytest.mark.clause("G1", "O7")
@pytest.mark.parametrize("row", ROWS)
def test_no_viewer_sees_a_hidden_card(row: str) -> None:
    rulebook = table(row)
    for number in range(ROUNDS):
        for state in walk(rulebook, Random(f"{row} {number}"), accidents=number % 2 == 1):
            for viewer in VIEWERS:
                check_view(rulebook, state, viewer)
                check_text(rulebook, state, viewer)


DEALT = """
    seat 1 ante 10
    seat 4 ante 10
    deal 1 AsKs9s7s 6d7d8d
    deal 4 2c9c Jh4h 5s8s Qd
    deal dealer 9h8h6h Kc3c Td2s
    """

SEEN = """
rulebook      | wagers           | round                                | viewer    | sees
oxford        |                  |                                      | 1         | 1 AsKs9s7s 8d7d6d
oxford        |                  |                                      | dealer    |
oxford        |                  | 1 raise 10 expose 6d7d8d             | 4         | 1 8d7d6d, 4 8s5s Jh4h Qd 9c2c
oxford        |                  | 1 raise 10; 4 fold                   | spectator | dealer 2s 9h8h6h Td Kc3c
oxford        |                  | 1 raise 10; 4 fold; settle           | spectator | 1 AsKs9s7s, dealer 2s 9h8h6h Td Kc3c
oxford        |                  | 1 raise 10 keep diamonds; 4 fold; settle | spectator | 1 8d7d6d, dealer 2s 9h8h6h Td Kc3c
oxford        | flush 5          | 1 raise 10; 4 fold; settle           | spectator | 1 AsKs9s7s 8d7d6d, dealer 2s 9h8h6h Td Kc3c
oxford        | straight-flush 5 | 1 fold; 4 fold; settle               | spectator | 1 AsKs9s7s 8d7d6d, dealer 2s 9h8h6h Td Kc3c
atlantic-city | straight-flush 5 | 1 fold expose 6d7d8d; 4 fold; settle | spectator | 1 8d7d6d, dealer 2s 9h8h6h Td Kc3c
galaxy-v7     |                  | 1 raise 10; 4 fold; settle           | dealer    | 1 AsKs9s7s 8d7d6d, dealer 2s 9h8h6h Td Kc3c
oxford        |                  | 1 raise 10 expose 8d; void button    | 4         | 1 8d, 4 8s5s Jh4h Qd 9c2c
oxford        | flush 5          | 1 raise 10; 4 fold; void button      | 6         | dealer 2s 9h8h6h Td Kc3c
oxford        | flush 5          | 1 raise 10; 4 fold; void 1 return conduct; settle | 6 | dealer 2s 9h8h6h Td Kc3c
"""  # noqa: E501


@pytest.mark.clause("M2", "A3", "O7", "O9")
@pytest.mark.parametrize(("rulebook", "bets", "moves", "viewer", "expected"), cases(SEEN))
def test_each_viewer_sees_the_cards_open_to_them(
    rulebook: str, bets: str, moves: str, viewer: str, expected: str
) -> None:
    lines = f"rulebook {rulebook}" + DEALT.replace("seat 1 ante 10", f"seat 1 ante 10 {bets}")
    play_it = finish if moves.endswith("settle") else begin
    game = play_it(lines + moves.removesuffix("; settle").replace("; ", "\n"))
    who: Viewer = int(viewer) if viewer.isdigit() else "dealer" if viewer == "dealer" else "spectator"
    hands = hands_of(view(game.rulebook, game.state, who))
    assert ", ".join(f"{number or 'dealer'} {hand}" for number, hand in hands.items() if hand) == expected


@pytest.mark.clause("O7", "O9", "S11")
def test_the_kept_suit_is_told_when_it_is_turned_up() -> None:
    lines = "rulebook oxford" + DEALT + "1 raise 10 keep diamonds\n4 fold"

    def keep(game: Replay, viewer: Viewer) -> int | None:
        decision = view(game.rulebook, game.state, viewer).seats[0].decision
        assert decision is not None
        assert decision.raise_cents == 1000
        return decision.keep

    assert [keep(begin(lines), viewer) for viewer in VIEWERS] == [1, None, None, None, None, None, None, None]
    assert {keep(finish(lines), viewer) for viewer in VIEWERS} == {1}
    for void in ("void button", "void 1 return conduct"):
        game = (begin if void == "void button" else finish)(f"{lines}\n{void}")
        assert [keep(game, viewer) for viewer in (1, 4, "dealer")] == [1, None, None]
    assert "keep" not in format_round(begin(lines).rulebook, begin(lines).state, 4)
    assert "keep diamonds" in format_round(begin(lines).rulebook, begin(lines).state, 1)


@pytest.mark.clause("A3")
@pytest.mark.parametrize("move", ["1 fold", "1 raise 10"])
def test_reasons_tell_nothing_of_cards_that_lie_face_down(move: str) -> None:
    visible_texts = []
    for discards in ("6d7d8d", "6d7d2c"):  # a straight flush among them, and none
        lines = DEALT.replace("seat 1 ante 10", "seat 1 ante 10 straight-flush 5").replace("6d7d8d", discards)
        game = finish("rulebook atlantic-city" + lines.replace("2c9c", "Ac9c") + f"{move}\n4 fold")
        visible_texts.append(view(game.rulebook, game.state, 4).results)
    assert visible_texts[0] == visible_texts[1]


METERED = """
    rulebook galaxy-v7
    offer progressive PT-BJS-HCF-SF-07
    seat 2 ante 5 progressive 1
    """


@pytest.mark.clause("W5b", "S4")
def test_the_display_shows_the_contribution_from_the_lock_on() -> None:
    game = begin(METERED)
    assert view(game.rulebook, game.state, "spectator").meters == {"progressive": Meter(30000_000000)}
    state, _ = step(game.rulebook, game.state, a.Lock())
    assert view(game.rulebook, state, "spectator").meters == {"progressive": Meter(30000_230000, 50000)}
    state, _ = step(game.rulebook, state, a.Void("other", "a test"))
    assert view(game.rulebook, state, "spectator").meters == {"progressive": Meter(30000_000000)}
    outcome = finish(METERED + "deal 2 8c7c6c5c4c3c Kd\ndeal dealer 9h8h6h Kc3s Td2s\n2 fold")
    assert view(outcome.rulebook, outcome.state, 2).meters == {"progressive": Meter(27000_200000, 50000)}


@pytest.mark.clause("W11")
@pytest.mark.parametrize("lines", ["", "lock", "void other x"])
def test_a_meter_on_display_cannot_be_changed(lines: str) -> None:
    game = begin(METERED + lines)
    before = msgspec.json.encode(game.state, enc_hook=str)
    table_view = view(game.rulebook, game.state, "spectator")
    with pytest.raises(AttributeError):
        table_view.meters["progressive"].amount_micros = 1  # type: ignore[misc]
    with pytest.raises(AttributeError):
        table_view.meters = {}  # type: ignore[misc]
    table_view.meters["progressive"] = Meter(0)
    assert msgspec.json.encode(game.state, enc_hook=str) == before


@pytest.mark.clause("V7", "W10")
def test_dice_dynamic_pays_wagers_and_results_are_seen_by_all() -> None:
    dynamic = begin("rulebook galaxy-v7\noffer progressive PT-PRG-HCF-D01a\nseat 2 ante 5\ndynamic 5-card=75")
    dice = begin("rulebook washington\nseat 2 ante 5\ndice 1 2 3 clockwise")
    outcome = finish("rulebook oxford" + DEALT + "1 fold\n4 fold")
    void = begin("rulebook oxford" + DEALT + "void button")
    for viewer in VIEWERS:
        assert view(dynamic.rulebook, dynamic.state, viewer).dynamic == (("5-card", 75),)
        dice_view = view(dice.rulebook, dice.state, viewer)
        assert (dice_view.dice, dice_view.clockwise, dice_view.viewer) == ((1, 2, 3), True, viewer)
        assert dice_view.seats[0].wagers == {"ante": 500}
        assert outcome.state.settlement is not None
        assert view(outcome.rulebook, outcome.state, viewer).results == outcome.state.settlement.results
        assert view(void.rulebook, void.state, viewer).void == void.state.void
    assert view(dice.rulebook, dice.state, 2).results == ()


@pytest.mark.clause("S8")
def test_the_rules_in_force_are_on_the_view_and_in_the_record() -> None:
    game = begin("rulebook oxford" + DEALT)
    seat_view = view(game.rulebook, game.state, 1)
    assert (seat_view.rulebook, seat_view.version, seat_view.sha256) == ("oxford", "1", game.rulebook.sha256)
    text = format_round(game.rulebook, game.state, with_hash=True)
    assert text.startswith(f"hcf 1\nrulebook oxford @{game.rulebook.sha256}\n")
    stranger = text.replace(game.rulebook.sha256[:12], "0123456789ab") + "1 fold\n4 fold\n"
    with pytest.raises(NotationError, match="content hash: read @0123456789ab"):
        replay(parse_each(stranger)[0])


def test_a_hidden_hand_is_written_card_by_card() -> None:
    game = begin("rulebook oxford" + DEALT + "1 raise 10 expose 6d7d8d")
    assert format_round(game.rulebook, game.state, 4) == (
        "hcf 1\nrulebook oxford\nseat 1 ante 10\nseat 4 ante 10\ndeal 1 8d7d6d ????????\n"
        "deal 4 8s5s Jh4h Qd 9c2c\ndeal dealer ??????????????\n1 raise 10 expose 8d7d6d\n"
    )
