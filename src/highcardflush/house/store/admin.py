"""The database as an operator handles it: make and upgrade it, check it, copy it while it runs, give a role its rights.

SQLAlchemy and Alembic are imported inside, for only these commands need them.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from highcardflush.errors import StoreBusy, StoreError, TextError
from highcardflush.house.store.address import Address, parse_url, shown_url
from highcardflush.house.store.protocol import REVISION, wrong_revision

if TYPE_CHECKING:
    from sqlalchemy import Connection, Inspector, Table

UPGRADE_LOCK = 7_407_126_111
"""PostgreSQL's advisory lock of an upgrade: two servers that start at once do not both create the tables."""

DURABLE: dict[str, dict[str, str | int]] = {
    "sqlite": {"PRAGMA journal_mode": "wal", "PRAGMA synchronous": 2, "PRAGMA foreign_keys": 1},
    "postgresql": {"SHOW fsync": "on", "SHOW full_page_writes": "on", "SHOW synchronous_commit": "on"},
}
"""What a commit needs to be on disk when it returns, and what the database must answer."""


# --- upgrade -------------------------------------------------------------------------------------


_UPGRADING = threading.Lock()
"""Alembic keeps the migration that runs in a global of its process."""


def upgrade(url: str) -> str:
    """Make the books, or bring them to the schema of this program; the revision they are at then."""
    from alembic import command
    from alembic.config import Config

    address = parse_url(url)
    if address.dialect == "sqlite":
        try:
            _create_file(Path(address.target))
        except OSError as error:
            expected = "a place to write it"
            raise StoreError(f"database {address.target}", read=error.strerror, expected=expected) from error
    with _UPGRADING, _connection(address, writes=True) as connection:
        found = _revision(connection)
        if found is not None and found > REVISION:
            raise StoreError("schema", read=f"revision {found}", expected=f"at most {REVISION}: a newer hcf made it")
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    return REVISION


def _create_file(path: Path) -> None:
    """An empty file that only its owner may read, unless it is there; SQLite gives its log the same mode."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def current_revision(url: str) -> str | None:
    """The migration that the database is at; None: it has no books."""
    with _connection(parse_url(url)) as connection:
        return _revision(connection)


def _revision(connection: Connection) -> str | None:
    from alembic.runtime.migration import MigrationContext

    return MigrationContext.configure(connection).get_current_revision()


@contextlib.contextmanager
def _connection(address: Address, *, writes: bool = False) -> Iterator[Connection]:
    """A connection of SQLAlchemy in one transaction, made as the store makes its own."""
    from sqlalchemy import create_engine, event
    from sqlalchemy.exc import DBAPIError
    from sqlalchemy.pool import NullPool

    if address.dialect == "sqlite":
        from highcardflush.house.store import sqlite

        place, begin = address.target, "BEGIN IMMEDIATE" if writes else "BEGIN"
        engine = create_engine(
            "sqlite://", module=sqlite.library(), creator=lambda: sqlite.connect(place), poolclass=NullPool
        )
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    else:
        place = shown_url(address.target)
        engine = create_engine("postgresql+psycopg://", creator=lambda: _psycopg(address.target), poolclass=NullPool)
    try:
        with engine.begin() as connection:
            if writes and address.dialect == "postgresql":
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({UPGRADE_LOCK})")
            yield connection
    except DBAPIError as error:
        raise StoreError(f"database {place}", read=_line(error.orig)) from error


def _psycopg(conninfo: str) -> Any:
    import psycopg

    try:
        return psycopg.connect(conninfo, connect_timeout=5, application_name="highcardflush")
    except psycopg.OperationalError as error:
        expected = "a server that answers"
        raise StoreBusy(f"database {shown_url(conninfo)}", read=_line(error), expected=expected) from error


def _line(error: object) -> str:
    return " ".join(str(error).split())


# --- check ---------------------------------------------------------------------------------------


def check(url: str) -> list[StoreError]:
    """What is not as it should be: revision, tables, triggers, what makes a commit durable, SQLite's pages."""
    from sqlalchemy import inspect

    from highcardflush.house.store.schema import metadata

    address = parse_url(url)
    with _connection(address) as connection:
        found = _revision(connection)
        if found != REVISION:
            return [wrong_revision(found, shown_url(url))]
        inspector = inspect(connection)
        findings = [*_damage(connection)] if address.dialect == "sqlite" else []
        for table in metadata.sorted_tables:
            findings += _table_findings(connection, inspector, table)
        return [*findings, *_trigger_findings(connection), *_durability_findings(connection)]


