"""The schema of a database, item by item, and its differences from the schema of the migrations.

The schema includes everything that protects the books from change, such as triggers and checks. For SQLite the
migrations run in memory. In PostgreSQL a reader may create nothing, so the result of the migrations is kept as text
(`tools/schema.py` writes it, and a test compares it with them).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import msgspec

from highcardflush.errors import StoreError
from highcardflush.house.store.admin import Read, new_books, reader
from highcardflush.house.store.protocol import Dialect

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
            yield _difference(what, actual.get(what, NOTHING), expected.get(what, NOTHING))


def describe(dialect: Dialect, read: Read) -> Schema:
    return _describe_sqlite(read) if dialect == "sqlite" else _describe_postgresql(read)


@cache
def expected_schema(dialect: Dialect) -> Schema:
    """Return the schema that the migrations make."""
    if dialect == "postgresql":
        return msgspec.json.decode(KEPT.read_bytes(), type=Schema)
    with new_books() as connection:
        return describe("sqlite", reader(connection))


def _difference(what: str, read: str, expected: str) -> StoreError:
    """Return the finding of a difference. Long texts begin shortly before the place where they differ."""
    same = next((i for i, (ours, other) in enumerate(zip(read, expected, strict=False)) if ours != other), 0)
    start = max(0, same - LONGEST // 3)
    read, expected = (text if len(text) <= LONGEST else f"...{text[start:][:LONGEST]}..." for text in (read, expected))
    return StoreError(what, read=read, expected=expected)


def _gathered(items: Iterable[tuple[str, str]]) -> Schema:
    """Join the texts of items with the same name, so that neither hides the other."""
    schema: Schema = {}
    for what, text in items:
        schema[what] = f"{schema[what]}; {text}" if what in schema else text
    return schema


# --- SQLite --------------------------------------------------------------------------------------

TOKENS = re.compile(r"""'(?:[^']|'')*'|"[^"]*"|\w+|\S""", re.ASCII)
"""Texts, names and signs of SQL. Everything between them is layout, which a dump changes."""
STATISTICS = {"sqlite_stat1": "(tbl,idx,stat)", "sqlite_stat4": "(tbl,idx,neq,nlt,ndlt,sample)"}
"""The tables of ANALYZE, which serve the planner and do not belong to the books."""


def _describe_sqlite(read: Read) -> Schema:
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


# --- PostgreSQL ----------------------------------------------------------------------------------


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
