"""The types of the wire for the browser's pages, in TypeScript: `tools/docs.py` writes them from the shapes that the
documents of the interface are made from, so that pages and server cannot drift apart. A page names one of them as
`import("./wire.js").Me`.
"""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
import types
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import msgspec
from msgspec import Struct, UnsetType

from highcardflush import jackpot
from highcardflush.cards import Hand
from highcardflush.house import commands
from highcardflush.house.parse import KINDS
from highcardflush.web import shapes
from highcardflush.web.live import live_socket

HEAD = "// What the wire carries, made from `web/shapes.py` by `make docs`; do not edit."
PLAYER = ("Sit", "Leave", "NameSeed", "PlaceWagers", "ClearWagers", "Fold", "Raise")
"""What a player commands."""
SAID = {live_socket.Watch, live_socket.Unwatch, live_socket.Do, live_socket.Ping, *(KINDS[name] for name in PLAYER)}
"""What the client says: there a field that has a default may be left out."""
PLAIN: dict[Any, str] = {
    int: "number", float: "number", str: "string", bool: "boolean", type(None): "null", None: "null", Any: "any",
    Hand: "string",
}  # fmt: skip
UNIONS: dict[str, tuple[Any, ...]] = {
    "Fact": tuple(shapes.FACTS.values()),
    "ServerSays": shapes.SERVER_SAYS,
    "ClientSays": (live_socket.Watch, live_socket.Unwatch, live_socket.Do, live_socket.Ping),
    "PlayerCommand": tuple(KINDS[name] for name in PLAYER),
}
NAMED: dict[str, Any] = {"Suit": shapes.Suit, "Role": commands.Role, "Kind": commands.Kind}
"""Literals that have a name."""
NAMES: dict[Any, str] = {jackpot.Meter: "MeterAmount"}
"""Where two kinds have one name."""


def wire_types() -> str:
    """The whole file."""
    made = _Types()
    answers = {call: made.say(kind) for call, kind in shapes.ANSWERS.items() if call not in shapes.HOUSE}
    blocks = [f"export type {name} = {_join(map(_literal, get_args(kind)))};" for name, kind in NAMED.items()]
    for name, kinds in UNIONS.items():
        blocks.append(f"export type {name} =\n  | " + "\n  | ".join(map(made.say, kinds)) + ";")
    lines = [f"  {_literal(call)}: {kind};" for call, kind in answers.items()]
    blocks.append("\n".join(["/** What calls answer. */", "export interface Answers {", *lines, "}"]))
    return "\n\n".join([HEAD, *blocks, *made.written()]) + "\n"


class _Types:
    """Objects are written once each, when something names them."""

    def __init__(self) -> None:
        self._kinds: dict[str, Any] = {}

    def written(self) -> Iterator[str]:
        done = 0
        while done < len(self._kinds):  # what is written names others
            for name, kind in list(self._kinds.items())[done:]:
                done += 1
                yield self._interface(name, kind)

    def say(self, kind: Any) -> str:
        if kind == shapes.Fact:
            return "Fact"
        if kind is msgspec.Raw:  # of `Do`
            return "PlayerCommand"
        if named := [name for name, known in NAMED.items() if kind == known]:
            return named[0]
        if kind in PLAIN:
            return PLAIN[kind]
        if is_typeddict(kind) or (isinstance(kind, type) and issubclass(kind, Struct)):
            return self._name(kind)
        return self._say_of(get_origin(kind), get_args(kind))

    def _say_of(self, origin: Any, args: tuple[Any, ...]) -> str:
        if origin in (Annotated, NotRequired):
            return self.say(args[0])
        if origin is Literal:
            return _join(map(_literal, args))
        if origin in (Union, types.UnionType):
            return _join(self.say(each) for each in args if each is not UnsetType)
        if origin is dict:
            return f"{{ [key: string]: {self.say(args[1])} }}"
        if origin is list or (origin is tuple and args[-1] is ...):
            inner = self.say(args[0])
            return f"({inner})[]" if "|" in inner and not inner.endswith("}") else f"{inner}[]"
        if origin is tuple:
            return f"[{', '.join(map(self.say, args))}]"
        raise TypeError(f"no type for {origin} of {args}")

    def _name(self, kind: Any) -> str:
        name: str = NAMES.get(kind, kind.__name__)
        if self._kinds.setdefault(name, kind) is not kind:
            raise TypeError(f"two kinds are called {name}: {kind} and {self._kinds[name]}")
        return name

    def _interface(self, name: str, kind: Any) -> str:
        notes = _notes(kind)
        lines = [*_comment(_doc(kind)), f"export interface {name} {{"]
        for key, hint, optional in _fields(kind):
            lines += [f"  {line}" for line in _comment(notes.get(key))]
            lines.append(f"  {key}{'?' if optional else ''}: {self.say(hint)};")
        return "\n".join([*lines, "}"])


def _fields(kind: Any) -> Iterator[tuple[str, Any, bool]]:
    """The key of each field, what is in it, and whether it may be left out."""
    hints = get_type_hints(kind, include_extras=True)
    if is_typeddict(kind):
        for key, hint in hints.items():
            yield key, hint, get_origin(hint) is NotRequired
        return
    config = kind.__struct_config__
    if config.tag is not None:
        yield config.tag_field, Literal[config.tag], False
    for field in msgspec.structs.fields(kind):
        omitted = not field.required and (config.omit_defaults or kind in SAID)
        yield field.encode_name, hints[field.name], omitted


def _doc(kind: Any) -> str | None:
    return None if kind.__doc__ == dict.__doc__ else kind.__doc__


def _notes(kind: Any) -> dict[str, str]:
    """What stands below the fields of a class that is written, not made."""
    try:
        (node,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    except (OSError, TypeError):
        return {}
    found, body = dict[str, str](), node.body if isinstance(node, ast.ClassDef) else []
    for field, note in pairwise(body):
        match field, note:
            case ast.AnnAssign(target=ast.Name(id=key)), ast.Expr(value=ast.Constant(value=str(text))):
                found[key] = text
    return found


def _comment(text: str | None) -> list[str]:
    return [f"/** {' '.join(text.split())} */"] if text else []


def _join(parts: Iterable[str]) -> str:
    return " | ".join(dict.fromkeys(parts))


def _literal(value: object) -> str:
    return json.dumps(value)
