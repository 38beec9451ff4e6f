"""Facts that a table's event reports. There is a message type for each engine or house struct that describes a fact.

Every field is sent, even with its default value. Reasons are sent as sentences, suits as letters, players as names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, get_type_hints

from msgspec import Struct, defstruct

from highcardflush.game import events, state
from highcardflush.house.house import ToldEvent
from highcardflush.house.table.told import HouseTold, Told
from highcardflush.web.messages.parts import Message, Result, Suit, Words, suit
from highcardflush.words import Reason

TYPES: dict[Any, Any] = {Reason: Words, state.Result: Result}
NAMED_TYPES: dict[str, Any] = {"keep": Suit | None, "closed": Words | None}


def _counterpart(kind: type[Struct]) -> type[Struct]:
    hints = get_type_hints(kind)
    types = {name: NAMED_TYPES.get(name, TYPES.get(hints[name], hints[name])) for name in kind.__struct_fields__}
    doc = {"__doc__": kind.__doc__}
    return defstruct(kind.__name__, types.items(), namespace=doc, module=__name__, tag=True, frozen=True, gc=False)


FACTS = {kind: _counterpart(kind) for family in (events.Event, HouseTold) for kind in family.__subclasses__()}
if TYPE_CHECKING:
    Fact = Struct
else:
    Fact = reduce(or_, FACTS.values())


def facts(told: Iterable[Told], names: Mapping[str, str]) -> list[Fact]:
    return [
        FACTS[type(fact)](*(_value(name, getattr(fact, name), names) for name in fact.__struct_fields__))
        for fact in told
    ]


def _value(name: str, value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, Reason):
        return Words.of(value)
    if isinstance(value, state.Result):
        return Result.of(value)
    if name == "keep":
        return suit(value)
    if name == "player":
        return names.get(value, value)
    return Words.typed("bet-closed", value) if name == "closed" else value


class Event(Message, frozen=True):
    """A table's committed event, as one viewer may see it."""

    seq: int
    at_ms: int
    kind: str
    told: list[Fact]

    @classmethod
    def of(cls, event: ToldEvent, names: Mapping[str, str]) -> Event:
        return super().of(event, told=facts(event.told, names))
