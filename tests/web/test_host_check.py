"""Requests for another host name, and connections beyond the limit, are refused."""

import asyncio
import json
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from highcardflush.web.errors import HEADERS
from highcardflush.web.server.middleware import HostCheck, own_names
from highcardflush.web.server.settings import Settings
from support.places.live import Socket
from support.places.postgres import PATIENCE_SECONDS
from support.places.serving import serving

REBOUND = ["evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "localhostx", ""]
OWN = ["localhost", "LOCALHOST:8080", "localhost.:8080", "127.0.0.1", "127.0.0.1:8080", "[::1]:8080", "192.0.2.1"]


async def answer(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"{}"})


def at_the_door(host: str, settings: Settings | None = None, address: str = "127.0.0.1") -> httpx.Response:
    async def ask() -> httpx.Response:
        door = HostCheck(answer, own_names(settings or Settings(), address), lambda: False)
        transport = httpx.ASGITransport(door)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://a") as client:
            return await client.get("/", headers={"host": host})

    return asyncio.run(ask())


@pytest.mark.parametrize("host", REBOUND)
def test_a_page_whose_name_points_here_is_refused(host: str) -> None:
    """After DNS rebinding the browser still sends the name of the other site."""
    response = at_the_door(host)
    assert (response.status_code, response.json()["error"]["code"]) == (421, "misdirected")
    assert response.headers.items() >= {name.lower(): value for name, value in HEADERS.items()}.items()


@pytest.mark.parametrize("host", OWN)
def test_the_own_names_and_any_address_are_good(host: str) -> None:
    assert at_the_door(host).status_code == 200


def test_an_operator_names_a_server_that_others_reach() -> None:
    for settings, address in ((Settings(host="0.0.0.0"), "0.0.0.0"), (Settings(trusted_proxies=("::1/128",)), "::1")):
        assert own_names(settings, address) is None  # nobody has said
    wide_settings = Settings(host="0.0.0.0", hosts=("Tables.example.org",))
    assert at_the_door("tables.example.org:443", wide_settings, "0.0.0.0").status_code == 200
    assert at_the_door("localhost", wide_settings, "0.0.0.0").status_code == 200
    assert at_the_door("evil.example", wide_settings, "0.0.0.0").status_code == 421
    assert at_the_door("games.lan:8080", Settings(host="games.lan")).status_code == 200


async def test_the_live_socket_has_the_same_door() -> None:
    messages: asyncio.Queue[Any] = asyncio.Queue()

    async def hear() -> Any:
        return {"type": "websocket.connect"}

    scope: Any = Socket.scope("") | {"headers": [(b"host", b"evil.example")]}
    await HostCheck(answer, own_names(Settings(), "127.0.0.1"), lambda: False)(scope, hear, messages.put)
    start, end = messages.get_nowait(), messages.get_nowait()
    assert (start["type"], start["status"]) == ("websocket.http.response.start", 421)
    assert json.loads(end["body"])["error"]["code"] == "misdirected"


def test_a_connection_above_the_limit_gets_an_error(tmp_path: Path) -> None:
    """A request and a live socket get the usual error, and a later connection is accepted."""
    with serving("--connections", "1", folder=tmp_path) as server:
        place = server.address.removeprefix("http://").split(":")
        with socket.create_connection((place[0], int(place[1])), PATIENCE_SECONDS):
            status, body = server.get("/api/v1/tables")
            assert (status, json.loads(body)["error"]["code"]) == (503, "store-busy")
            with pytest.raises(InvalidStatus) as error_info:
                connect(f"ws://{':'.join(place)}/api/v1/live?ticket=x")
            response = error_info.value.response
            assert (response.status_code, json.loads(response.body or b"")["error"]["code"]) == (503, "store-busy")
        server.until(lambda: server.get("/api/v1/tables")[0] == 200)
        assert server.get("/api/v1/tables", Host="evil.example")[0] == 421
        assert server.stop() == 0
