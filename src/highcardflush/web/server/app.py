"""The application: every route, who may call it, and one shape for every error."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache
from typing import Any

from litestar import Litestar, Request, Response, Router
from litestar.datastructures import MutableScopeHeaders, State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.handlers import BaseRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import ControllerRouterHandler, Message, Scope

from highcardflush.cards import Hand
from highcardflush.errors import HcfError, NotFound, TextError
from highcardflush.structs import LONGEST_READ
from highcardflush.web import misread
from highcardflush.web.documents import documents
from highcardflush.web.errors import TooLarge, headers_of, status_of
from highcardflush.web.live.live_socket import live
from highcardflush.web.messages.encoding import API, encode
from highcardflush.web.messages.parts import Failed, Refusal
from highcardflush.web.refusal import HEADERS
from highcardflush.web.routes import (
    accounts,
    coach,
    commands,
    meters,
    operations,
    operators,
    own,
    pages,
    public,
    tables,
)
from highcardflush.web.server import access
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
        dependencies={"services": Provide(lambda: services, sync_to_thread=False)},
        exception_handlers={
            HcfError: _told,
            HTTPException: _unread,
            RecursionError: _malformed,
            UnicodeDecodeError: _malformed,
            Exception: _mistake,
        },
        state=State({"services": services, **document_bytes()}),
        request_max_body_size=MOST_BODY_BYTES,
        openapi_config=None,
        type_encoders={Hand: str},
        logging_config=None,  # the process has its own
        after_request=_with_headers,
        before_send=[_keep_encrypted],
        debug=False,
    )
    _require_rows(app)
    return app


def _handlers() -> list[ControllerRouterHandler]:
    return [Router(API, route_handlers=list(ROUTES)), live, *operations.HANDLERS, *pages.HANDLERS]


@cache
def document_bytes() -> dict[str, bytes]:
    """Made before anybody asks: what msgspec learns is learnt by one thread."""
    return {name: encode(document) for name, document in documents(_handlers()).items()}


def _require_rows(app: Litestar) -> None:
    """A route without a row would be anybody's."""
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


async def _keep_encrypted(message: Message, scope: Scope) -> None:
    """Whoever has come by https is to come so for the next year."""
    if message["type"] == "http.response.start" and scope["scheme"] == "https":
        MutableScopeHeaders.from_message(message).setdefault("Strict-Transport-Security", "max-age=31536000")


def _told(request: Request[Any, Any, Any], error: HcfError, status: int | None = None) -> Response[Any]:
    request.app.state.services.metrics.count("hcf_refusals_total", error.code)
    headers = HEADERS | headers_of(error)
    return Response(Failed(Refusal.of(error)), status_code=status or status_of(error), headers=headers)


def _unread(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """What no handler has read."""
    match error.status_code:
        case 400:
            return _told(request, misread.explain(request, error))
        case 404 | 405 as status:
            call = f"{request.method} {request.url.path}"[:200]
            return _told(request, refuse("no-call", NotFound, call=call), status)
        case 413:
            return _told(request, TooLarge("body", read="more bytes", expected=f"at most {MOST_BODY_BYTES:,}"))
    return _mistake(request, error)


def _malformed(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """A body that is nested too deep, or no UTF-8: what reads it lets these through."""
    return _told(request, TextError("body", read=str(error)[:LONGEST_READ], expected="JSON"))


def _mistake(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    LOG.error("a mistake of the server", exc_info=error, extra={"path": request.scope["path"]})
    found = refuse("internal-error", HcfError)
    return Response(Failed(Refusal.of(found)), status_code=500, headers=HEADERS)
