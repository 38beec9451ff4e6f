"""The JSON Schema of a rulebook document, made from the model."""

from __future__ import annotations

from typing import Any

import msgspec

from highcardflush.rulebook.model import COMPUTED, SCALARS, Rate, Rulebook

LAID_OVER = {"source": "Source", "raise": "RaiseRule", "separate-games": "SeparateGames"}
"""Tables that a document which extends another may give in part. So may each pay table."""


def json_schema() -> dict[str, Any]:
    schema = msgspec.json.schema(Rulebook, schema_hook=_scalar)
    for name, keys in COMPUTED.items():
        for key in keys:
            del schema["$defs"][name]["properties"][key]
    parts = ("Rulebook", "PayTable", *LAID_OVER.values())
    required = {name: schema["$defs"][name].pop("required") for name in parts}
    whole: dict[str, Any] = {key: {"required": required[name]} for key, name in LAID_OVER.items()}
    whole["paytables"] = {"additionalProperties": {"required": required["PayTable"]}}
    schema["$defs"]["Rulebook"]["anyOf"] = [
        {"required": ["name", "extends"]},
        {"required": required["Rulebook"], "properties": whole},
    ]
    for setting in schema["$defs"]["Settings"]["properties"].values():  # TOML has no null
        if {"type": "null"} in setting.get("anyOf", ()):
            setting["anyOf"][setting["anyOf"].index({"type": "null"})] = {"const": "none"}
            setting["default"] = "none"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "High Card Flush rulebook", **schema}


def schema_text() -> str:
    """The schema as the file that is shipped."""
    return msgspec.json.format(msgspec.json.encode(json_schema()), indent=2).decode() + "\n"


def _scalar(kind: type) -> dict[str, Any]:
    return {"type": "string" if kind is Rate else ["integer", "string"], "description": SCALARS[kind]}
