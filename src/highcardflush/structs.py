"""Decodes data into structs from any thread, explains why data cannot be decoded, and copies fields to other structs.

msgspec builds a struct's type information on first use, and if two threads do this at the same moment, the process
crashes. Each decoder is therefore created under a lock before it is used.

An msgspec validation error gives a path such as `$.settings.rate`, with `[...]` for a mapping's key. It does not give
the value or an enum's choices. `explain` follows the path through the data and the types to find them.
"""

import re
import threading
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

import msgspec

T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)
Hook = Callable[[type, Any], Any]
JSON_TYPES = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
LONGEST_READ = 80
"""Maximum number of characters of a value that are quoted in a message."""
MOST_KEYS = 6
_STEP = re.compile(r"\.([^.\[`]+)|\[(\d+|\.\.\.)\]")
_DECODERS: dict[tuple[Any, Hook | None], msgspec.json.Decoder[Any]] = {}
_LOCK = threading.Lock()


def decode(text: str | bytes | msgspec.Raw, kind: type[T], hook: Hook | None = None) -> T:
    value: T = _decoder(kind, hook).decode(text)
    return value


def convert(data: Any, kind: type[T], hook: Hook | None = None) -> T:
    _decoder(kind, hook)
    return msgspec.convert(data, kind, dec_hook=hook)


def _decoder(kind: type[T], hook: Hook | None) -> msgspec.json.Decoder[T]:
    decoder = _DECODERS.get((kind, hook))
    if decoder is None:
        with _LOCK:
            decoder = _DECODERS.setdefault((kind, hook), msgspec.json.Decoder(kind, dec_hook=hook))
    return decoder


def fill(kind: type[S], /, *sources: object, **fields: Any) -> S:
    """Create a struct from the given fields. Take each other field from the first source that has this attribute."""
    for name in kind.__struct_fields__:
        source = next((each for each in sources if name not in fields and hasattr(each, name)), None)
        if source is not None:
            fields[name] = getattr(source, name)
    return kind(**fields)


class Problem(NamedTuple):
    """The first error in the data."""

    path: tuple[str | int, ...]
    read: str
    expected: str

    @property
    def dotted(self) -> str:
        """The path as text, such as `lines[2].pay`."""
        return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path).removeprefix(".")


def explain(
    message: str,
    data: Any,
    kind: Any,
    hook: Hook | None = None,
    *,
    types: Mapping[str, str] = JSON_TYPES,
    patterns: Mapping[str, str] = {},
    show: Callable[[Any], str] = repr,
) -> Problem:
    """Explain an msgspec error message about `data`, which should be a `kind`.

    `types` and `patterns` map types and regular expressions to words. `show` formats the value that was read.
    """
    reason, _, place = message.partition(" - at ")
    path, value = [], data
    for name, index in _STEP.findall(place):
        key: str | int = int(index) if index.isdigit() else name
        if index == "...":
            key = _failing_key(value, kind, hook, reason)
        kind = kind if key == "type" else _fields(kind, value).get(str(key)) or _item(kind)
        value = _entry(value, key)
        path.append(key)
    if place.startswith("`key`"):
        kind, value = _item(kind, of=0), _failing_key(value, kind, hook, reason)
    if missing := re.fullmatch(r"Object missing required field `(.*)`", reason):
        return Problem((*path, missing[1]), "nothing", "this key")
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", reason, re.DOTALL):
        key = unknown[1][:LONGEST_READ]
        return Problem((*path, key), f"key {key!r}", _known_keys(key, kind, value))
    if stated := re.fullmatch(r"read (.*), expected (.*)", reason, re.DOTALL):
        return Problem(tuple(path), stated[1], stated[2])
    return Problem(tuple(path), show(value)[:LONGEST_READ], _expected(reason, kind, types, patterns))


def _entry(value: Any, key: str | int) -> Any:
    if isinstance(value, list):
        return value[int(key)]
    return value.get(key) if isinstance(value, dict) else None


def _failing_key(table: Mapping[str, Any], kind: Any, hook: Hook | None, reason: str) -> str:
    """Return the first key whose entry fails for this reason when it is decoded alone."""
    for key, value in table.items():
        try:
            convert({key: value}, kind, hook)
        except msgspec.ValidationError as error:
            if str(error).startswith(reason):
                return key
    return "?"


def _item(kind: Any, of: int = -1) -> Any:
    origin = get_origin(kind)
    if origin in (Annotated, Union, UnionType):
        return next((item for part in get_args(kind) if (item := _item(part, of)) is not None), None)
    if origin is tuple:
        return get_args(kind)[0]
    return get_args(kind)[of] if origin in (dict, list) else None


def _fields(kind: Any, value: Any) -> dict[str, Any]:
    """Return the types of a struct's fields, keyed by JSON name. In a union, the value's `type` selects the struct."""
    tag = value.get("type") if isinstance(value, dict) else None
    for each in sorted(_structs(kind), key=lambda each: each.__name__ != tag)[:1]:
        return {field.encode_name: field.type for field in msgspec.structs.fields(each)}
    return {}


def _structs(kind: Any) -> list[type[msgspec.Struct]]:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return [kind]
    return [each for part in get_args(kind) for each in _structs(part)] if get_origin(kind) is not dict else []


def _known_keys(key: str, kind: Any, value: Any) -> str:
    keys = sorted(_fields(kind, value))
    if near := get_close_matches(key, keys, 3, 0.5):
        return f"a known key (near: {', '.join(near)})"
    return "a known key" + (f": {', '.join(keys)}" if len(keys) <= MOST_KEYS else "")


def _expected(reason: str, kind: Any, types: Mapping[str, str], patterns: Mapping[str, str]) -> str:
    for pattern, words in patterns.items():
        if repr(pattern) in reason:
            return words
    if reason.startswith("Invalid value"):
        return "one of " + ", ".join(each.__name__ for each in _structs(kind))
    if re.match("Invalid enum value|Expected `str", reason) and (choices := _choices(kind)):
        return "one of " + ", ".join(choices)
    reason = reason.removeprefix("Expected ").partition(", got")[0]

    def type_names(match: re.Match[str]) -> str:
        return " or ".join(types.get(name, name) for name in match[1].split(" | ") if name != "null")

    def bound(match: re.Match[str]) -> str:
        return f"{match[1] or ','} {match[3]} or {'less' if match[2] == '<' else 'more'}"

    reason = re.sub(r"`(\w+(?: \| \w+)*)`", type_names, reason)
    return re.sub(r"( of length)? ([<>])= (\S+)", bound, reason)


def _choices(kind: Any) -> list[str]:
    if get_origin(kind) is Literal:
        return [str(choice) for choice in get_args(kind)]
    if get_origin(kind) in (Annotated, Union, UnionType):
        return [choice for part in get_args(kind) for choice in _choices(part)]
    return []
