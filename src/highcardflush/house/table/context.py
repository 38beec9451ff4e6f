"""The context passed to handlers of table commands, and the result that they return."""

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
    elapsed_s: float
    """Seconds since this process first read the event that started the table's clock. See `due.py`."""
    trusting: bool
    """True if the handler may rely on the cache, which the writer's guard then confirms."""

    def newest_meter(self, name: str) -> MeterState:
        return self.cache.newest_meter(self.writer.tx, name)

    def known_meter(self, name: str) -> MeterState:
        """Return a meter, from the cache if the handler may rely on the cache. The caller must then either call
        `Writer.guard_head`, or lock the meter and read its newest state."""
        return (self.cache.meters.get(name) if self.trusting else None) or self.newest_meter(name)


Handled = tuple[Table, Event]


def record(ctx: Context, table: Table, body: Body) -> Handled:
    """Append an event without a sealed part, and apply it as if it had been read from the books."""
    event = ctx.writer.append(table.head, table.stream, body)
    return apply_body(table, event, body), event
