"""Outages of a server in mid-round: everybody comes back, and nothing is lost. (At length: `sweep/serve.py`.)"""

from pathlib import Path

import pytest

from highcardflush.errors import StoreError
from support.faults.outages import Site, back, check, in_the_middle, playing, prepare
from support.places.floor import OXFORD, Floor
from support.places.live import living
from support.places.postgres import Server

TABLES = 4


async def test_a_server_that_is_killed_goes_on_where_it_stood(sqlite_url: str, tmp_path: Path) -> None:
    site = Site(sqlite_url, tmp_path)
    async with playing(site, prepare(sqlite_url, TABLES)[:20], 20) as crowd:
        await in_the_middle(crowd)
        await site.kill()
        await back(crowd)
        await site.without_room(crowd)
        await back(crowd)
    check(site, crowd)
    assert all(patron.connections > 1 for patron in crowd.patrons)


async def test_a_worker_and_a_database_that_are_killed_are_done_without(
    postgres_server: Server, postgres_url: str, tmp_path: Path
) -> None:
    site = Site(postgres_url, tmp_path, workers=2)
    async with playing(site, prepare(postgres_url, TABLES)[:20], 20) as crowd:
        await in_the_middle(crowd)
        await site.kill_worker(0)
        await back(crowd)
        await in_the_middle(crowd)
        await site.kill_database(postgres_server)
        await back(crowd)
    check(site, crowd)


@pytest.mark.clause("S9")
async def test_nobodys_time_runs_out_while_the_books_take_nothing(file_floor: Floor) -> None:
    """A decision that the disk refuses can be made when there is room: the whole time is given again, and told."""
    file_floor.table("one", OXFORD, physical=False)
    async with living(file_floor) as live:
        ann = await live.seated()
        await ann.event("open")
        await ann.do("table/one", {"type": "PlaceWagers", "seat": 1, "wagers": {"ante": 1000}})
        await ann.event("deal")
        file_floor.house.store.failed = StoreError("books", read="disk full", expected="room")
        assert (await ann.do("table/one", {"type": "Fold", "seat": 1}))["error"]["code"] == "store-failed"
        live.pass_by(31)
        again = await ann.hear("table", "told")
        assert (again["type"], again["clock"]) == ("table", {"for": "decision", "ends_in_ms": 30_000})
        live.pass_by(29)
        assert (await ann.do("table/one", {"type": "Fold", "seat": 1}))["type"] == "done"
        assert (await ann.event("fold"))["told"][0]["timed_out"] is False
