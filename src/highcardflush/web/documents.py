"""The interface by machine: OpenAPI of the calls, AsyncAPI of the live socket.

Litestar knows the paths and the parameters; what is answered stands in `shapes.py`, who may call in `access.py`, and
what may be commanded in the house's own structs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple, get_type_hints

import msgspec
from litestar import Litestar, Response
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.routes import HTTPRoute
from litestar.types import ControllerRouterHandler
from msgspec import structs

from highcardflush.cards import Hand
from highcardflush.figures.plain import Data
from highcardflush.house import commands as c
from highcardflush.house.parse import KINDS
from highcardflush.rulebook import Rulebook
from highcardflush.web import shapes, wire
from highcardflush.web.live import live_socket
from highcardflush.web.server import access

TITLE = "High Card Flush"
OWN = f"{shapes.__name__}."
VERSION = str(wire.PROTOCOL)
REFS = "#/components/schemas/{name}"
JSON = "application/json"
COMMANDS = "POST /commands/{stream}"
NOTHING = 204
SESSION: list[Data] = [{"session": []}, {"token": []}]
OWN_PAGE = {"name": "X-HCF", "in": "header", "required": True, "schema": {"type": "string", "const": "1"}}
_OPAQUE = {Rulebook: "A rulebook as data", c.AnyChange: "A command of an administrator"}
"""What is described elsewhere: `docs/rulebooks.md`, and this very list."""


# --- HTTP ----------------------------------------------------------------------------------------


def openapi(handlers: Sequence[ControllerRouterHandler]) -> Data:
    """The calls of these handlers."""
    config = OpenAPIConfig(TITLE, VERSION, use_handler_docstrings=True)
    services = Provide(lambda: None, sync_to_thread=False)
    app = Litestar(handlers, dependencies={"services": services}, openapi_config=config, logging_config=None)
    paths = app.openapi_schema.to_schema()["paths"]
    calls = [
        _Call(paths[route.path_format or "/"][method.lower()], handler, f"{method} {_below(route.path_format)}")
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method, (handler, _) in route.route_handler_map.items()
        if handler.resolve_include_in_schema() and method != "OPTIONS"
    ]
    asked = [kind for call in calls for kind in (call.body, *call.answers.values()) if kind]
    types = [shapes.Failed, *(each for kind in asked for each in (kind if isinstance(kind, tuple) else [kind]))]
    refs, schemas = _schemas(types)
    found = dict(zip(map(repr, types), refs, strict=True))
    found |= {repr(kind): {"anyOf": [found[repr(each)] for each in kind]} for kind in asked if isinstance(kind, tuple)}
    for call in calls:
        _complete(call, found)
    return {
        "openapi": "3.1.0",
        "info": {"title": TITLE, "version": VERSION},
        "paths": paths,
        "components": {
            "schemas": {**schemas, **_command_schemas()},
            "securitySchemes": {
                "session": {"type": "apiKey", "in": "cookie", "name": access.cookie_name(secure=True)},
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
    }


class _Call(NamedTuple):
    said: Data
    """What Litestar knows of it."""
    handler: HTTPRouteHandler
    key: str
    """Its method and its path."""

    @property
    def body(self) -> Any:
        field = self.handler.parsed_fn_signature.parameters.get("data")
        return None if field is None else field.annotation

    @property
    def answers(self) -> dict[str, Any]:
        """By their media."""
        said = self.handler.parsed_fn_signature.return_type
        shape = shapes.ANSWERS.get(self.key, Any if said.is_subclass_of(Response) else said.annotation)
        return shapes.MEDIA.get(self.key, {JSON: shape})


def _complete(call: _Call, found: dict[str, Data]) -> None:
    """What Litestar does not know of a call."""
    said, handler, row = call.said, call.handler, access.row_of(call.handler)
    said["x-access"] = row
    if row not in access.OPEN:
        said["security"] = SESSION
    if call.key.partition(" ")[0] not in access.SAFE:
        said["parameters"] = [*said.get("parameters", []), OWN_PAGE]
    said.pop("requestBody", None)
    if call.key == COMMANDS:
        said["requestBody"] = {"required": True, "content": {JSON: {"schema": _ref("Command")}}}
    elif call.body is not None:
        needed = handler.parsed_fn_signature.parameters["data"].is_required
        said["requestBody"] = {"required": needed, "content": {JSON: {"schema": found[repr(call.body)]}}}
    answer: Data = {"description": said.get("description") or said["summary"]}
    if handler.status_code != NOTHING:
        answer["content"] = {media: {"schema": found[repr(kind)]} for media, kind in call.answers.items()}
    failed = {"description": "Refused", "content": {JSON: {"schema": found[repr(shapes.Failed)]}}}
    said["responses"] = {str(handler.status_code): answer, "default": failed}
    if (status := shapes.ALSO.get(call.key)) is not None:
        said["responses"][status] = answer


def _below(path: str) -> str:
    """A path as the protocol has it."""
    return path.removeprefix(wire.API) or "/"


def _schemas(types: Iterable[Any]) -> tuple[list[Data], Data]:
    refs, schemas = msgspec.json.schema_components(types, schema_hook=_hook, ref_template=REFS)
    return _told(list(refs)), _told(schemas)


def _told(schema: Any) -> Any:
    """As the wire has it: moments in milliseconds. Patterns as JSON Schema has them, our own shapes by short names."""
    match schema:
        case {"properties": dict() as properties, "required": list() as required}:
            named = {name: shapes.timed(name) if _is_number(of) else name for name, of in properties.items()}
            parts = {named[name]: _told(of) for name, of in properties.items()}
            return {**schema, "properties": parts, "required": [named[name] for name in required]}
        case dict():
            return {key.removeprefix(OWN): _told(value) for key, value in schema.items()}
        case list():
            return [_told(value) for value in schema]
        case str():
            return (schema.removesuffix(r"\Z") + "$" if schema.endswith(r"\Z") else schema).replace(OWN, "")
    return schema


def _is_number(schema: Data) -> bool:
    return {each.get("type") for each in schema.get("anyOf", [schema])} <= {"integer", "null"}


def _hook(kind: type) -> Data:
    if kind is not Hand:
        raise NotImplementedError
    return {"type": "string", "description": "Cards, such as AsKs9s 6d"}


def _ref(name: str) -> Data:
    return {"$ref": REFS.format(name=name)}


# --- commands ------------------------------------------------------------------------------------


@cache
def _command_schemas() -> Data:
    """Every command, by its name; `Command` is any of them."""
    hints = {kind: get_type_hints(kind, include_extras=True) for kind in KINDS.values()}
    wanted = [hints[kind][field.name] for kind in hints for field in structs.fields(kind)]
    known = [hint for hint in wanted if hint not in _OPAQUE]
    refs, schemas = _schemas(known)
    found = {repr(hint): ref for hint, ref in zip(known, refs, strict=True)}
    found |= {repr(hint): {"type": "object", "description": words} for hint, words in _OPAQUE.items()}
    names = {kind: f"{name}Command" for name, kind in KINDS.items()}
    for kind, name in names.items():
        fields = structs.fields(kind)
        parts = {field.encode_name: found[repr(hints[kind][field.name])] for field in fields}
        schemas[name] = {
            "type": "object",
            "description": kind.__doc__ or "",
            "properties": {"type": {"const": kind.__name__}, **parts},
            "required": ["type", *(field.encode_name for field in fields if field.required)],
            "additionalProperties": False,
        }
    return schemas | {"Command": {"oneOf": [_ref(name) for name in names.values()]}}


# --- the live socket -----------------------------------------------------------------------------


def asyncapi() -> Data:
    """The messages of the live socket."""
    client, server = (live_socket.Watch, live_socket.Unwatch, live_socket.Ping), shapes.SERVER_SAYS
    refs, schemas = _schemas([*client, *server])
    payloads = dict(zip([kind.__name__ for kind in (*client, *server)], refs, strict=True))
    payloads["Do"] = {
        "type": "object",
        "properties": {
            "type": {"const": "do"},
            "key": {"type": "string"},
            "stream": {"type": "string"},
            "command": _ref("Command"),
        },
        "required": ["type", "key", "stream", "command"],
    }
    messages = {name: {"payload": payload, "contentType": JSON} for name, payload in payloads.items()}
    sent = [kind.__name__ for kind in server]
    return {
        "asyncapi": "3.0.0",
        "info": {"title": f"{TITLE}, live", "version": VERSION},
        "channels": {
            "live": {
                "address": f"{wire.API}/live",
                "description": "A WebSocket: one object a message, without compression. "
                f"A client's message has at most {live_socket.MOST_BYTES} bytes.",
                "messages": messages,
                "bindings": {"ws": {"query": {"type": "object", "properties": {"ticket": {"type": "string"}}}}},
            }
        },
        "operations": {
            "receive": _operation("receive", [name for name in messages if name not in sent]),
            "send": _operation("send", sent),
        },
        "components": {"schemas": {**schemas, **_command_schemas()}},
    }


def _operation(action: str, names: Iterable[str]) -> Data:
    """What the server does with these messages."""
    return {
        "action": action,
        "channel": {"$ref": "#/channels/live"},
        "messages": [{"$ref": f"#/channels/live/messages/{name}"} for name in names],
    }
