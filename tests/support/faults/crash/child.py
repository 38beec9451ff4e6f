"""The process that a `Nursery` forks: it opens a house, and is then killed or loses its disk or power.

    {"upgrade": URL}                                                   {"upgraded": true}
    {"open": URL, "key": FILE, "threads": 1, "synchronous": "FULL"}    {"opened": true}
    {"n": 7, "stream": ..., "actor": ..., "key": ..., "command": ...}  {"n": 7, "answer": ...}, {"n": 7, "refused": ...}
    {"group": [COMMAND, ...]}                                          one answer for each
    {"reopen": true}                                                   {"reopened": true}
    {"close": true}                                                    {"closed": true}

A request that fails is answered with `{"failed": ERROR}`.

With one thread, commands run in the main thread in the order of their arrival, and a group runs as one; strace then
counts all system calls in one sequence. With more threads, commands wait for each other's commits.
"""

import json
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any, Literal

import alembic.command
import sqlalchemy

from highcardflush.errors import HcfError
from highcardflush.game.actions import Action
from highcardflush.house import Answer, House, codec, open_house
from highcardflush.house.commands import Command
from highcardflush.house.store import libsqlite, postgres
from highcardflush.house.store.admin import upgrade
from highcardflush.house.submit import Request
from support.faults.crash.nursery import answer
from support.faults.crash.scenario import Step

CHECKPOINT_PAGES = 100
"""Few pages, so that a round goes through several checkpoints, each of which starts a new log."""
ANY: Any = reduce(or_, [*Command.__subclasses__(), *Action.__subclasses__()])

# The house imports these when it first needs them; imported here, they load once for all children.
IMPORTED = (alembic.command, sqlalchemy, postgres, libsqlite.library())


def submit(house: House, step: Step) -> dict[str, Any]:
    """Submit a command and return its answer as a child sends it; tests also call this in their own process."""
    try:
        return _sent(house.submit(step.stream, _command(step), step.actor, step.key))
    except HcfError as refusal:
        return _sent(refusal)


def submit_many(house: House, steps: Sequence[Step]) -> list[dict[str, Any]]:
    requests = [Request(step.stream, _command(step), step.actor, step.key) for step in steps]
    return [_sent(outcome) for outcome in house.submit_many(requests)]


def _command(step: Step) -> Any:
    return codec.decode(json.dumps(step.command), ANY)


def _sent(outcome: Answer | Exception) -> dict[str, Any]:
    if isinstance(outcome, HcfError):
        return {"refused": outcome.as_dict()}
    if isinstance(outcome, Exception):
        raise outcome
    return {"answer": json.loads(codec.encode(outcome))}


def connect_as(synchronous: str) -> None:
    """Open SQLite in the given synchronous mode, with more frequent checkpoints than in a real house."""
    ours = libsqlite.connect

    def connect(path: str, *, mode: Literal["rw", "ro"] = "rw") -> Any:
        connection = ours(path, mode=mode)
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        return connection

    libsqlite.connect = connect


def serve() -> None:
    house: House | None = None
    pool: ThreadPoolExecutor | None = None
    writing = threading.Lock()

    def tell(message: object) -> None:
        with writing:  # a message may be longer than an atomic write to a pipe
            answer(message)

    def do(number: int, step: Step) -> None:
        assert house is not None
        tell({"n": number, **submit(house, step)})

    for line in sys.stdin:
        message: dict[str, Any] = json.loads(line)
        try:
            match message:
                case {"upgrade": url}:
                    upgrade(url)
                    tell({"upgraded": True})
                case {"open": url, "key": key, "threads": threads, "synchronous": mode}:
                    connect_as(mode)
                    pool = ThreadPoolExecutor(threads) if threads > 1 else None
                    house = open_house(url, Path(key))
                    tell({"opened": True})
                case {"n": number, **step}:
                    if pool is None:
                        do(number, Step(**step))
                    else:
                        pool.submit(do, number, Step(**step))
                case {"group": group} if house is not None:
                    numbers = [one.pop("n") for one in group]
                    outcomes = submit_many(house, [Step(**one) for one in group])
                    for number, outcome in zip(numbers, outcomes, strict=True):
                        tell({"n": number, **outcome})
                case {"reopen": True} if house is not None:
                    house.reopen()
                    tell({"reopened": True})
                case {"close": True} if house is not None:
                    if pool is not None:
                        pool.shutdown()
                    house.close()
                    tell({"closed": True})
                case _:
                    raise AssertionError(message)
        except HcfError as error:
            tell({"failed": error.as_dict()})
