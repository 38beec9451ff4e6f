"""Which store an address means. A driver is loaded when its store is opened."""

from __future__ import annotations

from highcardflush.house.store import Store, parse_url


def open_store(url: str) -> Store:
    """Open the books at an address; their schema must be current."""
    address = parse_url(url)
    if address.dialect == "sqlite":
        from highcardflush.house.sqlite import SqliteStore

        return SqliteStore(address.target)
    from highcardflush.house.postgres import PostgresStore

    return PostgresStore(address.target)
