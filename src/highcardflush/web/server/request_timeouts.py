"""uvicorn's HTTP protocol with a time limit for each request and a size limit for its head."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from highcardflush.errors import TextError
from highcardflush.web.errors import refusal

REQUEST_S = 20.0
"""Time limit for a whole request, from the connection or from its first byte."""
MOST_HEAD_BYTES = 32 * 1024


class TimeoutProtocol(HttpToolsProtocol):
    _timer: asyncio.TimerHandle | None = None
    _head_bytes: int | None = 0
    """Bytes received of a head that is incomplete; None once it is complete."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._head_bytes is not None:
            self._head_bytes += len(data)
            if self._head_bytes > MOST_HEAD_BYTES and not self.transport.is_closing():
                self.send_400_response(f"The head of a request has at most {MOST_HEAD_BYTES} bytes.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head_bytes = 0
        if self._timer is None:
            self._start_timer()

    def on_headers_complete(self) -> None:
        self._head_bytes = None
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._stop_timer()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._stop_timer()
        super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        """Answer with the usual JSON error and close."""
        headers, body = refusal(TextError("request", read=msg, expected="a request of HTTP/1.1"))
        head = b"".join(b"%s: %s\r\n" % header for header in headers)
        self.transport.write(STATUS_LINE[400] + head + b"\r\n" + body)
        self.transport.close()

    def _start_timer(self) -> None:
        self._timer = self.loop.call_later(REQUEST_S, self._time_out)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_out(self) -> None:
        self._timer = None
        self.transport.close()
