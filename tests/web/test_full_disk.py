"""If the disk is full, bets are refused with a code, views still work, and play continues later."""

import asyncio
from functools import partial

import pytest
from httpx import ASGITransport, AsyncClient

from highcardflush.house.store.sqlite import SqliteStore
from highcardflush.web.server import maintenance
from support.places.floor import OXFORD, Floor
from support.places.live import Live, Message, Socket, living

TABLE = "table/one"


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    room = {"free": 0}
    monkeypatch.setattr(maintenance, "free_bytes", lambda _: room["free"])
    monkeypatch.setattr(maintenance, "reopen_when_free", partial(maintenance.reopen_when_free, retry_s=0.02))
    return room


@pytest.fixture
def floor(file_floor: Floor) -> Floor:
    file_floor.table("one", OXFORD, physical=False)
    return file_floor


async def bet(socket: Socket, cents: int) -> Message:
    return await socket.do(TABLE, {"type": "PlaceWagers", "seat": 1, "wagers": {"ante": cents}})


async def fill(live: Live, socket: Socket) -> Message:
    """Return the first refusal after the disk is full."""
    store = live.floor.house.store
    assert isinstance(store, SqliteStore)
    assert store._writer is not None
    store._writer.execute("PRAGMA max_page_count = 1")  # it writes as many as fit
    for number in range(90):  # a player makes at most a hundred events in a round
        if (answer := await bet(socket, 1000 + 500 * (number % 2)))["type"] == "refused":
            return answer
        live.floor.wait(1)  # a person may send ten commands a second
    raise AssertionError("the disk took everything")


async def test_a_full_disk_under_a_live_table(floor: Floor, room: dict[str, int]) -> None:
    async with living(floor, ("betting_s", 600)) as live:
        socket, other = await live.socket(), await live.socket()
        socket.say({"type": "watch", "table": "one"})
        for seat, each in enumerate((socket, other), 1):  # the second player does not bet, so the round stays open
            assert (await each.do(TABLE, {"type": "Sit", "seat": seat}))["type"] == "done"
        await live.until(lambda: live.services.context.tables["one"].round is not None)
        assert (await fill(live, socket))["error"]["code"] == "store-failed"
        async with AsyncClient(transport=ASGITransport(live.app), base_url="http://test") as client:
            assert (await client.get("/api/v1/tables/one")).json()["view"]["phase"] == "betting"
            assert (await client.get("/health")).status_code == 503
        assert any("full" in reason for reason in live.services.health.look().reasons)
        await asyncio.sleep(0.1)
        assert live.services.context.house.store.failed is not None
        assert (await bet(socket, 2500))["error"]["code"] == "store-failed"
        room["free"] = 1 << 40
        await live.until(lambda: live.services.context.house.store.failed is None)
        assert (await bet(socket, 2500))["type"] == "done"
        assert not any("full" in reason for reason in live.services.health.look().reasons)
        while (message := await socket.event("wagers"))["view"]["seats"][0]["wagers"] != {"ante": 2500}:
            pass
        assert message["seq"] == live.services.context.tables["one"].head.seq
    assert not floor.findings()
