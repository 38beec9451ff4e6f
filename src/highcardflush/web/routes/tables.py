"""Calls about tables: the list, one table, its events.

Answers are padded with blanks so that their length does not depend on hidden cards: counting bytes on the network
reveals nothing.
"""

from __future__ import annotations

from typing import Annotated

from litestar import Response, Router, get
from litestar.params import FromPath, QueryParameter

from highcardflush.house.house import MOST_EVENTS
from highcardflush.house.table.state import Table
from highcardflush.house.table.view import view, viewer_of, you
from highcardflush.web.live.frames import OWN_BYTES, SPECTATOR
from highcardflush.web.messages.facts import Event
from highcardflush.web.messages.parts import answer, encode
from highcardflush.web.messages.tables import Place, TableNow
from highcardflush.web.server.access import Asked, Who, find_caller
from highcardflush.web.server.services import Served, Services

Seq = Annotated[int, QueryParameter(name="after", ge=0, le=2**62)]
NOBODY = ""
"""Person whose view is a spectator's."""
ROW_BYTES = 48
"""Most bytes by which an event may be longer for a player with cards than for others."""


@get("/", opt={"access": "public"}, sync_to_thread=False)
def tables(services: Served) -> list[Place]:
    """Return all tables."""
    return [listed(services, table) for _, table in sorted(services.tables.items())]


def listed(services: Services, table: Table) -> Place:
    is_open, coach = services.is_open(table), services.floor.coaches(table.name)
    return Place.of(table, services.names.shown, is_open=is_open, coach=coach)


@get("/{name:str}", opt={"access": "public"})
async def table(name: FromPath[str], request: Asked, services: Served) -> Response[TableNow]:
    """Return a table as the caller may see it."""
    who = await find_caller(request)
    table_ = await services.ask(services.house.table, name)
    people = await services.ask(services.house.people, list(filter(None, table_.seats.values())))
    services.names.shown.update({person.name: person.shown for person in people})
    body = encode(_seen(services, table_, who))
    if who is not None and viewer_of(table_, who.person, who.role) != SPECTATOR:
        body = body.ljust(len(encode(_seen(services, table_, None))) + OWN_BYTES)
    return answer(body, TableNow)


def _seen(services: Services, table: Table, who: Who | None) -> TableNow:
    visible = view(table, viewer_of(table, who.person, who.role) if who is not None else SPECTATOR)
    options = you(table, who.person) if who is not None else None
    return TableNow.of_viewer(listed(services, table), visible, options, services.due(table))


@get("/{name:str}/events", opt={"access": "public"})
async def events(name: FromPath[str], request: Asked, services: Served, after: Seq = 0) -> Response[list[Event]]:
    """Return the events after a number as the caller may know them, the oldest first."""
    who = await find_caller(request)
    rows = await _rows(services, name, after, NOBODY)
    if who is not None:
        own_rows = await _rows(services, name, after, who.person)
        rows = [row.ljust(len(public) + ROW_BYTES) for row, public in zip(own_rows, rows, strict=False)]
    return answer(b"[%s]" % b",".join(rows), list[Event])


async def _rows(services: Services, name: str, after: int, person: str) -> list[bytes]:
    rows = await services.ask(services.house.events_since, name, after, person, MOST_EVENTS)
    return [encode(Event.of(row, services.names.shown)) for row in rows]


router = Router("/tables", route_handlers=[tables, table, events])
