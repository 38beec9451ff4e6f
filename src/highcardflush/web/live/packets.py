"""A message on its way: framed once, however many are sent it, and written at once to who reads fast enough.

A frame of the server has no mask and, without compression, is the same bytes for everybody. ASGI has no word for that,
so uvicorn's protocol is given one: `write`, in the scope's extensions. Who cannot be written to right now has an
outbox, and a task that empties it by the ordinary way. The last words of a connection are written in any case.

What a client says is nearly always one short frame in one piece: that is read here, all else by uvicorn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # the fast one, where there is one

from highcardflush.web.messages.encoding import encode
from highcardflush.web.messages.live import ByeMessage

EXTENSION = "hcf.write"
Write = Callable[..., bool]
"""`WritingProtocol.write`."""
LAST_TEXT = 0x81
"""The first byte of a text message in one frame."""
MASKED, LONGER, HEAD_BYTES = 0x80, 126, 6
"""The second byte says that a mask follows, and the length, or that two bytes of it follow first."""
AHEAD = 16
"""Messages of a client that may wait to be taken; with more its connection is read no further."""
LAST_S = 10.0
"""For so long what was written last may wait for a client that does not read."""


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


def goodbye(code: str, message: str) -> Packet:
    return Packet(encode(ByeMessage(code, message)))


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

    def data_received(self, data: bytes) -> None:
        usual = self.handshake_complete and not (self.close_sent or self.frames or self.conn.reader.buffer)
        text = lone_text(data) if usual and self.queue.qsize() < AHEAD else None
        if text is None:
            super().data_received(data)
        else:
            self.queue.put_nowait({"type": "websocket.receive", "text": text})

    def handle_parser_exception(self) -> None:
        """uvicorn closes at once, with its reason in the closing frame; here the last words come first."""
        assert self.conn.close_sent is not None
        reason = self.conn.close_sent.reason or "a message that is no text in UTF-8"
        self.write(goodbye("unreadable", reason).frame, last=True)
        super().handle_parser_exception()

    def write(self, frame: bytes, *, last: bool = False) -> bool:
        """Whether it was written: not while the client reads too slowly, and not before or after the conversation.

        What is the last is written all the same, and the connection does not wait for ever until it is read.
        """
        if not self.handshake_complete or self.close_sent or self.disconnected:
            return False
        if not (last or self.writable.is_set()):
            return False
        self.transport.write(frame)
        if last:
            self.loop.call_later(LAST_S, self.transport.abort)
        return True


def lone_text(data: bytes) -> str | None:
    """The text, if this is one short frame of a client and nothing else."""
    if len(data) < HEAD_BYTES or data[0] != LAST_TEXT:
        return None
    start, size = HEAD_BYTES, data[1] - MASKED
    if size == LONGER:
        start, size = start + 2, int.from_bytes(data[2:4], "big")
    elif size > LONGER:
        return None
    if len(data) != start + size:
        return None
    try:
        return apply_mask(data[start:], data[start - 4 : start]).decode()
    except UnicodeDecodeError:
        return None
