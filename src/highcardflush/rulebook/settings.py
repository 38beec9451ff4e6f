"""Settings under flat keys, as in documents and in the notation's `set` statement, and the JSON Schema of a document.

`Settings` nests limits and caps by wager, and meter settings by meter. Here each setting has a flat key, such as
`flush-minimum` or `level-1-rate`, built from wager and meter names. `flat` and `nested` convert between the two.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct, defstruct, field, structs

from highcardflush.rulebook.document import COMPUTED, SCALARS, Cents, Multiple, Part, Qualifier, Rate
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.paytable import METER_NAMES
from highcardflush.rulebook.table_settings import EVERY_WAGER, Caps, Limits, MeterSettings, Settings, cap_key
from highcardflush.rulebook.wagers import ANTE, PROGRESSIVE, SIDE_BETS, bonus_bets, wagers

KINDS: dict[Any, tuple[str, str]] = {
    Cents: ("dollars", "above 0"),
    Rate: ("percentage", "0% to 100%"),
    Multiple: ("multiple", "0x to 1x"),
    Qualifier: ("flush", "2 to 7 cards, with or without ranks, or the word `any`"),
}
MEANINGS = {
    "seed": "Initial amount of a meter for a $1 bet, or of a bonus jackpot for any bet; if none, as in the pay table",
    "reseed": "Amount of the meter after a 100 % win, for a $1 bet; if none, the seed",
    "rate": "Percentage of each bet that feeds the meter; if none, as in the pay table",
    "reserve-rate": "Percentage of each bet that feeds the reserve; if none, as in the pay table",
    "display-returns": "on: in the round after a win, a bonus jackpot's display returns to the seed; if none, off",
}


class Setting(Struct, frozen=True, gc=False):
    """One row of the table of settings."""

    key: str
    kind: str
    range: str
    default: str
    description: str


def limit_key(wager: str, end: str) -> str:
    """Return the key of a wager's smallest or largest amount, such as `ante-minimum`."""
    return f"{wager}-{end}"


def meter_key(meter: str, key: str) -> str:
    """Return the key of a meter's setting, such as `rate` or `level-1-rate`."""
    return key if meter == PROGRESSIVE else f"{meter}-{key}"


def _say_limit(wager: str, end: str) -> str:
    size = "Smallest" if end == "minimum" else "Largest"
    return f"{size} {wagers()[wager].title}" + ("" if wager == ANTE.name else " bet")


def _say_cap(wager: str, scope: str) -> str:
    if wager == EVERY_WAGER:
        paid = {"player": "to one player in a round, on all wagers", "table": "in a round, on all players' wagers"}
    else:
        title = wagers()[wager].title
        paid = {"player": f"on the {title} of one hand", "table": f"on all {title} bets of a round"}
    return f"Maximum paid {paid[scope]}"


def _say_meter(meter: str, key: str) -> str:
    if meter == PROGRESSIVE:
        return MEANINGS[key]
    return f"As {key}, for {meter.replace('-', ' ')}" + ("; if none, hits" if key == "hits" else "")


class _Family(NamedTuple):
    kind: type[Struct]
    key: Callable[[str, str], str]
    say: Callable[[str, str], str]


_FAMILIES = {
    "limits": _Family(Limits, limit_key, _say_limit),
    "caps": _Family(Caps, cap_key, _say_cap),
    "meters": _Family(MeterSettings, meter_key, _say_meter),
}
_FIELDS = structs.fields(Settings)
_HINTS = get_type_hints(Settings, include_extras=True)
_SCALARS = {each.encode_name: each.name for each in _FIELDS if each.name not in _FAMILIES}


def _names(family: str) -> tuple[str, ...]:
    bets = tuple(bet.name for bet in bonus_bets())
    return {"limits": (ANTE.name, *bets), "caps": (*bets, EVERY_WAGER), "meters": METER_NAMES}[family]


def _keys(family: str, name: str) -> list[str]:
    form = _FAMILIES[family]
    return [form.key(name, each) for each in form.kind.__struct_encode_fields__]


