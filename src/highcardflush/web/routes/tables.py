"""Calls about tables and progressive meters, and a meter feed for wall displays.

Answers are padded with blanks, so that their length does not depend on hidden cards.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

from litestar import Response, Router, get, post
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import ServerSentEvent, ServerSentEventMessage
from msgspec import Struct

from highcardflush.house.commands import Name
from highcardflush.house.house import MOST_EVENTS
from highcardflush.house.reports.meters import notice_of
from highcardflush.house.reports.reading import ALL, names
from highcardflush.house.table.state import Table
from highcardflush.house.table.view import view, viewer_of, with_displays, you
from highcardflush.jackpot import Meter as Display
from highcardflush.web.live.table_messages import OWN_BYTES, SPECTATOR
from highcardflush.web.messages.facts import Event
from highcardflush.web.messages.parts import answer, encode
from highcardflush.web.messages.tables import Meter, Place, TableForOne, TableNow
from highcardflush.web.server.access import Asked, FromSession, Who, find_caller
from highcardflush.web.server.services import Served, Services

Seq = Annotated[int, QueryParameter(name="after", ge=0, le=2**62)]
NOBODY = ""
"""Reader name that belongs to nobody. A read under this name returns only what a spectator may see."""
ROW_BYTES = 48
"""Maximum number of bytes by which an event can be longer for a player with cards than for others."""
TICK_S = 1.0
HEARTBEAT_TICKS = 10
HEARTBEAT = ServerSentEventMessage(data=None, comment="heartbeat")
"""Heartbeat, sent as a comment because clients would treat an event without data as a message."""


@get("/", opt={"access": "public"}, sync_to_thread=False)
def tables(services: Served) -> list[Place]:
    """Return all shared tables. The tables at which people play alone are left out."""
    return [listed(services, table) for _, table in sorted(services.context.tables.items()) if not table.config.alone]


def listed(services: Services, table: Table) -> Place:
    is_open, coach = services.context.is_open(table), services.context.floor.coaches(table.name)
    return Place.of(table, services.names.display_names, is_open=is_open, coach=coach)


@get("/{name:str}", opt={"access": "public"})
async def table(name: FromPath[str], request: Asked, services: Served) -> Response[TableNow]:
    """Return a table as the caller may see it."""
    who = await find_caller(request)
    table_ = await services.context.ask(services.context.house.table, name)
    people = await services.context.ask(services.context.house.people, list(filter(None, table_.seats.values())))
    services.names.add(people)
    table_ = with_displays(table_, await _displays(services, table_))
    body = encode(_seen(services, table_, who))
    if who is not None and viewer_of(table_, who.person, who.role) != SPECTATOR:
        body = body.ljust(len(encode(_seen(services, table_, None))) + OWN_BYTES)
    return answer(body)


async def _displays(services: Services, table: Table) -> dict[str, Display]:
    """Return the displays of a table's meters, which other tables may have changed since the live round opened."""
    ask, names = services.context.ask, set(table.config.meters.values())
    return {name: (await ask(services.context.house.meter, name))[1].display for name in names}


def _seen(services: Services, table: Table, who: Who | None) -> TableNow:
    visible = view(table, viewer_of(table, who.person, who.role) if who is not None else SPECTATOR)
    options = you(table, who.person) if who is not None else None
    return TableNow.of_viewer(listed(services, table), visible, options, services.context.next_server_command(table))


@get("/{name:str}/events", opt={"access": "public"})
async def events(name: FromPath[str], request: Asked, services: Served, after: Seq = 0) -> Response[list[Event]]:
    """Return the events after event number `after`, oldest first, as the caller may see them."""
    who = await find_caller(request)
    rows = await _rows(services, name, after, NOBODY)
    if who is not None:
        own_rows = await _rows(services, name, after, who.person)
        rows = [row.ljust(len(public) + ROW_BYTES) for row, public in zip(own_rows, rows, strict=False)]
    return answer(b"[%s]" % b",".join(rows))


async def _rows(services: Services, name: str, after: int, person: str) -> list[bytes]:
    rows = await services.context.ask(services.context.house.events_since, name, after, person, MOST_EVENTS)
    return [encode(Event.of(row, services.names.display_names)) for row in rows]


router = Router("/tables", route_handlers=[tables, table, events])


class Alone(Struct, forbid_unknown_fields=True):
    rulebook: Name


@post("/alone", opt={"access": "anybody"}, status_code=200)
async def alone(caller: FromSession, services: Served, data: JSONBody[Alone]) -> TableForOne:
    """Return a table at which the caller can play this rulebook alone, and keep it for them for 30 seconds."""
    services.context.limits.require("command", caller.person)
    return TableForOne(await services.tables_for_one.find(caller.person, data.rulebook))


alone_router = Router("/", route_handlers=[alone])


async def read_meter(services: Services, name: str) -> Meter:
    state, reading = await services.context.ask(services.context.house.meter, name)
    return Meter.of(state, reading, await services.context.read(lambda tx: notice_of(tx, state)))


@get("/", opt={"access": "public"})
async def meters(services: Served) -> list[Meter]:
    """Return all meters."""
    return [
        await read_meter(services, name)
        for name in await services.context.read(lambda tx: names(tx, "meter", first=ALL))
    ]


@get("/{name:str}", opt={"access": "public"})
async def meter(name: FromPath[str], services: Served) -> Meter:
    """Return a meter with its amount and latest hits."""
    return await read_meter(services, name)


@get("/{name:str}/live", opt={"access": "public"}, media_type="text/event-stream")
async def live(name: FromPath[str], services: Served) -> ServerSentEvent:
    """Send a meter immediately and then after each change, at most once a second. Send heartbeats in between."""
    return ServerSentEvent(_feed(services, name, await read_meter(services, name)))


async def _feed(services: Services, name: str, sent: Meter) -> AsyncIterator[ServerSentEventMessage]:
    quiet = 0
    yield ServerSentEventMessage(data=encode(sent).decode())
    while services.context.opens:
        await asyncio.sleep(TICK_S)
        current, quiet = await read_meter(services, name), quiet + 1
        if current != sent:
            sent, quiet = current, 0
            yield ServerSentEventMessage(data=encode(sent).decode())
        elif quiet >= HEARTBEAT_TICKS:
            quiet = 0
            yield HEARTBEAT


meter_router = Router("/meters", route_handlers=[meters, meter, live])
