"""A player with a wager in play leaves when the round ends."""

import pytest

from highcardflush.game.actions import ClearWagers, Fold, Lock
from highcardflush.house import commands as c
from highcardflush.house.table import told as t
from highcardflush.house.table.view import you
from support.places.floor import OXFORD, Floor, event_json


@pytest.fixture
def stream(floor: Floor) -> str:
    return floor.virtual("ann", "bob")


def test_the_seat_is_free_after_the_hand(floor: Floor, stream: str) -> None:
    floor.deal_cards(stream, {1: {"ante": 1000}})
    assert floor.refused(stream, c.Leave(1), "ann").message == "Finish this hand first, then you can leave."
    assert floor.do(stream, c.Leave(1, after_hand=True), "ann").kind == "leaving"
    own = you(floor.house.table("one"), "ann")
    assert own is not None
    assert own.leaving
    assert own.legal, "the player still decides"
    assert floor.refused(stream, c.Leave(1, after_hand=True), "ann").reason == "already-leaving"
    floor.do(stream, Fold(1), "ann")
    floor.do(stream, c.SettleRound(), "house")
    assert floor.refused(stream, c.OpenRound(), "house").reason == "seat-leaving"
    command = floor.command_due()
    assert command == c.Leave(1)
    floor.do(stream, command, "house")
    assert floor.house.table("one").seats == {2: "bob"}
    assert floor.command_due() == c.OpenRound()
    floor.check()


def test_another_process_knows_who_leaves(floor: Floor, stream: str) -> None:
    floor.deal_cards(stream, {1: {"ante": 1000}})
    floor.do(stream, c.Leave(1, after_hand=True), "ann")
    assert floor.again().house.table("one").leaving == {1}


def test_without_a_wager_it_is_an_ordinary_leave(floor: Floor, stream: str) -> None:
    answer = floor.do(stream, c.Leave(1, after_hand=True), "ann")
    assert (answer.kind, event_json(answer)) == ("leave", {"seat": 1, "player": "ann"})


def test_a_wager_taken_back_frees_the_seat_at_once(floor: Floor, stream: str) -> None:
    floor.do(stream, c.OpenRound(), "house")
    floor.bet(stream, 1, "ann", ante=1000)
    floor.do(stream, c.Leave(1, after_hand=True), "ann")
    assert floor.command_due() == Lock(), "the wager stays in play"
    floor.do(stream, ClearWagers(1), "ann")
    assert floor.command_due() == c.Leave(1)
    assert floor.refused(stream, c.Leave(1), "bob").reason == "not-your-seat"
    floor.check()


def test_nobody_asks_for_somebody_else(floor: Floor, stream: str) -> None:
    floor.deal_cards(stream, {1: {"ante": 1000}})
    for actor in ("bob", "dan"):
        assert floor.refused(stream, c.Leave(1, after_hand=True), actor).code == "not-permitted"
    assert floor.do(stream, c.Leave(1, after_hand=True), "sue").kind == "leaving"


def test_at_a_physical_table_the_dealer_frees_the_seat(floor: Floor) -> None:
    stream = floor.table("one", OXFORD, seats={1: None})
    floor.do(stream, c.OpenRound(), "dan")
    floor.bet(stream, 1, "dan", ante=1000)
    assert floor.refused(stream, c.Leave(1, after_hand=True), "dan").reason == "hand-in-play"


def test_only_a_server_gives_a_reason(floor: Floor, stream: str) -> None:
    floor.do("office", c.AddPerson("srv", "server"))
    assert floor.refused(stream, c.Leave(1, code="away"), "ann").reason == "server-code"
    floor.do(stream, c.Leave(1, code="away"), "srv")
    assert floor.house.table("one").messages.reveal() == (t.SeatLeft(1, "away"),)
    floor.check()
