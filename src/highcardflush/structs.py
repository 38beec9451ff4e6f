"""Reads data into structs, from any thread.

msgspec learns a struct the first time that it reads one, and two threads that are first at the same moment crash the
process. So every kind is learnt once, by one thread at a time, before anything is read into it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
Hook = Callable[[type, Any], Any]
_DECODERS: dict[tuple[Any, Hook | None], msgspec.json.Decoder[Any]] = {}
_LEARNING = threading.Lock()


def decode(text: str | bytes | msgspec.Raw, kind: type[T], hook: Hook | None = None) -> T:
    """The struct in a JSON text; `hook` makes what msgspec does not know."""
    value: T = _decoder(kind, hook).decode(text)
    return value


def convert(data: Any, kind: type[T], hook: Hook | None = None) -> T:
    """The struct of plain data."""
    _decoder(kind, hook)
    return msgspec.convert(data, kind, dec_hook=hook)


def _decoder(kind: type[T], hook: Hook | None) -> msgspec.json.Decoder[T]:
    decoder = _DECODERS.get((kind, hook))
    if decoder is None:
        with _LEARNING:
            decoder = _DECODERS.setdefault((kind, hook), msgspec.json.Decoder(kind, dec_hook=hook))
    return decoder
