"""The ASGI application: its routes, the guard on each, and the same JSON for every error."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache
from typing import Any

from litestar import Litestar, Response, Router
from litestar.datastructures import MutableScopeHeaders, State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.handlers import BaseRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import ControllerRouterHandler, Message, Scope

from highcardflush.cards import Hand
from highcardflush.errors import HcfError, NotFound, TextError
from highcardflush.structs import LONGEST_READ
from highcardflush.web import bad_requests
from highcardflush.web.documents import documents
from highcardflush.web.errors import HEADERS, TooLarge, headers_of, status_of
from highcardflush.web.live import commands
from highcardflush.web.live.live_socket import live
from highcardflush.web.messages.parts import API, Failed, Refusal, encode
from highcardflush.web.routes import (
    accounts,
    coach,
    meters,
    operators,
    own,
    pages,
    public,
    tables,
)
from highcardflush.web.server import access
from highcardflush.web.server.access import Asked
from highcardflush.web.server.services import Services
from highcardflush.words import refuse

LOG = logging.getLogger(__name__)
MOST_BODY_BYTES = 256 * 1024
ROUTES: Sequence[ControllerRouterHandler] = (
    accounts.router,
    tables.router,
    coach.router,
    own.router,
    meters.router,
    commands.router,
    public.router,
    operators.router,
)


def create_app(services: Services) -> Litestar:
    app = Litestar(
        _handlers(),
        guards=[access.guard],
        dependencies={
            "services": Provide(lambda: services, sync_to_thread=False),
            "caller": Provide(access.caller, sync_to_thread=False),
        },
        exception_handlers={
            HcfError: _answer_error,
            HTTPException: _http_error,
            RecursionError: _malformed,
            UnicodeDecodeError: _malformed,
            Exception: _internal_error,
        },
        state=State({"services": services, **document_bytes()}),
        request_max_body_size=MOST_BODY_BYTES,
        openapi_config=None,
        type_encoders={Hand: str},
        logging_config=None,  # see logs.py
        after_request=_with_headers,
        before_send=[_require_https],
        debug=False,
    )
    _require_rows(app)
    return app


def _handlers() -> list[ControllerRouterHandler]:
    return [Router(API, route_handlers=list(ROUTES)), live, *public.MONITORING, *pages.HANDLERS]


@cache
def document_bytes() -> dict[str, bytes]:
    """OpenAPI and AsyncAPI documents. Made at the start, so that one thread fills the caches of msgspec."""
    return {name: encode(document) for name, document in documents(_handlers()).items()}


def _require_rows(app: Litestar) -> None:
    """Refuse to start with a route that has no access row, because anybody could call it."""
    for route in app.routes:
        handlers: Sequence[BaseRouteHandler] = (
            route.route_handlers if isinstance(route, HTTPRoute) else [route.route_handler]
        )
        for handler in handlers:
            if access.row_of(handler) not in access.ROWS:
                raise AssertionError(f"{route.path}: a row of access.ROWS is missing")


async def _with_headers(response: Response[Any]) -> Response[Any]:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


async def _require_https(message: Message, scope: Scope) -> None:
    """Tell browsers that came by https to use https for the next year."""
    if message["type"] == "http.response.start" and scope["scheme"] == "https":
        MutableScopeHeaders.from_message(message).setdefault("Strict-Transport-Security", "max-age=31536000")


def _answer_error(request: Asked, error: HcfError, status: int | None = None) -> Response[Any]:
    request.app.state.services.metrics.count("hcf_refusals_total", error.code)
    headers = HEADERS | headers_of(error)
    return Response(Failed(Refusal.of(error)), status_code=status or status_of(error), headers=headers)


def _http_error(request: Asked, error: HTTPException) -> Response[Any]:
    """Answer an error of Litestar: an unreadable request or an unknown route."""
    match error.status_code:
        case 400:
            return _answer_error(request, bad_requests.explain(request, error))
        case 404 | 405 as status:
            call = f"{request.method} {request.url.path}"[:200]
            return _answer_error(request, refuse("no-call", NotFound, call=call), status)
        case 413:
            return _answer_error(request, TooLarge("body", read="more bytes", expected=f"at most {MOST_BODY_BYTES:,}"))
    return _internal_error(request, error)


def _malformed(request: Asked, error: Exception) -> Response[Any]:
    """Answer a body that is nested too deep or not UTF-8, which Litestar does not catch."""
    return _answer_error(request, TextError("body", read=str(error)[:LONGEST_READ], expected="JSON"))


def _internal_error(request: Asked, error: Exception) -> Response[Any]:
    LOG.error("internal error", exc_info=error, extra={"path": request.scope["path"]})
    return Response(Failed(Refusal.of(refuse("internal-error", HcfError))), status_code=500, headers=HEADERS)
