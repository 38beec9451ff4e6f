"""The house in a process of its own, to be killed, starved and cut off: what a `Nursery` forks.

    {"upgrade": URL}                                                   {"upgraded": true}
    {"open": URL, "key": FILE, "threads": 1, "synchronous": "FULL", "checkpoint_pages": 100}
                                                                       {"opened": SECONDS}
    {"n": 7, "stream": ..., "actor": ..., "key": ..., "command": ...}  {"n": 7, "answer": ...}, {"n": 7, "refused": ...}
    {"reopen": true}                                                   {"reopened": true}
    {"close": true}                                                    {"closed": true}

What fails is answered with `{"failed": ERROR}`.

With one thread commands are done in the order in which they come, in the main thread: strace then counts all system
calls in one row. With more they wait for each other's commits.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial, reduce
from operator import or_
from pathlib import Path
from typing import Any, Literal

import alembic.command
import sqlalchemy

from highcardflush.errors import HcfError
from highcardflush.game.actions import Action
from highcardflush.house import House, codec, open_house
from highcardflush.house.commands import Command
from highcardflush.house.store import libsqlite, postgres
from highcardflush.house.store.admin import upgrade
from support.crash.nursery import answer

FAILED = object()
ANY: Any = reduce(or_, [*Command.__subclasses__(), *Action.__subclasses__()])

# Imported when first used: here once for all children.
IMPORTED = (alembic.command, sqlalchemy, postgres, libsqlite.library())


def submit(house: House, message: dict[str, Any]) -> dict[str, Any]:
    """A command's answer, as it is sent; also in a test's own process."""
    command = codec.decode(json.dumps(message["command"]), ANY)
    try:
        given = house.submit(message["stream"], command, message["actor"], message["key"])
    except HcfError as refusal:
        return {"refused": refusal.as_dict()}
    return {"answer": json.loads(codec.encode(given))}


def connect_as(synchronous: str, checkpoint_pages: int) -> None:
    """Open SQLite otherwise than the house would: with another synchronous mode, and with checkpoints more often."""
    ours = libsqlite.connect

    def connect(path: str, *, mode: Literal["rw", "ro"] = "rw", **_: str) -> Any:
        connection = ours(path, mode=mode, synchronous=synchronous)
        connection.execute(f"PRAGMA wal_autocheckpoint = {checkpoint_pages}")
        return connection

    libsqlite.connect = connect


def serve() -> None:
    house: House | None = None
    pool: ThreadPoolExecutor | None = None
    writing = threading.Lock()

    def tell(message: object) -> None:
        with writing:  # longer than a pipe takes at once
            answer(message)

    def do(message: dict[str, Any]) -> None:
        assert house is not None
        tell({"n": message["n"], **submit(house, message)})

    for line in sys.stdin:
        match json.loads(line):
            case {"upgrade": url}:
                if _try(tell, partial(upgrade, url)) is not FAILED:
                    tell({"upgraded": True})
            case {"open": url, "key": key, "threads": threads, "synchronous": mode, "checkpoint_pages": pages}:
                connect_as(mode, pages)
                pool = ThreadPoolExecutor(threads) if threads > 1 else None
                started = time.monotonic()
                opened = _try(tell, partial(open_house, url, Path(key)))
                if opened is not FAILED:
                    house = opened
                    tell({"opened": time.monotonic() - started})
            case {"n": _} as message:
                if pool is None:
                    do(message)
                else:
                    pool.submit(do, message)
            case {"reopen": True}:
                assert house is not None
                if _try(tell, house.reopen) is not FAILED:
                    tell({"reopened": True})
            case {"close": True}:
                if pool is not None:
                    pool.shutdown()
                assert house is not None
                house.close()
                tell({"closed": True})


def _try(tell: Callable[[object], None], work: Callable[[], Any]) -> Any:
    try:
        return work()
    except HcfError as error:
        tell({"failed": error.as_dict()})
        return FAILED
