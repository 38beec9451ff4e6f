"""Loads rulebooks: reads a TOML text, merges it into the document it extends, checks it and computes its content hash.

Only packaged documents are read from disk here. A document that `extends` another is merged into it: tables are merged
key by key, and other values are replaced. The content hash is the SHA-256 of the merged rulebook, not of its text.
"""

import hashlib
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from operator import call
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from highcardflush import structs
from highcardflush.errors import HcfError, RulebookError
from highcardflush.rulebook.check import problems
from highcardflush.rulebook.document import COMPUTED, convert, restated
from highcardflush.rulebook.model import Rulebook
from highcardflush.rulebook.paytable import Offer, PayTable
from highcardflush.rulebook.settings import flat, flat_struct, nested, optional_keys, read_flat
from highcardflush.rulebook.table_settings import Settings
from highcardflush.rulebook.wagers import SIDE_BETS

PACKAGED = ("galaxy-v7", "atlantic-city", "washington", "meadows", "oxford")
LENDERS = {"galaxy-v7": "washington"}
"""Rulebooks that name the two bonus bets without a pay table, and the rulebook whose pay tables they offer."""
_DOCUMENTS = Path(__file__).parent / "documents"
RELEASED = _DOCUMENTS / "released.txt"
"""List of released rulebooks: package version, name, content hash and rulebook version. `make docs` adds new ones."""
UNCHANGED: dict[str, Any] = {"table_settings": (), "printed_offers": None, "printed_settings": None}
Reader = Callable[[str], str]
"""Function that returns a rulebook's text, given its name in a document or a round."""


def packaged_text(name: str) -> str:
    if name not in PACKAGED:
        raise RulebookError("rulebook", read=repr(name), expected=f"one of {', '.join(PACKAGED)}, or a .toml file")
    return (_DOCUMENTS / f"{name}.toml").read_text(encoding="utf-8")


@lru_cache
def packaged(name: str) -> Rulebook:
    """Return the packaged rulebook with this name.

    >>> packaged("oxford").settings.caps["all"].player
    2500000
    """
    return load(packaged_text(name), file=f"{name}.toml")


def load(text: str, *, file: str | None = None, read: Reader = packaged_text) -> Rulebook:
    """Load a rulebook from TOML text. Every error is a RulebookError that names the file and the key."""
    try:
        data, root = _resolve(_toml(text), read, ())
        rulebook = _convert(data)
        if rulebook.mandatory_allowed and root.get("mandatory-allowed") is False:
            expected = f"false, because side bets are the player's choice in {root.get('name')}, its source"
            raise RulebookError("mandatory-allowed", read="true", expected=expected)
        source = _settings(root).printable if rulebook.extends else {}
        rulebook = _checked(_restated(replace(rulebook, source_printed=source)))
        if rulebook.extends:
            rulebook = replace(rulebook, not_of_source=_not_of_source(rulebook, root))
    except RulebookError as error:
        raise error.at(file) from None
    digest = content_hash(rulebook)
    return replace(rulebook, sha256=digest, table_hash=digest)


def configure(
    rulebook: Rulebook, offers: Iterable[Offer] | None = None, settings: Mapping[str, str] | None = None
) -> Rulebook:
    """Return the rulebook with a table's settings and offers. `None` keeps the rulebook's own offers."""
    if offers is None and not settings:
        return rulebook
    if offers is not None:
        new_offers, printed = tuple(offers), rulebook.own_offers
        if printed and not new_offers:
            expected = "at least one offer, or None to keep the rulebook's, because the notation cannot drop them all"
            raise RulebookError("offers", read="no offer", expected=expected)
        rulebook = replace(rulebook, offers=new_offers, printed_offers=printed)
    if settings:
        new_settings = {key: parse_setting(key, value) for key, value in settings.items()}
        rulebook = replace(
            rulebook,
            settings=nested(flat(rulebook.settings) | new_settings),
            printed_settings=rulebook.own_settings,
            table_settings=tuple(dict.fromkeys((*rulebook.table_settings, *new_settings))),
        )
    rulebook = _checked(rulebook)
    return replace(rulebook, table_hash=content_hash(rulebook))


def content_hash(rulebook: Rulebook) -> str:
    plain = replace(rulebook, sha256="", table_hash="", **UNCHANGED)
    return hashlib.sha256(msgspec.json.encode(plain, enc_hook=int, order="sorted")).hexdigest()


def as_printed(rulebook: Rulebook) -> Rulebook:
    """Return the rulebook without the table's changes, which is the form that `sha256` hashes."""
    offered = {offer.paytable for offer in rulebook.own_offers}
    return replace(
        rulebook,
        offers=rulebook.own_offers,
        settings=rulebook.own_settings,
        paytables={key: table for key, table in rulebook.paytables.items() if "/" not in key or key in offered},
        table_hash=rulebook.sha256,
        **UNCHANGED,
    )


