"""Explains why a request cannot be read: which part of it, what was read and what was expected."""

from __future__ import annotations

import re
from typing import Any

from litestar import Request
from litestar.enums import ParamType
from litestar.exceptions import HTTPException
from litestar.utils.scope.state import ScopeState

from highcardflush import structs
from highcardflush.errors import TextError
from highcardflush.house import codec
from highcardflush.house.parse import PATTERNS

MISSING = re.compile(r"Missing required (\w+) parameter '(.*?)'")
BODY = "data"
"""The name of a handler's parameter for the body."""


def explain(request: Request[Any, Any, Any], error: HTTPException) -> TextError:
    """Explain why Litestar could not read a request for its handler; of several mistakes the first."""
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
        problem = _explain(f"{message} - at `$.{key}`", data, handler.signature_model)
        return TextError(f"{source.value} {name}", read=problem.read, expected=problem.expected)
    if message == repr(BODY):
        return TextError("body", read="none", expected="an object")
    data = {BODY: ScopeState.from_scope(request.scope).json}
    path = BODY if key == BODY else f"{BODY}.{key}"
    problem = _explain(f"{message} - at `$.{path}`", data, handler.signature_model, message)
    return TextError(f"body ${problem.dotted.removeprefix(BODY)}", read=problem.read, expected=problem.expected)


def _explain(message: str, data: Any, kind: Any, body: str | None = None) -> structs.Problem:
    show = repr if body is None else lambda value: _shown(body, value)
    return structs.explain(message, data, kind, codec.from_text, patterns=PATTERNS, show=show)


def _shown(message: str, value: Any) -> str:
    """Describe a value in a body without repeating free text, which may be a password."""
    if kind := re.search(r"got `(\w+)`", message):
        return structs.JSON_TYPES.get(kind[1], kind[1])
    if isinstance(value, str) and not message.startswith(("Invalid enum value", "Expected `str` matching")):
        return f"{len(value)} characters"
    return f"{len(value)} parts" if isinstance(value, list | dict) else repr(value)
