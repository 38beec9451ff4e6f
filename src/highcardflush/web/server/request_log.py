"""Counts, times and logs every request.

A log line has the path without its query, and the person's id in the books if somebody is signed in.
"""

from __future__ import annotations

import logging
import time
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from highcardflush.web.server.metrics import Metrics

LOG = logging.getLogger(__name__)
QUIET = frozenset({"/health", "/metrics"})
"""Paths that machines request all the time; they are not logged."""
LONGEST = 200
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "other"
"""Label for unknown routes and methods: a client must not create labels."""


class RequestLog:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            await self._request(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _request(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
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
                LOG.info("request", extra=_fields(scope, status, seconds))


def _fields(scope: HTTPScope, status: int, seconds: float) -> dict[str, Any]:
    who = scope.get("state", {}).get("who")
    client = scope.get("client")
    return {
        "method": scope["method"],
        "path": scope["path"][:LONGEST],
        "status": status,
        "ms": round(seconds * 1000, 1),
        "address": client[0] if client else None,
        "person": getattr(who, "person", None),
    }
