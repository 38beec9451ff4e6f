"""OpenAPI for the calls and AsyncAPI for the live socket, generated from the handlers' signatures.

Litestar describes the calls with their parameters, bodies and answers. The schemas come from msgspec, because AsyncAPI
shares them, and because Litestar knows neither commands nor the keys and units in which events are sent.
"""

import re
from collections.abc import Sequence
from itertools import chain
from typing import Any, get_args, get_type_hints

import msgspec
from litestar import Litestar, Response
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.routes import HTTPRoute
from litestar.types import ControllerRouterHandler
from msgspec import structs

from highcardflush.cards import Hand
from highcardflush.house import commands as c
from highcardflush.house.parse import KINDS
from highcardflush.rulebook import Rulebook
from highcardflush.web.live.live_socket import MOST_BYTES
from highcardflush.web.messages import __name__ as MESSAGES
from highcardflush.web.messages.house import timed
from highcardflush.web.messages.live import ClientMessage, Do, ServerMessage
from highcardflush.web.messages.parts import API, PROTOCOL, Failed
from highcardflush.web.server import access

Data = dict[str, Any]
TITLE = "High Card Flush"
VERSION = str(PROTOCOL)
REFS = "#/components/schemas/{name}"
JSON = "application/json"
COMMANDS = f"{API}/commands/{{stream}}"
NO_CONTENT = 204
SESSION: list[Data] = [{"session": []}, {"token": []}]
OWN_PAGE = {"name": "X-HCF", "in": "header", "required": True, "schema": {"type": "string", "const": "1"}}
OPAQUE = {Rulebook: "A rulebook as data", c.AnyChange: "An administrator's command"}
"""Descriptions of types that are specified elsewhere: in `docs/rulebooks.md` and in the commands' schemas."""
CLIENT, SERVER = get_args(ClientMessage), get_args(ServerMessage)
OWN_MODULE = re.compile(rf"{re.escape(MESSAGES)}\.\w+\.|(?<=/)web_messages_[a-z]+_")
"""Names of modules that msgspec and Litestar write before the name of a struct if another struct has that name."""


def documents(handlers: Sequence[ControllerRouterHandler]) -> dict[str, Data]:
    """Return the OpenAPI and AsyncAPI documents, which share their schemas, under the keys `openapi` and `asyncapi`."""
    config = OpenAPIConfig(TITLE, VERSION, use_handler_docstrings=True)
    dependencies = {name: Provide(lambda: None, sync_to_thread=False) for name in ("services", "caller")}
    app = Litestar(handlers, dependencies=dependencies, openapi_config=config, logging_config=None)
    paths = app.openapi_schema.to_schema()["paths"]
    calls = [
        (paths[route.path_format or "/"][method.lower()], method, handler)
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method, (handler, _) in route.route_handler_map.items()
        if handler.resolve_include_in_schema() and method != "OPTIONS"
    ]
    kinds = [kind for _, _, handler in calls for kind in _types(handler)]
    refs, schemas = _schemas([Failed, *CLIENT, *SERVER, *kinds])
    for call in calls:
        _complete(*call, refs)
    paths[COMMANDS]["post"]["requestBody"] = {"required": True, "content": {JSON: {"schema": _ref("Command")}}}
    openapi = {
        "openapi": "3.1.0",
        "info": {"title": TITLE, "version": VERSION},
        "paths": _as_on_the_wire(paths),
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "session": {"type": "apiKey", "in": "cookie", "name": access.cookie_name(secure=True)},
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
    }
    return {"openapi": openapi, "asyncapi": _asyncapi(refs, schemas)}


def _types(handler: HTTPRouteHandler) -> list[Any]:
    """Return the types of the body and of the JSON answers of a call."""
    body, answer = handler.parsed_fn_signature.parameters.get("data"), handler.parsed_fn_signature.return_type
    kinds = [] if body is None else [body.annotation]
    if "media" in handler.opt:
        kinds += chain.from_iterable(handler.opt["media"].values())
    elif (handler.media_type or JSON) == JSON:
        kinds += [each.annotation for each in answer.inner_types] if answer.origin is Response else [answer.annotation]
    return kinds


