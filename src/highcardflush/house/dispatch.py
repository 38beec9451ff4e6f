"""Passes a command to the handler of its stream."""

from __future__ import annotations

import re
from functools import partial

from highcardflush.errors import NotFound
from highcardflush.game.actions import Action
from highcardflush.house import cage
from highcardflush.house import commands as c
from highcardflush.house.books.event import CAGE, Event
from highcardflush.house.books.reader import OFFICE
from highcardflush.house.books.writer import Writer
from highcardflush.house.cache import Cache
from highcardflush.house.commands import Command
from highcardflush.house.meter import commands as meter_commands
from highcardflush.house.office import changes, epoch
from highcardflush.house.office import commands as office_commands
from highcardflush.house.parse import NAMES
from highcardflush.house.table import commands as table_commands
from highcardflush.house.table.context import Context
from highcardflush.house.table.state import Table
from highcardflush.words import refuse


def handle(
    writer: Writer, cache: Cache, stream: str, command: Command | Action, *, trusting: bool
) -> tuple[Event, Table | None]:
    """Return the event of a command, and the table after it if the command changed one.

    `trusting`: rely on cached tables and meters, and let the writer's guard confirm them.
    """
    kind, _, name = stream.partition("/")
    if stream == CAGE:
        writer.tx.lock([stream])
        return cage.handle(writer, command), None
    if stream == OFFICE:
        writer.tx.lock([stream])
        event, table = office_commands.handle(writer, command), None
        if (change := changes.approved(writer, command)) is not None:
            _, table = handle(writer, cache, change.stream, change.command, trusting=False)
        return event, table
    if kind == "table":
        return _handle_table(writer, cache, name, command, trusting=trusting)
    if kind == "meter":
        return _handle_meter(writer, cache, _checked_name(stream, name), command), None
    raise refuse("no-stream", NotFound, stream=stream)


def _handle_table(
    writer: Writer, cache: Cache, name: str, command: Command | Action, *, trusting: bool
) -> tuple[Event, Table]:
    table = cache.tables.get(name) if trusting else None
    if table is not None:
        writer.require_event(table.stream, table.head)
    else:
        table = cache.newest_table(writer.tx, _checked_name(f"table/{name}", name))
    if table is not None:
        table = epoch.in_epoch(writer.tx, table, writer.standing.epoch)
    watched_s = cache.watched_s(table) if table is not None else 0.0
    context = Context(writer, cache, watched_s, trusting)
    after, event = table_commands.handle(context, name, table, command)
    writer.tx.on_kept(partial(cache.keep_table, after), cache.put_back(name))
    return event, after


def _handle_meter(writer: Writer, cache: Cache, name: str, command: Command | Action) -> Event:
    if isinstance(command, c.CreateMeter):
        if writer.tx.read("SELECT 1 FROM streams WHERE name = ?", f"meter/{name}"):
            raise refuse("name-taken", what="meter", name=name)
        return meter_commands.create(writer, name, command)
    cache.newest_meter(writer.tx, name)  # raises if there is no such meter, whose stream could not be locked
    writer.tx.lock([f"meter/{name}"])
    return meter_commands.handle(writer, cache.newest_meter(writer.tx, name), command)


def _checked_name(stream: str, name: str) -> str:
    if not re.match(c.NAME, name):
        raise refuse("stream-name", NotFound, names=NAMES)
    return name
