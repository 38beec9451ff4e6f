"""OpenAPI and AsyncAPI: the whole protocol is in them, and every answer and message conforms to them."""

import json
from contextlib import closing
from typing import Any, get_args

import pytest

from highcardflush.game.events import BonusShown
from highcardflush.house.house import MOST_EVENTS
from highcardflush.house.reports.statement import WalletKind
from highcardflush.rulebook import packaged
from highcardflush.web.messages.facts import FACTS, facts
from highcardflush.web.messages.parts import API, encode
from highcardflush.web.server.access import OPEN, Who
from highcardflush.web.server.default_floor import TABLES
from highcardflush.words import Reason
from support.judges.documented_shapes import (
    asyncapi,
    message_types,
    openapi,
    require_answer,
    require_event,
    require_message,
)
from support.places.floor import open_floor
from support.places.live import Live, Served, Socket
from support.walkers.eventful_house import everything

CALLS = """
POST /guest
POST /register
POST /login
POST /logout
GET /me
GET /tables
GET /tables/{name}
GET /tables/{name}/rules
GET /tables/{name}/events
POST /commands/{stream}
GET /meters
GET /meters/{name}
GET /meters/{name}/live
GET /rounds/{table}/{number}
GET /rounds/{table}/{number}/steps
GET /rulebooks
GET /rulebooks/{name}
GET /odds/hand
GET /odds/paytable
POST /ticket
POST /tokens
GET /openapi.json
GET /asyncapi.json
"""
PAYS = Reason("pays", {"wager": "straight-flush", "cards": 3, "top": 2, "pay": 7, "pays": "to 1"})
CLIENT = {"watch", "unwatch", "do", "ping"}
SERVER = {"hello", "table", "told", "done", "refused", "pong", "balance", "meter", "win", "bye"}


def test_every_call_is_in_the_document() -> None:
    paths = openapi()["paths"]
    for line in CALLS.strip().splitlines():
        method, path = line.split()
        assert method.lower() in paths[API + path], line
    assert {"/health", "/metrics"} <= paths.keys()


def test_every_message_is_in_the_document() -> None:
    assert message_types() == CLIENT | SERVER
    message_counts = {
        operation["action"]: len(operation["messages"]) for operation in asyncapi()["operations"].values()
    }
    assert message_counts == {"receive": len(CLIENT), "send": len(SERVER)}


def test_every_answer_has_its_shape() -> None:
    for path, item in openapi()["paths"].items():
        for call in item.values():
            for answer in call["responses"].values():
                shapes_ = [content["schema"] for content in answer.get("content", {}).values()]
                assert all(shape.keys() & {"$ref", "items", "anyOf", "type"} for shape in shapes_), path
                assert {"type": "object"} not in shapes_, path


def test_a_line_of_a_statement_lists_its_kinds() -> None:
    kind = openapi()["components"]["schemas"]["Line"]["properties"]["kind"]
    assert set(kind["enum"]) == set(get_args(WalletKind))


def test_a_call_says_whether_it_asks_for_a_session() -> None:
    for path, item in openapi()["paths"].items():
        for method, call in item.items():
            asks = call["x-access"] not in OPEN
            assert ("security" in call) == asks, path
            own_page = any(parameter["name"] == "X-HCF" for parameter in call.get("parameters", []))
            assert own_page == (method not in ("get", "head")), path


class Checking(Socket):
    def __init__(self, live: Live, who: Who) -> None:
        super().__init__(live, who)
        self.heard = set[str]()

    async def _next(self) -> dict[str, Any]:
        event = await super()._next()
        if event["type"] == "websocket.send":
            message = json.loads(event["text"])
            require_message(message)
            self.heard.add(message["type"])
        return event


async def _socket(live: Live) -> Checking:
    socket = Checking(live, await live.guest())
    await socket.open()
    return socket


async def may(player: Socket, kind: str) -> dict[str, Any]:
    """Wait until the player may take this action, and return the option."""
    while True:
        you = (await player.hear("told", "table"))["you"]
        for option in you["legal"] if you is not None else ():
            if option["type"] == kind:
                return dict(option)


