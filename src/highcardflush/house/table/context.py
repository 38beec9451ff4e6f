"""The context of the handlers of table commands, and their result."""

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
    """Seconds for which this process has known what the players are asked; see `due`."""
    trusting: bool
    """The cache is relied on, and the writer's guard confirms it."""

    def newest_meter(self, name: str) -> MeterState:
        return self.cache.newest_meter(self.writer.tx, name)

    def known_meter(self, name: str) -> MeterState:
        """Return a cached meter. The caller lets the writer `require_head`, or locks the meter and reads the newest."""
        return (self.cache.meters.get(name) if self.trusting else None) or self.newest_meter(name)


Handled = tuple[Table, Event]


def record(ctx: Context, table: Table, body: Body) -> Handled:
    """Append an event that seals nothing, and apply it as if it were read back."""
    event = ctx.writer.append(table.head, table.stream, body)
    return apply_body(table, event, body), event
