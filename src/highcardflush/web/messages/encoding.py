"""The JSON of the interface, its version and its root path."""

from __future__ import annotations

from typing import Any, TypeVar, cast

import msgspec
from litestar import MediaType, Response

from highcardflush.cards import Hand

T = TypeVar("T")
PROTOCOL = 1
API = "/api/v1"


def _hook(value: Any) -> Any:
    return str(value) if isinstance(value, Hand) else int(value)


ENCODER = msgspec.json.Encoder(enc_hook=_hook)


def encode(value: object) -> bytes:
    return ENCODER.encode(value)


def answer(body: bytes, of: type[T]) -> Response[T]:
    """Return an answer whose JSON is encoded already; `of` is the type of what was encoded."""
    return Response(cast(T, body), media_type=MediaType.JSON)
