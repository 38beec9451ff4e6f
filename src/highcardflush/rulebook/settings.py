"""The settings as a table: key, kind, range, default, meaning. Read off the model, for `rules show` and the docs."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct, structs

from highcardflush.rulebook.model import Cents, Multiple, Rate, Settings

KINDS: dict[Any, tuple[str, str]] = {
    Cents: ("dollars", "above 0"),
    Rate: ("percentage", "0% to 100%"),
    Multiple: ("multiple of the Ante", "0x to 1x"),
}


class Setting(Struct, frozen=True):
    """One row of the table. An empty default means none."""

    key: str
    kind: str
    range: str
    default: str
    description: str


def settings_table() -> list[Setting]:
    """Every setting, in the model's order."""
    hints, defaults = get_type_hints(Settings, include_extras=True), Settings()
    rows = []
    for field in structs.fields(Settings):
        hint = hints[field.name]
        meta = next(extra for extra in hint.__metadata__ if isinstance(extra, Meta))
        kind, allowed = _kind(get_args(hint)[0], meta)
        default = setting_text(getattr(defaults, field.name))
        rows.append(Setting(field.encode_name, kind, allowed, default, meta.description or ""))
    return rows


def setting_text(value: Any) -> str:
    """A setting's value as the notation writes it."""
    return "none" if value is None else str(value)


def _kind(hint: Any, meta: Meta) -> tuple[str, str]:
    if get_origin(hint) is Literal:
        return "word", " | ".join(get_args(hint))
    if get_origin(hint) is Annotated:
        return _kind(get_args(hint)[0], meta)
    if optional := [part for part in get_args(hint) if part is not type(None)]:
        kind, allowed = _kind(optional[0], meta)
        return kind, f"{allowed} | none" if kind == "word" else f"{allowed}, or none"
    return KINDS.get(hint) or ("number", f"{meta.ge} to {meta.le}")
