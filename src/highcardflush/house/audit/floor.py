"""The settings of the floor as the office tells them: each event has those before it with its changes, numbered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

from highcardflush.house.audit.books import Event
from highcardflush.house.audit.findings import Finding, differs, reasoned, say

_TIME = "([01][0-9]|2[0-3]):[0-5][0-9]"
DEFAULTS: dict[str, Any] = {
    "betting_s": 20,
    "pause_s": 5,
    "grace_s": 60,
    "guests": True,
    "most_guests": 20_000,
    "guest_hours": 24,
    "house_players": 3,
    "hours": None,
    "zone": "UTC",
    "day_starts": "06:00",
    "coach": True,
    "coach_except": [],
}
"""What holds before anything was set."""
RANGES = {
    "betting_s": (5, 600),
    "pause_s": (0, 600),
    "grace_s": (10, 3600),
    "most_guests": (0, 1_000_000),
    "guest_hours": (1, 8760),
    "house_players": (0, 6),
}
WRITTEN = {"hours": f"{_TIME}-{_TIME}", "zone": ".{1,60}", "day_starts": _TIME}


class Floor(Struct):
    """The floor as far as the office was read."""

    number: int = 0
    settings: dict[str, Any] = field(default_factory=DEFAULTS.copy)


def follow_office(floor: Floor, event: Event) -> Iterator[Finding]:
    """Take in one event of the office, if it is the floor's."""
    if event.kind != "floor":
        return
    body = event.body
    yield from reasoned(event)
    floor.number, floor.settings = floor.number + 1, floor.settings | body["changes"]
    yield from differs(event.where, "the number of the floor's event", body["floor"], floor.number)
    yield from differs(event.where, "the floor's settings", body["settings"], floor.settings)
    for key, value in body["changes"].items():
        if not _good(key, value):
            yield Finding(event.where, f"the floor's setting {say(key)}", say(value), "a value that it may have")


def _good(key: str, value: object) -> bool:
    default = DEFAULTS[key]
    if isinstance(default, bool):
        return isinstance(value, bool)
    if isinstance(default, list):
        return isinstance(value, list)
    if key in WRITTEN:
        return (value is None and default is None) or bool(re.fullmatch(WRITTEN[key], str(value)))
    low, high = RANGES[key]
    return not isinstance(value, bool) and isinstance(value, int | float) and low <= value <= high