def _complete(item: Data, method: str, handler: HTTPRouteHandler, refs: dict[str, Data]) -> None:
    """Add the access to Litestar's description of a call, and the answers and headers that Litestar does not know."""
    row = item["x-access"] = access.row_of(handler)
    if row not in access.OPEN:
        item["security"] = SESSION
    if method not in access.SAFE:
        item["parameters"] = [*item.get("parameters", []), OWN_PAGE]
    body = handler.parsed_fn_signature.parameters.get("data")
    if body is not None:
        item["requestBody"]["required"] = body.is_required
    answer: Data = {"description": item.get("description") or item["summary"]}
    if handler.status_code != NO_CONTENT:
        contents = item["responses"][str(handler.status_code)]["content"].items()
        # Litestar has no schema for a stream of events.
        answer["content"] = {media: {"schema": each["schema"] or {"type": "string"}} for media, each in contents}
    for media, kinds in handler.opt.get("media", {}).items():
        answer["content"][media] = {"schema": {"anyOf": [refs[repr(kind)] for kind in kinds]}}
    statuses = (handler.status_code, handler.opt.get("also"))
    item["responses"] = {str(status): answer for status in statuses if status is not None}
    item["responses"]["default"] = {"description": "Refused", "content": {JSON: {"schema": refs[repr(Failed)]}}}


def _asyncapi(refs: dict[str, Data], schemas: Data) -> Data:
    operations = {
        action: {
            "action": action,
            "channel": {"$ref": "#/channels/live"},
            "messages": [{"$ref": f"#/channels/live/messages/{kind.__name__}"} for kind in kinds],
        }
        for action, kinds in (("receive", CLIENT), ("send", SERVER))
    }
    live = {
        "address": f"{API}/live",
        "description": "A WebSocket that carries one JSON object per message, without compression. "
        f"A client's message may have at most {MOST_BYTES} bytes.",
        "messages": {kind.__name__: {"payload": refs[repr(kind)], "contentType": JSON} for kind in (*CLIENT, *SERVER)},
        "bindings": {"ws": {"query": {"type": "object", "properties": {"ticket": {"type": "string"}}}}},
    }
    return {
        "asyncapi": "3.0.0",
        "info": {"title": f"{TITLE}, live", "version": VERSION},
        "channels": {"live": live},
        "operations": operations,
        "components": {"schemas": schemas},
    }


def _schemas(types: Sequence[Any]) -> tuple[dict[str, Data], Data]:
    """Return the schemas of these types, keyed by `repr`, and all schemas, including every command's, keyed by name.

    `Command` stands for any command.
    """
    hints = {kind: get_type_hints(kind, include_extras=True) for kind in KINDS.values()}
    fields = [hints[kind][field.name] for kind in hints for field in structs.fields(kind)]
    described = [*types, *(hint for hint in fields if hint not in OPAQUE)]
    parts_of, schemas = msgspec.json.schema_components(described, schema_hook=_describe, ref_template=REFS)
    schemas = _as_on_the_wire(schemas)
    refs = dict(zip(map(repr, described), map(_as_on_the_wire, parts_of), strict=True))
    refs |= {repr(hint): {"type": "object", "description": words} for hint, words in OPAQUE.items()}
    names = {kind: f"{name}Command" for name, kind in KINDS.items()}
    for kind, name in names.items():
        parts = {field.encode_name: refs[repr(hints[kind][field.name])] for field in structs.fields(kind)}
        schemas[name] = {
            "type": "object",
            "description": kind.__doc__ or "",
            "properties": {"type": {"const": kind.__name__}, **parts},
            "required": ["type", *(field.encode_name for field in structs.fields(kind) if field.required)],
            "additionalProperties": False,
        }
    schemas["Command"] = {"oneOf": [_ref(name) for name in names.values()]}
    schemas[Do.__name__]["properties"]["command"] = _ref("Command")
    return refs, schemas


def _as_on_the_wire(schema: Any) -> Any:
    """Convert times to milliseconds and patterns to JSON Schema syntax, and give our own structs short names."""
    match schema:
        case {"properties": dict() as properties, "required": list() as required}:
            names = {
                name: timed(name) if _kinds(of) <= {"integer", "null"} else name for name, of in properties.items()
            }
            parts = {names[name]: _as_on_the_wire(of) for name, of in properties.items()}
            return {**schema, "properties": parts, "required": [names[name] for name in required]}
        case dict():
            return {OWN_MODULE.sub("", key): _as_on_the_wire(value) for key, value in schema.items()}
        case list():
            return [_as_on_the_wire(value) for value in schema]
        case str():
            return OWN_MODULE.sub("", schema.removesuffix(r"\Z") + "$" if schema.endswith(r"\Z") else schema)
    return schema


def _kinds(schema: Data) -> set[Any]:
    return {each.get("type") for each in schema.get("anyOf", [schema])}


def _describe(kind: type) -> Data:
    if kind is not Hand:
        raise NotImplementedError
    return {"type": "string", "description": "Cards, such as AsKs9s 6d"}


def _ref(name: str) -> Data:
    return {"$ref": REFS.format(name=name)}