def _damage(connection: Connection) -> Iterator[StoreError]:
    for pragma in ("integrity_check", "foreign_key_check"):
        for row in connection.exec_driver_sql(f"PRAGMA {pragma}"):
            if tuple(row) != ("ok",):
                yield StoreError(pragma, read=" ".join(map(str, row)), expected="no damage: restore a backup")


def _table_findings(connection: Connection, inspector: Inspector, table: Table) -> Iterator[StoreError]:
    if not inspector.has_table(table.name):
        yield StoreError("table", read="none", expected=table.name)
        return
    for what, read, expected in (
        ("columns", _columns(connection, inspector, table.name), _columns(connection, table, table.name)),
        ("constraints and indexes", _reflected_names(inspector, table.name), _names(table)),
    ):
        if read != expected:
            yield StoreError(
                f"{what} of {table.name}",
                read=", ".join(sorted(read - expected)) or "too few",
                expected=", ".join(sorted(expected - read)) or "none of these",
            )


def _columns(connection: Connection, source: Inspector | Table, name: str) -> set[str]:
    """The columns with type and nullability, of a table as it is, or as the schema has it."""
    from sqlalchemy import Table

    if isinstance(source, Table):
        found = [(column.name, column.type, column.nullable) for column in source.columns]
    else:
        found = [(column["name"], column["type"], column["nullable"]) for column in source.get_columns(name)]
    dialect = connection.dialect
    return {f"{column} {kind.compile(dialect=dialect)}{'' if null else ' NOT NULL'}" for column, kind, null in found}


def _names(table: Table) -> set[str]:
    found: list[Any] = [*table.constraints, *table.indexes]
    return {str(part.name) for part in found}


def _reflected_names(inspector: Inspector, name: str) -> set[str]:
    found: list[Any] = [
        inspector.get_pk_constraint(name),
        *inspector.get_foreign_keys(name),
        *inspector.get_check_constraints(name),
        *inspector.get_indexes(name),
    ]
    return {str(part["name"]) for part in found}


def _trigger_findings(connection: Connection) -> Iterator[StoreError]:
    from highcardflush.house.store.schema import triggers

    queries = {
        "sqlite": "SELECT name FROM sqlite_schema WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')",
    }
    found = {str(row[0]) for row in connection.exec_driver_sql(queries[connection.dialect.name])}
    for name in triggers(connection.dialect.name):
        if name not in found:
            yield StoreError("trigger", read="none, or it is off", expected=name)


def _durability_findings(connection: Connection) -> Iterator[StoreError]:
    for question, expected in DURABLE[connection.dialect.name].items():
        read = connection.exec_driver_sql(question).scalar()
        if read != expected:
            yield StoreError(question, read=str(read), expected=str(expected))


# --- backup --------------------------------------------------------------------------------------


def backup(url: str, path: str) -> str:
    """Copy the books as of one moment into a new file while they are written: a database in SQLite, in PostgreSQL what
    pg_restore reads. The file gets its name when it is whole, checked and on disk. Returns what it is and how it is
    used, in a line."""
    address, target = parse_url(url), Path(path)
    if not target.name:
        raise TextError("backup", read=repr(path), expected="the name of a new file")
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        if target.exists():
            raise StoreError("backup", read=f"{target} is there", expected="a new file")
        _create_file(part)
        if address.dialect == "sqlite":
            _copy_sqlite(address.target, part, target)
        else:
            _dump_postgresql(address.target, part)
        _put_in_place(part, target)
    except OSError as error:
        raise StoreError(f"backup {target}", read=error.strerror, expected="a place to write it") from error
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
    if address.dialect == "sqlite":
        return f"a database: sqlite:///{path} opens it, with a copy of the house key in {path}.key"
    return f"an archive: createdb NEW && hcf db restore {shlex.quote(path)} --db postgresql:///NEW --reason WHY"


