"""The check of everything that protects the books from change and loss."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from highcardflush.errors import StoreError
from highcardflush.house.store import rights
from highcardflush.house.store.address import parse_url, shown_url
from highcardflush.house.store.admin import connect, reader
from highcardflush.house.store.protocol import REVISION, read_revision, wrong_revision
from highcardflush.house.store.schema import differences

if TYPE_CHECKING:
    from sqlalchemy import Connection

DURABLE: dict[str, dict[str, str | int]] = {
    "sqlite": {"PRAGMA journal_mode": "wal", "PRAGMA synchronous": 2, "PRAGMA foreign_keys": 1},
    "postgresql": {"SHOW fsync": "on", "SHOW full_page_writes": "on", "SHOW synchronous_commit": "on"},
}
"""The settings that make a commit durable, and the answers that the database must give."""


def check(url: str) -> list[StoreError]:
    """Return everything that is wrong with a database."""
    return [finding for part in check_parts(url).values() for finding in part]


def require_sound(url: str, place: str) -> None:
    """Refuse books with findings. `place` tells where to read them."""
    if findings := check(url):
        findings[0].others = tuple(findings[1:])
        raise findings[0].at(place)


def check_parts(url: str, *, pages: bool = True) -> dict[str, list[StoreError]]:
    """Return the findings by part: the schema compared with that of the migrations and the rights of roles, the pages
    of SQLite, and the durability of commits."""
    address = parse_url(url)
    with connect(address) as connection:
        revision = read_revision(address.dialect, reader(connection))
        if revision != REVISION:
            return {"schema": [wrong_revision(revision, shown_url(url))]}
        damage = _damage(connection) if pages and address.dialect == "sqlite" else ()
        excess = rights.findings(reader(connection)) if address.dialect == "postgresql" else ()
        return {
            "schema": [*differences(address.dialect, reader(connection)), *excess],
            "database": [*damage, *_durability_findings(connection)],
        }


def _damage(connection: Connection) -> Iterator[StoreError]:
    for pragma in ("integrity_check", "foreign_key_check"):
        for row in connection.exec_driver_sql(f"PRAGMA {pragma}"):
            if tuple(row) != ("ok",):
                yield StoreError(pragma, read=" ".join(map(str, row)), expected="no damage: restore a backup")


def _durability_findings(connection: Connection) -> Iterator[StoreError]:
    for question, expected in DURABLE[connection.dialect.name].items():
        read = connection.exec_driver_sql(question).scalar()
        if read != expected:
            yield StoreError(question, read=str(read), expected=str(expected))
