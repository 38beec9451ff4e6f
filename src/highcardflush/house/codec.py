"""Encodes and decodes the JSON of the books. A hand is written as its cards, and a rulebook's amounts as whole numbers.

Keys are written in the order of the fields, so equal values always give the same bytes.
"""

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from highcardflush import structs
from highcardflush.cards import Hand
from highcardflush.game.actions import Action
from highcardflush.game.events import Event

T = TypeVar("T")
LONGEST_HAND = 200
"""Maximum number of characters in a hand. A whole deck with spaces between the cards is shorter."""
if TYPE_CHECKING:
    AnyAction = Action
    AnyEvent = Event
else:  # A decoder needs every concrete type.
    AnyAction = reduce(or_, Action.__subclasses__())
    AnyEvent = reduce(or_, Event.__subclasses__())


def from_text(kind: type, value: Any) -> Any:
    if kind is Hand and (not isinstance(value, str) or len(value) > LONGEST_HAND):
        raise ValueError(f"Expected cards, in at most {LONGEST_HAND} characters")
    return Hand.parse(value) if kind is Hand else kind(value)


ENCODER = msgspec.json.Encoder(enc_hook=lambda value: str(value) if isinstance(value, Hand) else int(value))


def encode(value: Any) -> str:
    return ENCODER.encode(value).decode()


def decode(text: str | bytes, kind: type[T]) -> T:
    return structs.decode(text, kind, from_text)
