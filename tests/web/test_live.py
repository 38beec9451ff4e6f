"""Live tables run themselves, send every event in order, and continue after a lost connection."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from highcardflush.errors import OutcomeUnknown, StoreBusy
from highcardflush.game.actions import PlaceWagers
from highcardflush.house import commands as c
from highcardflush.web.live import watchers
from highcardflush.web.live.clocks import IDLE_ROUNDS, IDLE_S
from highcardflush.web.live.connections import MOST_WAITING, Connection
from highcardflush.web.live.live_socket import MOST_BYTES, MOST_UNREADABLE
from highcardflush.web.live.watchers import MOST_MISSED
from highcardflush.web.messages.live import BalanceMessage, PongMessage
from highcardflush.web.routes import tables
from highcardflush.web.server.access import NOBODY
from support.judges.documented_shapes import require_message
from support.places.floor import OXFORD, SEVEN, SIX, Floor, dollars
from support.places.live import Live, Message, Socket
from support.places.postgres import PATIENCE_SECONDS

FREE = "Seat 1 is free."
TABLE = "table/one"
ANTE = {"type": "PlaceWagers", "seat": 1, "wagers": {"ante": 1000}}


@pytest.fixture
def floor(file_floor: Floor) -> Floor:
    file_floor.table("one", OXFORD, physical=False)
    return file_floor


async def open_table(live: Live) -> tuple[Socket, int]:
    """Seat a guest and wait for open wagers; return the number of that event."""
    socket = await live.seated()
    return socket, (await socket.event("open"))["seq"]


async def dropped(live: Live, socket: Socket) -> None:
    await socket.close()
    await live.until(lambda: not live.services.context.connections.has(socket.who.person))
    live.services.clocks.free_seats()


async def gone(socket: Socket, code: str) -> None:
    assert (await socket.hear("bye"))["code"] == code
    assert (await socket.hear())["type"] == "closed"


async def balance_is(socket: Socket, cents: int) -> None:
    """Wait for a balance; messages with earlier balances may come before."""
    while (await socket.hear("balance"))["balance_cents"] != cents:
        pass


# --- a table runs itself --------------------------------------------------------------------------


async def test_a_round_from_the_first_seat_to_the_next_round(live: Live) -> None:
    ann = await live.seated()
    opening = await ann.event("open")
    assert opening["you"]["legal"][0]["type"] == "PlaceWagers"
    assert opening["clock"] is None  # without wagers the round stays open
    assert (await ann.do(TABLE, ANTE))["answer"]["kind"] == "wagers"
    deal = await ann.event("deal")  # everybody who sits has bet
    assert len(deal["view"]["seats"][0]["hand"]["seen"].replace(" ", "")) == 14
    assert deal["clock"]["for"] == "decision"
    assert deal["you"]["default"]["type"] == "Fold"
    assert (await ann.do(TABLE, {"type": "Fold", "seat": 1}))["type"] == "done"
    settlement = await ann.event("settle")
    assert settlement["view"]["results"][0]["net_cents"] == -1000
    assert settlement["clock"] == {"for": "pause", "ends_in_ms": 5000}
    await balance_is(ann, 9_990_00)
    live.pass_by(5)
    assert (await ann.event("open"))["round"]["number"] == 2


@pytest.mark.clause("S9")
async def test_the_clock_runs_out(live: Live) -> None:
    ann, bob = await live.seated(), await live.seated(seat=2)
    await ann.do(TABLE, ANTE)
    assert (await bob.event("wagers"))["clock"] == {"for": "betting", "ends_in_ms": 20_000}
    live.pass_by(19)
    assert live.services.context.tables["one"].round is not None
    assert live.services.context.tables["one"].require_playable_round().state.phase == "betting"
    live.pass_by(1)
    deal = await ann.event("deal")
    default_type = deal["you"]["default"]["type"]
    assert deal["clock"] == {"for": "decision", "ends_in_ms": 30_000}
    live.pass_by(30)
    facts = (await ann.event("time-out"))["told"]
    assert facts[0]["type"] == {"Fold": "Folded", "Raise": "Raised"}[default_type]
    assert facts[0]["timed_out"] is True
    await ann.event("settle")


async def test_replaying_events_changes_no_clock(live: Live) -> None:
    """Replayed events have no clock, and the running clock continues."""
    ann, number = await open_table(live)
    await ann.do(TABLE, ANTE)
    await ann.event("deal")
    live.pass_by(20)
    bob, messages = await live.socket(), list[Message]()
    for after in (0, number - 1):
        bob.say({"type": "watch", "table": "one", "after": after})
        while not messages or messages[-1]["kind"] != "deal":
            messages.append(await bob.hear("told"))
        *past, newest = messages
        assert past
        assert not any(message["clock"] for message in past)
        assert newest["clock"] == {"for": "decision", "ends_in_ms": 10_000}
        bob.say({"type": "unwatch", "table": "one"})
        messages.clear()
    live.pass_by(10)
    await ann.event("time-out")


async def test_an_empty_table_rests(live: Live) -> None:
    watcher = await live.socket()
    watcher.say({"type": "watch", "table": "one"})
    assert (await watcher.hear("table"))["view"] is None
    live.pass_by(100)
    await asyncio.sleep(0.1)
    assert live.services.context.tables["one"].rounds == 0


async def test_a_paused_table_finishes_its_round(live: Live) -> None:
    ann, _ = await open_table(live)
    await ann.do(TABLE, ANTE)
    await ann.event("deal")
    live.floor.do(TABLE, c.SwitchTable("paused", "a leak"), "sue")
    await ann.do(TABLE, {"type": "Fold", "seat": 1})
    assert (await ann.event("settle"))["clock"] is None
    live.pass_by(60)
    await asyncio.sleep(0.1)
    assert live.services.context.tables["one"].round is None
    live.floor.do(TABLE, c.SwitchTable("open", "mended"), "sue")
    assert (await ann.event("open"))["round"]["number"] == 2


# --- lost connections -------------------------------------------------------------------------------


async def test_a_returning_client_gets_the_missed_events(live: Live) -> None:
    ann, bob = await live.seated(), await live.seated(seat=2)
    last = (await bob.event("sit"))["seq"]
    await bob.close()
    await ann.do(TABLE, ANTE)
    bob = await live.socket(bob.who)
    bob.say({"type": "watch", "table": "one", "after": last})
    numbers, message = [], await bob.hear("told")
    while message["kind"] != "wagers":
        numbers.append(message["seq"])
        message = await bob.hear("told")
    assert numbers == list(range(last + 1, message["seq"]))
    assert message["you"]["seat"] == 2
    assert (await bob.do(TABLE, {**ANTE, "seat": 2}))["type"] == "done"
    assert (await bob.event("wagers"))["seq"] == message["seq"] + 1


async def test_a_client_far_behind_gets_the_whole_table(live: Live) -> None:
    ann, _ = await open_table(live)
    for number in range(MOST_MISSED // 2 + 1):
        live.floor.do(TABLE, PlaceWagers(1, {"ante": 1000 + number % 2 * 100}), ann.who.person)
        live.floor.do(TABLE, c.Warn(1, "slow"), "sue")
    bob = await live.socket()
    bob.say({"type": "watch", "table": "one", "after": 2})
    whole = await bob.hear("table", "told")
    assert whole["type"] == "table"
    assert whole["seq"] == live.floor.house.table("one").head.seq


async def test_a_seat_is_kept_for_a_grace_time(live: Live) -> None:
    """A player who returns in time keeps the seat, and the next grace time is full again."""
    ann, _ = await open_table(live)
    free, table = live.services.clocks.free_seats, live.services.context.tables
    await dropped(live, ann)
    live.pass_by(59)
    back = await live.socket(ann.who)
    free()
    live.pass_by(120)
    free()
    await asyncio.sleep(0.1)
    assert table["one"].seats == {1: ann.who.person}
    await dropped(live, back)
    live.pass_by(59)
    free()
    assert 1 in table["one"].seats
    live.pass_by(1)
    free()
    await live.until(lambda: 1 not in table["one"].seats)


async def test_guests_who_are_switched_off_play_their_round_to_its_end(live: Live) -> None:
    """A guest who only sits is signed out at once; registered players stay."""
    ann, bob = await live.seated(), await live.seated(seat=2)
    who, _ = await live.services.accounts.register("Cleo", "a long way home", "127.0.0.1")
    cleo = await live.socket(who)
    assert (await ann.do(TABLE, ANTE))["type"] == "done"
    await live.services.context.pump.submit("office", c.SetFloor({"guests": False}, "members only"), "admin", "off")
    assert (await bob.hear("bye"))["code"] == "signed-out"
    live.pass_by(20)
    await ann.event("deal")
    assert (await ann.do(TABLE, {"type": "Fold", "seat": 1}))["type"] == "done"
    await ann.event("settle")
    assert (await ann.hear("bye"))["code"] == "signed-out"
    signed_in = live.services.sessions.signed_in
    assert [len(await signed_in(each)) for each in (ann.who, bob.who, who)] == [0, 0, 1]
    cleo.say({"type": "ping", "n": 1})
    assert (await cleo.hear())["type"] == "pong"


async def test_wagers_in_play_keep_a_seat(live: Live) -> None:
    """A player who disconnects with wagers in play is dealt on by the clock and loses the seat after the round."""
    ann, bob = await live.seated(), await live.seated(seat=2)
    await ann.do(TABLE, ANTE)
    await bob.do(TABLE, {**ANTE, "seat": 2})
    await bob.event("deal")
    await dropped(live, ann)
    await bob.do(TABLE, {"type": "Fold", "seat": 2})
    live.floor.wait(100)
    live.services.clocks.free_seats()
    await asyncio.sleep(0.05)
    assert 1 in live.services.context.tables["one"].seats
    live.services.clocks.run_all()
    await bob.event("settle")
    live.services.clocks.free_seats()
    freed = await bob.event("leave")
    assert freed["taken"] == {"2": bob.who.name}
    (fact,) = freed["told"]
    assert fact == {
        "type": "SeatLeft",
        "seat": 1,
        "code": "away",
        "line": FREE,
        "own_line": "Your seat was given up while you were away.",
    }


async def test_a_player_leaves_after_the_hand(live: Live) -> None:
    ann, bob = await live.seated(), await live.seated(seat=2)
    await ann.do(TABLE, ANTE)
    await bob.do(TABLE, {**ANTE, "seat": 2})
    await ann.event("deal")
    refused = await ann.do(TABLE, {"type": "Leave", "seat": 1})
    assert refused["error"]["message"] == "Finish this hand first, then you can leave."
    await ann.do(TABLE, {"type": "Leave", "seat": 1, "after_hand": True})
    assert (await ann.event("leaving"))["you"]["leaving"] is True
    await ann.do(TABLE, {"type": "Fold", "seat": 1})
    assert (await ann.event("fold"))["you"]["leaving"] is True
    await bob.do(TABLE, {"type": "Fold", "seat": 2})
    freed = await ann.event("leave")
    assert (freed["taken"], freed.get("you")) == ({"2": bob.who.name}, None)
    (fact,) = freed["told"]
    assert fact == {"type": "SeatLeft", "seat": 1, "code": None, "line": FREE, "own_line": "You have left the table."}
    assert freed["view"]["phase"] == "settled"


async def test_players_who_have_bet_wait_only_briefly_for_a_newcomer(live: Live) -> None:
    """The clock of the first bet runs until everybody who played the last round has bet."""
    ann, bob = await live.seated(), await live.seated(seat=2)
    for seat, player in ((1, ann), (2, bob)):
        await player.do(TABLE, {**ANTE, "seat": seat})
    await ann.event("deal")
    for seat, player in ((1, ann), (2, bob)):
        await player.do(TABLE, {"type": "Fold", "seat": seat})
    await ann.event("settle")
    cleo = await live.seated(seat=3)
    live.pass_by(5)
    await ann.event("open")
    await ann.do(TABLE, ANTE)
    assert (await ann.event("wagers"))["clock"] == {"for": "betting", "ends_in_ms": 20_000}
    live.pass_by(2)
    await bob.do(TABLE, {**ANTE, "seat": 2})
    assert (await ann.event("wagers"))["clock"] == {"for": "betting", "ends_in_ms": 3_000}
    live.pass_by(2)
    await cleo.do(TABLE, {"type": "NameSeed", "seat": 3, "seed": "aa"})
    assert (await ann.event("seed"))["clock"] == {"for": "betting", "ends_in_ms": 1_000}
    live.pass_by(1)
    assert [seat["number"] for seat in (await ann.event("deal"))["view"]["seats"]] == [1, 2]


async def test_a_player_who_no_longer_bets_gives_up_the_seat(live: Live) -> None:
    """A seat is idle only after both five minutes and five rounds without a wager."""
    ann, bob = await live.seated(), await live.seated(seat=2)
    live.services.clocks.free_seats()
    live.floor.wait(IDLE_S)
    for number in range(IDLE_ROUNDS):
        live.services.clocks.free_seats()
        await live.until(lambda: live.services.context.tables["one"].round is not None)
        await bob.do(TABLE, {**ANTE, "seat": 2})
        live.floor.wait(20)
        live.services.clocks.run_all()
        await bob.event("deal")
        assert 1 in live.services.context.tables["one"].seats, number
        await bob.do(TABLE, {"type": "Fold", "seat": 2})
        await bob.event("settle")
        live.pass_by(5)
    await live.until(lambda: live.services.context.tables["one"].round is not None)
    live.services.clocks.free_seats()
    (fact,) = (await ann.event("leave"))["told"]
    assert (fact["code"], fact["line"]) == ("idle", FREE)
    assert fact["own_line"] == "Your seat was given up because you had not bet for a while."


async def test_somebody_watches_without_a_session(live: Live) -> None:
    """No guest is added for a person who only looks at a table, and such a person can do nothing."""
    people = "SELECT COUNT(*) FROM people"
    ann = await live.seated()
    before = live.floor.read(people)
    viewer = await live.socket(NOBODY)
    viewer.say({"type": "watch", "table": "one"})
    seen = await viewer.hear("table")
    require_message(seen)
    assert seen.get("you") is None
    await ann.do(TABLE, ANTE)
    assert all(seat["hand"]["seen"] == "" for seat in (await viewer.event("deal"))["view"]["seats"])
    refused = await viewer.do(TABLE, {"type": "Sit", "seat": 2})
    assert (refused["type"], refused["error"]["code"]) == ("refused", "no-session")
    await live.services.sessions.sign_out(ann.who.person)
    viewer.say({"type": "ping", "n": 1})
    assert (await viewer.hear("pong"))["n"] == 1
    assert live.floor.read(people) == before


# --- other processes ------------------------------------------------------------------------------


async def test_commits_of_another_process_are_sent_in_order(live: Live) -> None:
    ann, number = await open_table(live)
    other = live.floor.again()
    for cents in (1000, 1100, 1200):
        other.do(TABLE, PlaceWagers(1, {"ante": cents}), ann.who.person)
        number += 1
    live.services.hub.hint([TABLE])
    messages = [await ann.event("wagers") for _ in range(3)]
    assert [message["seq"] for message in messages] == [number - 2, number - 1, number]
    await balance_is(ann, 9_988_00)


async def test_a_gap_is_filled_before_the_next_event(live: Live) -> None:
    """Another process commits unnoticed, and then this one commits."""
    ann, number = await open_table(live)
    live.floor.again().do(TABLE, PlaceWagers(1, {"ante": 1000}), ann.who.person)
    assert (await ann.do(TABLE, {**ANTE, "wagers": {"ante": 1100}}))["type"] == "done"
    assert [message["seq"] for message in [await ann.hear("told") for _ in range(2)]] == [number + 1, number + 2]


async def test_a_client_from_another_process_is_not_set_back(live: Live) -> None:
    """The client has already received more than this process has read."""
    ann, number = await open_table(live)
    live.floor.again().do(TABLE, PlaceWagers(1, {"ante": 1000}), ann.who.person)
    bob = await live.socket()
    bob.say({"type": "watch", "table": "one", "after": number + 1})
    assert (await bob.hear("told", "table"))["seq"] >= number + 1


# --- refusals ---------------------------------------------------------------------------------------


async def test_every_message_is_answered(live: Live) -> None:
    ann = await live.socket()
    for text, code in (
        ("{", "bad-text"),
        ('{"type": "dance"}', "bad-text"),
        ('{"type": "watch", "table": "none"}', "not-found"),
        ('{"type": "unwatch", "table": "one"}', "not-found"),
        ('{"type": "do", "key": "k", "stream": "table/one", "command": {"type": "Sit", "seat": 77}}', "bad-text"),
        ('{"type": "do", "key": "k", "stream": "table/none", "command": {"type": "Sit", "seat": 1}}', "not-found"),
        ('{"type": "do", "key": "k", "stream": "office", "command": {"type": "StartShift"}}', "not-permitted"),
        ('{"type": "do", "key": "k", "stream": "table/one"}', "bad-text"),
        (f'{{"type": "ping", "n": {"1" * MOST_BYTES}}}', "too-large"),
    ):
        ann.say(text)
        refusal = await ann.hear("refused")
        assert refusal["error"]["code"] == code
        assert refusal.get("key") == ("k" if '"k"' in text else None)
    ann.say({"type": "ping", "n": 7})
    assert await ann.hear() == {"type": "pong", "n": 7}


async def test_ten_messages_that_cannot_be_read_end_it(live: Live) -> None:
    ann = await live.socket()
    for _ in range(MOST_UNREADABLE):
        ann.say("nonsense")
        await ann.hear("refused")
    await gone(ann, "unreadable")


async def test_one_key_one_answer(live: Live) -> None:
    ann, _ = await open_table(live)
    first = await ann.do(TABLE, ANTE, "the bet")
    assert await ann.do(TABLE, ANTE, "the bet") == first
    assert (await ann.do(TABLE, {**ANTE, "wagers": {"ante": 2000}}, "the bet"))["error"]["code"] == "key-reused"


# --- connections that end -------------------------------------------------------------------------


async def test_a_slow_reader_is_dropped_and_comes_back(live: Live) -> None:
    await open_table(live)
    slow = await live.socket()
    slow.say({"type": "watch", "table": "one"})
    last = (await slow.hear("table"))["seq"]
    slow.reads = False
    for number in range(MOST_WAITING + 3):
        live.floor.do(TABLE, c.Warn(1, f"slow {number}"), "sue")
    await asyncio.wait_for(slow.task, 60)
    assert not live.services.context.connections.has(slow.who.person)
    back = await live.socket(slow.who)
    back.say({"type": "watch", "table": "one", "after": last})
    assert (await back.hear("table"))["seq"] == live.floor.house.table("one").head.seq


async def test_unread_events_are_sent_once_the_books_are_readable(live: Live) -> None:
    """A table whose event could not be read must not stop."""
    await open_table(live)
    watcher = await live.socket()
    watcher.say({"type": "watch", "table": "one"})
    await watcher.hear("table")
    names, learn, times = live.services.names, live.services.names.learn, iter(range(2))

    async def fail_twice(tables: Any) -> None:
        if next(times, None) is not None:
            raise StoreBusy("database", read="nothing", expected="an answer")
        await learn(tables)

    names.learn = fail_twice  # type: ignore[method-assign]
    live.floor.do(TABLE, c.Warn(1, "it is missed"), "sue")
    assert (await watcher.hear("told", "table"))["seq"] == live.floor.house.table("one").head.seq
    assert next(times, None) is None


async def test_a_slow_reader_has_last_words(live: Live) -> None:
    """The last message is written behind the waiting ones, and the handler ends."""
    who, writes = await live.guest(), list[bytes]()

    def write(frame: bytes, *, last: bool = False) -> bool:
        writes.extend([frame] if last else [])
        return last

    async def handle() -> None:
        connection = Connection(who, lambda _: None, write)
        for number in range(MOST_WAITING + 1):
            connection.send_message(PongMessage(number))
        connection.send_message(PongMessage(-1))
        await asyncio.Event().wait()

    with pytest.raises(asyncio.CancelledError):
        await asyncio.create_task(handle())
    (last,) = writes
    assert b'"type":"bye","code":"too-slow"' in last


async def test_the_server_says_goodbye(live: Live) -> None:
    ann = await live.seated()
    await live.services.context.connections.close()
    assert (await ann.hear("bye"))["code"] == "closing"


# --- wins of a meter -------------------------------------------------------------------------------


class Wall:
    def __init__(self, live: Live, meter: str) -> None:
        self._in, self._out = asyncio.Queue[Message](), asyncio.Queue[Message]()
        path = f"/api/v1/meters/{meter}/live"
        scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "scheme": "http"}
        self._in.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        self._task = asyncio.create_task(live.app({**Socket.scope(""), **scope}, self._in.get, self._out.put))

    async def until(self, true: Callable[[Message], bool]) -> Message:
        """Return the first display for which this is true."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                for line in (await self._out.get()).get("body", b"").decode().splitlines():
                    if line.startswith("data: ") and true(data := json.loads(line.removeprefix("data: "))):
                        return dict(data)

    async def close(self) -> None:
        self._in.put_nowait({"type": "http.disconnect"})
        await asyncio.wait_for(self._task, PATIENCE_SECONDS)


