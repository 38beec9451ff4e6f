"""The JSON of the books, read and written again: a hand is its cards as text, a rulebook's amounts are numbers."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any, get_type_hints

import msgspec
from msgspec import Struct

from highcardflush import structs
from highcardflush.cards import Hand
from highcardflush.game.actions import Action, Settle
from highcardflush.house.audit.books import Books, Event
from highcardflush.rulebook.load import configure
from highcardflush.rulebook.model import Rulebook

ANY_ACTION: Any = reduce(or_, Action.__subclasses__())
METERS: Any = get_type_hints(Settle)["meters"]
"""Meters by level, as the engine has them."""


class Config(Struct, frozen=True):
    """How a table plays, and the number of the event that says so."""

    physical: bool
    meters: dict[str, str]
    rulebook: Rulebook
    second_above_micros: int
    seq: int = 0


def _rich(kind: type, value: Any) -> Any:
    return Hand.parse(value) if kind is Hand else kind(value)


def read_parts(text: str | msgspec.Raw) -> dict[str, msgspec.Raw]:
    """The parts of a body, each with its own bytes."""
    return structs.decode(text, dict[str, msgspec.Raw])


def read_action(raw: msgspec.Raw) -> Action:
    action: Action = structs.decode(raw, ANY_ACTION, _rich)
    return action


def read_config(event: Event) -> Config:
    config = structs.decode(read_parts(event.text)["config"], Config, _rich)
    return msgspec.structs.replace(config, seq=event.seq)


def written(value: object) -> bytes:
    """An action, or what the engine told, as the books write it."""
    return msgspec.json.encode(value, enc_hook=lambda part: str(part) if isinstance(part, Hand) else int(part))


class Rulebooks:
    """The rules of a round by its `open`: the rulebook of its table's configuration with the round's own settings.

    There are few, so each is put together once.
    """

    def __init__(self, books: Books) -> None:
        self._books = books
        self._known: dict[tuple[object, ...], Rulebook] = {}

    def of(self, opening: Event) -> Rulebook:
        stream, config, settings = opening.stream, int(opening.body["config"]), opening.body["settings"]
        key = stream, config, *settings.items()
        if key not in self._known:
            event = self._books.event(stream, config)
            if event is None:
                raise LookupError(f"no configuration {stream} {config}")
            self._known[key] = configure(read_config(event).rulebook, None, settings)
        return self._known[key]
