"""The store of an address. The driver is imported when the store is opened."""

from __future__ import annotations

from highcardflush.house.store.address import parse_url
from highcardflush.house.store.protocol import Store


def open_store(url: str) -> Store:
    """Open the books at an address. Their schema must be current."""
    address = parse_url(url)
    if address.dialect == "sqlite":
        from highcardflush.house.store.sqlite import SqliteStore

        return SqliteStore(address.target)
    from highcardflush.house.store.postgres import PostgresStore

    return PostgresStore(address.target)
