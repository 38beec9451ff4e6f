"""Checks everything that protects the books from change and loss (`hcf db check`)."""

from highcardflush.errors import StoreError
from highcardflush.house.store.address import parse_url, shown_url
from highcardflush.house.store.admin import connect, reader
from highcardflush.house.store.protocol import REVISION, Dialect, read_revision, wrong_revision
from highcardflush.house.store.schema import differences, excess_rights

DURABLE: dict[Dialect, dict[str, str | int]] = {
    "sqlite": {"PRAGMA journal_mode": "wal", "PRAGMA synchronous": 2, "PRAGMA foreign_keys": 1},
    "postgresql": {"SHOW fsync": "on", "SHOW full_page_writes": "on", "SHOW synchronous_commit": "on"},
}
"""Settings that make a commit durable, with their required values."""


def check(url: str) -> list[StoreError]:
    """Return all findings about a database."""
    return [finding for part in check_parts(url).values() for finding in part]


def require_sound(url: str, place: str) -> None:
    """Refuse books that fail the check. `place` names the database in the errors."""
    if findings := check(url):
        findings[0].others = tuple(findings[1:])
        raise findings[0].at(place)


def check_parts(url: str, *, pages: bool = True) -> dict[str, list[StoreError]]:
    """Return the findings about the schema (including the rights of roles) and about the database (damaged SQLite
    pages, and settings that make commits less durable)."""
    address = parse_url(url)
    with connect(address) as connection:
        revision = read_revision(address.dialect, reader(connection))
        if revision != REVISION:
            return {"schema": [wrong_revision(revision, shown_url(url))]}
        read = reader(connection)
        excess = excess_rights(read) if address.dialect == "postgresql" else ()
        damage = (
            StoreError(pragma, read=" ".join(map(str, row)), expected="no damage: restore a backup")
            for pragma in ("integrity_check", "foreign_key_check")
            for row in (read(f"PRAGMA {pragma}") if pages and address.dialect == "sqlite" else ())
            if row != ("ok",)
        )
        unsafe = (
            StoreError(question, read=str(actual), expected=str(expected))
            for question, expected in DURABLE[address.dialect].items()
            for (actual,) in read(question)
            if actual != expected
        )
        return {"schema": [*differences(address.dialect, read), *excess], "database": [*damage, *unsafe]}
