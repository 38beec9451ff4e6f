"""The JSON of the books, read and written again: a hand is its cards as text, a rulebook's amounts are numbers."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any, get_type_hints

import msgspec

from highcardflush import structs
from highcardflush.cards import Hand
from highcardflush.game.actions import Action, Settle
from highcardflush.game.events import Event
from highcardflush.rulebook.model import Rulebook

ANY_ACTION: Any = reduce(or_, Action.__subclasses__())
METERS: Any = get_type_hints(Settle)["meters"]
"""Meters by level, as the engine has them."""


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Hand) else int(value)


def _rich(kind: type, value: Any) -> Any:
    return Hand.parse(value) if kind is Hand else kind(value)


def read_parts(text: str | msgspec.Raw) -> dict[str, msgspec.Raw]:
    """The parts of a body, each with its own bytes."""
    return structs.decode(text, dict[str, msgspec.Raw])


def read_action(raw: msgspec.Raw) -> Action:
    action: Action = structs.decode(raw, ANY_ACTION, _rich)
    return action


def read_rulebook(raw: msgspec.Raw) -> Rulebook:
    return structs.decode(raw, Rulebook, _rich)


def read_meters(shown: dict[str, Any]) -> Any:
    """The meters that a round was opened with, for the engine."""
    return structs.convert(shown, METERS)


def told_bytes(told: tuple[Event, ...]) -> bytes:
    """What the engine told, as the books write it."""
    return msgspec.json.encode(told, enc_hook=_plain)


def action_bytes(action: Action) -> bytes:
    return msgspec.json.encode(action, enc_hook=_plain)
