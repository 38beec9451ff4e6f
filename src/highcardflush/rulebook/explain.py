"""Reads a part of a document into its struct, or says which key, what was read and what was expected."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from highcardflush import structs
from highcardflush.errors import RulebookError
from highcardflush.rulebook.document import read_scalar

T = TypeVar("T")
TOML_TYPES = structs.JSON_TYPES | {"str": "a text", "object": "a table"}


def convert(data: Any, kind: type[T], prefix: str = "") -> T:
    """Read a part of a document, or raise RulebookError with the key below `prefix`."""
    try:
        return structs.convert(data, kind, read_scalar)
    except msgspec.ValidationError as error:
        message = str(error)
    problem = structs.explain(message, data, kind, read_scalar, types=TOML_TYPES)
    key = ".".join(part for part in (prefix, problem.dotted) if part)
    raise RulebookError(key, read=problem.read, expected=problem.expected)
