"""What a handler of table commands works with, and what it gives back."""

from __future__ import annotations

from msgspec import Struct

from highcardflush.house.books.event import Event
from highcardflush.house.books.writer import Writer
from highcardflush.house.cache import Cache
from highcardflush.house.events import Body
from highcardflush.house.meter.state import MeterState
from highcardflush.house.table.apply import apply_body
from highcardflush.house.table.state import Table


class Context(Struct, frozen=True):
    writer: Writer
    cache: Cache
    watched_s: float
    """For how long this process has known what the players are asked; see `due`."""
    trusting: bool
    """Whether the cache is relied on: then the writer's conditions ask the books."""

    def newest_meter(self, name: str) -> MeterState:
        """A meter as the books have it."""
        return self.cache.newest_meter(self.writer.tx, name)

    def known_meter(self, name: str) -> MeterState:
        """A meter as kept: who uses it lets the writer `require_head`, or locks it and asks the newest."""
        return (self.cache.meters.get(name) if self.trusting else None) or self.newest_meter(name)


Handled = tuple[Table, Event]
"""The table after a command, and the event that says so."""


def record(ctx: Context, table: Table, body: Body) -> Handled:
    """Append an event that seals nothing, and apply it as when it is read back."""
    event = ctx.writer.append(table.head, table.stream, body)
    return apply_body(table, event, body), event