def _copy_sqlite(source: str, part: Path, target: Path) -> None:
    """All pages in one step: in smaller ones every commit in between would start the copy again."""
    from highcardflush.house.store import sqlite

    with contextlib.closing(sqlite.connect(source, mode="ro")) as books:
        copy = sqlite.library().connect(str(part), isolation_level=None)
        with contextlib.closing(copy):
            try:
                books.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")  # one file, with no log beside it
                found = [str(row[0]) for row in copy.execute("PRAGMA integrity_check")]
            except sqlite.library().Error as error:
                raise sqlite.translate(error, str(target)) from error
    if found != ["ok"]:
        raise StoreError("integrity_check of the copy", read="; ".join(found), expected="no damage")


def _dump_postgresql(conninfo: str, part: Path) -> None:
    """The password goes by the environment: everybody sees a command's arguments."""
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    words = conninfo_to_dict(conninfo)
    password = words.pop("password", None)
    environment = os.environ | ({"PGPASSWORD": str(password)} if password is not None else {})
    dump = [_program("pg_dump"), "--format=custom", f"--file={part}", f"--dbname={make_conninfo('', **words)}"]
    for command in (dump, [_program("pg_restore"), "--list", str(part)]):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise StoreError(Path(command[0]).name, read=_line(done.stderr), expected="a backup")


def _program(name: str) -> str:
    """A client program of PostgreSQL, the newest: one older than the server refuses it."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    found = shutil.which(name, path=os.pathsep.join([*map(str, versions), os.environ.get("PATH", "")]))
    if found is None:
        raise StoreError(name, read="not installed", expected="PostgreSQL's client programs")
    return found


def _put_in_place(part: Path, target: Path) -> None:
    _sync(part)
    part.rename(target)
    _sync(target.parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# --- rights --------------------------------------------------------------------------------------


def grant(url: str, role: str) -> None:
    """Give a role of PostgreSQL the rights that the house needs: to read and add, and to change only what changes."""
    from psycopg import Error, sql

    from highcardflush.house.store.schema import APPEND_ONLY, CHANGING

    address = parse_url(url)
    if address.dialect != "postgresql":
        raise StoreError("grant", read=shown_url(url), expected="a PostgreSQL database: a file has no roles")
    rights = {"SELECT, INSERT": APPEND_ONLY, "SELECT, INSERT, UPDATE": CHANGING, "SELECT": ("alembic_version",)}
    who = sql.Identifier(role)
    with contextlib.closing(_psycopg(address.target)) as connection:
        try:
            _require_plain_role(connection, role)
            schema = sql.Identifier(connection.execute("SELECT current_schema()").fetchone()[0])
            connection.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(schema, who))
            for words, tables in rights.items():
                names = sql.SQL(", ").join(map(sql.Identifier, tables))
                connection.execute(sql.SQL("REVOKE ALL ON {} FROM {}").format(names, who))
                connection.execute(sql.SQL("GRANT {} ON {} TO {}").format(sql.SQL(words), names, who))
            connection.commit()
        except Error as error:
            raise StoreError("grant", read=_line(error), expected="the owner of the tables, and a role") from error


def _require_plain_role(connection: Any, role: str) -> None:
    """Refuse whom no right is missing: the tables' owner, and a superuser."""
    query = "SELECT pg_has_role(%s, tableowner, 'MEMBER') FROM pg_tables WHERE tablename = 'events'"
    row = connection.execute(query, (role,)).fetchone()
    if row is not None and row[0]:
        expected = "a role that neither owns the tables nor is a superuser"
        raise StoreError("grant", read=f"{role} may do everything", expected=expected)
