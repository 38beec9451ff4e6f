"""Answers of the process itself, past the application: before anything is read, or instead of an upgrade."""

from __future__ import annotations

from typing import Any

from litestar.enums import ScopeType
from litestar.types import Receive, Scope, Send

from highcardflush.errors import HcfError
from highcardflush.web.errors import headers_of, status_of
from highcardflush.web.messages.encoding import encode
from highcardflush.web.messages.parts import Failed, Refusal

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}
"""Of every answer."""


async def send_refusal(scope: Scope, receive: Receive, send: Send, error: HcfError) -> None:
    """A request, or a socket before it is accepted: by a status."""
    kind = "http.response"
    if scope["type"] == ScopeType.WEBSOCKET:
        await receive()
        kind = f"websocket.{kind}"
    headers, body = refusal(error)
    start: Any = {"type": f"{kind}.start", "status": status_of(error), "headers": headers}
    await send(start)
    end: Any = {"type": f"{kind}.body", "body": body}
    await send(end)


def refusal(error: HcfError) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Headers and body of an answer after which the connection ends."""
    body = encode(Failed(Refusal.of(error)))
    own = {"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"}
    said = HEADERS | headers_of(error) | own
    return [(name.lower().encode(), value.encode()) for name, value in said.items()], body
