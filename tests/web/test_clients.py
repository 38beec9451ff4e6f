"""Unruly clients send reordered, repeated, stale, malformed and oversized messages by socket and by HTTP.

Every message is answered, events come in order, and the books balance.
"""

import asyncio
import json
import time
from collections import Counter
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from highcardflush.errors import HcfError
from highcardflush.house import commands as c
from highcardflush.web.live.live_socket import MOST_BYTES, MOST_UNREADABLE
from support.places.live import LOCAL, Served, Socket
from support.places.postgres import PATIENCE_SECONDS

TABLE = "oxford"
STREAM = f"table/{TABLE}"
LAST = 2**40
"""Number of the last ping."""
EXAMPLES = 20

OWN = 0
"""Placeholder for the client's own seat."""
seats = st.sampled_from([OWN, OWN, OWN, OWN, 1, 2, 3, 4])
cents = st.sampled_from([0, 1, 499, 500, 1000, 50_000, 10**9])
wagers = st.dictionaries(st.sampled_from(["ante", "flush", "progressive", "x"]), cents)
keys = st.sampled_from("abcdefghijkl")
hexes = st.sampled_from(["aa", "bb" * 16, "cc" * 32, "zz", ""])
bets = st.one_of(st.just({"ante": 500}), wagers)
good = st.one_of(
    st.builds(lambda seat, placed: {"type": "PlaceWagers", "seat": seat, "wagers": placed}, seats, bets),
    st.builds(lambda seat, amount: {"type": "Raise", "seat": seat, "amount_cents": amount}, seats, cents),
    st.builds(lambda kind, seat: {"type": kind, "seat": seat}, st.sampled_from(["Fold", "ClearWagers"]), seats),
)
commands = st.one_of(
    good,
    good,
    good,
    st.builds(lambda kind, seat: {"type": kind, "seat": seat}, st.sampled_from(["Sit", "Leave"]), seats),
    st.builds(lambda seat, seed: {"type": "NameSeed", "seat": seat, "seed": seed}, seats, hexes),
    st.sampled_from([{"type": "OpenRound"}, {"type": "Lock"}, {"type": "SettleRound"}, {"type": "DealCards"}]),
    st.sampled_from([{"type": "BuyIn", "player": "admin", "cents": 10**6}, {"type": "Dance"}, {}, None, 7, "Sit"]),
)
streams = st.sampled_from([*[STREAM] * 12, "table/none", "office", "cage", "", "meter/jackpot"])
does = st.builds(
    lambda key, stream, command: {"type": "do", "key": key, "stream": stream, "command": command},
    keys, streams, commands,
)  # fmt: skip
others = st.one_of(
    st.builds(lambda n: {"type": "ping", "n": n}, st.integers(-5, 5)),
    st.builds(lambda table: {"type": "watch", "table": table}, st.sampled_from([TABLE, TABLE, "none", ""])),
    st.builds(lambda table: {"type": "unwatch", "table": table}, st.sampled_from([TABLE, "none"])),
)
unreadable = st.one_of(
    st.sampled_from([
        "", "{", "null", "[]", "{}", '{"type": "ping"', '{"type": 7}', '{"type": "do", "key": 7}', "[" * 3000,
        '{"type": "ping", "n": "1"}', '{"type": "ping", "n": 1, "x": 1}', '{"type": "watch"}', "\x00", "7" * 5000,
        json.dumps({"type": "watch", "table": "x" * MOST_BYTES}), '{"type": "watch", "table": "\\ud800"}',
    ]),
    st.text(max_size=20).map(lambda text: "?" + text),
)  # fmt: skip
TIMES = st.sampled_from([0, 0, 5, 21, 31])
"""Pauses in seconds, after which due commands are sent."""
messages = st.one_of(does, does, does, does, others, unreadable, TIMES)


@st.composite
def rounds(draw: st.DrawFn) -> list[Any]:
    bet = {"type": "PlaceWagers", "seat": OWN, "wagers": {"ante": 500}}
    decision = draw(
        st.sampled_from([{"type": "Fold", "seat": OWN}, {"type": "Raise", "seat": OWN, "amount_cents": 500}])
    )
    first, second = draw(keys), draw(keys)
    wager_commands = [{"type": "do", "key": key, "stream": STREAM} for key in (first, second)]
    return [5, {**wager_commands[0], "command": bet}, 0, {**wager_commands[1], "command": decision}, 0]


