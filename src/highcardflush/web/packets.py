"""A message on its way: framed once, however many are sent it, and written at once to who reads fast enough.

A frame of the server has no mask and, without compression, is the same bytes for everybody. ASGI has no word for that,
so uvicorn's protocol is given one: `write`, in the scope's extensions. Who cannot be written to right now has an
outbox, and a task that empties it by the ordinary way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

EXTENSION = "hcf.write"
Write = Callable[[bytes], bool]
LAST_TEXT = 0x81
"""The first byte of a text message in one frame."""


class Packet:
    """A message, in JSON."""

    __slots__ = ("frame", "text")

    def __init__(self, text: bytes) -> None:
        self.text = text
        size = len(text)
        if size < 126:
            head = bytes((LAST_TEXT, size))
        elif size < 1 << 16:
            head = bytes((LAST_TEXT, 126)) + size.to_bytes(2, "big")
        else:
            head = bytes((LAST_TEXT, 127)) + size.to_bytes(8, "big")
        self.frame = head + text
        """By RFC 6455."""


class WritingProtocol(WebSocketsSansIOProtocol):
    """uvicorn's, with a way to write a frame that is ready."""

    async def run_asgi(self) -> None:
        extensions: dict[str, object] = self.scope["extensions"]  # type: ignore[assignment]
        extensions[EXTENSION] = self.write
        await super().run_asgi()

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True  # refused by a status: uvicorn else takes it for a mistake

    def write(self, frame: bytes) -> bool:
        """Whether it was written: not while the client reads too slowly, and not before or after the conversation."""
        if not self.handshake_complete or self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        self.transport.write(frame)
        return True
