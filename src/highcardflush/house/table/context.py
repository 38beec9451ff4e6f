"""What a handler of table commands works with, and what it gives back."""

from __future__ import annotations

from msgspec import Struct

from highcardflush.house.books.event import Event
from highcardflush.house.books.writer import Writer
from highcardflush.house.cache import Meters
from highcardflush.house.table.state import Table


class Context(Struct, frozen=True):
    writer: Writer
    meters: Meters
    watched_s: float
    """For how long this process has known what the players are asked; see `due`."""
    trusting: bool
    """Whether the cache is relied on: then the writer's conditions ask the books."""


Handled = tuple[Table, Event]
"""The table after a command, and the event that says so."""
