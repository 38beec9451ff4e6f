"""Why a request cannot be read: which part of it, what was read there and what was expected, in words."""

from __future__ import annotations

import re
from typing import Any

from litestar import Request
from litestar.enums import ParamType
from litestar.exceptions import HTTPException
from litestar.utils.scope.state import ScopeState

from highcardflush.house.misread import KINDS, LONG, Misread, explain_at

MISSING = re.compile(r"Missing required (\w+) parameter '(.*?)'")
BODY = "data"
"""What handlers call it."""


def explain(request: Request[Any, Any, Any], error: HTTPException) -> Misread:
    """What Litestar says of a request that it could not read for its handler; of several mistakes the first."""
    if missing := MISSING.match(error.detail):
        return Misread(f"{missing[1]} {missing[2]}", "none", "one")
    if not isinstance(error.extra, list):
        return Misread("body", error.detail[:LONG], "JSON")
    said, key, source = (error.extra[0][part] for part in ("message", "key", "source"))
    handler = request.route_handler
    if isinstance(source, ParamType):
        definition: Any = handler.parsed_fn_signature.parameters[key].kwarg_definition
        name = definition.name or key
        values: Any = {"query": request.query_params, "header": request.headers, "path": request.path_params}
        data = {key: values[source.value].get(name)}
        return explain_at(f"{source.value} {name}", said, [key], data, handler.signature_model)
    if said == repr(BODY):
        return Misread("body", "none", "an object")
    data, path = {BODY: ScopeState.from_scope(request.scope).json}, "" if key == BODY else f".{key}"
    keys = [BODY, *re.findall(r"[\w-]+", path)]
    return explain_at(f"body ${path}", said, keys, data, handler.signature_model, lambda value: _shown(said, value))


def _shown(said: str, value: Any) -> str:
    """What was read in a body: no text but one of a few, for it may be a password."""
    if got := re.search(r"got (`\w+`)", said):
        return KINDS.get(got[1], got[1].strip("`"))
    if isinstance(value, str) and not said.startswith(("Invalid enum value", "Expected `str` matching")):
        return f"{len(value)} characters"
    return f"{len(value)} parts" if isinstance(value, list | dict) else repr(value)
