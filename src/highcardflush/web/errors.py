"""The server's own errors, the HTTP status and headers of every error, and refusals that bypass the application."""

from math import ceil
from typing import Any

from litestar.enums import ScopeType
from litestar.types import Receive, Scope, Send

from highcardflush.errors import HcfError
from highcardflush.web.messages.parts import Failed, Refusal, encode
from highcardflush.words import refuse


class NoSession(HcfError, code="no-session"):
    """Nobody is signed in, or the session has ended."""


class BadLogin(NoSession, code="bad-login"):
    """Nobody has this name, password and code. The error does not reveal which of them is wrong."""


class Foreign(HcfError, code="foreign"):
    """The request comes from another site's page."""


class NeedsPassword(HcfError, code="needs-password"):
    """The call requires a recently entered password."""


class TooLarge(HcfError, code="too-large"):
    """The request is too large."""


class Misdirected(HcfError, code="misdirected"):
    """The request is for another host."""


class OnBreak(HcfError, code="on-break"):
    """The player has taken a break and may not bet before it ends."""


class Limited(HcfError, code="limited"):
    """Too many requests; the client may retry after `seconds`."""

    seconds = 1.0


STATUS = {
    **dict.fromkeys(("bad-text", "bad-notation"), 400),
    **dict.fromkeys(("no-session", "bad-login"), 401),
    **dict.fromkeys(("not-permitted", "needs-second", "foreign", "needs-password"), 403),
    "not-found": 404,
    **dict.fromkeys(("key-reused", "busy"), 409),
    "too-large": 413,
    "misdirected": 421,
    **dict.fromkeys(("limited", "too-many"), 429),
    **dict.fromkeys(("store-failed", "store-busy", "outcome-unknown", "sealed"), 503),
}
REFUSED = 422
"""Status for all other codes, which mean that the rules or a lack of money forbid the request."""


def limited(requests: str, seconds: float) -> Limited:
    error = refuse("limited", Limited, what=requests, seconds=ceil(seconds))
    error.seconds = seconds
    return error


def status_of(error: HcfError) -> int:
    return STATUS.get(error.code, REFUSED)


def headers_of(error: HcfError) -> dict[str, str]:
    seconds = {"limited": getattr(error, "seconds", 1.0), "too-many": 5.0}.get(error.code)
    return {"Retry-After": str(ceil(seconds))} if seconds is not None else {}


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
"""Headers of every response."""


async def send_refusal(scope: Scope, receive: Receive, send: Send, error: HcfError) -> None:
    """Refuse a request, or a socket before it is accepted, with an HTTP status."""
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
    """Return the headers and body of a response that closes the connection."""
    body = encode(Failed(Refusal.of(error)))
    framing = {"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"}
    headers = HEADERS | headers_of(error) | framing
    return [(name.lower().encode(), value.encode()) for name, value in headers.items()], body
