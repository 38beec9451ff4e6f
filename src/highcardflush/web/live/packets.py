"""WebSocket frames: a message is framed once for all its receivers and written directly to clients that keep up.

A server's frame has no mask and no compression, so its bytes are the same for every receiver. ASGI cannot send a
finished frame, so the protocol puts its `write` function in the scope's extensions. If a client cannot be written to
now, its packets wait in an outbox, which a task empties through ASGI. A connection's last message is always written.

A client's message is nearly always one short, complete frame. Such frames are read here, and uvicorn reads all others.
"""

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode, apply_mask  # type: ignore[attr-defined]  # the mask is in C

from highcardflush.web.messages.live import ByeMessage
from highcardflush.web.messages.parts import encode

EXTENSION = "hcf.write"
Write = Callable[..., bool]
"""Type of `WritingProtocol.write`."""
LAST_TEXT = 0x81
"""First byte of a text message that fits in one frame."""
MASKED, LONGER, HEAD_BYTES = 0x80, 126, 6
"""Mask bit of the second byte, the length after which two length bytes follow, and the size of a short frame's head."""
AHEAD = 16
"""Maximum number of queued messages from a client. Beyond it, uvicorn pauses reading from the connection."""
LAST_S = 10.0
"""Time that a client has to read the last message before its connection is aborted."""


class Packet:
    """A JSON message and its WebSocket frame."""

    __slots__ = ("frame", "text")

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.frame = Frame(Opcode.TEXT, text).serialize(mask=False)


def goodbye(code: str, message: str) -> Packet:
    return Packet(encode(ByeMessage(code, message)))


class WritingProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket protocol, extended to write frames directly."""

    async def run_asgi(self) -> None:
        extensions: dict[str, object] = self.scope["extensions"]  # type: ignore[assignment]
        extensions[EXTENSION] = self.write
        await super().run_asgi()

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True  # otherwise uvicorn logs a refusal that has an HTTP status as an error

    def data_received(self, data: bytes) -> None:
        usual = self.handshake_complete and not (self.close_sent or self.frames or self.conn.reader.buffer)
        text = lone_text(data) if usual and self.queue.qsize() < AHEAD else None
        if text is None:
            super().data_received(data)
        else:
            self.queue.put_nowait({"type": "websocket.receive", "text": text})

    def handle_parser_exception(self) -> None:
        """Send a last message; then uvicorn closes the connection and puts its reason in the closing frame."""
        assert self.conn.close_sent is not None
        reason = self.conn.close_sent.reason or "a message that is not UTF-8 text"
        self.write(goodbye("unreadable", reason).frame, last=True)
        super().handle_parser_exception()

    def write(self, frame: bytes, *, last: bool = False) -> bool:
        """Write a frame if the connection is open and the client keeps up; return True if it was written.

        The last frame is written even to a slow client. If the client never reads it, the connection is aborted.
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
    """Return the frame's text if the data is exactly one short client frame, else None."""
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
