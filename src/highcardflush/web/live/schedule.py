"""Which command the house sends next at a table, and when."""

from __future__ import annotations

from highcardflush.house.commands import OpenRound
from highcardflush.house.table.due import Due, next_due
from highcardflush.house.table.state import Table
from highcardflush.web.server.context import Context


class Schedule:
    def __init__(self, context: Context) -> None:
        self._context = context
        self.opens = True
        """False while the server stops: no new rounds."""

    def due(self, table: Table) -> Due | None:
        """Return the next command of the house at a virtual table, if there is one."""
        if table.config.physical:
            return None
        due = next_due(table, self._context.house.watched_s(table), self._context.floor.times)
        if due is not None and isinstance(due.command, OpenRound) and not (table.seats and self.is_open(table)):
            return None
        return due

    def is_open(self, table: Table) -> bool:
        """Return whether a round opens when somebody sits at the table."""
        return self.opens and table.state == "open" and self._context.floor.is_open(self._context.clock())
