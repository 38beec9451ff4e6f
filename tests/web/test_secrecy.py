"""No card of a live round leaves the server for who may not know it, nor does the length of anything tell of one.

Hundreds of rounds at every rulebook, with players, spectators and staff of every role connected; every byte of frames,
responses and the log is searched. (Ten thousand rounds: `sweep/secrecy.py`.)
"""

import asyncio
import re
from typing import Any

import pytest

from highcardflush.game.view import seat_view
from highcardflush.web.live import table_messages
from highcardflush.web.routes import coach, tables
from support.judges.card_leaks import COURSE, ROLES, Ear, overheard
from support.places.floor import Floor

LAPS = 30
"""Seven rounds each."""


def listen(floor: Floor, laps: int, crawls: int, calls: str, *at: str) -> Ear:
    """Record everything sent in some laps; in the first `crawls` everybody makes all calls under `calls`."""

    async def scene() -> Ear:
        async with overheard(floor, 7, *at) as ears:
            for lap in range(laps):
                await ears.lap(calls if lap < crawls else None)
            return ears.ear

    return asyncio.run(scene())


@pytest.mark.clause("S16")
def test_nobody_is_told_a_card_that_they_may_not_know(file_floor: Floor) -> None:
    ear = listen(file_floor, LAPS, 2, "/")
    assert ear.findings() == []
    # it has heard what it should have
    assert ear.frames > LAPS * 7 * len(ROLES) * 5
    assert ear.responses > 500 < ear.lines
    assert ear.names_shown > LAPS * 7
    assert {"told deal", "told hand", "told fold", "told raise", "table None"} <= ear.more.keys()
    assert any(step[0] == "GET" and step[2].endswith("/advice") for step in ear.courses)


def everybody_sees(*args: Any) -> Any:
    rulebook, state, seat, _ = args
    return seat_view(rulebook, state, seat, seat.number)


LEAKS: list[tuple[Any, str, Any, str]] = [
    (table_messages, "seat_view", everybody_sees, r" told to \w+: cards"),
    (table_messages, "OWN_BYTES", 0, "longer by"),
    (tables, "OWN_BYTES", 0, "'/api/v1/tables/course'"),
    (tables, "ROW_BYTES", 0, "'/api/v1/tables/course/events'"),
    (tables, "viewer_of", lambda *_: 1, "/api/v1/tables/course to bob: 200: cards"),
    (coach, "BYTES", 0, "'/api/v1/tables/course/advice'"),
]
"""Each leak: the function that keeps a secret, a replacement that does not, and the finding that results."""


def test_every_planted_leak_is_heard(file_floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    for where, name, instead, _ in LEAKS:
        monkeypatch.setattr(where, name, instead)
    ear = listen(file_floor, 10, 10, "/api/v1/tables/course", COURSE).findings()
    assert [leak for *_, leak in LEAKS if not any(re.search(leak, finding) for finding in ear)] == []
