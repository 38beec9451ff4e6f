"""kill -9 at system calls that write or sync, through a round on every table: what was acknowledged is there, once.

`sweep/crash.py kill` does it at every one of them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from support.crash.driver import World, finish
from support.crash.kills import (
    Point,
    examine,
    founding_points,
    kill,
    kill_founding,
    killed,
    recovery_points,
    round_points,
    session,
)
from support.crash.lab import Lab, Place, in_memory, need_postgres, spread
from support.crash.nursery import Nursery
from support.crash.scenario import METER
from support.crash.strace import need_strace
from support.postgres import running

COUNTS = {"sqlite": 24, "postgresql": 10}


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    need_strace()
    with Nursery("support.crash.child") as nursery:
        yield nursery
        assert nursery.errors() == ""


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def lab(request: pytest.FixtureRequest, nursery: Nursery) -> Iterator[Lab]:
    with in_memory() as folder:
        if request.param == "sqlite":
            yield Lab(folder, nursery)
            return
        need_postgres()
        with running("fsync=off") as server:  # the house is killed, not its server
            yield Lab(folder, nursery, server)


@pytest.fixture(scope="module")
def points(lab: Lab) -> list[Point]:
    return round_points(lab)


def test_the_round_has_all_that_can_go_wrong(lab: Lab) -> None:
    world = lab.world()
    with lab.house() as place:
        house = place.open()
        finish(house, world)
        (win,) = (case for case in house.meter(METER)[0].cases.values() if case.round == lab.rounds + 1)
        house.close()
    assert (win.outcome, len(win.votes)) == ("paid", 2)
    assert {answer["refused"]["code"] for _, answer in world.known.values() if "refused" in answer} == {"no-funds"}
    assert {step.command["type"] for step in world.accepted} >= {"Lock", "DealCards", "Raise", "SettleRound", "Void"}


def test_a_kill_loses_nothing(lab: Lab, points: list[Point]) -> None:
    # The last few may not come: how many there are depends on the cards.
    count = COUNTS[lab.dialect]
    assert sum(kill(lab, point) for point in spread(points, count)) >= count - 3


def test_a_kill_at_each_kind_of_call_loses_nothing(lab: Lab, points: list[Point]) -> None:
    for kind in sorted({point.syscall for point in points}):
        of_kind = [point for point in points if point.syscall == kind]
        assert kill(lab, of_kind[len(of_kind) // 2])


def test_a_kill_during_recovery_loses_nothing(lab: Lab, points: list[Point]) -> None:
    first = points[len(points) // 2]
    # What it takes to open the house again, and the first commands.
    again = spread(recovery_points(lab, first)[:60], COUNTS[lab.dialect] // 2)
    for point in again:
        assert kill(lab, first, point)
    assert kill(lab, first, again[2], again[4])


def test_after_a_kill_a_new_process_deals_at_every_table_in_seconds(lab: Lab, points: list[Point]) -> None:
    """Not 5 seconds later than at a house that was left alone. Who waits for a lock is late every time; a machine that
    has much else to do is not."""

    def seconds(place: Place, world: World) -> float:
        began = time.monotonic()
        with Nursery("support.crash.child") as cold:  # which imports everything first
            assert session(place, world)(cold.start())
        return time.monotonic() - began

    def late() -> bool:
        with lab.house() as place:
            usual = seconds(place, lab.world())
        world = lab.world()
        with lab.house() as place:
            assert killed(lab, points[len(points) // 2], session(place, world))
            after = seconds(place, world)
            examine(place, world)
        return after > usual + 5

    assert not all(late() for _ in range(5))


def test_a_new_process_takes_commands_from_many_threads_at_once(lab: Lab) -> None:
    # msgspec 0.22 crashes where two threads are the first to decode into the same type.
    for _ in range(8):
        with lab.house() as place:
            assert session(place, lab.world(), threads=3)(lab.nursery.start())


def test_a_kill_with_many_commands_on_the_way_loses_nothing(lab: Lab, points: list[Point]) -> None:
    # Each of three threads counts for itself.
    count = COUNTS[lab.dialect] // 2
    assert sum(kill(lab, point, threads=3) for point in spread(points[: len(points) // 4], count)) >= count - 2


def test_a_kill_while_a_house_is_founded_leaves_no_ruin(lab: Lab) -> None:
    found = founding_points(lab)
    key = [point for point in found if point.syscall == "write"]
    for point in [*spread(found, COUNTS[lab.dialect] // 3), *key]:
        kill_founding(lab, point)
