"""The database as an operator makes it: made, upgraded, and its rights given to a role.

SQLAlchemy and Alembic are imported inside, for only who runs a database needs them.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from highcardflush.errors import StoreBusy, StoreError
from highcardflush.house.store.address import Address, parse_url, shown_url
from highcardflush.house.store.protocol import REVISION, driver_words, read_revision

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

Read = Callable[[str], list[tuple[Any, ...]]]
"""The rows of a query, which has no parameters."""

UPGRADE_LOCK = 7_407_126_111
"""PostgreSQL's advisory lock of an upgrade: two servers that start at once do not both create the tables."""

APPEND_ONLY = ("events", "transfers", "answers")
"""What triggers keep from being changed."""
CHANGING = ("wallets", "people", "streams", "house")
RIGHTS = {"SELECT, INSERT": APPEND_ONLY, "SELECT, INSERT, UPDATE": CHANGING, "SELECT": ("alembic_version",)}
"""What the house needs of which tables."""

_UPGRADING = threading.Lock()
"""Alembic keeps the migration that runs in a global of its process."""


def upgrade(url: str) -> str:
    """Make the books, or bring them to the schema of this program; the revision they are at then."""
    address = parse_url(url)
    if address.dialect == "sqlite":
        try:
            create_file(Path(address.target))
        except OSError as error:
            expected = "a place to write it"
            raise StoreError(f"database {address.target}", read=error.strerror, expected=expected) from error
    with _UPGRADING, connect(address, writes=True) as connection:
        found = read_revision(address.dialect, reader(connection))
        if found is not None and found > REVISION:
            raise StoreError("schema", read=f"revision {found}", expected=f"at most {REVISION}: a newer hcf made it")
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
    """Empty books in SQLite's memory, as the migrations make them."""
    from highcardflush.house.store.libsqlite import library

    engine = _sqlite_engine(lambda: library().connect(":memory:", isolation_level=None), "BEGIN")
    with _UPGRADING, engine.begin() as connection:
        _migrate(connection)
        yield connection


def create_file(path: Path) -> None:
    """An empty file that only its owner may read, unless it is there; SQLite gives its log the same mode."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def current_revision(url: str) -> str | None:
    """The migration that the database is at; None: it has no books."""
    address = parse_url(url)
    with connect(address) as connection:
        return read_revision(address.dialect, reader(connection))


def reader(connection: Connection) -> Read:
    return lambda sql: [tuple(row) for row in connection.exec_driver_sql(sql)]


@contextlib.contextmanager
def connect(address: Address, *, writes: bool = False) -> Iterator[Connection]:
    """A connection of SQLAlchemy in one transaction, made as the store makes its own."""
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


def _sqlite_engine(creator: Callable[[], Any], begin: str) -> Engine:
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
        expected = "a server that answers"
        raise StoreBusy(f"database {shown_url(conninfo)}", read=driver_words(error), expected=expected) from error


# --- rights -------------------------------------------------------------------------------------


def grant(url: str, role: str) -> None:
    """Give a role of PostgreSQL the rights that the house needs: to read and add, and to change only what changes."""
    from psycopg import Error, sql

    address = parse_url(url)
    if address.dialect != "postgresql":
        raise StoreError("grant", read=shown_url(url), expected="a PostgreSQL database: a file has no roles")
    who = sql.Identifier(role)
    with contextlib.closing(open_postgresql(address.target)) as connection:
        try:
            _require_right(connection, role)
            schema = sql.Identifier(connection.execute("SELECT current_schema()").fetchone()[0])
            connection.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(schema, who))
            for words, tables in RIGHTS.items():
                names = sql.SQL(", ").join(map(sql.Identifier, tables))
                connection.execute(sql.SQL("REVOKE ALL ON {} FROM {}").format(names, who))
                connection.execute(sql.SQL("GRANT {} ON {} TO {}").format(sql.SQL(words), names, who))
            connection.commit()
        except Error as error:
            expected = "the owner of the tables, and a role"
            raise StoreError("grant", read=driver_words(error), expected=expected) from error


def _require_right(connection: Any, role: str) -> None:
    """Refuse who may not give: to a role that has rights of its own PostgreSQL only says so in a warning. And to whom
    no right is missing: the tables' owner, and a superuser."""
    user = connection.execute("SELECT current_user").fetchone()[0]
    if not _is_owner(connection, user):
        raise StoreError("grant", read=user, expected="the owner of the tables")
    if _is_owner(connection, role):
        expected = "a role that neither owns the tables nor is a superuser"
        raise StoreError("grant", read=f"{role} may do everything", expected=expected)


def _is_owner(connection: Any, role: str) -> bool:
    query = "SELECT pg_has_role(%s, tableowner, 'MEMBER') FROM pg_tables WHERE tablename = 'events'"
    return bool(connection.execute(query, (role,)).fetchone() == (True,))
