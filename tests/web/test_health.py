"""Health reports every problem until it is over. After a full disk, the server opens the database again."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from highcardflush.errors import StoreError
from highcardflush.house import commands as c
from highcardflush.web.server import maintenance
from highcardflush.web.server.health import MB, Checker
from highcardflush.web.server.settings import Settings
from support.places.floor import Clock, Floor, open_new_floor
from support.places.live import until


def checker(floor: Floor, **settings: Any) -> Checker:
    return Checker(floor.house, Settings(db=floor.url, **settings), floor.clock, time.monotonic)


@pytest.fixture
def now(url: str) -> Any:
    with open_new_floor(url, time.time) as floor:
        yield floor


def test_all_is_well(now: Floor) -> None:
    report = checker(now).look()
    assert (report.reasons, report.status, report.database) == ((), "ok", now.house.store.dialect)
    assert isinstance(report.disk_free_bytes, int)
    assert isinstance(report.clock_ahead_ms, int)
    assert report.clock_ahead_ms < 5000


def test_a_wrong_clock_is_told(file_floor: Floor) -> None:
    """The floor's clock is far ahead of the database's, which is the machine's."""
    assert "clock: " in checker(file_floor).look().reasons[0]
    clock = file_floor.clock
    assert isinstance(clock, Clock)
    clock.now -= 100
    assert "clock: behind the newest event in the books" in checker(file_floor).look().reasons


def test_the_last_audit_has_its_age(file_floor: Floor) -> None:
    checks = checker(file_floor, audit_hours=24)
    assert "audit: none in 24 hours" in checks.look().reasons
    file_floor.do("office", c.Audited("0" * 64, 0), "amy")
    file_floor.do("office", c.AddPerson("zoe", "player"))
    assert "audit: none in 24 hours" not in checks.look().reasons
    file_floor.wait(3600)
    assert checks.look().audit_age_s == 3600
    file_floor.do("office", c.AddPerson("zed", "player"))
    file_floor.wait(24 * 3600)
    assert "audit: none in 24 hours" in checks.look().reasons


def test_little_room_is_told(now: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("highcardflush.web.server.health.free_bytes", lambda _: 3 * MB)
    assert checker(now).look().reasons == ("disk: 3 MB free, expected at least 64 MB",)


def test_a_stop_that_has_begun_is_told(now: Floor) -> None:
    checks = checker(now)
    checks.stopping = True
    assert checks.look().reasons == ("stopping: no new rounds",)


async def test_it_looks_once_a_second_however_often_it_is_asked(file_floor: Floor) -> None:
    checks, looks = checker(file_floor), []
    look = checks.look
    checks.look = lambda: (looks.append(1), look())[1]  # type: ignore[method-assign, func-returns-value]
    now = 0.0
    checks._monotonic = lambda: now
    await asyncio.gather(*(checks.check() for _ in range(20)))
    assert len(looks) == 1
    now = 1.0
    await checks.check()
    assert len(looks) == 2


async def test_books_that_have_failed_are_opened_again(now: Floor) -> None:
    """Either database recovers from any failure."""
    now.house.store.failed = StoreError("database", read="no room", expected="room")
    task = asyncio.create_task(maintenance.reopen_when_free(now.house, Path("/nowhere"), MB, 0.01))
    await until(lambda: now.house.store.failed is None)
    task.cancel()
    now.do("office", c.AddPerson("zoe", "player"))
