"""Reading rulebooks: a TOML text, what it extends, its checks, its content hash.

Texts come in as arguments; only the packaged documents are read from disk here. A document that
`extends` another is laid over it: tables key by key, everything else replaced. The content hash is
SHA-256 over the resolved rulebook, so comments and spacing do not change it but any rule does.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from highcardflush.errors import RulebookError
from highcardflush.rulebook.check import problems
from highcardflush.rulebook.explain import convert
from highcardflush.rulebook.model import SIDE_BETS, Offer, PayTable, Rulebook, Settings

PACKAGED = ("galaxy-v7", "atlantic-city", "washington", "meadows", "oxford")
_DOCUMENTS = Path(__file__).parent / "documents"
Reader = Callable[[str], str]
"""Gives the text of a rulebook by the name that a document or a round calls it."""


def packaged_text(name: str) -> str:
    """The document of a packaged rulebook."""
    if name not in PACKAGED:
        raise RulebookError("rulebook", read=repr(name), expected=f"one of {', '.join(PACKAGED)}, or a .toml file")
    return (_DOCUMENTS / f"{name}.toml").read_text(encoding="utf-8")


@lru_cache
def packaged(name: str) -> Rulebook:
    """A packaged rulebook by its name.

    >>> packaged("oxford").settings.cap_player
    2500000
    """
    return load(packaged_text(name), file=f"{name}.toml")


def load(text: str, *, file: str | None = None, read: Reader = packaged_text) -> Rulebook:
    """The rulebook of a TOML text; every finding is a RulebookError that names file and key."""
    try:
        data = _resolve(_toml(text), read, ())
        rulebook = _convert(data)
        rulebook = _with_foreign_tables(rulebook)
        _refuse_problems(rulebook)
    except RulebookError as error:
        for finding in (error, *error.others):
            finding.at(file)
        raise
    return msgspec.structs.replace(rulebook, sha256=content_hash(rulebook))


def configure(
    rulebook: Rulebook,
    offers: Iterable[Offer] | None = None,
    settings: Mapping[str, str] | None = None,
) -> Rulebook:
    """The rulebook as one table plays it: with these offers (if any are given) and settings."""
    if offers is not None:
        rulebook = msgspec.structs.replace(rulebook, offers=tuple(offers), table_offers=True)
    if settings:
        changed = {key: _setting(key, value) for key, value in settings.items()}
        values = {key.replace("-", "_"): value for key, value in changed.items()}
        rulebook = msgspec.structs.replace(
            rulebook,
            settings=msgspec.structs.replace(rulebook.settings, **values),
            table_settings=tuple(dict.fromkeys((*rulebook.table_settings, *changed))),
        )
    rulebook = _with_foreign_tables(rulebook)
    _refuse_problems(rulebook)
    return rulebook


def content_hash(rulebook: Rulebook) -> str:
    plain = msgspec.structs.replace(rulebook, sha256="")
    return hashlib.sha256(msgspec.json.encode(plain, enc_hook=int, order="sorted")).hexdigest()


def parse_offer(wager: str, paytable: str, base: str = "1") -> Offer:
    """The offer that a command or a line of the notation names."""
    if wager not in SIDE_BETS:
        raise RulebookError("offer", read=repr(wager), expected="one of " + ", ".join(SIDE_BETS))
    return convert({"wager": wager, "paytable": paytable, "base": base}, Offer, "offer")


def _setting(key: str, value: str) -> Any:
    """The typed value of one setting; `none` takes an optional one back."""
    name = key.replace("-", "_")
    if value == "none" and name != "mandatory" and getattr(Settings(), name, 0) is None:
        converted = Settings()
    else:
        converted = convert({key: value}, Settings, strict=False)
    return getattr(converted, name)


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulebookError("TOML", read=str(error), expected="a TOML document") from None


def _resolve(data: dict[str, Any], read: Reader, seen: tuple[str, ...]) -> dict[str, Any]:
    """The document laid over the one that it extends."""
    parent = data.get("extends", "")
    if not parent:
        return data
    if not isinstance(parent, str) or parent in seen:
        expected = "the name of a rulebook" if not isinstance(parent, str) else "no circle of extends"
        raise RulebookError("extends", read=repr(parent), expected=expected)
    if "name" not in data:
        raise RulebookError("name", read="nothing", expected="a name of its own for a rulebook that extends another")
    below = _resolve(_toml(read(parent)), read, (*seen, parent))
    return _overlay(below, data)


def _overlay(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        merged[key] = _overlay(under, value) if isinstance(under, dict) and isinstance(value, dict) else value
    return merged


def _convert(data: dict[str, Any]) -> Rulebook:
    for key in ("sha256", "table-offers", "table-settings"):
        if key in data:
            raise RulebookError(key, read=f"key {key!r}", expected="no such key: it is computed")
    name, tables = data.get("name"), data.get("paytables", {})
    if isinstance(tables, dict):
        data = data | {
            "paytables": {
                key: table | {"id": key, "rulebook": name} if isinstance(table, dict) else table
                for key, table in tables.items()
            }
        }
    settings = data.get("settings")
    if isinstance(settings, dict):
        convert(settings, Settings, "settings")
    return convert(data, Rulebook)


def _with_foreign_tables(rulebook: Rulebook) -> Rulebook:
    """The rulebook with the pay tables `RULEBOOK/ID` that its offers take from packaged ones."""
    tables: dict[str, PayTable] = dict(rulebook.paytables)
    for offer in rulebook.offers:
        owner, slash, key = offer.paytable.partition("/")
        if slash and offer.paytable not in tables:
            table = rulebook.paytables.get(key) if owner == rulebook.name else packaged(owner).paytables.get(key)
            if table:
                tables[offer.paytable] = table
    return msgspec.structs.replace(rulebook, paytables=tables)


def _refuse_problems(rulebook: Rulebook) -> None:
    findings = list(problems(rulebook))
    if findings:
        findings[0].others = tuple(findings[1:])
        raise findings[0]
