"""A slow or endless request is cut off; one in time is answered."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn

from highcardflush.web.server import process
from highcardflush.web.server.process import MOST_HEAD_BYTES, Server, TimeoutProtocol
from support.places.postgres import PATIENCE_SECONDS

GET = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


async def answer(scope: Any, receive: Any, send: Any) -> None:
    while scope["type"] == "http" and (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@asynccontextmanager
async def server() -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Connect a client to a server."""
    start = asyncio.Event()
    server = Server(uvicorn.Config(answer, http=TimeoutProtocol, lifespan="off", log_config=None), start.set)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        task = asyncio.create_task(server.serve([listening]))
        await start.wait()
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        async with asyncio.timeout(PATIENCE_SECONDS):
            yield reader, writer
        writer.close()
        server.should_exit = True
        await task


@pytest.mark.parametrize(
    "start_event", [b"", GET[:20], GET + GET[:20], b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc"]
)
async def test_a_request_that_does_not_come_is_not_waited_for(
    start_event: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "REQUEST_S", 1.0)  # enough to read the answers so far
    async with server() as (reader, writer):
        writer.write(start_event)
        reply = await reader.read()  # until the server closes
        assert reply.count(b"200 OK") == start_event.count(GET)


async def test_a_malformed_request_gets_the_usual_error() -> None:
    async with server() as (reader, writer):
        writer.write(b"HELLO?\r\n\r\n")
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400 Bad Request\r\n")
        assert b"content-type: application/json\r\n" in head
        assert json.loads(body)["error"]["code"] == "bad-text"


async def test_a_head_without_end_is_refused() -> None:
    async with server() as (_, writer):
        writer.write(b"GET / HTTP/1.1\r\n")
        with pytest.raises(ConnectionError):
            await _talk(writer)


async def _talk(writer: asyncio.StreamWriter) -> None:
    while True:
        writer.write(b"X-More: " + b"a" * MOST_HEAD_BYTES + b"\r\n")
        await writer.drain()


async def test_a_head_of_some_size_and_requests_one_after_the_other_are_answered() -> None:
    async with server() as (reader, writer):
        for _ in range(3):
            writer.write(GET[:-2] + b"X-Some: " + b"a" * 8000 + b"\r\n\r\n")
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200 OK")