def _rows() -> Iterator[tuple[str, Any]]:
    for each in _FIELDS:
        if each.name not in _FAMILIES:
            yield each.encode_name, _HINTS[each.name]
            continue
        form = _FAMILIES[each.name]
        for name in _names(each.name):
            for key, member in zip(_keys(each.name, name), structs.fields(form.kind), strict=True):
                if key not in _SCALARS:
                    yield key, Annotated[member.type, Meta(description=form.say(name, member.encode_name))]


def flat_struct() -> type[Struct]:
    return _flat_struct(tuple(SIDE_BETS))


@lru_cache(maxsize=4)
def _flat_struct(bets: tuple[str, ...]) -> type[Struct]:
    defaults = flat(Settings())
    fields = []
    for i, (key, kind) in enumerate(_rows()):
        value = defaults[key]  # A schema cannot show the default of a scalar type, so such a default has a factory.
        default: Any = {"default_factory": partial(Multiple, value)} if type(value) is Multiple else {"default": value}
        fields.append((f"key{i}", kind, field(name=key, **default)))
    return defstruct("Settings", fields, bases=(Part,), frozen=True, kw_only=True, forbid_unknown_fields=True)


def read_flat(document: Struct) -> dict[str, Any]:
    return dict(zip(document.__struct_encode_fields__, structs.astuple(document), strict=True))


def optional_keys() -> set[str]:
    return {key for key, value in flat(Settings()).items() if value is None}


def flat(settings: Settings) -> dict[str, Any]:
    plain = structs.asdict(settings)
    values: dict[str, Any] = {}
    for family, form in _FAMILIES.items():
        for name in _names(family):
            values |= zip(_keys(family, name), structs.astuple(plain[family].get(name, form.kind())), strict=True)
    return values | {key: plain[name] for key, name in _SCALARS.items()}


def nested(values: Mapping[str, Any]) -> Settings:
    grouped = {key: value for key, value in values.items() if key not in _SCALARS}
    families: dict[str, Any] = {}
    for family, form in _FAMILIES.items():
        parts = {
            name: form.kind(
                **dict(zip(form.kind.__struct_fields__, map(grouped.get, _keys(family, name)), strict=True))
            )
            for name in _names(family)
        }
        families[family] = {name: part for name, part in parts.items() if part != form.kind()}
    return Settings(**families, **{name: values[key] for key, name in _SCALARS.items() if key in values})


def settings_table() -> list[Setting]:
    defaults, rows = flat(Settings()), []
    for key, hint in _rows():
        meta = next(extra for extra in hint.__metadata__ if isinstance(extra, Meta))
        kind, allowed = _kind(get_args(hint)[0], meta)
        rows.append(Setting(key, kind, allowed, format_setting(defaults[key]), meta.description or ""))
    return rows


def format_setting(value: Any) -> str:
    """Format a setting's value as in the notation."""
    return "none" if value is None else str(value)


def own_settings(rulebook: Rulebook) -> dict[str, str]:
    values = flat(rulebook.settings) if rulebook.table_settings else {}
    return {key: format_setting(values[key]) for key in rulebook.table_settings}


def _kind(hint: Any, meta: Meta) -> tuple[str, str]:
    if get_origin(hint) is Literal:
        return "word", " | ".join(get_args(hint))
    if get_origin(hint) is Annotated:
        return _kind(get_args(hint)[0], meta)
    if optional := [part for part in get_args(hint) if part is not type(None)]:
        kind, allowed = _kind(optional[0], meta)
        return kind, f"{allowed} | none" if kind == "word" else f"{allowed}, or none"
    return KINDS.get(hint) or ("number", f"{meta.ge} to {meta.le}")


IN_PART = {"source": "Source", "raise": "RaiseRule", "separate-games": "SeparateGames"}
"""Tables that may be incomplete in a document that extends another. Pay tables and irregularities may be, too."""
INNER = ("Limits", "Caps", "MeterSettings")
"""Structs of nested settings, which do not appear in documents."""


def json_schema() -> dict[str, Any]:
    schema = msgspec.json.schema(Rulebook, schema_hook=_scalar)
    for name, keys in COMPUTED.items():
        for key in keys:
            del schema["$defs"][name]["properties"][key]
    flat_schema = msgspec.json.schema(flat_struct(), schema_hook=_scalar)["$defs"]["Settings"]
    schema["$defs"]["Settings"] = flat_schema | {"description": Settings.__doc__}
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
