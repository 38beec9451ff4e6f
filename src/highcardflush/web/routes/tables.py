"""Tables: the list, one of them, what was told there.

The length of an answer does not depend on cards that not everybody knows, for who counts bytes on the way: blanks fill
it up.
"""

from __future__ import annotations

from typing import Annotated, Any

from litestar import MediaType, Request, Response, Router, get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from highcardflush.errors import NotFound
from highcardflush.house.reading import MOST_EVENTS
from highcardflush.house.table.state import Table
from highcardflush.house.table.view import view, viewer_of, you
from highcardflush.web import wire
from highcardflush.web.live.frames import OWN_BYTES, SPECTATOR
from highcardflush.web.server.access import Who, known
from highcardflush.web.server.services import Services
from highcardflush.words import refuse

Asked = Request[Any, Any, Any]
Seq = Annotated[int, QueryParameter(name="after", ge=0, le=2**62)]
NOBODY = ""
"""Whom the books do not know: a spectator."""
ROW_BYTES = 48
"""What an event may have more for who holds cards than for others."""


@get("/", opt={"access": "public"}, sync_to_thread=False)
def tables(services: NamedDependency[Services]) -> list[wire.Data]:
    """All tables."""
    return [listed(services, table) for _, table in sorted(services.tables.items())]


def listed(services: Services, table: Table) -> wire.Data:
    said = wire.table_data(table, services.names.shown, is_open=services.schedule.is_open(table))
    return said | {"coach": services.floor.coaches(table.name)}


@get("/{name:str}", opt={"access": "public"})
async def table(name: FromPath[str], request: Asked, services: NamedDependency[Services]) -> Response[bytes]:
    """A table as the caller may see it."""
    who = await known(request)
    found = await services.ask(services.house.table, name)
    people = await services.ask(services.house.people, list(filter(None, found.seats.values())))
    services.names.shown.update({person.name: person.shown for person in people})
    said = wire.encode(_seen(services, found, who))
    if who is not None and viewer_of(found, who.person, who.role) != SPECTATOR:
        said = said.ljust(len(wire.encode(_seen(services, found, None))) + OWN_BYTES)
    return _json(said)


def _seen(services: Services, table: Table, who: Who | None) -> wire.Data:
    seen = view(table, viewer_of(table, who.person, who.role) if who is not None else SPECTATOR)
    return {
        **listed(services, table),
        "seq": seen.seq,
        "view": wire.view_data(seen.view),
        "you": wire.you_data(you(table, who.person) if who is not None else None),
        "clock": wire.clock_data(services.schedule.due(table)),
    }


@get("/{name:str}/events", opt={"access": "public"})
async def events(
    name: FromPath[str], request: Asked, services: NamedDependency[Services], after: Seq = 0
) -> Response[bytes]:
    """What the caller may know of each event after a number, oldest first."""
    who = await known(request)
    rows = await _rows(services, name, after, NOBODY)
    if who is not None:
        own = await _rows(services, name, after, who.person)
        rows = [row.ljust(len(public) + ROW_BYTES) for row, public in zip(own, rows, strict=False)]
    return _json(b"[%s]" % b",".join(rows))


async def _rows(services: Services, name: str, after: int, person: str) -> list[bytes]:
    rows = await services.ask(services.house.events_since, name, after, person, MOST_EVENTS)
    return [
        wire.encode(
            {
                "seq": row.seq,
                "at_ms": row.at // 1000,
                "kind": row.kind,
                "told": wire.told_data(row.told, services.names.shown),
            }
        )
        for row in rows
    ]


def _json(data: bytes) -> Response[bytes]:
    return Response(data, media_type=MediaType.JSON)


def require_table(services: Services, name: str) -> Table:
    """A table as this process knows it."""
    if (found := services.tables.get(name)) is None:
        raise refuse("no-table", NotFound, name=name)
    return found


router = Router("/tables", route_handlers=[tables, table, events])
