"""The schema of a database, item by item, its differences from that of the migrations, and the rights of a role, which
follow from it: to read, to append, and to change or delete the rows that no trigger protects.

The schema includes everything that protects the books from change, such as triggers and checks. For SQLite the
migrations run in memory. In PostgreSQL a reader may create nothing, so the result of the migrations is kept as text
(`tools/schema.py` writes it, and a test compares it with them).
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from highcardflush.errors import StoreError
from highcardflush.house.store.address import parse_url, shown_url
from highcardflush.house.store.admin import Read, new_books, open_postgresql, reader
from highcardflush.house.store.protocol import Dialect, driver_words

Schema = dict[str, str]
"""The text of each item. Items of a table are named `table NAME: ...`."""

KEPT = Path(__file__).with_name("schema.postgresql.json")
CATALOG = Path(__file__).with_name("schema.postgresql.sql")
LONGEST = 300
NOTHING = "nothing"


def differences(dialect: Dialect, read: Read) -> Iterator[StoreError]:
    """Yield every item that is missing, different or foreign."""
    actual, expected = describe(dialect, read), expected_schema(dialect)
    for what in sorted(actual.keys() | expected.keys()):
        table, of, _ = what.partition(": ")
        if of and (table in actual) != (table in expected):
            continue  # the table itself is reported
        if actual.get(what) != expected.get(what):
            texts = [schema.get(what, NOTHING) for schema in (actual, expected)]
            # Long texts begin shortly before the place where they differ.
            same = next((i for i, (ours, other) in enumerate(zip(*texts, strict=False)) if ours != other), 0)
            start = max(0, same - LONGEST // 3)
            has, needs = (text if len(text) <= LONGEST else f"...{text[start:][:LONGEST]}..." for text in texts)
            yield StoreError(what, read=has, expected=needs)


@cache
def expected_schema(dialect: Dialect) -> Schema:
    """Return the schema that the migrations make."""
    if dialect == "postgresql":
        return msgspec.json.decode(KEPT.read_bytes(), type=Schema)
    with new_books() as connection:
        return describe("sqlite", reader(connection))


def _gathered(items: Iterable[tuple[str, str]]) -> Schema:
    """Join the texts of items with the same name, so that neither hides the other."""
    schema: Schema = {}
    for what, text in items:
        schema[what] = f"{schema[what]}; {text}" if what in schema else text
    return schema


TOKENS = re.compile(r"""'(?:[^']|'')*'|"[^"]*"|\w+|\S""", re.ASCII)
"""Texts, names and signs of SQL. Everything between them is layout, which a dump changes."""
STATISTICS = {"sqlite_stat1": "(tbl,idx,stat)", "sqlite_stat4": "(tbl,idx,neq,nlt,ndlt,sample)"}
"""The tables of ANALYZE, which serve the planner and do not belong to the books."""


def describe(dialect: Dialect, read: Read) -> Schema:
    if dialect == "postgresql":
        return _describe_postgresql(read)
    rows = read("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")
    schema = _gathered(
        (f"{kind} {name}" if name == table else f"{kind} {name} on {table}", _tokens(sql or "of its table"))
        for kind, name, table, sql in rows
    )
    for name, columns in STATISTICS.items():
        if schema.get(f"table {name}") == _tokens(f"CREATE TABLE {name}{columns}"):
            del schema[f"table {name}"]
    return schema


def _tokens(sql: str) -> str:
    """
    >>> _tokens("CREATE TABLE t(a\\n TEXT)") == _tokens("CREATE TABLE t ( a TEXT )")
    True
    """
    return " ".join(TOKENS.findall(sql))


def _describe_postgresql(read: Read) -> Schema:
    """Return the schema without the name of the PostgreSQL schema that the books are in."""
    ((home, name, path),) = read(
        "SELECT CAST(relnamespace AS bigint), CAST(CAST(relnamespace AS regnamespace) AS text),"
        " current_setting('search_path') FROM pg_class WHERE oid = to_regclass('alembic_version')"
    )
    read("SELECT set_config('search_path', '', true)")  # so that every other name includes its schema
    rows = read(CATALOG.read_text(encoding="utf-8").replace(":home", str(home)))
    read("SELECT set_config('search_path', '{}', true)".format(path.replace("'", "''")))
    return _gathered((what.replace(f"{name}.", ""), text.replace(f"{name}.", "")) for what, text in rows)


