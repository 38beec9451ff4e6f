"""What the documents of the interface promise, held against what is answered and told."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import httpx
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from highcardflush.web.app import document_bytes

JSON = "application/json"


@cache
def openapi() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(document_bytes()["openapi"])
    return found


@cache
def asyncapi() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(document_bytes()["asyncapi"])
    return found


@cache
def _payloads() -> dict[str, Draft202012Validator]:
    """By the `type` of a message."""
    schemas, found = asyncapi()["components"]["schemas"], {}
    for message in asyncapi()["channels"]["live"]["messages"].values():
        schema = message["payload"]
        body = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
        kind = body["properties"]["type"]
        (name,) = kind["enum"] if "enum" in kind else [kind["const"]]
        found[name] = Draft202012Validator({**schema, "components": {"schemas": schemas}})
    return found


def require_message(message: dict[str, Any]) -> None:
    """A message of the live socket is as the document says."""
    _payloads()[message["type"]].validate(message)


@cache
def _answers(method: str, path: str, status: str) -> Draft202012Validator | None:
    responses = openapi()["paths"][path][method.lower()]["responses"]
    content = responses.get(status, responses["default"]).get("content")
    if content is None:
        return None
    schema = next(iter(content.values()))["schema"]
    return Draft202012Validator({**schema, "components": openapi()["components"]})


def require_answer(method: str, path: str, answer: httpx.Response) -> None:
    """An answer is as the document says; `path` is a template."""
    validator = _answers(method, path, str(answer.status_code))
    if validator is None:
        assert not answer.content
    else:
        validator.validate(answer.json())


def message_types() -> set[str]:
    return set(_payloads())
