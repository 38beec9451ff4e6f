"""The only person at a virtual table may skip the pause between rounds."""

import pytest

from highcardflush.game.actions import Fold
from highcardflush.house import commands as c
from highcardflush.house.bots import seat_bots
from highcardflush.house.floor_settings import FloorSettings
from highcardflush.house.table.due import next_command
from support.places.floor import Floor

TIMES = FloorSettings().times


@pytest.fixture
def stream(floor: Floor) -> str:
    return floor.virtual("ann")


def play_round(floor: Floor, stream: str, seat: int = 1) -> None:
    floor.deal_cards(stream, {seat: {"ante": 1000}})
    floor.do(stream, Fold(seat), floor.house.table("one").seats[seat] or "")
    floor.do(stream, c.SettleRound(), "house")


def pause_s(floor: Floor) -> float:
    table = floor.house.table("one")
    upcoming = next_command(table, floor.house.cache.elapsed_s(table), TIMES)
    assert upcoming is not None
    assert upcoming.command == c.OpenRound()
    return upcoming.in_s


def test_skipping_ends_one_pause(floor: Floor, stream: str) -> None:
    seat_bots(floor.house, "one", 3, "bots")
    play_round(floor, stream)
    assert pause_s(floor) > 0
    floor.do(stream, c.Skip(1), "ann")
    assert pause_s(floor) == 0
    assert floor.again().house.table("one").pause_skipped
    assert floor.refused(stream, c.Skip(1), "ann").reason == "no-pause"
    play_round(floor, stream)
    assert pause_s(floor) > 0
    floor.check()


def test_two_people_keep_the_pause(floor: Floor, stream: str) -> None:
    floor.players("bob")
    floor.do(stream, c.Sit(2), "bob")
    play_round(floor, stream)
    assert floor.refused(stream, c.Skip(1), "ann").reason == "others-seated"
    assert floor.refused(stream, c.Skip(1), "bob").reason == "not-your-seat"


def test_only_a_pause_can_be_skipped(floor: Floor, stream: str) -> None:
    assert floor.refused(stream, c.Skip(1), "ann").reason == "no-pause", "no round was played yet"
    floor.do(stream, c.OpenRound(), "house")
    assert floor.refused(stream, c.Skip(1), "ann").reason == "no-pause"
