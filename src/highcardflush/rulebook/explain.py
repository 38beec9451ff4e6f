"""Turns msgspec's validation errors into RulebookErrors: which key, what was read, what was expected.

msgspec names a path such as `$.settings.rate`, but not the value, not the choices of an enum, and
for a key of a table only `[...]`. The value is looked up in the document, the choices in the model,
and the key by trying the table's entries one at a time. Types are called as TOML calls them.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec

from highcardflush import structs
from highcardflush.errors import RulebookError
from highcardflush.rulebook import model

_PATH = re.compile(r" - at (`key` in )?`\$(.*)`$")
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")
_TYPES = {"int": "a whole number", "str": "a text", "bool": "true or false", "object": "a table", "array": "a list"}
Path = list[str | int]
T = TypeVar("T")


def convert(data: Any, kind: type[T], prefix: str = "") -> T:
    """The struct of a document's part, or a RulebookError."""
    try:
        return structs.convert(data, kind, model.read_scalar)
    except msgspec.ValidationError as error:
        words = str(error)
    path: Path = []
    place = _PATH.search(words)
    for name, index in _STEP.findall(place[2]) if place else ():
        path.append(_failing_key(data, path, kind, words) if index == "..." else int(index) if index else name)
    value = _failing_key(data, path, kind, words) if place and place[1] else _value(data, path)
    dotted = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
    key = ".".join(part for part in (prefix, dotted) if part)
    raise _finding(_PATH.sub("", words), key, value, path, model.Part.__subclasses__() if path else [kind])


def _failing_key(data: Any, path: Path, kind: type, words: str) -> str:
    """The first key of the table at `path` that fails alone with these words."""
    return next((key for key in _value(data, path) if _fails(_only(data, path, key), kind) == words), "?")


def _finding(message: str, key: str, value: Any, path: Path, kinds: Sequence[type]) -> RulebookError:
    if field := re.fullmatch(r"Object missing required field `(.*)`", message):
        return RulebookError(_join(key, field[1]), read="nothing", expected="this key")
    if field := re.fullmatch(r"Object contains unknown field `(.*)`", message):
        return RulebookError(_join(key, field[1]), read=f"key {field[1]!r}", expected=_similar(field[1], kinds))
    if said := re.fullmatch(r"read (.*), expected (.*)", message, re.DOTALL):
        return RulebookError(key, read=said[1], expected=said[2])
    if re.match("Invalid enum value|Expected `str", message) and (choices := _choices(path)):
        return RulebookError(key, read=repr(value), expected="one of " + ", ".join(choices))
    expected = re.sub(r"`(\w+( \| \w+)*)`", lambda said: _types(said[1]), re.sub(r"^Expected |, got .*$", "", message))
    return RulebookError(key, read=repr(value), expected=expected)


def _types(said: str) -> str:
    return " or ".join(_TYPES.get(name, name) for name in said.split(" | ") if name != "null")


def _join(key: str, field: str) -> str:
    return f"{key}.{field}" if key else field


def _fails(data: Any, kind: type) -> str | None:
    try:
        structs.convert(data, kind, model.read_scalar)
    except msgspec.ValidationError as error:
        return str(error)
    return None


def _only(data: Any, path: Path, key: str) -> Any:
    """A copy of the document in which the table at `path` has only `key`."""
    if not path:
        return {key: data[key]}
    step, *rest = path
    if isinstance(step, int):
        return [_only(item, rest, key) if i == step else item for i, item in enumerate(data)]
    return data | {step: _only(data[step], rest, key)}


def _value(data: Any, path: Path) -> Any:
    for step in path:
        data = data[step]
    return data


def _choices(path: Path) -> list[str]:
    """The words that the last key of a path may have, if it is a choice."""
    name = next((step for step in reversed(path) if isinstance(step, str)), "")
    for part in model.Part.__subclasses__():
        for field in msgspec.structs.fields(part):
            if field.encode_name == name and (words := _literals(field.type)):
                return words
    return []


def _literals(kind: Any) -> list[str]:
    if get_origin(kind) is Literal:
        return [str(word) for word in get_args(kind)]
    return [word for inner in get_args(kind) for word in _literals(inner)]


def _similar(key: str, kinds: Sequence[type]) -> str:
    known = {field.encode_name for kind in kinds for field in msgspec.structs.fields(kind)}
    near = difflib.get_close_matches(key, sorted(known), 3, 0.5)
    return "a known key" + (f" (near: {', '.join(near)})" if near else "")
