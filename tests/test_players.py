"""House players: they play where somebody is there to see it, leave a seat to people, and rest otherwise."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing

import pytest

from highcardflush.house import commands as c
from highcardflush.house.habits import bot_seats
from highcardflush.house.table.state import Table
from support.floor import OXFORD, open_floor
from support.live import Live, living

TABLE = "table/one"


def run(url: str, play: Callable[[Live], Awaitable[None]]) -> None:
    """A scene at a table of six, with at most three house players, where nobody dawdles."""

    async def all_of_it() -> None:
        with closing(open_floor(url)) as floor:
            floor.staff()
            floor.table("one", OXFORD, physical=False)
            async with living(floor, ("house_players", 3), ("betting_s", 0), ("pause_s", 0)) as live:
                live.services.players.pace = 0
                await play(live)
            floor.check()

    asyncio.run(all_of_it())


def table(live: Live) -> Table:
    return live.services.hub.tables["one"]


def rests(live: Live) -> bool:
    """A round is open, and nobody bets."""
    round_ = table(live).round
    return round_ is not None and round_.state.phase == "betting" and not round_.state.seats


def test_they_play_while_somebody_watches(sqlite_url: str) -> None:
    async def play(live: Live) -> None:
        watcher = await live.socket()
        watcher.say({"type": "watch", "table": "one"})
        await live.until(lambda: table(live).rounds > 3)
        assert bot_seats(table(live)) == [6, 5, 4]
        await watcher.close()
        await live.until(lambda: rests(live))
        before = table(live).head.seq
        live.services.players.look_at_all()
        await asyncio.sleep(0.05)
        assert (table(live).head.seq, rests(live)) == (before, True)

    run(sqlite_url, play)


def test_a_seat_stays_free(sqlite_url: str) -> None:
    """People come until the table has no room for house players; each finds a seat."""

    async def play(live: Live) -> None:
        for people in range(1, 6):
            guest = await live.socket()
            guest.say({"type": "watch", "table": "one"})
            await live.until(lambda: len(table(live).seats) < 6)
            free = min(set(range(1, 7)) - table(live).seats.keys())
            assert (await guest.do(TABLE, {"type": "Sit", "seat": free}))["type"] == "done"
            room = min(3, 5 - people)
            await live.until(lambda room=room: len(bot_seats(table(live))) == room)  # type: ignore[misc]
        assert len(table(live).seats) == 5

    run(sqlite_url, play)


def test_they_go_when_they_are_switched_off(sqlite_url: str) -> None:
    async def play(live: Live) -> None:
        watcher = await live.socket()
        watcher.say({"type": "watch", "table": "one"})
        await live.until(lambda: len(bot_seats(table(live))) == 3)
        off = c.SetFloor({"house_players": 0}, "people only")
        await live.services.pump.submit("office", off, "admin", "off")
        await live.until(lambda: not table(live).seats)

    run(sqlite_url, play)


def test_they_buy_in_again(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("highcardflush.house.habits.PURSE_CENTS", 30_00)

    async def play(live: Live) -> None:
        watcher = await live.socket()
        watcher.say({"type": "watch", "table": "one"})
        bought = "SELECT COUNT(*) FROM events WHERE kind = 'buy-in'"
        await live.until(lambda: live.floor.house.store.snapshot(lambda tx: tx.read(bought))[0][0] > 4)

    run(sqlite_url, play)
