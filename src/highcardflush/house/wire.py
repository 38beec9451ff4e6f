"""JSON of the books: the engine's structs, with a hand as its cards and a rulebook's amounts as whole numbers.

The order of keys is the order in which they were put, so the same thing always gives the same bytes.
"""

from __future__ import annotations

import threading
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from highcardflush.cards import Hand
from highcardflush.game.actions import Action
from highcardflush.game.events import Event

T = TypeVar("T")
if TYPE_CHECKING:
    AnyAction = Action
    AnyEvent = Event
else:  # a decoder must know every kind there is
    AnyAction = reduce(or_, Action.__subclasses__())
    AnyEvent = reduce(or_, Event.__subclasses__())


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Hand) else int(value)


def _rich(kind: type, value: Any) -> Any:
    return Hand.parse(value) if kind is Hand else kind(value)


_ENCODER = msgspec.json.Encoder(enc_hook=_plain)


def encode(value: Any) -> str:
    return _ENCODER.encode(value).decode()


_DECODERS: dict[Any, msgspec.json.Decoder[Any]] = {}
_BUILDING = threading.Lock()
"""Two threads that are the first to read the same struct crash msgspec: its decoders are built by one at a time."""


def decode(text: str | bytes, kind: type[T]) -> T:
    decoder = _DECODERS.get(kind)
    if decoder is None:
        with _BUILDING:
            decoder = _DECODERS.setdefault(kind, msgspec.json.Decoder(kind, dec_hook=_rich))
    value: T = decoder.decode(text)
    return value
