"""Why the JSON of a command cannot be read: where, what was read there and what was expected, in words."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec

from highcardflush.game.actions import LINE
from highcardflush.house import commands as c

NAMES = "a name of lower case letters, digits and -, at most 40"
PATTERNS = {
    LINE: "a line of text without control characters",
    c.NAME: NAMES,
    c.SEED: "up to 64 bytes in lower case hex digits",
    c.COMMITTED_SEED: "16 to 64 bytes in lower case hex digits",
    c.SHA256: "a SHA-256, 64 lower case hex digits",
    c.TIME: "a time of day such as 06:00",
    c.HOURS: "two times of day such as 10:00-02:00",
    c.TOKEN: "16 to 32 bytes in lower case hex digits",
}
KINDS = {
    "`int`": "a whole number",
    "`float`": "a number",
    "`str`": "text",
    "`bool`": "true or false",
    "`array`": "a list",
    "`object`": "an object",
}
"""What the decoder calls them."""
LONG = 80
"""Characters of what was read that are told again."""


class Misread(NamedTuple):
    what: str
    read: str
    expected: str


def explain(error: Exception, text: str, kinds: Mapping[str, type]) -> Misread:
    """What an error of msgspec says of the JSON text of a command; `kinds` are the commands by their names."""
    said, _, path = str(error).partition(" - at `$")
    try:
        data: Any = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        # Malformed behind what was found first, a number out of range, or too deep.
        return Misread("command", said[:LONG], "JSON")
    named = data.get("type") if isinstance(data, dict) else None
    kind: Any = kinds.get(named) if isinstance(named, str) else None
    if kind is None:
        near = get_close_matches(str(named)[:LONG], kinds, 1) or ["OpenRound"]
        expected = f'a "type" as in docs/commands.md, such as {near[0]}'
        return Misread("command", (repr(named) if named is not None else said)[:LONG], expected)
    keys = re.findall(r"[\w-]+", path)
    return explain_at(" ".join((kind.__name__, *keys)), said, keys, data, kind)


def explain_at(
    what: str, said: str, keys: Sequence[str], value: Any, field: Any, show: Callable[[Any], str] = repr
) -> Misread:
    """What msgspec has said of a part of some data, by the keys that lead there; `show` tells what was read."""
    for key in keys:
        field = _fields(field, value).get(key, field if key == "type" else None)
        value = value[int(key)] if isinstance(value, list) else value.get(key) if isinstance(value, dict) else None
    if found := re.search(r"(unknown|missing required) field `(.*)`", said):
        known = _fields(field, value)
        near = get_close_matches(found[2][:LONG], known, 1) if found[1] == "unknown" else []
        read = f"an unknown field {found[2][:LONG]}" if found[1] == "unknown" else f"no {found[2]}"
        return Misread(what, read, " or ".join(near) or ", ".join(known))
    return Misread(what, show(value)[:LONG], _expected(said, field))


def refuse_length(text: str, what: str = "command") -> Misread | None:
    """Why a text is too long to be looked at."""
    return Misread(what, f"{len(text):,} characters", f"at most {c.LONGEST:,}") if len(text) > c.LONGEST else None


def repeated_key(text: str) -> Misread | None:
    """A key that stands twice in an object of a JSON text: which of the two was meant nobody knows."""
    said = text.split('"')[1::2]  # without an escape in it, every string of the text
    return None if len(set(said)) == len(said) and "\\" not in text else read_repeated_key(text)


def read_repeated_key(text: str) -> Misread | None:
    """The same, slowly: some string stands twice, as a key or not."""

    def keys(pairs: list[tuple[str, object]]) -> None:
        found.extend(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)

    found: list[str] = []
    with suppress(ValueError, RecursionError):  # what is wrong with it is said by whoever reads it into a command
        json.loads(text, object_pairs_hook=keys)
    return Misread("command", f"the key {found[0][:LONG]!r} twice", "each key once") if found else None


def _fields(kind: Any, value: Any) -> dict[str, Any]:
    """The fields of a struct by their names in JSON, with their types; nothing of what is no struct. Of several it is
    the one whose name the value has as its type."""
    named = value.get("type") if isinstance(value, dict) else None
    for each in sorted(_structs(kind), key=lambda each: each.__name__ != named)[:1]:
        return {field.encode_name: field.type for field in msgspec.structs.fields(each)}
    return {}


def _structs(kind: Any) -> list[type[msgspec.Struct]]:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return [kind]
    return [each for part in get_args(kind) for each in _structs(part)]


def _expected(said: str, field: Any) -> str:
    for pattern, words in PATTERNS.items():
        if repr(pattern) in said:
            return words
    if said.startswith("Invalid value"):
        return "one of " + ", ".join(each.__name__ for each in _structs(field))
    if said.startswith("Invalid enum value"):
        return " or ".join(_choices(field)) or said
    said = said.removeprefix("Expected ").partition(", got")[0]
    for kind, words in KINDS.items():
        said = said.replace(kind, words)
    return re.sub(r"( of length)? ([<>])= (\S+)", _bound, said)


def _bound(found: re.Match[str]) -> str:
    return f"{found[1] or ','} {found[3]} or {'less' if found[2] == '<' else 'more'}"


def _choices(field: Any) -> list[str]:
    if get_origin(field) is Literal:
        return [str(choice) for choice in get_args(field)]
    if get_origin(field) in (Annotated, Union, UnionType):
        return [choice for part in get_args(field) for choice in _choices(part)]
    return []
