"""The least that could be a house: a table of acknowledged numbers, to try the lab itself on.

Commands: `{"open": path, "synchronous": mode}`, `{"add": number}`, `{"close": true}`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from highcardflush.house.store.libsqlite import library
from support.crash.nursery import answer

CHECKPOINT_PAGES = 40
"""Small, so that the log starts anew many times."""


def connect(path: Path, synchronous: str) -> Any:
    connection = library().connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(f"PRAGMA synchronous={synchronous}")
    connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")
    connection.execute("CREATE TABLE IF NOT EXISTS numbers (number INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)")
    return connection


def numbers(path: Path) -> list[int]:
    """What is there, of a database that must be sound."""
    connection = library().connect(path, isolation_level=None)
    try:
        (sound,) = connection.execute("PRAGMA quick_check").fetchone()
        assert sound == "ok", sound
        return [number for (number,) in connection.execute("SELECT number FROM numbers ORDER BY number")]
    finally:
        connection.close()


def serve() -> None:
    connection = None
    for line in sys.stdin:
        match json.loads(line):
            case {"open": path, "synchronous": synchronous}:
                connection = connect(Path(path), synchronous)
                answer({"opened": path})
            case {"add": number}:
                assert connection is not None
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("INSERT INTO numbers VALUES (?, ?)", (number, f"{number:0200}"))
                connection.execute("COMMIT")
                answer({"added": number})
            case {"close": True}:
                assert connection is not None
                connection.close()
                answer({"closed": True})
