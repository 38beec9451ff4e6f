"""The settings of the floor: on record, checked, changed by one administrator or two, in force at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from highcardflush.errors import NeedsSecond, NotPermitted
from highcardflush.house import codec, reports
from highcardflush.house import commands as c
from highcardflush.house.floor_settings import FloorSettings, Times
from highcardflush.house.office.commands import read_floor
from house.test_people import body, by, more, told
from support.places.floor import Floor


@pytest.fixture
def floor(floor: Floor) -> Iterator[Floor]:
    yield floor
    floor.check()


def settings(floor: Floor) -> FloorSettings:
    return floor.house.store.snapshot(read_floor)


def test_defaults_hold_until_something_is_set(floor: Floor) -> None:
    assert settings(floor) == FloorSettings()
    assert settings(floor).times == Times(20, 5)
    floor.do("office", c.SetFloor({"betting_s": 30, "guests": False}, "a slow night"))
    floor.do("office", c.SetFloor({"betting_s": 12}, "faster"))
    assert settings(floor) == FloorSettings(betting_s=12, guests=False)
    assert reports.floor_settings(floor.house, "amy").times == Times(12, 5)
    assert [body["floor"] for _, kind, _, body in floor.events("office") if kind == "floor"] == [1, 2]


REFUSED = """
changes                                | what                        | expected
{"speed": 1}                           | speed                       | a known key
{"Betting-S": 7}                       | Betting-S                   | a known key
{"betting_s": 0}                       | betting_s                   | a whole number, 5 or more
{"betting_s": 601}                     | betting_s                   | a whole number, 600 or less
{"betting_s": 12.5}                    | betting_s                   | a whole number
{"betting_s": true}                    | betting_s                   | a whole number
{"pause_s": -1}                        | pause_s                     | a whole number, 0 or more
{"pause_s": 601}                       | pause_s                     | a whole number, 600 or less
{"grace_s": 9}                         | grace_s                     | a whole number, 10 or more
{"grace_s": 3601}                      | grace_s                     | a whole number, 3600 or less
{"guests": "yes"}                      | guests                      | true or false
{"house_players": 7}                   | house_players               | a whole number, 6 or less
{"hours": "9-5"}                       | hours                       | two times of day such as 10:00-02:00
{"day_starts": "24:00"}                | day_starts                  | a time of day such as 06:00
{"zone": "Europe/Atlantis"}            | zone                        | a time zone by its name
{"zone": "../etc/passwd"}              | zone                        | a time zone by its name
{"zone": ""}                           | zone                        | a time zone by its name
"""


def test_a_value_that_is_not_good_is_refused_and_named(floor: Floor) -> None:
    for line in REFUSED.strip().splitlines()[1:]:
        changes, what, expected = (cell.strip() for cell in line.split("|"))
        error = floor.refused("office", c.SetFloor(json.loads(changes), "a test"), "admin")
        assert (changes, error.message) == (changes, what)
        assert str(error.expected).startswith(expected)
    for hours, reason in (("09:00-09:00", "empty-hours"), (None, "floor-unchanged")):
        assert floor.refused("office", c.SetFloor({"hours": hours}, "a test"), "admin").reason == reason
    assert settings(floor) == FloorSettings()


def test_only_an_administrator_sets_the_floor_and_two_where_changes_take_two(floor: Floor) -> None:
    change = c.SetFloor({"guests": False}, "no guests")
    for actor in ("sue", "dan", "cal", "amy"):
        assert isinstance(floor.refused("office", change, actor), NotPermitted)
    floor.do("office", c.AddPerson("ada", "administrator"))
    floor.do("office", c.RequireApproval(True, "policy"))
    assert isinstance(floor.refused("office", change, "admin"), NeedsSecond)
    number = floor.do("office", c.ProposeChange("office", change, "no guests")).seq
    assert settings(floor).guests
    floor.do("office", c.DecideChange(number, approve=True), "ada")
    assert not settings(floor).guests


def test_a_forged_setting_is_found(floor: Floor) -> None:
    seq = floor.do("office", c.SetFloor({"betting_s": 30}, "a test")).seq
    says = {
        "floor": 1,
        "changes": {"betting_s": 9999},
        "settings": json.loads(codec.encode(FloorSettings())),
        "reason": " ",
    }
    found = [
        told(floor, body("office", "floor", 0, "settings.betting_s", 31)),
        told(floor, body("office", "floor", 0, "floor", 2)),
        told(floor, by("office", "floor", 0, "sue", "supervisor")),
        told(floor, more("office", seq, says, number=2)),
    ]
    assert "the floor's settings" in found[0]
    assert "the number of the floor's event: read 2, expected 1" in found[1]
    assert "the permission for this floor" in found[2]
    assert "a value that it may have" in found[3]
    assert "the reason of this floor" in found[3]


HOURS = [
    (None, "03:00", True),
    ("10:00-18:00", "09:59", False),
    ("10:00-18:00", "10:00", True),
    ("10:00-18:00", "18:00", False),
    ("20:00-04:00", "23:00", True),
    ("20:00-04:00", "03:59", True),
    ("20:00-04:00", "04:00", False),
]


@pytest.mark.parametrize(("hours", "local", "is_open"), HOURS)
def test_hours_are_of_the_zone_and_may_pass_midnight(hours: str | None, local: str, is_open: bool) -> None:
    zone = "America/Los_Angeles"
    moment = datetime.fromisoformat(f"2026-07-01T{local}:30").replace(tzinfo=ZoneInfo(zone)).timestamp()
    assert FloorSettings(hours=hours, zone=zone).is_open(moment) == is_open


def test_the_coach_helps_but_at_some_tables() -> None:
    assert FloorSettings(coach_except=("one",)).coaches("two")
    assert not FloorSettings(coach_except=("one",)).coaches("one")
    assert FloorSettings(coach=False, coach_except=("one",)).coaches("one")
