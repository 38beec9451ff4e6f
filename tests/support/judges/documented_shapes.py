"""Validates answers and messages against OpenAPI and AsyncAPI."""

import json
from functools import cache
from typing import Any

import httpx
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from highcardflush.web.server.app import document_bytes

JSON = "application/json"


@cache
def openapi() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(document_bytes()["openapi"])
    return document


@cache
def asyncapi() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(document_bytes()["asyncapi"])
    return document


def whole(schema: Any) -> Any:
    """Make a schema refuse fields that it does not list."""
    if isinstance(schema, list):
        return [whole(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closing = {"additionalProperties": False} if "properties" in schema else {}
    return {**{key: whole(value) for key, value in schema.items()}, **closing}


@cache
def _components(document: str) -> dict[str, Any]:
    schemas = {"openapi": openapi, "asyncapi": asyncapi}[document]()["components"]["schemas"]
    return {"schemas": whole(schemas)}


@cache
def _payloads() -> dict[str, Draft202012Validator]:
    schemas, validators = _components("asyncapi")["schemas"], {}
    for message in asyncapi()["channels"]["live"]["messages"].values():
        schema = message["payload"]
        body = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
        kind = body["properties"]["type"]
        (name,) = kind["enum"] if "enum" in kind else [kind["const"]]
        validators[name] = Draft202012Validator({**schema, "components": _components("asyncapi")})
    return validators


def require_message(message: dict[str, Any]) -> None:
    _payloads()[message["type"]].validate(message)


@cache
def _answers(method: str, path: str, status: str) -> Draft202012Validator | None:
    responses = openapi()["paths"][path][method.lower()]["responses"]
    content = responses.get(status, responses["default"]).get("content")
    if content is None:
        return None
    schema = next(iter(content.values()))["schema"]
    return Draft202012Validator({**schema, "components": _components("openapi")})


def require_answer(method: str, path: str, answer: httpx.Response) -> None:
    """Check an answer; `path` is a path template."""
    validator = _answers(method, path, str(answer.status_code))
    if validator is None:
        assert not answer.content
    else:
        validator.validate(answer.json())


def path_of(path: str) -> str:
    """Return the template that matches a path."""
    parts = path.partition("?")[0].split("/")
    fits: list[str] = [template for template in openapi()["paths"] if _fits(template.split("/"), parts)]
    return min(fits, key=lambda template: template.count("{"))


def _fits(template: list[str], path: list[str]) -> bool:
    if template[-1] == "{stream}":
        template, path = template[:-1], path[: len(template) - 1]
    pairs = zip(template, path, strict=False)
    return len(template) == len(path) and all(part.startswith("{") or part == segment for part, segment in pairs)


def require_event(event: Any) -> None:
    Draft202012Validator({"$ref": "#/components/schemas/Event", "components": _components("openapi")}).validate(event)


def message_types() -> set[str]:
    return set(_payloads())
