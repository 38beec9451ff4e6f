"""ASGI middleware around the whole application: a host name check and a request log."""

import logging
import re
import time
from collections.abc import Callable, Collection
from ipaddress import ip_address
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from highcardflush.errors import HcfError, StoreBusy
from highcardflush.web.errors import Misdirected, send_refusal
from highcardflush.web.server.metrics import Metrics
from highcardflush.web.server.settings import Settings
from highcardflush.words import refuse

LOG = logging.getLogger(__name__)
LOCAL = "localhost"
QUIET = frozenset({"/health", "/metrics"})
"""Paths that monitoring tools request all the time. These requests are not logged."""
LONGEST = 200
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "other"
"""Label value for all unknown routes and methods, so that clients cannot create label values."""


class HostCheck:
    """Refuses requests for other host names, and connections beyond the limit.

    Another site may point its name at this machine (DNS rebinding), and a browser then treats the server as part of
    that site. The name is in the Host header, so requests for unknown names are refused before their body is read. An
    IP address is accepted, because no site can use an address as its name.
    """

    def __init__(self, app: ASGIApp, names: Collection[str] | None, is_full: Callable[[], bool]) -> None:
        """`names` are the server's host names in lower case. If it is None, any name is accepted."""
        self._app, self._names, self._is_full = app, names, is_full

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        error = self._refusal(scope) if scope["type"] in (ScopeType.HTTP, ScopeType.WEBSOCKET) else None
        if error is None:
            await self._app(scope, receive, send)
        else:
            await send_refusal(scope, receive, send, error)

    def _refusal(self, scope: Any) -> HcfError | None:
        if self._is_full():
            return refuse("connections-full", StoreBusy)
        if self._names is None:
            return None
        header = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        host = re.sub(r":\d*$", "", header).strip("[]").rstrip(".").lower()
        if host in self._names or is_address(host):
            return None
        return refuse("other-host", Misdirected, host=repr(host)[:80], names=", ".join(self._names))


def own_names(settings: Settings, address: str) -> Collection[str] | None:
    """Return the names of a server listening on `address`, or None if none are set and other machines may reach it."""
    if not settings.hosts and (settings.trusted_proxies or not ip_address(address).is_loopback):
        return None
    return dict.fromkeys(name.lower() for name in (*settings.hosts, settings.host, LOCAL) if not is_address(name))


def is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class RequestLog:
    """Counts, times and logs every request: its path without the query, and the caller's ID in the books."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            return await self._app(scope, receive, send)
        began, status, streams = time.perf_counter(), 500, False

        async def note(message: Message) -> None:
            nonlocal status, streams
            if message["type"] == "http.response.start":
                status = message["status"]
                streams = any(value.startswith(b"text/event-stream") for _, value in message["headers"])
            await send(message)

        try:
            await self._app(scope, receive, note)
        finally:
            seconds = time.perf_counter() - began
            route = scope.get("path_template") or OTHER
            method = scope["method"] if scope["method"] in METHODS else OTHER
            self._metrics.count("hcf_requests_total", method, str(route), str(status))
            if not streams:
                self._metrics.observe("hcf_request_seconds", seconds)
            if scope["path"] not in QUIET:
                client = scope.get("client")
                fields = {
                    "method": scope["method"],
                    "path": scope["path"][:LONGEST],
                    "status": status,
                    "ms": round(seconds * 1000, 1),
                    "address": client[0] if client else None,
                    "person": getattr(scope.get("state", {}).get("who"), "person", None),
                }
                LOG.info("request", extra=fields)