def mixed(*kinds: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    phrases = st.one_of(*(kind.map(lambda one: [one]) for kind in kinds), rounds())
    return st.lists(phrases, min_size=1, max_size=15).map(lambda parts: [one for phrase in parts for one in phrase])


Said = list[Any]


class Expected(Struct):
    """Messages that a client must receive, from what it has sent."""

    keys: Counter[str]
    pongs: Counter[int]
    refusal_count: int = 0
    """Refusals without a key."""


def expected(conversation: Said) -> Expected:
    outcome, tables_watched = Expected(Counter(), Counter()), set[str]()
    for message in conversation:
        match message:
            case int():
                pass
            case {"type": "do", "key": key}:
                outcome.keys[key] += 1
            case {"type": "ping", "n": n}:
                outcome.pongs[n] += 1
            case {"type": "watch", "table": table} if table == TABLE:
                tables_watched.add(table)
            case {"type": "unwatch", "table": table} if table in tables_watched:
                tables_watched.remove(table)
            case _:
                outcome.refusal_count += 1
    return outcome


async def hear_out(socket: Socket, conversation: Said) -> None:
    """Require an answer to every message, and events in order."""
    expectation, heard_counts, seq = expected(conversation), Expected(Counter(), Counter()), None
    accepted_keys: dict[str, Any] = {}
    while heard_counts != expectation:
        message = await socket.hear()
        match message:
            case {"type": "done" | "refused", "key": str(key)}:
                heard_counts.keys[key] += 1
                if message["type"] == "done":
                    assert accepted_keys.setdefault(key, message["answer"]) == message["answer"]
            case {"type": "refused"}:
                heard_counts.refusal_count += 1
            case {"type": "pong", "n": n}:
                heard_counts.pongs[n] += 1
            case {"type": "table"}:
                seq = message["seq"]
            case {"type": "told"}:
                assert seq is None or message["seq"] == seq + 1
                seq = message["seq"]
            case _:
                assert message["type"] in ("balance", "meter", "win"), message
        for key, count in heard_counts.keys.items():
            assert count <= expectation.keys[key]


def seated(message: Any, seat: int) -> Any:
    match message:
        case {"command": {"seat": 0} as command}:
            return {**message, "command": {**command, "seat": seat}}
    return message


def readable(conversation: Said, seat: int) -> Said:
    """Drop unreadable messages that would end the connection."""
    readable_messages, wrong = [], 0
    for message in (seated(each, seat) for each in conversation):
        wrong += isinstance(message, str)
        if not isinstance(message, str) or wrong < MOST_UNREADABLE:
            readable_messages.append(message)
    return [*readable_messages, {"type": "ping", "n": LAST}]


async def sit_down(server: Served, *people: str) -> None:
    """Seat the clients next to each other, and wait for open wagers."""
    await tidy(server)
    for seat, person in enumerate(people, 1):
        server.floor.do(STREAM, c.Sit(seat, person), person)
    while server.floor.house.table(TABLE).round is None:
        await pass_by(server, 5)  # after the last round there is a pause


async def pass_by(server: Served, seconds: int) -> None:
    server.pass_by(seconds)
    await asyncio.sleep(0.02)


async def tidy(server: Served) -> None:
    """Take everybody from the table when the round permits."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        for seat, player in list(server.floor.house.table(TABLE).seats.items()):
            try:
                server.floor.do(STREAM, c.Leave(seat), player or "")
            except HcfError:
                server.pass_by(31)
        if not server.floor.house.table(TABLE).seats:
            return
        await asyncio.sleep(0.02)
    raise AssertionError("somebody still sits there")


BOUNDED = settings(
    max_examples=EXAMPLES, phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck)
)


@BOUNDED
@given(st.lists(mixed(messages, messages), min_size=1, max_size=2))
def test_every_message_is_answered(server: Served, clients: list[Said]) -> None:
    """Several guests send without waiting for answers, while clocks run out."""

    async def scene() -> None:
        sockets = [await server.socket() for _ in clients]
        await sit_down(server, *(socket.who.person for socket in sockets))
        conversations = [readable(own, seat) for seat, own in enumerate(clients, 1)]
        for number in range(max(map(len, conversations))):
            for socket, own in zip(sockets, conversations, strict=True):
                if number < len(own):
                    await speak(server, socket, own[number])
        await asyncio.gather(*(hear_out(*pair) for pair in zip(sockets, conversations, strict=True)))
        for socket in sockets:
            await socket.close()

    server.run(scene())
    server.floor.balances()


async def speak(server: Served, socket: Socket, message: Any) -> None:
    if isinstance(message, int):
        await pass_by(server, message)
    else:
        socket.say(message)


@BOUNDED
@given(mixed(TIMES, does, does), st.booleans())
def test_every_call_is_answered(server: Served, calls: list[Any], at_once: bool) -> None:
    """Two guests make the same calls by HTTP, one after the other or all at once."""
    guests = [server.run(server.services.accounts.guest(LOCAL)) for _ in range(2)]

    calls = [seated(call, 1 + number % 2) for number, call in enumerate(calls)]

    async def send(number: int, call: Any) -> tuple[int, Any]:
        if isinstance(call, int):
            await pass_by(server, call)
            return 204, None
        path, headers = f"/api/v1/commands/{call['stream'] or 'none'}", {"Idempotency-Key": call["key"]}
        answer = await server.call("POST", path, guests[number % 2][1], headers=headers, json=call["command"])
        return answer.status_code, answer.json()

    async def scene() -> None:
        await sit_down(server, *(who.person for who, _ in guests))
        if at_once:
            answers = list(await asyncio.gather(*(send(*call) for call in enumerate(calls))))
        else:
            answers = [await send(*call) for call in enumerate(calls)]
        accepted_keys: dict[Any, Any] = {}
        for number, (call, (status, answer)) in enumerate(zip(calls, answers, strict=True)):
            assert status in (200, 204, 400, 403, 404, 409, 422), answer
            if status == 200:
                same = call["command"], answer
                assert accepted_keys.setdefault((number % 2, call["key"]), same) == same
            elif status != 204:
                assert set(answer["error"]) >= {"code", "message"}

    server.run(scene())
    server.floor.balances()


async def test_a_key_that_was_refused_is_free(server: Served) -> None:
    await tidy(server)
    socket = await server.socket()
    assert (await socket.do(STREAM, {"type": "Leave", "seat": 1}, "k"))["type"] == "refused"
    assert (await socket.do(STREAM, {"type": "Sit", "seat": 1}, "k"))["type"] == "done"
    await socket.close()
