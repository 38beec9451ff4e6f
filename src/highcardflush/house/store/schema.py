"""The schema as a database has it, item by item, and how it differs from the one that the migrations make.

What keeps the books from being changed is part of them: a trigger, a check. For SQLite the migrations are run
in memory. In PostgreSQL who reads may make nothing, so what they make is kept as text (`tools/schema.py` writes it, a
test holds it against them).
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
"""What there is, and how it reads; what belongs to a table is named `table NAME: ...`."""

KEPT = Path(__file__).with_name("schema.postgresql.json")
CATALOG = Path(__file__).with_name("schema.postgresql.sql")
LONGEST = 300
NOTHING = "nothing"


def differences(dialect: Dialect, read: Read) -> Iterator[StoreError]:
    """Everything that is missing, different or not of the books."""
    found, expected = describe(dialect, read), expected_schema(dialect)
    for what in sorted(found.keys() | expected.keys()):
        table, of, _ = what.partition(": ")
        if of and (table in found) != (table in expected):
            continue  # the table itself is told
        if found.get(what) != expected.get(what):
            yield _difference(what, found.get(what, NOTHING), expected.get(what, NOTHING))


def describe(dialect: Dialect, read: Read) -> Schema:
    return _describe_sqlite(read) if dialect == "sqlite" else _describe_postgresql(read)


@cache
def expected_schema(dialect: Dialect) -> Schema:
    """What the migrations make."""
    if dialect == "postgresql":
        return msgspec.json.decode(KEPT.read_bytes(), type=Schema)
    with new_books() as connection:
        return describe("sqlite", reader(connection))


def _difference(what: str, read: str, expected: str) -> StoreError:
    """Long texts from shortly before the place where they part."""
    same = next((i for i, (ours, theirs) in enumerate(zip(read, expected, strict=False)) if ours != theirs), 0)
    start = max(0, same - LONGEST // 3)
    read, expected = (text if len(text) <= LONGEST else f"...{text[start:][:LONGEST]}..." for text in (read, expected))
    return StoreError(what, read=read, expected=expected)


def _gathered(items: Iterable[tuple[str, str]]) -> Schema:
    """Two things of one name do not hide each other."""
    schema: Schema = {}
    for what, text in items:
        schema[what] = f"{schema[what]}; {text}" if what in schema else text
    return schema


# --- SQLite --------------------------------------------------------------------------------------

TOKENS = re.compile(r"""'(?:[^']|'')*'|"[^"]*"|\w+|\S""", re.ASCII)
"""Texts, names and signs of SQL; what is between them is layout, which a dump changes."""
STATISTICS = {"sqlite_stat1": "(tbl,idx,stat)", "sqlite_stat4": "(tbl,idx,neq,nlt,ndlt,sample)"}
"""What ANALYZE makes: for the planner, and no part of the books."""


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
    """Names are told without the schema that the books are in: it may be any."""
    ((home, name, path),) = read(
        "SELECT CAST(relnamespace AS bigint), CAST(CAST(relnamespace AS regnamespace) AS text),"
        " current_setting('search_path') FROM pg_class WHERE oid = to_regclass('alembic_version')"
    )
    read("SELECT set_config('search_path', '', true)")  # so that every other name is told with its schema
    rows = read(CATALOG.read_text(encoding="utf-8").replace(":home", str(home)))
    read("SELECT set_config('search_path', '{}', true)".format(path.replace("'", "''")))
    return _gathered((what.replace(f"{name}.", ""), text.replace(f"{name}.", "")) for what, text in rows)
