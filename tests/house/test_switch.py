"""Tables that are open, paused or closed: what is live is finished, and nothing new begins."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from highcardflush.errors import NotPermitted
from highcardflush.game.actions import ClearWagers, Fold, Lock, PlaceWagers
from highcardflush.game.legal import WagerOption
from highcardflush.house import commands as c
from highcardflush.house import reports
from highcardflush.house.table.due import next_due
from highcardflush.house.table.told import TableSwitched
from highcardflush.house.table.view import told, you
from house.test_people import body, by, more
from house.test_people import told as found
from support.places.floor import AT_ONCE, Floor


@pytest.fixture
def floor(floor: Floor) -> Iterator[Floor]:
    floor.players("ann", "bob")
    floor.table("one", "galaxy-v7 | FLUSH |", physical=False)
    yield floor
    floor.check()


TABLE = "table/one"


def test_a_paused_table_finishes_its_round_and_opens_no_other(floor: Floor) -> None:
    floor.do(TABLE, c.Sit(1), "ann")
    floor.do(TABLE, c.OpenRound(), "house")
    floor.bet(TABLE, 1, "ann", ante=500)
    floor.do(TABLE, c.SwitchTable("paused", "a fire drill"), "sue")
    table = floor.house.table("one")
    assert told(table, "spectator") == (TableSwitched("paused", "a fire drill"),)
    floor.do(TABLE, c.Sit(2), "bob")  # somebody may come and wait
    table = floor.house.table("one")
    assert not any(isinstance(option, WagerOption) for option in you(table, "bob").legal)  # type: ignore[union-attr]
    assert floor.refused(TABLE, PlaceWagers(2, {"ante": 500}), "bob").values["state"] == "paused"
    floor.do(TABLE, Lock(), "house")
    floor.do(TABLE, c.DealCards(), "house")
    floor.do(TABLE, Fold(1), "ann")
    floor.do(TABLE, c.SettleRound(), "house")
    assert next_due(floor.house.table("one"), 100, AT_ONCE) is None
    assert floor.refused(TABLE, c.OpenRound(), "house").values["state"] == "paused"
    floor.do(TABLE, c.SwitchTable("open", "over"), "admin")
    floor.do(TABLE, c.OpenRound(), "house")
    assert floor.house.table("one").state == "open"


def test_a_wager_may_be_taken_back_and_a_seat_left_while_nothing_new_begins(floor: Floor) -> None:
    floor.do(TABLE, c.Sit(1), "ann")
    floor.do(TABLE, c.OpenRound(), "house")
    floor.bet(TABLE, 1, "ann", ante=500)
    floor.do(TABLE, c.SwitchTable("closed", "the night is over"), "sue")
    assert floor.refused(TABLE, c.Sit(2), "bob").values["state"] == "closed"
    floor.do(TABLE, ClearWagers(1), "ann")
    floor.do(TABLE, c.Leave(1), "ann")
    assert floor.again().house.table("one").state == "closed"
    assert reports.table_row(floor.house, "one", "amy").state == "closed"


def test_supervisors_and_administrators_switch_a_table(floor: Floor) -> None:
    for actor in ("ann", "house", "cal", "amy"):
        assert isinstance(floor.refused(TABLE, c.SwitchTable("paused", "a test"), actor), NotPermitted)
    assert str(floor.refused(TABLE, c.SwitchTable("open", "a test"), "sue")) == "Table one is already open."


def test_what_began_at_a_table_that_is_not_open_is_found(floor: Floor) -> None:
    floor.do(TABLE, c.Sit(1), "ann")
    floor.do(TABLE, c.SwitchTable("closed", "a test"), "sue")
    floor.do(TABLE, c.SwitchTable("open", "a test"), "sue")
    floor.do(TABLE, c.OpenRound(), "house")
    shut = body(TABLE, "switch", 0, "state", "paused")
    assert "this open: read at a table that is paused" in found(floor, shut)
    assert "the permission for this switch" in found(floor, by(TABLE, "switch", 0, "dan", "dealer"))
    closed = floor.house.table("one").head.seq - 2
    again = more(TABLE, closed, {"state": "open", "reason": " "})
    assert "another of the three" in found(floor, again)
    assert "the reason of this switch" in found(floor, again)
