"""House players play where people play, leave a seat free, and rest otherwise."""

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from highcardflush.house import commands as c
from highcardflush.house.bots import bot_seats
from highcardflush.house.table.state import Table
from highcardflush.web.live.house_players import AFTER_S, WATCHED_S, needed_acts
from highcardflush.web.routes.tables import listed
from highcardflush.words import HOUSE_PLAYERS
from support.places.floor import OXFORD, open_floor
from support.places.live import Live, Socket, started

TABLE = "table/one"


@pytest.fixture
def live(sqlite_url: str) -> Iterator[Live]:
    with closing(open_floor(sqlite_url)) as floor:
        floor.staff()
        floor.table("one", OXFORD, physical=False)
        with started(floor, ("house_players", 3), ("pause_s", 0)) as place:
            place.services.players.pace = 0
            yield place
        floor.check()


def table(live: Live) -> Table:
    return live.services.context.tables["one"]


def rests(live: Live) -> bool:
    """Return whether nobody bets and no house player has anything to do."""
    round_ = table(live).round
    return (round_ is None or not round_.state.seats) and not needed_acts(table(live), 3, awake=True)


async def sits(live: Live) -> Socket:
    guest = await live.seated()
    await live.until(lambda: len(bot_seats(table(live))) == 3)
    return guest


async def plays(live: Live, guest: Socket, true: Callable[[], bool]) -> set[int]:
    """Bet in each round and fold until a condition holds; return the seats of the last round."""
    seats = set[int]()
    while not true():
        await live.until(lambda: table(live).round is not None)
        bet = {"type": "PlaceWagers", "seat": 1, "wagers": {"ante": 500}}
        assert (await guest.do(TABLE, bet))["type"] == "done"
        await guest.event("deal")
        assert (await guest.do(TABLE, {"type": "Fold", "seat": 1}))["type"] == "done"
        seats = {seat["number"] for seat in (await guest.event("settle"))["view"]["seats"]}
        live.pass_by(1)  # a person may send ten commands a second
    return seats


async def test_they_play_with_who_plays(live: Live) -> None:
    assert await plays(live, await sits(live), lambda: table(live).rounds > 3) == {1, 4, 5, 6}


async def test_they_have_human_names(live: Live) -> None:
    guest = await sits(live)
    place = listed(live.services, table(live))
    assert sorted(place.house_players) == [4, 5, 6]
    names = {place.taken[str(seat)] for seat in place.house_players}
    assert len(names) == 3
    assert names <= set(HOUSE_PLAYERS)
    assert place.taken["1"] == guest.who.name


async def test_a_table_without_bets_waits(live: Live) -> None:
    """An open connection adds nothing to the books."""
    watcher = await live.socket()
    watcher.say({"type": "watch", "table": "one"})
    await watcher.hear("table")
    assert rests(live)
    assert not table(live).seats
    guest = await sits(live)
    await live.until(lambda: table(live).round is not None)
    assert rests(live)
    await plays(live, guest, lambda: table(live).rounds > 1)
    assert (await guest.do(TABLE, {"type": "Leave", "seat": 1}))["type"] == "done"
    await live.until(lambda: rests(live))


async def test_they_play_for_those_who_watch(live: Live) -> None:
    """They begin after ten seconds, wait for the bet of a person who sits down, and do not play for ever."""
    watcher = await live.socket()
    watcher.say({"type": "watch", "table": "one"})
    await watcher.hear("table")
    await live.until(lambda: "one" in live.services.players._watched_since)
    live.floor.wait(WATCHED_S[0] - 1)
    live.services.players.look_at_all()
    assert not table(live).seats
    live.floor.wait(1)
    await live.until(lambda: table(live).rounds > 2)
    assert len(bot_seats(table(live))) == 3
    guest = await live.seated()
    await live.until(lambda: rests(live))
    rounds = table(live).rounds
    await plays(live, guest, lambda: table(live).rounds > rounds)
    assert (await guest.do(TABLE, {"type": "Leave", "seat": 1}))["type"] == "done"
    await live.until(lambda: table(live).rounds > rounds + 2)
    live.floor.wait(WATCHED_S[1])
    await live.until(lambda: rests(live))


def test_nobody_waits_for_them() -> None:
    assert max(seconds for act in ("bet", "decide") for seconds in AFTER_S[act]) <= 0.3


async def test_a_seat_stays_free(live: Live) -> None:
    """Enough people come to displace the house players, and each finds a seat."""
    for people in range(1, 6):
        guest = await live.socket()
        guest.say({"type": "watch", "table": "one"})
        await live.until(lambda: len(table(live).seats) < 6)
        free = min(set(range(1, 7)) - table(live).seats.keys())
        assert (await guest.do(TABLE, {"type": "Sit", "seat": free}))["type"] == "done"
        room = min(3, 5 - people)
        await live.until(lambda room=room: len(bot_seats(table(live))) == room)  # type: ignore[misc]
    assert len(table(live).seats) == 5


async def test_they_go_when_they_are_switched_off(live: Live) -> None:
    await sits(live)
    await live.services.context.pump.submit("office", c.SetFloor({"house_players": 0}, "people only"), "admin", "off")
    await live.until(lambda: not bot_seats(table(live)))


async def test_they_buy_in_again(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("highcardflush.house.bots.PURSE_CENTS", 30_00)
    buy_in_count = "SELECT COUNT(*) FROM events WHERE kind = 'buy-in'"
    guest = await sits(live)
    await plays(live, guest, lambda: live.floor.house.store.snapshot(lambda tx: tx.read(buy_in_count))[0][0] > 4)