@pytest.fixture
def quick_meters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watchers, "METERS_S", 0.01)
    monkeypatch.setattr(tables, "TICK_S", 0.01)


@pytest.mark.usefixtures("quick_meters")
async def test_a_win_is_told_to_who_looks_and_on_the_wall(live: Live) -> None:
    """Ten percent are paid; the rest of a 100 % win waits until a supervisor has approved it."""
    floor = live.floor
    floor.players("ann", "bob")
    floor.meter()
    floor.table("felt", seats={1: "ann", 2: "bob"})
    looks, elsewhere, wall = await live.socket(), await live.seated(), Wall(live, "mega")
    looks.say({"type": "watch", "table": "felt"})
    assert await looks.hear("meter") == {"type": "meter", "name": "mega", "amount_micros": dollars(1000)}
    assert (await wall.until(lambda _: True))["last_hits"] == []
    floor.play("felt", {1: SEVEN[0], 2: SIX[1]})
    tenth = {"table": "felt", "seat": 2, "amount_cents": 100_05, "state": "paid"}
    whole = {"table": "felt", "seat": 1, "amount_cents": 900_41, "state": "waiting"}
    for hit in (tenth, whole):
        win = await looks.hear("win")
        assert win == {"type": "win", "meter": "mega", **hit}
        require_message(win)
    data = await wall.until(lambda data: bool(data["last_hits"]))
    at = {"at_ms": data["last_hits"][0]["at_ms"]}
    assert data["last_hits"] == [{**tenth, **at}, {**whole, **at}]
    assert data["amount_micros"] == dollars(1000)  # it starts again from the seed amount
    floor.do("meter/mega", c.Vote(2, approve=True), "sue")
    assert await looks.hear("win") == {"type": "win", "meter": "mega", **whole, "state": "paid"}
    await wall.until(lambda data: bool(data["last_hits"] == [{**tenth, **at}, {**whole, **at, "state": "paid"}]))
    await wall.close()
    elsewhere.say({"type": "ping", "n": 1})
    assert await elsewhere.hear("pong", "win", "meter") == {"type": "pong", "n": 1}


