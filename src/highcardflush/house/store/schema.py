"""Compares a database's schema, item by item, with the schema that the migrations create, and grants rights to roles.

The schema includes everything that protects the books from change, such as triggers and checks. For SQLite, the
migrations run in memory to find the expected schema. In PostgreSQL a reader may not create anything, so the expected
schema is stored as text. `tools/schema.py` writes this text, and a test compares it with the migrations.

Rights follow from the schema: a role may read and append, and may change or delete rows that no trigger protects.
"""

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
from highcardflush.words import refuse

Schema = dict[str, str]
"""Text of each schema item, keyed by name. The name of an item that belongs to a table begins with `table NAME: `."""

KEPT = Path(__file__).with_name("schema.postgresql.json")
CATALOG = Path(__file__).with_name("schema.postgresql.sql")
LONGEST = 300
NOTHING = "nothing"


def differences(dialect: Dialect, read: Read) -> Iterator[StoreError]:
    """Yield an error for every missing, different or additional item."""
    actual, expected = describe(dialect, read), expected_schema(dialect)
    for what in sorted(actual.keys() | expected.keys()):
        table, of, _ = what.partition(": ")
        if of and (table in actual) != (table in expected):
            continue  # The whole table is missing or additional, which is reported once.
        if actual.get(what) != expected.get(what):
            texts = [schema.get(what, NOTHING) for schema in (actual, expected)]
            # Show the part of a long text around the first difference.
            same = next((i for i, (ours, other) in enumerate(zip(*texts, strict=False)) if ours != other), 0)
            start = max(0, same - LONGEST // 3)
            has, needs = (text if len(text) <= LONGEST else f"...{text[start:][:LONGEST]}..." for text in texts)
            yield StoreError(what, read=has, expected=needs)


@cache
def expected_schema(dialect: Dialect) -> Schema:
    """Return the schema that the migrations create."""
    if dialect == "postgresql":
        return msgspec.json.decode(KEPT.read_bytes(), type=Schema)
    with new_books() as connection:
        return describe("sqlite", reader(connection))


def _gathered(items: Iterable[tuple[str, str]]) -> Schema:
    """Combine items into a schema. The texts of items with the same name are joined, so that no text is lost."""
    schema: Schema = {}
    for what, text in items:
        schema[what] = f"{schema[what]}; {text}" if what in schema else text
    return schema


TOKENS = re.compile(r"""'(?:[^']|'')*'|"[^"]*"|\w+|\S""", re.ASCII)
"""Strings, names and symbols in SQL. Everything between them is layout, which a dump may change."""
STATISTICS = {"sqlite_stat1": "(tbl,idx,stat)", "sqlite_stat4": "(tbl,idx,neq,nlt,ndlt,sample)"}
"""Tables that ANALYZE creates for the query planner, with their columns. They are not part of the books."""


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
    """Return SQL with its layout normalized.

    >>> _tokens("CREATE TABLE t(a\\n TEXT)") == _tokens("CREATE TABLE t ( a TEXT )")
    True
    """
    return " ".join(TOKENS.findall(sql))


def _describe_postgresql(read: Read) -> Schema:
    """Return the schema. The name of the PostgreSQL schema that contains the books is removed from every item."""
    ((home, name, path),) = read(
        "SELECT CAST(relnamespace AS bigint), CAST(CAST(relnamespace AS regnamespace) AS text),"
        " current_setting('search_path') FROM pg_class WHERE oid = to_regclass('alembic_version')"
    )
    read("SELECT set_config('search_path', '', true)")  # so that PostgreSQL qualifies every name
    rows = read(CATALOG.read_text(encoding="utf-8").replace(":home", str(home)))
    read("SELECT set_config('search_path', '{}', true)".format(path.replace("'", "''")))
    return _gathered((what.replace(f"{name}.", ""), text.replace(f"{name}.", "")) for what, text in rows)


TABLE = "table "
VERSION = "alembic_version"
"""Table that only migrations write to."""
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
"""Query for the rights of roles other than the owner."""


def rights() -> dict[str, list[str]]:
    """Return the rights other than SELECT that the house needs, keyed by table."""
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
    """Yield an error for each role with more rights than the house needs, and for PUBLIC if it has any rights."""
    granted = {f"{right} {table}" for table, more in rights().items() for right in ("SELECT", *more)}
    more: dict[str, list[str]] = {}
    for role, right in read(HELD):
        if role == "PUBLIC" or right not in granted:
            more.setdefault(role, []).append(right)
    for role, too_many in more.items():
        expected = "no rights" if role == "PUBLIC" else "at most the rights that `hcf db grant` grants"
        yield StoreError(f"rights of {role}", read="; ".join(too_many), expected=expected)


def grant(url: str, role: str) -> None:
    from psycopg import Error, sql

    address = parse_url(url)
    if address.dialect != "postgresql":
        raise refuse("no-roles", StoreError, database=shown_url(url))
    who = sql.Identifier(role)
    with contextlib.closing(open_postgresql(address.target)) as connection:
        try:
            # PostgreSQL only warns a user who has rights but may not grant them. An owner needs no grant.
            user = connection.execute("SELECT current_user").fetchone()[0]
            if not _is_owner(connection, user):
                raise refuse("not-table-owner", StoreError, user=user)
            if _is_owner(connection, role):
                raise refuse("role-may-everything", StoreError, role=role)
            schema = sql.Identifier(connection.execute("SELECT current_schema()").fetchone()[0])
            connection.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(schema, who))
            for table, more in rights().items():
                words, name = sql.SQL(", ".join(["SELECT", *more])), sql.Identifier(table)
                connection.execute(sql.SQL("REVOKE ALL ON {} FROM {}").format(name, who))
                connection.execute(sql.SQL("GRANT {} ON {} TO {}").format(words, name, who))
            connection.commit()
        except Error as error:
            expected = "an existing role, granted its rights by the owner of the tables"
            raise StoreError("grant", read=driver_words(error), expected=expected) from error


def _is_owner(connection: Any, role: str) -> bool:
    query = "SELECT pg_has_role(%s, tableowner, 'MEMBER') FROM pg_tables WHERE tablename = 'events'"
    return bool(connection.execute(query, (role,)).fetchone() == (True,))
