"""Chooses the SQLite library, sets up connections to the books, and translates SQLite's errors.

SQLite before 3.51.3 is refused. It could damage a WAL database if one process wrote during the checkpoint of another.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from highcardflush.errors import StoreBusy, StoreError
from highcardflush.house.store.protocol import PATIENCE_SECONDS, StatementError, conflict
from highcardflush.words import refuse

if TYPE_CHECKING:
    import sqlite3

WRITING = ("journal_mode = WAL", "temp_store = MEMORY")  # by default the undo log of savepoints would be in a file
PRAGMAS = (
    "synchronous = FULL", "foreign_keys = ON", "cache_size = -16384",
    "wal_autocheckpoint = 4000",  # writes frequently changed pages back less often, which gives 10 % more commits
    "journal_size_limit = 67108864",  # by default the log would keep the size that it had during the longest snapshot
    "recursive_triggers = ON",  # without it INSERT OR REPLACE could delete rows despite the append-only triggers
)  # fmt: skip
OLDEST = (3, 51, 3)
BUSY, LOCKED, READONLY, INTERRUPT, CONSTRAINT = 5, 6, 8, 9, 19
FAILURES = {3, 7, 8, 10, 11, 13, 14, 15, 22, 26}
"""Codes of an unreliable file: PERM, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOLFS, NOTADB."""


@cache
def library() -> Any:
    """Return Python's own SQLite module if its library is new enough, or else the module from pysqlite3."""
    import sqlite3

    if sqlite3.sqlite_version_info >= OLDEST:
        return sqlite3
    read = f"SQLite {sqlite3.sqlite_version}"
    try:
        from pysqlite3 import dbapi2
    except ImportError:
        read += " and no pysqlite3"
    else:
        if dbapi2.sqlite_version_info >= OLDEST:
            return dbapi2
        read += f" and pysqlite3 with SQLite {dbapi2.sqlite_version}"
    expected = f"SQLite {'.'.join(map(str, OLDEST))} or later (older ones can damage a database): pip install pysqlite3"
    raise StoreError("SQLite", read=read, expected=expected)


def connect(path: str, *, mode: Literal["rw", "ro"] = "rw") -> sqlite3.Connection:
    """Open a connection that is set up for the books. Only explicit statements begin and end its transactions."""
    if not os.path.exists(path):  # Path.exists raises an error for a name that is too long
        raise StoreError(f"database {path}", read="no such file", expected="a file made by `hcf db upgrade`")
    place = f"{Path(path).absolute().as_uri()}?mode={mode}"
    driver = library()
    connection: sqlite3.Connection | None = None
    try:
        connection = driver.connect(
            place, uri=True, isolation_level=None, check_same_thread=False, timeout=PATIENCE_SECONDS
        )
        for pragma in (*(WRITING if mode != "ro" else ()), *PRAGMAS):
            connection.execute(f"PRAGMA {pragma}")
    except driver.Error as error:
        if connection is not None:
            connection.close()
        raise translate(error, path) from error
    return connection


def translate(error: Exception, path: str) -> Exception:
    code = code_of(error)
    if code == CONSTRAINT and "cannot store" not in str(error):
        kind, _, place = str(error).partition(" constraint failed: ")
        if kind == "UNIQUE":
            return conflict("events_key" if place == "events.actor, events.key" else f"{place.partition('.')[0]}_pkey")
        if kind == "FOREIGN KEY constraint failed":
            return conflict("foreign-key")
        return conflict(place or kind.partition(":")[0])
    if code in (BUSY, LOCKED):
        return refuse("database-locked", StoreBusy, place=f"database {path}", seconds=round(PATIENCE_SECONDS))
    if code in FAILURES:
        expected = "an undamaged file on a working disk with free space"
        if code == READONLY:
            expected = "a writable file and folder, because SQLite writes its log there: copy the books"
        return StoreError(f"database {path}", read=str(error), expected=expected)
    return StatementError(str(error))


def code_of(error: Exception) -> int:
    """Return the primary result code, which is the low byte of SQLite's extended result code."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF


@contextlib.contextmanager
def copied(source: str, target: Path, place: str) -> Iterator[sqlite3.Connection]:
    """Copy a database into an empty file and yield a connection to the copy. The copy is made in one step, because a
    commit between two steps would restart the copying. Error messages call the file `place`."""
    try:
        with (
            contextlib.closing(connect(source, mode="ro")) as books,
            contextlib.closing(library().connect(str(target), isolation_level=None)) as copy,
        ):
            books.backup(copy)
            yield copy
    except library().Error as error:
        raise translate(error, place) from error


def check_pages(connection: sqlite3.Connection, path: str) -> None:
    """Refuse a file with damaged pages, which a failed write can leave. All pages are read with quick_check, which
    takes a fraction of the time of integrity_check. `hcf db check` runs the latter, which also checks indexes."""
    damage = [str(row[0]) for row in connection.execute("PRAGMA quick_check(10)")]
    if damage != ["ok"]:
        raise StoreError(f"database {path}", read="; ".join(damage), expected="undamaged pages: restore a backup")
