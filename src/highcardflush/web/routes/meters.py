"""Calls about progressive meters, and a feed for wall displays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from litestar import Router, get
from litestar.params import FromPath
from litestar.response import ServerSentEvent, ServerSentEventMessage

from highcardflush.house.reports.meters import notice_of
from highcardflush.house.store.protocol import Transaction
from highcardflush.web.messages.meters import Meter
from highcardflush.web.messages.parts import encode
from highcardflush.web.server.services import Served, Services

TICK_S = 1.0
HEARTBEAT_TICKS = 10
HEARTBEAT = ServerSentEventMessage(data=None, comment="heartbeat")
"""A comment, because a client would take an event without data for a message."""


async def read_meter(services: Services, name: str) -> Meter:
    state, reading = await services.ask(services.house.meter, name)
    return Meter.of(state, reading, await services.read(lambda tx: notice_of(tx, state)))


@get("/", opt={"access": "public"})
async def meters(services: Served) -> list[Meter]:
    """Return all meters."""
    return await read_meters(services)


async def read_meters(services: Services) -> list[Meter]:
    return [await read_meter(services, name) for name in await services.read(_names)]


def _names(tx: Transaction) -> list[str]:
    rows = tx.read("SELECT name FROM streams WHERE name LIKE 'meter/%' ORDER BY name")
    return [str(name).removeprefix("meter/") for (name,) in rows]


@get("/{name:str}", opt={"access": "public"})
async def meter(name: FromPath[str], services: Served) -> Meter:
    return await read_meter(services, name)


@get("/{name:str}/live", opt={"access": "public"}, media_type="text/event-stream")
async def live(name: FromPath[str], services: Served) -> ServerSentEvent:
    """Send a meter at once, again whenever it changes but at most once a second, and a heartbeat in between."""
    first = await read_meter(services, name)
    return ServerSentEvent(_feed(services, name, first))


async def _feed(services: Services, name: str, first: Meter) -> AsyncIterator[ServerSentEventMessage]:
    sent, quiet = first, 0
    yield ServerSentEventMessage(data=encode(sent).decode())
    while services.opens:
        await asyncio.sleep(TICK_S)
        current, quiet = await read_meter(services, name), quiet + 1
        if current != sent:
            sent, quiet = current, 0
            yield ServerSentEventMessage(data=encode(sent).decode())
        elif quiet >= HEARTBEAT_TICKS:
            quiet = 0
            yield HEARTBEAT


router = Router("/meters", route_handlers=[meters, meter, live])