@lru_cache
def released_hashes(name: str) -> frozenset[str]:
    lines = (line.split() for line in RELEASED.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    released = (sha256 for _, released_name, sha256, *_ in lines if released_name == name)
    return frozenset({packaged(name).sha256, *released})


def is_changed(rulebook: Rulebook) -> bool:
    """Return True if a rulebook or one of its pay tables has a packaged name but contents that were never released."""
    name = rulebook.name
    for key, table in rulebook.paytables.items():
        owner, slash, table_id = key.partition("/") if "/" in key else (table.rulebook, "", table.id)
        if (slash or owner != name) and owner in PACKAGED and packaged(owner).paytables.get(table_id) != table:
            return True
    return name in PACKAGED and content_hash(as_printed(rulebook)) not in released_hashes(name)


def to_json(rulebook: Rulebook) -> str:
    return msgspec.json.encode(rulebook, enc_hook=int).decode()


def from_json(text: str) -> Rulebook:
    """Parse a rulebook that `to_json` wrote, and refuse it if its hash does not match its contents."""
    try:
        rulebook = structs.decode(text, Rulebook, call)
    except (msgspec.DecodeError, ValueError) as error:
        raise RulebookError("rulebook", read=str(error), expected="a rulebook as JSON") from None
    for stated_hash, content in ((rulebook.table_hash, rulebook), (rulebook.sha256, as_printed(rulebook))):
        if stated_hash != content_hash(content):
            expected = f"contents with the hash {stated_hash[:12]}"
            raise RulebookError("rulebook", read="other contents", expected=expected)
    return rulebook


def parse_offer(wager: str, paytable: str, base: str = "1") -> Offer:
    if wager not in SIDE_BETS:
        raise RulebookError("offer", read=repr(wager), expected="one of " + ", ".join(SIDE_BETS))
    return convert({"wager": wager, "paytable": paytable, "base": base}, Offer, "offer")


def split_offer(text: str) -> tuple[str, str | None]:
    """Split `PAYTABLE` or `PAYTABLE base=AMOUNT` into the pay table and the base bet."""
    match = re.fullmatch(r"([^\s=]+)(?:\s+base=(\S+))?", text.strip())
    if match is None:
        raise RulebookError("offer", read=repr(text), expected="'PAYTABLE' or 'PAYTABLE base=AMOUNT'")
    return match[1], match[2]


def read_offer(wager: str, text: str) -> Offer:
    paytable, base = split_offer(text)
    offer = parse_offer(wager, paytable, base or "1")
    if base and not SIDE_BETS[wager].jackpot:
        expected = "no base, because only a progressive has one"
        raise RulebookError(f"offer {wager}", read=f"base={base}", expected=expected)
    return offer


def parse_setting(key: str, value: str) -> Any:
    if value == "none" and key in optional_keys():
        return None
    plain = int(value) if re.fullmatch("[0-9]{1,12}", value) else value
    return read_flat(convert({key: plain}, flat_struct()))[key]


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        place = re.search(r" \(at line ([0-9]+), ", str(error))
        line = int(place[1]) if place else len(text.splitlines())
        raise RulebookError("TOML", read=str(error), expected="a TOML document", line=line) from None


Document = dict[str, Any]


def _resolve(data: Document, read: Reader, ancestors: tuple[str, ...]) -> tuple[Document, Document]:
    """Merge a document into the one that it extends. Return the result and the root document, which extends nothing."""
    parent = data.get("extends", "")
    if not parent:
        return data, data
    if not isinstance(parent, str) or parent in ancestors:
        expected = (
            "the name of a rulebook" if not isinstance(parent, str) else "a document that does not extend this one"
        )
        raise RulebookError("extends", read=repr(parent), expected=expected)
    if "name" not in data:
        raise RulebookError("name", read="nothing", expected="a name of its own for a rulebook that extends another")
    try:
        text = read(parent)
    except HcfError as error:
        read_there = f" ({error.read})" if error.file else ""
        raise RulebookError("extends", read=f"{parent!r}{read_there}", expected=error.expected) from None
    try:
        below, root = _resolve(_toml(text), read, (*ancestors, parent))
    except RulebookError as error:
        raise error.at(parent) from None
    if below.get("name") == data["name"]:
        raise RulebookError("name", read=repr(data["name"]), expected=f"a name that differs from the name of {parent}")
    return _merged(below, data), root


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        merged[key] = _merged(under, value) if isinstance(under, dict) and isinstance(value, dict) else value
    return merged


def _convert(data: dict[str, Any]) -> Rulebook:
    _refuse_computed(data, "Rulebook")
    name, tables = data.get("name"), data.get("paytables")
    if isinstance(name, str) and isinstance(tables, dict):
        for key, table in tables.items():
            _refuse_computed(table, "PayTable", f"paytables.{key}.")
        identified = {
            key: table | {"id": key, "rulebook": name} if isinstance(table, dict) else table
            for key, table in tables.items()
        }
        data = data | {"paytables": identified}
    table_settings = _settings(data)
    rulebook = convert({key: value for key, value in data.items() if key != "settings"}, Rulebook)
    return replace(rulebook, settings=table_settings)


def _restated(rulebook: Rulebook) -> Rulebook:
    """Replace the printed qualifier in the rules and procedure with the qualifier in force."""
    qualifier = rulebook.settings.qualifier
    if qualifier is None:
        return rulebook
    rules = tuple(
        restated(text, qualifier) if isinstance(text, str) else replace(text, text=restated(text.text, qualifier))
        for text in rulebook.rules
    )
    steps = tuple(replace(step, text=restated(step.text, qualifier)) for step in rulebook.procedure)
    return replace(rulebook, rules=rules, procedure=steps)


def _settings(data: dict[str, Any]) -> Settings:
    settings = data.get("settings", {})
    if isinstance(settings, dict):
        # TOML has no null, so "none" clears a setting of the extended document.
        settings = {key: value for key, value in settings.items() if value != "none" or key not in optional_keys()}
    return nested(read_flat(convert(settings, flat_struct(), "settings")))


def _refuse_computed(data: Any, part: str, prefix: str = "") -> None:
    for key in COMPUTED[part]:
        if isinstance(data, dict) and key in data:
            raise RulebookError(prefix + key, read=f"key {key!r}", expected="no such key, because it is computed")


def find_paytable(rulebook: Rulebook, name: str) -> PayTable | None:
    """Find a pay table by its key in the rulebook, or by `RULEBOOK/ID` in this rulebook or a packaged one."""
    owner, slash, key = name.partition("/")
    if not slash or name in rulebook.paytables:
        return rulebook.paytables.get(name)
    if owner != rulebook.name and owner not in PACKAGED:
        return None
    return (rulebook if owner == rulebook.name else packaged(owner)).paytables.get(key)


def _foreign_offers(rulebook: Rulebook) -> Iterator[RulebookError]:
    """Yield the offers of a packaged rulebook whose pay tables it does not print."""
    name = rulebook.name
    for offer in rulebook.offers if name in PACKAGED else ():
        table = rulebook.paytables.get(offer.paytable)
        if table is None or table.rulebook in (name, _lender(name, offer.wager)):
            continue
        ids = ", ".join(key for key, each in rulebook.paytables.items() if each.wager == offer.wager and "/" not in key)
        lender = _lender(name, offer.wager)
        printed = ids or (f"one of {lender}'s" if lender else f"no {offer.wager} bet, because {name} prints none")
        expected = f"{printed}; only a rulebook of your own that extends {name} can offer another"
        yield RulebookError(f"offers.{offer.wager}.paytable", read=repr(offer.paytable), expected=expected)


def _lender(name: str, wager: str) -> str | None:
    """Return the packaged rulebook that has the pay tables of a wager which the rulebook names without a table."""
    return LENDERS.get(name) if wager in SIDE_BETS and not SIDE_BETS[wager].jackpot else None


def _not_of_source(rulebook: Rulebook, root: Document) -> tuple[str, ...]:
    """Return the offered pay tables that are not printed in the document at the root of this one."""
    printed = set(map(_contents, _source_tables(root)))
    offered = (offer.paytable for offer in rulebook.offers)
    return tuple(key for key in offered if _contents(rulebook.paytables[key]) not in printed)


def _source_tables(root: Document) -> list[PayTable]:
    name = root.get("name", "")
    if name not in PACKAGED:
        return list(_convert(root).paytables.values())
    lent = packaged(LENDERS[name]).paytables.values() if name in LENDERS else ()
    return [*packaged(name).paytables.values(), *(table for table in lent if not SIDE_BETS[table.wager].jackpot)]


def _contents(table: PayTable) -> bytes:
    return msgspec.json.encode(replace(table, id="", rulebook=""), enc_hook=int, order="sorted")


def _checked(rulebook: Rulebook) -> Rulebook:
    """Add the packaged pay tables that the offers name, check the rulebook and return it."""
    tables: dict[str, PayTable] = dict(rulebook.paytables)
    for offer in rulebook.offers:
        if (table := find_paytable(rulebook, offer.paytable)) is not None:
            tables[offer.paytable] = table
    rulebook = replace(rulebook, paytables=tables)
    if findings := [*_foreign_offers(rulebook), *problems(rulebook)]:
        findings[0].others = tuple(findings[1:])
        raise findings[0]
    return rulebook