async def test_hello_comes_first(live: Live) -> None:
    """No other message comes before, whatever happens at that moment."""
    over = live.services.sessions.over

    async def meanwhile(whos: Any) -> Any:
        for connection in live.services.context.connections.open:
            connection.send_message(BalanceMessage(1))
        return await over(whos)

    live.services.sessions.over = meanwhile  # type: ignore[method-assign]
    socket = Socket(live, await live.guest())
    assert (await socket.open())["type"] == "hello"
    await balance_is(socket, 1)
    await socket.close()


async def test_a_client_that_missed_nothing_gets_the_whole_table(live: Live) -> None:
    ann, number = await open_table(live)
    ann.say({"type": "unwatch", "table": "one"})
    ann.say({"type": "watch", "table": "one", "after": number})
    assert (await ann.hear("table"))["seq"] == number


async def test_a_too_deep_command_is_refused_with_its_key(live: Live) -> None:
    ann = await live.seated()
    deep = "[" * 1500 + "]" * 1500
    ann.say(f'{{"type": "do", "key": "deep", "stream": "{TABLE}", "command": {deep}}}')
    refusal = await ann.hear("refused")
    assert (refusal["key"], refusal["error"]["code"]) == ("deep", "bad-text")


async def test_an_unknown_outcome_is_no_refusal(live: Live) -> None:
    """Even a client with too many refusals learns that it must send the command again with the same key."""
    ann = await live.seated()

    async def lost(*_: object) -> Any:
        raise OutcomeUnknown("command", read="no answer of the books", expected="the same key again")

    while not live.services.context.limits.allow("refusal", ann.who.person):
        pass
    live.services.context.pump.submit = lost  # type: ignore[method-assign, assignment]
    assert (await ann.do(TABLE, ANTE))["error"]["code"] == OutcomeUnknown.code
