"""Refusals that are sent without the application: before a request is read, or instead of a WebSocket upgrade."""

from __future__ import annotations

from typing import Any

from litestar.enums import ScopeType
from litestar.types import Receive, Scope, Send

from highcardflush.errors import HcfError
from highcardflush.web.errors import headers_of, status_of
from highcardflush.web.messages.parts import Failed, Refusal, encode

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
"""Headers of every answer."""


async def send_refusal(scope: Scope, receive: Receive, send: Send, error: HcfError) -> None:
    """Refuse a request, or a socket before it is accepted, with a status."""
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
    """Return headers and body of an answer that closes the connection."""
    body = encode(Failed(Refusal.of(error)))
    framing = {"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"}
    headers = HEADERS | headers_of(error) | framing
    return [(name.lower().encode(), value.encode()) for name, value in headers.items()], body
