"""The JSON Schema of a rulebook document, made from the model."""

from __future__ import annotations

from typing import Any

import msgspec

from highcardflush.rulebook.document import COMPUTED, SCALARS, Rate
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.settings import flat_struct
from highcardflush.rulebook.table_settings import Settings
from highcardflush.rulebook.wagers import SIDE_BETS, wagers

IN_PART = {"source": "Source", "raise": "RaiseRule", "separate-games": "SeparateGames"}
"""Tables that an extending document may give in part. Pay tables and irregularities may be given in part too."""
INNER = ("Limits", "Caps", "MeterSettings")
"""Structs of settings that no document contains."""


def json_schema() -> dict[str, Any]:
    schema = msgspec.json.schema(Rulebook, schema_hook=_scalar)
    for name, keys in COMPUTED.items():
        for key in keys:
            del schema["$defs"][name]["properties"][key]
    flat = msgspec.json.schema(flat_struct(), schema_hook=_scalar)["$defs"]["Settings"]
    schema["$defs"]["Settings"] = flat | {"description": Settings.__doc__}
    for part in ("PayTable", "Offer"):
        schema["$defs"][part]["properties"]["wager"]["enum"] = list(SIDE_BETS)
    schema["$defs"]["Settlement"]["properties"]["wagers"]["items"]["enum"] = list(wagers())
    for name in INNER:
        del schema["$defs"][name]
    parts = ("Rulebook", "PayTable", "Irregularity", *IN_PART.values())
    required = {name: schema["$defs"][name].pop("required") for name in parts}
    whole: dict[str, Any] = {key: {"required": required[name]} for key, name in IN_PART.items()}
    for key, name in (("paytables", "PayTable"), ("irregularities", "Irregularity")):
        whole[key] = {"additionalProperties": {"required": required[name]}}
    schema["$defs"]["Rulebook"]["anyOf"] = [
        {"required": ["name", "extends"]},
        {"required": required["Rulebook"], "properties": whole},
    ]
    for setting in schema["$defs"]["Settings"]["properties"].values():  # TOML has no null.
        if {"type": "null"} in setting.get("anyOf", ()):
            setting["anyOf"][setting["anyOf"].index({"type": "null"})] = {"const": "none"}
            setting["default"] = "none"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "High Card Flush rulebook", **schema}


def schema_text() -> str:
    return msgspec.json.format(msgspec.json.encode(json_schema()), indent=2).decode() + "\n"


def _scalar(kind: type) -> dict[str, Any]:
    return {"type": "string" if kind is Rate else ["integer", "string"], "description": SCALARS[kind]}
