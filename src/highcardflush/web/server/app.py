"""The ASGI application: its routes, the guard on each, and one JSON format for every error."""

import logging
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from litestar import Litestar, MediaType, Response, Router
from litestar.datastructures import MutableScopeHeaders, State
from litestar.di import Provide
from litestar.enums import ParamType
from litestar.exceptions import HTTPException
from litestar.routes import HTTPRoute
from litestar.types import ControllerRouterHandler, Message, Scope
from litestar.utils.scope.state import ScopeState

from highcardflush import structs
from highcardflush.cards import Hand
from highcardflush.errors import HcfError, NotFound, TextError
from highcardflush.house import codec
from highcardflush.house.parse import PATTERNS
from highcardflush.web.documents import documents
from highcardflush.web.errors import HEADERS, TooLarge, headers_of, status_of
from highcardflush.web.live.live_socket import live
from highcardflush.web.messages.parts import API, Failed, Refusal, encode
from highcardflush.web.routes import accounts, coach, commands, operators, pages, public, tables
from highcardflush.web.server import access
from highcardflush.web.server.access import Asked
from highcardflush.web.server.services import Services
from highcardflush.words import refuse

LOG = logging.getLogger(__name__)
MOST_BODY_BYTES = 256 * 1024
MISSING = re.compile(r"Missing required (\w+) parameter '(.*?)'")
BODY = "data"
"""Name of the handler parameter that receives the body."""
ROUTES: Sequence[ControllerRouterHandler] = (
    *(accounts.router, tables.router, tables.alone_router, coach.router, accounts.own_router, tables.meter_router),
    *(commands.router, public.router, operators.router),
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
    for route in app.routes:  # without an access row, anybody could call a route
        for handler in route.route_handlers if isinstance(route, HTTPRoute) else [route.route_handler]:
            if access.row_of(handler) not in access.ROWS:
                raise AssertionError(f"{route.path} names no row of access.ROWS")
    return app


def _handlers() -> list[ControllerRouterHandler]:
    return [Router(API, route_handlers=list(ROUTES)), live, *public.MONITORING, *pages.HANDLERS]


@cache
def document_bytes() -> dict[str, bytes]:
    """Return the OpenAPI and AsyncAPI documents. Build them at the start, so that one thread fills msgspec's caches."""
    return {name: encode(document) for name, document in documents(_handlers()).items()}


async def _with_headers(response: Response[Any]) -> Response[Any]:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


async def _require_https(message: Message, scope: Scope) -> None:
    """Tell browsers that connect over HTTPS to use only HTTPS for the next year."""
    if message["type"] == "http.response.start" and scope["scheme"] == "https":
        MutableScopeHeaders.from_message(message).setdefault("Strict-Transport-Security", "max-age=31536000")


def _answer_error(request: Asked, error: HcfError, status: int | None = None) -> Response[Any]:
    request.app.state.services.context.metrics.count("hcf_refusals_total", error.code)
    headers = HEADERS | headers_of(error)
    return Response(Failed(Refusal.of(error)), status_code=status or status_of(error), headers=headers)


def _http_error(request: Asked, error: HTTPException) -> Response[Any]:
    """Answer an error from Litestar, such as an unreadable request or an unknown route."""
    match error.status_code:
        case 400:
            return _answer_error(request, _explain_request(request, error))
        case 404 if accepts_page(request):
            return Response(pages.NOT_FOUND, status_code=404, headers=HEADERS, media_type=MediaType.HTML)
        case 404 | 405 as status:
            call = f"{request.method} {request.url.path}"[:200]
            return _answer_error(request, refuse("no-call", NotFound, call=call), status)
        case 413:
            too_large = TooLarge("body", read="too many bytes", expected=f"at most {MOST_BODY_BYTES:,}")
            return _answer_error(request, too_large)
    return _internal_error(request, error)


def accepts_page(request: Asked) -> bool:
    """Return True if a browser asks for a page, and not a program for data."""
    return "text/html" in request.headers.get("Accept", "") and not request.url.path.startswith(f"{API}/")


def _malformed(request: Asked, error: Exception) -> Response[Any]:
    """Answer a request whose body is nested too deeply or is not UTF-8. Litestar does not catch these errors."""
    return _answer_error(request, TextError("body", read=str(error)[: structs.LONGEST_READ], expected="JSON"))


def _internal_error(request: Asked, error: Exception) -> Response[Any]:
    LOG.error("internal error", exc_info=error, extra={"path": request.scope["path"]})
    return Response(Failed(Refusal.of(refuse("internal-error", HcfError))), status_code=500, headers=HEADERS)


def _explain_request(request: Asked, error: HTTPException) -> TextError:
    """Explain why Litestar could not decode a request into its handler's arguments. Report only the first error."""
    if missing := MISSING.match(error.detail):
        return TextError(f"{missing[1]} {missing[2]}", read="none", expected="one")
    if not isinstance(error.extra, list):
        return TextError("body", read=error.detail[: structs.LONGEST_READ], expected="JSON")
    message, key, source = (error.extra[0][part] for part in ("message", "key", "source"))
    handler = request.route_handler
    if isinstance(source, ParamType):
        definition: Any = handler.parsed_fn_signature.parameters[key].kwarg_definition
        name = definition.name or key
        values: Any = {"query": request.query_params, "header": request.headers, "path": request.path_params}
        data = {key: values[source.value].get(name)}
        problem = _explain_part(f"{message} - at `$.{key}`", data, handler.signature_model)
        return TextError(f"{source.value} {name}", read=problem.read, expected=problem.expected)
    if message == repr(BODY):
        return TextError("body", read="none", expected="an object")
    data = {BODY: ScopeState.from_scope(request.scope).json}
    path = BODY if key == BODY else f"{BODY}.{key}"
    problem = _explain_part(f"{message} - at `$.{path}`", data, handler.signature_model, message)
    return TextError(f"body ${problem.dotted.removeprefix(BODY)}", read=problem.read, expected=problem.expected)


def _explain_part(message: str, data: Any, kind: Any, body: str | None = None) -> structs.Problem:
    show = repr if body is None else lambda value: _shown(body, value)
    return structs.explain(message, data, kind, codec.from_text, patterns=PATTERNS, show=show)


def _shown(message: str, value: Any) -> str:
    """Describe a value in a body without repeating free text, which may be a password."""
    if kind := re.search(r"got `(\w+)`", message):
        return structs.JSON_TYPES.get(kind[1], kind[1])
    if isinstance(value, str) and not message.startswith(("Invalid enum value", "Expected `str` matching")):
        return f"{len(value)} characters"
    return f"{len(value)} parts" if isinstance(value, list | dict) else repr(value)