TABLE = "table "
VERSION = "alembic_version"
"""The table that only migrations write."""
HELD = """
WITH home AS (SELECT relnamespace AS oid FROM pg_class WHERE oid = to_regclass('alembic_version')),
held AS (
    SELECT a.grantee, a.is_grantable, a.privilege_type || ' ' || c.relname AS what
    FROM pg_class c CROSS JOIN aclexplode(c.relacl) a
    WHERE c.relnamespace = (SELECT oid FROM home) AND a.grantee <> c.relowner
  UNION ALL
    SELECT a.grantee, a.is_grantable, a.privilege_type || ' ' || c.relname || '.' || t.attname
    FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid CROSS JOIN aclexplode(t.attacl) a
    WHERE c.relnamespace = (SELECT oid FROM home) AND a.grantee <> c.relowner
  UNION ALL
    SELECT a.grantee, a.is_grantable, a.privilege_type || ' ' || p.proname
    FROM pg_proc p CROSS JOIN aclexplode(p.proacl) a
    WHERE p.pronamespace = (SELECT oid FROM home) AND a.grantee NOT IN (0, p.proowner)
  UNION ALL
    SELECT a.grantee, a.is_grantable, a.privilege_type || ' on the schema'
    FROM pg_namespace n CROSS JOIN aclexplode(n.nspacl) a
    WHERE n.oid = (SELECT oid FROM home) AND a.grantee <> n.nspowner AND a.privilege_type <> 'USAGE'
)
SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE CAST(pg_get_userbyid(grantee) AS text) END,
    what || CASE WHEN is_grantable THEN ', and to pass it on' ELSE '' END
FROM held ORDER BY 1, 2
"""
"""The rights that roles other than the owner have."""


def rights() -> dict[str, list[str]]:
    """Return the rights of the house on each table, besides reading."""
    schema = expected_schema("postgresql")
    tables = [what.removeprefix(TABLE) for what in schema if what.startswith(TABLE) and ": " not in what]
    return {
        table: [
            right
            for right in ("INSERT", "UPDATE", "DELETE")
            if table != VERSION and f"{TABLE}{table}: trigger {table}_no_{right.lower()}" not in schema
        ]
        for table in tables
    }


def excess_rights(read: Read) -> Iterator[StoreError]:
    """Yield the excess rights of roles. A role may have fewer than the house needs; the public may have none."""
    granted = {f"{right} {table}" for table, more in rights().items() for right in ("SELECT", *more)}
    more: dict[str, list[str]] = {}
    for role, right in read(HELD):
        if role == "PUBLIC" or right not in granted:
            more.setdefault(role, []).append(right)
    for role, too_many in more.items():
        expected = "no rights" if role == "PUBLIC" else "at most the rights that `hcf db grant` gives"
        yield StoreError(f"rights of {role}", read="; ".join(too_many), expected=expected)


def grant(url: str, role: str) -> None:
    from psycopg import Error, sql

    address = parse_url(url)
    if address.dialect != "postgresql":
        raise StoreError("grant", read=shown_url(url), expected="a PostgreSQL database: a file has no roles")
    who = sql.Identifier(role)
    with contextlib.closing(open_postgresql(address.target)) as connection:
        try:
            # PostgreSQL only warns a user who may not grant but has some rights. An owner needs no rights.
            user = connection.execute("SELECT current_user").fetchone()[0]
            if not _is_owner(connection, user):
                raise StoreError("grant", read=user, expected="the owner of the tables")
            if _is_owner(connection, role):
                expected = "a role that neither owns the tables nor is a superuser"
                raise StoreError("grant", read=f"{role} may do everything", expected=expected)
            schema = sql.Identifier(connection.execute("SELECT current_schema()").fetchone()[0])
            connection.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(schema, who))
            for table, more in rights().items():
                words, name = sql.SQL(", ".join(["SELECT", *more])), sql.Identifier(table)
                connection.execute(sql.SQL("REVOKE ALL ON {} FROM {}").format(name, who))
                connection.execute(sql.SQL("GRANT {} ON {} TO {}").format(words, name, who))
            connection.commit()
        except Error as error:
            expected = "the owner of the tables, and a role"
            raise StoreError("grant", read=driver_words(error), expected=expected) from error


def _is_owner(connection: Any, role: str) -> bool:
    query = "SELECT pg_has_role(%s, tableowner, 'MEMBER') FROM pg_tables WHERE tablename = 'events'"
    return bool(connection.execute(query, (role,)).fetchone() == (True,))
