"""Tables: the list, one of them, what was told there.

The length of an answer does not depend on cards that not everybody knows, for who counts bytes on the way: blanks fill
it up.
"""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request, Response, Router, get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from highcardflush.errors import NotFound
from highcardflush.house.house import MOST_EVENTS
from highcardflush.house.table.state import Table
from highcardflush.house.table.view import view, viewer_of, you
from highcardflush.web.live.frames import OWN_BYTES, SPECTATOR
from highcardflush.web.messages.encoding import answer, encode
from highcardflush.web.messages.facts import Event
from highcardflush.web.messages.tables import Place, TableNow
from highcardflush.web.server.access import Who, find_caller
from highcardflush.web.server.services import Services
from highcardflush.words import refuse

Asked = Request[Any, Any, Any]
Seq = Annotated[int, QueryParameter(name="after", ge=0, le=2**62)]
NOBODY = ""
"""Whom the books do not know: a spectator."""
ROW_BYTES = 48
"""What an event may have more for who holds cards than for others."""


@get("/", opt={"access": "public"}, sync_to_thread=False)
def tables(services: NamedDependency[Services]) -> list[Place]:
    """All tables."""
    return [listed(services, table) for _, table in sorted(services.tables.items())]


def listed(services: Services, table: Table) -> Place:
    is_open, coach = services.schedule.is_open(table), services.floor.coaches(table.name)
    return Place.of(table, services.names.shown, is_open=is_open, coach=coach)


@get("/{name:str}", opt={"access": "public"})
async def table(name: FromPath[str], request: Asked, services: NamedDependency[Services]) -> Response[TableNow]:
    """A table as the caller may see it."""
    who = await find_caller(request)
    found = await services.ask(services.house.table, name)
    people = await services.ask(services.house.people, list(filter(None, found.seats.values())))
    services.names.shown.update({person.name: person.shown for person in people})
    said = encode(_seen(services, found, who))
    if who is not None and viewer_of(found, who.person, who.role) != SPECTATOR:
        said = said.ljust(len(encode(_seen(services, found, None))) + OWN_BYTES)
    return answer(said, TableNow)


def _seen(services: Services, table: Table, who: Who | None) -> TableNow:
    seen = view(table, viewer_of(table, who.person, who.role) if who is not None else SPECTATOR)
    options = you(table, who.person) if who is not None else None
    return TableNow.of_viewer(listed(services, table), seen, options, services.schedule.due(table))


@get("/{name:str}/events", opt={"access": "public"})
async def events(
    name: FromPath[str], request: Asked, services: NamedDependency[Services], after: Seq = 0
) -> Response[list[Event]]:
    """What the caller may know of each event after a number, oldest first."""
    who = await find_caller(request)
    rows = await _rows(services, name, after, NOBODY)
    if who is not None:
        own = await _rows(services, name, after, who.person)
        rows = [row.ljust(len(public) + ROW_BYTES) for row, public in zip(own, rows, strict=False)]
    return answer(b"[%s]" % b",".join(rows), list[Event])


async def _rows(services: Services, name: str, after: int, person: str) -> list[bytes]:
    rows = await services.ask(services.house.events_since, name, after, person, MOST_EVENTS)
    return [encode(Event.of(row, services.names.shown)) for row in rows]


def require_table(services: Services, name: str) -> Table:
    """A table as this process knows it."""
    if (found := services.tables.get(name)) is None:
        raise refuse("no-table", NotFound, name=name)
    return found


router = Router("/tables", route_handlers=[tables, table, events])
