"""Facts that a table's event reports. There is a message type for each engine or house struct that describes a fact.

Every field of the struct is sent, even with its default value. Reasons are sent as sentences, suits as letters, players
as names. Each fact also has the dealer's line about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, get_type_hints

from msgspec import UNSET, Struct, UnsetType, defstruct
from msgspec.structs import replace

from highcardflush.game import events, state
from highcardflush.house.house import ToldEvent
from highcardflush.house.table.told import HouseTold, Seated, Told
from highcardflush.rulebook.model import Rulebook
from highcardflush.web.messages.parts import Message, Result, Suit, Words, suit
from highcardflush.words import Reason, say_fact, seat_of

TYPES: dict[Any, Any] = {Reason: Words, state.Result: Result}
NAMED_TYPES: dict[str, Any] = {"keep": Suit | None, "closed": Words | None}
LINES: list[tuple[str, Any, Any]] = [("line", str | UnsetType, UNSET), ("own_line", str | UnsetType, UNSET)]
"""Fields for the dealer's line, and for its wording to the player whom it is about. Either may be absent."""


def _counterpart(kind: type[Struct]) -> type[Struct]:
    hints = get_type_hints(kind)
    types = {name: NAMED_TYPES.get(name, TYPES.get(hints[name], hints[name])) for name in kind.__struct_fields__}
    doc = {"__doc__": kind.__doc__}
    fields: list[Any] = [*types.items(), *LINES]
    return defstruct(kind.__name__, fields, namespace=doc, module=__name__, tag=True, frozen=True, gc=False)


FACTS = {kind: _counterpart(kind) for family in (events.Event, HouseTold) for kind in family.__subclasses__()}
if TYPE_CHECKING:
    Fact = Struct
else:
    Fact = reduce(or_, FACTS.values())


def facts(told: Iterable[Told], names: Mapping[str, str], rulebook: Rulebook) -> list[Fact]:
    return [_fact(fact, names, rulebook) for fact in told]


def _fact(fact: Told, names: Mapping[str, str], rulebook: Rulebook) -> Fact:
    values = [_value(name, getattr(fact, name), names) for name in fact.__struct_fields__]
    if isinstance(fact, Seated) and fact.player is not None:
        fact = replace(fact, player=names.get(fact.player, fact.player))
    why, own_why = next((_texts(value) for value in values if isinstance(value, (Result, Words))), (None, None))
    line, seat = say_fact(fact, rulebook, why=why), seat_of(fact)
    own_line = say_fact(fact, rulebook, seat, own_why) if line and seat else line
    return FACTS[type(fact)](*values, line or UNSET, UNSET if own_line == line else own_line)


def _texts(value: Result | Words) -> tuple[str, str]:
    """Return the text of a fact's reason, which is already made, for everybody and for the player whom it is about."""
    words = value.reason if isinstance(value, Result) else value
    return words.text, words.text if words.own_text is UNSET else words.own_text


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
        return super().of(event, told=facts(event.told, names, event.rulebook))
