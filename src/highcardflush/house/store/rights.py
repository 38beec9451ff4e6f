"""The rights of a role in PostgreSQL: to read, to append, and to change or delete the rows that no trigger protects.

The rights follow from the schema, so a table that a migration adds needs no line here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from highcardflush.errors import StoreError
from highcardflush.house.store.address import parse_url, shown_url
from highcardflush.house.store.admin import Read, open_postgresql
from highcardflush.house.store.protocol import driver_words
from highcardflush.house.store.schema import expected_schema

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


def findings(read: Read) -> Iterator[StoreError]:
    """Yield excess rights. A role may have fewer rights than the house needs, to read only, and the public may have
    none."""
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
            _require_right(connection, role)
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


def _require_right(connection: Any, role: str) -> None:
    """Refuse a user who may not grant, because PostgreSQL only warns such users if they have some rights, and refuse a
    role that is the owner of the tables or a superuser, which needs no rights."""
    user = connection.execute("SELECT current_user").fetchone()[0]
    if not _is_owner(connection, user):
        raise StoreError("grant", read=user, expected="the owner of the tables")
    if _is_owner(connection, role):
        expected = "a role that neither owns the tables nor is a superuser"
        raise StoreError("grant", read=f"{role} may do everything", expected=expected)


def _is_owner(connection: Any, role: str) -> bool:
    query = "SELECT pg_has_role(%s, tableowner, 'MEMBER') FROM pg_tables WHERE tablename = 'events'"
    return bool(connection.execute(query, (role,)).fetchone() == (True,))
