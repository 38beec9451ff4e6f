"""Tables at which one person plays alone: no clock, no pause, and the last round stays in view until the next bet."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from highcardflush.house import commands as c
from support.judges.documented_shapes import require_message
from support.places.floor import open_floor
from support.places.live import Live, Served, Socket, started

ROW = "galaxy-v7 | progressive PT-BJS-HCF-SF-07 | ante-minimum 5, ante-maximum 500"
BET = {"type": "PlaceWagers", "seat": 1, "wagers": {"ante": 500}}
FOLD = {"type": "Fold", "seat": 1}


@pytest.fixture
def live(url: str) -> Iterator[Live]:
    with closing(open_floor(url)) as floor:
        floor.staff()
        floor.meter()
        floor.table("galaxy-v7", ROW, physical=False)
        with started(floor, ("tables_for_one", 2), ("house_players", 3)) as place:
            place.services.players.pace = 0
            yield place
        floor.check()


async def find(live: Live, socket: Socket) -> str:
    return await live.services.tables_for_one.find(socket.who.person, "galaxy-v7")


async def seated(live: Live) -> tuple[Socket, str]:
    """Seat a new guest at a table for one, and watch it."""
    socket = await live.socket()
    name = await find(live, socket)
    socket.say({"type": "watch", "table": name})
    await socket.hear("table")
    assert (await socket.do(f"table/{name}", {"type": "Sit", "seat": 1}))["type"] == "done"
    return socket, f"table/{name}"


async def ok(socket: Socket, stream: str, command: dict[str, Any]) -> None:
    answer = await socket.do(stream, command)
    assert answer["type"] == "done", answer


async def test_a_bet_deals_and_a_decision_settles(live: Live) -> None:
    """No clock runs, even while the player thinks for an hour, and no house player comes."""
    ann, stream = await seated(live)
    for number in (1, 2, 3):
        await ok(ann, stream, BET)
        dealt = await ann.event("deal")
        require_message(dealt)
        assert dealt.get("clock") is None
        assert dealt["you"].get("default") is None
        live.pass_by(3600)
        live.services.clocks.free_seats()
        await ok(ann, stream, FOLD)
        settled = await ann.event("settle")
        assert (settled["view"]["phase"], settled["round"]["number"]) == ("settled", number)
        assert settled.get("clock") is None
    assert live.services.context.tables[stream.removeprefix("table/")].seats.keys() == {1}


async def test_the_last_round_stays_in_view_until_the_next_bet(live: Live) -> None:
    ann, stream = await seated(live)
    await ok(ann, stream, BET)
    await ann.event("deal")
    await ok(ann, stream, FOLD)
    settled, opened = await ann.event("settle"), await ann.event("open")
    require_message(opened)
    assert (opened["view"], opened["round"]) == (settled["view"], settled["round"])
    assert opened["next"]["number"] == 2
    assert opened["next"]["commitment"] != opened["round"]["commitment"]
    assert [option["type"] for option in opened["you"]["legal"]] == ["PlaceWagers"]
    await ok(ann, stream, BET)
    placed = await ann.event("wagers")
    assert (placed["view"]["phase"], placed["round"], placed.get("next")) == ("betting", opened["next"], None)


async def test_a_table_is_reused(live: Live) -> None:
    ann, stream = await seated(live)
    assert await find(live, ann) == stream.removeprefix("table/"), "the same table while ann sits there"
    await ok(ann, stream, BET)
    await ann.event("deal")
    await ok(ann, stream, FOLD)
    await ann.event("open")
    await ok(ann, stream, {"type": "Leave", "seat": 1})
    left = await ann.event("leave")
    assert (left["view"]["phase"], left["view"].get("results", [])) == ("betting", [])
    live.floor.wait(60)
    bob = await live.socket()
    assert await find(live, bob) == stream.removeprefix("table/")


async def test_the_number_of_tables_is_bounded(live: Live) -> None:
    names = {stream for _, stream in [await seated(live), await seated(live)]}
    assert names == {"table/alone-1", "table/alone-2"}
    cleo = await live.socket()
    with pytest.raises(Exception, match="All 2 tables for one player are taken"):
        await find(live, cleo)


async def test_it_has_the_limits_and_the_meter_of_the_shared_table(live: Live) -> None:
    _, stream = await seated(live)
    shared, alone = (live.services.context.tables[name].config for name in ("galaxy-v7", stream.removeprefix("table/")))
    assert (alone.meters, alone.rulebook.offers) == (shared.meters, shared.rulebook.offers)
    assert alone.rulebook.settings.seats == 1


async def test_a_player_who_goes_in_the_middle_of_a_hand(live: Live) -> None:
    """The hand is played to its end after the grace time, and the table is free again."""
    ann, stream = await seated(live)
    await ok(ann, stream, BET)
    await ann.event("deal")
    await ann.close()
    await live.until(lambda: not live.services.context.connections.has(ann.who.person))
    name, clocks = stream.removeprefix("table/"), live.services.clocks
    clocks.free_seats()
    live.floor.wait(60)

    def is_free() -> bool:
        clocks.free_seats()
        return not live.services.context.tables[name].seats

    await live.until(is_free)
    assert live.services.context.tables[name].rounds == 2


async def test_a_server_creates_no_other_tables(live: Live) -> None:
    config = live.services.context.tables["galaxy-v7"].config
    error = live.floor.refused("table/more", c.CreateTable(config.rulebook, meters=config.meters), "server")
    assert error.reason == "server-creates"
    error = live.floor.refused("table/more", c.CreateTable(config.rulebook, meters=config.meters, alone=True), "admin")
    assert error.reason == "alone-seats"


def test_the_call(server: Served) -> None:
    token = server.guest_token()
    assert server.ask("POST", "/alone", token, json={"rulebook": "oxford"}).json() == {"table": "alone-1"}
    assert all(not place["name"].startswith("alone") for place in server.ask("GET", "/tables").json())
    assert server.ask("GET", "/tables/alone-1").json()["seats"] == 1
    assert server.ask("POST", "/alone", json={"rulebook": "oxford"}).status_code == 401
    assert server.ask("POST", "/alone", token, json={"rulebook": "nowhere"}).status_code == 404
