"""The JSON Schema of a rulebook document, made from the model."""

from __future__ import annotations

from typing import Any

import msgspec

from highcardflush.rulebook.model import SCALARS, Rulebook

COMPUTED = {"Rulebook": ("sha256", "table-offers", "table-settings"), "PayTable": ("id", "rulebook")}
"""Keys that no document has: the loader fills them in."""


def json_schema() -> dict[str, Any]:
    schema = msgspec.json.schema(Rulebook, schema_hook=_scalar)
    for name, keys in COMPUTED.items():
        for key in keys:
            del schema["$defs"][name]["properties"][key]
    whole = schema["$defs"]["Rulebook"]
    whole["anyOf"] = [{"required": ["name", "extends"]}, {"required": whole.pop("required")}]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "High Card Flush rulebook", **schema}


def schema_text() -> str:
    """The schema as the file that is shipped."""
    return msgspec.json.format(msgspec.json.encode(json_schema()), indent=2).decode() + "\n"


def _scalar(kind: type) -> dict[str, Any]:
    return {"type": ["integer", "string"], "description": SCALARS[kind]}
