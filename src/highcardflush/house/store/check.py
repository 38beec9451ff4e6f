"""What keeps the books from being changed or lost, held against what it should be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from highcardflush.errors import StoreError
from highcardflush.house.store.address import parse_url, shown_url
from highcardflush.house.store.admin import connect, read_revision
from highcardflush.house.store.protocol import REVISION, wrong_revision

if TYPE_CHECKING:
    from sqlalchemy import Connection, Inspector, Table

DURABLE: dict[str, dict[str, str | int]] = {
    "sqlite": {"PRAGMA journal_mode": "wal", "PRAGMA synchronous": 2, "PRAGMA foreign_keys": 1},
    "postgresql": {"SHOW fsync": "on", "SHOW full_page_writes": "on", "SHOW synchronous_commit": "on"},
}
"""What a commit needs to be on disk when it returns, and what the database must answer."""


def check(url: str) -> list[StoreError]:
    """What is not as it should be: revision, tables, triggers, what makes a commit durable, SQLite's pages."""
    from sqlalchemy import inspect

    from highcardflush.house.store.schema import metadata

    address = parse_url(url)
    with connect(address) as connection:
        found = read_revision(connection)
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
