"""The handler of each command to the office, and events of the office that no command makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from highcardflush import structs
from highcardflush.errors import HouseError
from highcardflush.house import commands as c
from highcardflush.house.books.event import Event, Head
from highcardflush.house.books.reader import OFFICE
from highcardflush.house.books.writer import Writer
from highcardflush.house.events import Body
from highcardflush.house.office import alerts, changes, floor, people
from highcardflush.words import refuse


def handle(writer: Writer, command: Any) -> Event:
    """Return the event that a command makes. The stream of the office is locked."""
    if type(command) not in _HANDLERS:
        raise refuse("wrong-stream", command=type(command).__name__, stream=f"the {OFFICE}")
    return _HANDLERS[type(command)](writer, writer.head(OFFICE), command)


def record(writer: Writer, body: Body) -> Event:
    """Write an event that no command makes."""
    event = writer.append(writer.head(OFFICE), OFFICE, body)
    writer.finish()
    return event


def checked_reason(reason: str) -> str:
    """Return a reason without surrounding blanks; refuse one that no command would take."""
    try:
        reason = structs.convert(reason.strip(), c.Reason)
        reason.encode()
    except (msgspec.ValidationError, UnicodeEncodeError):
        expected = "1 to 500 characters without control characters"
        raise HouseError("reason", read=repr(reason)[:60], expected=expected) from None
    return reason


_HANDLERS: dict[type, Callable[[Writer, Head, Any], Event]] = c.handlers(alerts, changes, floor, people)
