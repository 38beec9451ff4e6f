"""What a handler of table commands works with, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from highcardflush.house.entry import Entry
from highcardflush.house.meter import MeterState, Reading
from highcardflush.house.table import Table
from highcardflush.house.work import Work


class Desk(Struct, frozen=True):
    work: Work
    name: str
    table: Table | None
    meter: Callable[[str], MeterState]
    """The newest state of a meter."""
    known_meter: Callable[[str], MeterState]
    """Its state as memory has it: who uses it has `work.trust` it, or locks it and asks for the newest."""
    count_meter: Callable[[MeterState], Reading]
    """What it holds, counted from where memory left off: to be shown, not to be paid."""


Handled = tuple[Table, Entry]
"""The table after a command, and the event that says so."""
