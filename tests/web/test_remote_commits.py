"""Commits of other processes are reported; commits of this process are not."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress

import pytest

from highcardflush.house import commands as c
from highcardflush.web.live import remote_commits
from highcardflush.web.live.remote_commits import RemoteCommits
from support.places.floor import OXFORD, Floor, open_new_floor
from support.places.live import until
from support.places.postgres import run_sql

Heard = list[Mapping[str, int]]
LISTENERS = "SELECT COUNT(*) FROM pg_stat_activity WHERE query = 'LISTEN hcf'"
CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN hcf'"


@asynccontextmanager
async def listening(floor: Floor, own: Callable[[], object] = bool) -> AsyncIterator[Heard]:
    """Yield the reports to a process, after it has committed something of its `own`."""
    groups: Heard = []
    listener = RemoteCommits(floor.house, floor.url, groups.append)
    await listener.load()
    await asyncio.to_thread(own)  # a poll before this returns would report it
    task = asyncio.create_task(listener.run())
    yield groups
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def test_a_commit_of_another_process_is_heard_once(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_commits, "POLL_S", dict.fromkeys(remote_commits.POLL_S, 0.05))
    floor.table("one", OXFORD, physical=False)
    other = floor.again()
    async with listening(floor, lambda: floor.do("table/one", c.OpenRound(), "house")) as groups:
        commit = await asyncio.to_thread(other.do, "office", c.AddPerson("zoe", "player"))
        await until(lambda: groups)
        assert groups == [{"office": commit.seq}]


async def test_a_notice_comes_at_once(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes of one house notify each other, without polling."""
    monkeypatch.setattr(remote_commits, "POLL_S", {"postgresql": 3600.0})
    with open_new_floor(postgres_url) as floor:
        floor.table("one", OXFORD, physical=False)
        other = floor.again()
        async with listening(floor) as groups, listening(other) as theirs:
            await until(lambda: run_sql(postgres_url, LISTENERS) == [(2,)])
            commit = await asyncio.to_thread(other.do, "table/one", c.OpenRound(), "house")
            await until(lambda: groups == [{"table/one": commit.seq}])
            assert not theirs
            run_sql(postgres_url, CUT)  # it connects again and polls for what it has missed
            commit = await asyncio.to_thread(other.do, "office", c.AddPerson("zoe", "player"))
            await until(lambda: groups[1:] == [{"office": commit.seq}])


def test_many_streams_fit_into_notices() -> None:
    """PostgreSQL refuses a notice of 8,000 bytes."""
    listener = RemoteCommits.__new__(RemoteCommits)
    listener._sender = "f" * 16
    own = {f"table/{number:040}": 2**40 + number for number in range(500)}
    texts = list(listener._notices(own))
    assert max(map(len, texts)) < 8000
    groups: Heard = []
    listener._sender, listener._newest, listener._report = "other", {}, groups.append
    for text in texts:
        listener._read(text)
    assert {stream: seq for some in groups for stream, seq in some.items()} == own
    listener._read("something else")
