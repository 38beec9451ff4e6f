"""Opens the books, and creates and upgrades their database. Drivers, SQLAlchemy and Alembic are imported inside the
functions, so that commands that do not need them start faster."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from highcardflush.errors import StoreBusy, StoreError
from highcardflush.house.store.address import Address, parse_url, shown_url
from highcardflush.house.store.protocol import REVISION, Store, driver_words, read_revision
from highcardflush.words import refuse

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

Read = Callable[[str], list[tuple[Any, ...]]]
"""Function that runs a query without parameters and returns its rows."""
UPGRADE_LOCK = 7_407_126_111
"""Number of PostgreSQL's advisory lock for upgrades. It keeps two servers from both creating the tables."""
_UPGRADING = threading.Lock()
"""Lock that allows one migration at a time, because Alembic stores the running migration in a global variable."""


def open_store(url: str) -> Store:
    """Open the books at an address. Their schema must be current. Only the driver for this database is imported."""
    address = parse_url(url)
    if address.dialect == "sqlite":
        from highcardflush.house.store.sqlite import SqliteStore

        return SqliteStore(address.target)
    from highcardflush.house.store.postgres import PostgresStore

    return PostgresStore(address.target)


def upgrade(url: str) -> str:
    """Create the books, or upgrade them to this program's schema, and return their revision."""
    address = parse_url(url)
    try:
        if address.dialect == "sqlite":
            create_file(Path(address.target))
    except OSError as error:
        raise StoreError(f"database {address.target}", read=error.strerror, expected="a writable place") from error
    with _UPGRADING, connect(address, writes=True) as connection:
        revision = read_revision(address.dialect, reader(connection))
        if revision is not None and revision > REVISION:
            expected = f"{REVISION} or earlier: a newer hcf made these books"
            raise StoreError("schema", read=f"revision {revision}", expected=expected)
        _migrate(connection)
    return REVISION


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


@contextlib.contextmanager
def new_books() -> Iterator[Connection]:
    """Yield a connection to empty books that the migrations created in an SQLite database in memory."""
    from highcardflush.house.store.libsqlite import library

    engine = _sqlite_engine(lambda: library().connect(":memory:", isolation_level=None))
    with _UPGRADING, engine.begin() as connection:
        _migrate(connection)
        yield connection


def create_file(path: Path) -> None:
    """Create a missing file, empty and accessible only to its owner. SQLite's log files get the same permissions."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def current_revision(url: str) -> str | None:
    address = parse_url(url)
    with connect(address) as connection:
        return read_revision(address.dialect, reader(connection))


def reader(connection: Connection) -> Read:
    return lambda sql: [tuple(row) for row in connection.exec_driver_sql(sql)]


@contextlib.contextmanager
def connect(address: Address, *, writes: bool = False) -> Iterator[Connection]:
    """Yield a SQLAlchemy connection that is in a transaction and is set up like the store's own connections."""
    from sqlalchemy import create_engine
    from sqlalchemy.exc import DBAPIError
    from sqlalchemy.pool import NullPool

    if address.dialect == "sqlite":
        from highcardflush.house.store import libsqlite

        place = address.target
        engine = _sqlite_engine(lambda: libsqlite.connect(place), "BEGIN IMMEDIATE" if writes else "BEGIN")
    else:
        place = shown_url(address.target)
        engine = create_engine(
            "postgresql+psycopg://", creator=lambda: open_postgresql(address.target), poolclass=NullPool
        )
    try:
        with engine.begin() as connection:
            if writes and address.dialect == "postgresql":
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({UPGRADE_LOCK})")
            yield connection
    except DBAPIError as error:
        raise StoreError(f"database {place}", read=driver_words(error.orig)) from error


def _sqlite_engine(creator: Callable[[], Any], begin: str = "BEGIN") -> Engine:
    from sqlalchemy import create_engine, event
    from sqlalchemy.pool import NullPool

    from highcardflush.house.store.libsqlite import library

    engine = create_engine("sqlite://", module=library(), creator=creator, poolclass=NullPool)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def open_postgresql(conninfo: str) -> Any:
    import psycopg

    try:
        return psycopg.connect(conninfo, connect_timeout=5, application_name="highcardflush")
    except psycopg.OperationalError as error:
        place = f"database {shown_url(conninfo)}"
        raise refuse("no-answer", StoreBusy, place=place, why=driver_words(error)) from error
