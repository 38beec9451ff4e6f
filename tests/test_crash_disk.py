"""Disk full and I/O errors: the command fails with a code, nothing is half done, and no wager is taken until the store
has been reopened and checked. `sweep/crash.py disk` does it at every write.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from support.crash.driver import World
from support.crash.errors import CALLS, ERRORS, abandon, break_server, fill_server, server_writes, starve
from support.crash.kills import Point, round_points
from support.crash.lab import Lab, in_memory, need_postgres, spread
from support.crash.nursery import Nursery
from support.crash.scenario import lanes
from support.crash.strace import need_strace
from support.postgres import running


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    need_strace()
    with Nursery("support.crash.child") as nursery:
        yield nursery
        assert nursery.errors() == ""


@pytest.fixture(scope="module")
def sqlite(nursery: Nursery) -> Iterator[Lab]:
    with in_memory() as folder:
        yield Lab(folder, nursery)


@pytest.fixture(scope="module")
def postgresql(nursery: Nursery) -> Iterator[Lab]:
    need_postgres()
    with in_memory() as folder, running() as server:
        yield Lab(folder, nursery, server)


@pytest.fixture(scope="module")
def points(sqlite: Lab) -> list[Point]:
    return [point for point in round_points(sqlite) if point.syscall in CALLS]


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "lasting"])
@pytest.mark.parametrize("error", ERRORS)
def test_a_write_that_fails(sqlite: Lab, points: list[Point], error: str, lasting: bool) -> None:
    found = Counter(starve(sqlite, point, error, lasting=lasting) for point in spread(points, 10))
    assert found["refused"] >= 5  # a checkpoint that fails is made again by a later commit, and nobody has to know


@pytest.mark.parametrize("error", ERRORS)
def test_a_sync_that_fails(sqlite: Lab, points: list[Point], error: str) -> None:
    syncs = [point for point in points if point.syscall in ("fsync", "fdatasync")]
    found = Counter(starve(sqlite, point, error, lasting=False) for point in spread(syncs, 5))
    assert found["refused"] >= 2


@pytest.mark.parametrize("threads", [1, 3])
def test_a_command_that_was_told_no_is_not_in_the_books_after_a_failed_sync(
    sqlite: Lab, points: list[Point], threads: int
) -> None:
    syncs = [point for point in points if point.syscall in ("fsync", "fdatasync")]
    found = [kept for point in spread(syncs, 12) for kept in abandon(sqlite, point, "EIO", threads=threads)]
    assert any(found)  # so that to call it failed would have been wrong


def test_a_write_that_fails_takes_its_whole_group_with_it(sqlite: Lab, points: list[Point]) -> None:
    found = {starve(sqlite, point, "ENOSPC", lasting=True, threads=3) for point in spread(points[20:120], 4)}
    assert found == {"refused"}


def refusal() -> World:
    return World({"cage": [step for step in lanes(1, 99)["cage"] if step.key.startswith("much")]})


def test_a_refusal_that_could_not_be_kept_is_not_told(sqlite: Lab) -> None:
    found = [point for point in round_points(sqlite, refusal()) if point.syscall == "pwrite64"]
    for point in spread(found, 12):
        starve(sqlite, point, "ENOSPC", lasting=True, world=refusal())


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "lasting"])
def test_a_server_whose_disk_is_full(postgresql: Lab, lasting: bool) -> None:
    writes = server_writes(postgresql) - 10  # the last few may not come: how many there are depends on the cards
    for number in spread(range(1, writes), 6):
        assert fill_server(postgresql, number, lasting=lasting) == "refused"
    assert fill_server(postgresql, writes // 2, lasting=lasting, threads=3) == "refused"


@pytest.mark.parametrize(("syscall", "number", "error"), [("pwrite64", 1, "ENOSPC"), ("fdatasync", 9, "EIO")])
def test_a_server_whose_log_fails_starts_anew_and_nobody_loses_anything(
    postgresql: Lab, syscall: str, number: int, error: str
) -> None:
    assert postgresql.server is not None
    log = postgresql.server.folder / "log"
    crashes = log.read_text().count("PANIC")
    assert break_server(postgresql, Point(syscall, number), error) == "unnoticed"
    assert log.read_text().count("PANIC") == crashes + 1