@pytest.mark.parametrize("table", TABLES)
def test_messages_of_a_round_follow_the_document(server: Served, table: str) -> None:
    """A round of two at every table, with every side bet; one raises or folds, the other folds."""
    stream, calls = f"table/{table}", ("/tables/{name}", "/tables/{name}/events", "/tables/{name}/rules")

    def check() -> None:
        for path in (*calls, "/tables", "/meters"):
            require_answer("GET", API + path, server.ask("GET", path.replace("{name}", table)))

    async def begin() -> tuple[Checking, Checking]:
        ann, bob = await _socket(server), await _socket(server)
        for seat, player in enumerate((ann, bob), 1):
            player.say({"type": "watch", "table": table})
            assert (await player.do(stream, {"type": "Sit", "seat": seat}))["type"] == "done"
        limits = (await may(bob, "PlaceWagers"))["wagers"]
        wagers = {wager: limit["minimum_cents"] for wager, limit in limits.items()}
        for seat, player in enumerate((ann, bob), 1):
            answer = await player.do(stream, {"type": "PlaceWagers", "seat": seat, "wagers": wagers})
            assert answer["type"] == "done", answer
        return ann, bob

    async def decide(player: Checking, *, raises: bool) -> None:
        option = await may(player, "Raise" if raises else "Fold")
        command = {"type": option["type"], "seat": 1 if player is ann else 2}
        if raises:
            command["amount_cents"] = option.get("amounts_cents", [option.get("minimum_cents")])[0]
        assert (await player.do(stream, command))["type"] == "done"

    check()
    ann, bob = server.run(begin())
    check()
    server.run(decide(ann, raises=True))
    check()
    server.run(decide(bob, raises=False))
    number = server.run(ann.event("settle"))["round"]["number"]
    check()
    if table.startswith("jackpot") and "meter" not in ann.heard:
        server.run(ann.hear("meter"))  # by what the bets have added
    for path in ("/rounds/{table}/{number}", "/rounds/{table}/{number}/steps"):
        response = server.ask("GET", path.format(table=table, number=number))
        assert response.status_code == 200, response.text
        require_answer("GET", API + path, response)
    for player, seat in ((ann, 1), (bob, 2)):
        server.run(player.do(stream, {"type": "Leave", "seat": seat}))
        server.run(player.close())


def test_every_fact_is_told_as_the_document_says(sqlite_url: str) -> None:
    """Check a house in which everything has happened, as each of its people may see it, and an exposed bonus."""
    with closing(everything(open_floor(sqlite_url))) as floor:
        people = [name for (name,) in floor.read("SELECT name FROM people")]
        rows = [
            (row.told, row.rulebook)
            for (table,) in floor.read("SELECT name FROM streams WHERE name LIKE 'table/%'")
            for person in people
            for row in floor.house.events_since(table.removeprefix("table/"), 0, person, MOST_EVENTS)
        ]
    types_met = set()
    for event_facts, rulebook in (*rows, ((BonusShown(1, 3500, True, PAYS),), packaged("oxford"))):
        data = json.loads(encode(facts(event_facts, {}, rulebook)))
        require_event({"seq": 1, "at_ms": 1, "kind": "any", "told": data})
        types_met |= {fact["type"] for fact in data}
    assert types_met == {kind.__name__ for kind in FACTS}


async def test_every_other_message(server: Served) -> None:
    ann = await _socket(server)
    ann.say({"type": "ping", "n": 3})
    assert (await ann.hear())["n"] == 3
    ann.say({"type": "watch", "table": "oxford"})
    await ann.hear("table")
    ann.say({"type": "unwatch", "table": "oxford"})
    ann.say("no message")
    await ann.hear("refused")
    server.services.context.connections.drop(person=ann.who.person, code="signed-out")
    await ann.hear("bye")
    await ann.close()


def test_an_error_is_as_the_document_says(server: Served) -> None:
    response = server.ask("GET", "/tables/none")
    require_answer("GET", f"{API}/tables/{{name}}", response)
    assert set(response.json()["error"]) == {"code", "message", "reason", "values"}
