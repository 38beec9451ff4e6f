"""A linked meter shows the same amount at each of its tables, from the first message on."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from httpx import ASGITransport, AsyncClient

from support.places.floor import open_floor
from support.places.live import Live, Message, Socket, started

ROW = "galaxy-v7 | progressive PT-BJS-HCF-SF-07 |"
BET = {"type": "PlaceWagers", "seat": 1, "wagers": {"ante": 500, "progressive": 100}}
TABLES = ("one", "two")


@pytest.fixture
def live(sqlite_url: str) -> Iterator[Live]:
    with closing(open_floor(sqlite_url)) as floor:
        floor.staff()
        floor.meter()
        for name in TABLES:
            floor.table(name, ROW, physical=False)
        with started(floor, ("pause_s", 0)) as place:
            yield place
        floor.check()


def micros(live: Live) -> int:
    return live.floor.house.meter("mega")[1].display.amount_micros


def shown(message: Message) -> int:
    amount: int = message["view"]["meters"]["progressive"]["amount_micros"]
    return amount


async def plays(live: Live) -> None:
    """Open a round at table two, and play one at table one, which raises the meter."""
    quiet, busy = await live.seated("two"), await live.seated("one")
    before = micros(live)
    await live.until(lambda: all(live.services.context.tables[name].round for name in TABLES))
    assert (await busy.do("table/one", BET))["type"] == "done"
    await busy.event("deal")
    assert (await busy.do("table/one", {"type": "Fold", "seat": 1}))["type"] == "done"
    await busy.event("settle")
    assert micros(live) > before
    await quiet.close()


async def test_a_round_opens_with_the_displays_that_it_records(live: Live) -> None:
    """The displays are sent once a second, and the next round opens sooner."""
    ann = await live.seated("one")
    await ann.event("open")
    before = micros(live)
    assert (await ann.do("table/one", BET))["type"] == "done"
    await ann.event("deal")
    assert (await ann.do("table/one", {"type": "Fold", "seat": 1}))["type"] == "done"
    opening = await ann.event("open")
    (fact,) = opening["told"]
    assert shown(opening) == fact["meters"]["progressive"]["amount_micros"] > before


async def test_the_first_message_of_a_quiet_table(live: Live) -> None:
    await plays(live)
    cleo: Socket = await live.socket()
    cleo.say({"type": "watch", "table": "two"})
    first = await cleo.hear("table")
    assert first["view"]["phase"] == "betting"
    assert shown(first) == micros(live)
    assert await cleo.hear("meter") == {"type": "meter", "name": "mega", "amount_micros": micros(live)}


async def test_a_second_watcher_hears_the_meter_too(live: Live) -> None:
    """The amount has not changed since the first watcher heard it, so nobody else would be told."""
    for _ in range(2):
        socket = await live.socket()
        socket.say({"type": "watch", "table": "two"})
        await socket.hear("table")
        assert (await socket.hear("meter"))["amount_micros"] == micros(live)


async def test_the_answer_over_http(live: Live) -> None:
    await plays(live)
    for name in TABLES:
        body = await get(live, f"/tables/{name}")
        assert shown(body) == micros(live)


async def get(live: Live, path: str) -> Message:
    async with AsyncClient(transport=ASGITransport(live.app), base_url="http://test") as client:
        answer: Message = (await client.get(f"/api/v1{path}")).json()
        return answer
