"""Houses to break: each is a copy of one that was made once, in SQLite or in PostgreSQL.

The SQLite house is copied while it is open, so that a round on the copy begins with a recovery. Checkpoints come
often: a round goes through several, each with a new log after it.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest

from highcardflush.house import House, open_house
from highcardflush.house.store.admin import upgrade
from support.crash.disk import Image, read_image, write_image
from support.crash.driver import World, finish
from support.crash.nursery import Child, Nursery
from support.crash.scenario import lanes, setup
from support.crash.strace import Strace
from support.memory import memory
from support.postgres import Server, fresh_database, missing

T = TypeVar("T")

DATABASE, KEY = "house.db", "house.key"
CHECKPOINT_PAGES = 100
WRITES = {
    "sqlite": ("pwrite64", "fsync", "fdatasync", "ftruncate", "rename", "unlink", "write"),
    # A kill as an answer is awaited: the server goes on alone.
    "postgresql": ("sendto", "recvfrom", "pwrite64", "fsync", "rename", "write"),
}
"""What a house writes with: to its files or its server, and (`write`) to whoever asked."""


def spread(found: Sequence[T], count: int) -> list[T]:
    """So many of them, from the first to the last."""
    return [found[number * (len(found) - 1) // (count - 1)] for number in range(count)]


def need_postgres() -> None:
    """Skip without PostgreSQL; where the whole suite must run, fail."""
    if reason := missing():
        pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)


@contextlib.contextmanager
def in_memory() -> Iterator[Path]:
    """A folder in memory, where there is one."""
    with tempfile.TemporaryDirectory(prefix="hcf-crash-", dir=memory()) as name:
        yield Path(name)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a house lives."""

    url: str
    key: Path

    @classmethod
    def in_folder(cls, folder: Path) -> Place:
        """In SQLite, its key beside it."""
        return cls(f"sqlite:///{folder / DATABASE}", folder / KEY)

    @property
    def folder(self) -> Path:
        return self.key.parent

    @property
    def database(self) -> str:
        """The name of the database on its server."""
        return self.url.rpartition("/")[2]

    def opening(self, threads: int = 1, synchronous: str = "FULL") -> dict[str, Any]:
        asked = {"open": self.url, "key": str(self.key), "threads": threads}
        return {**asked, "synchronous": synchronous, "checkpoint_pages": CHECKPOINT_PAGES}

    def open(self) -> House:
        return open_house(self.url, self.key)


class Lab:
    """Makes houses, and children to run them."""

    rounds = 1
    """How many were played before at every table."""

    def __init__(self, folder: Path, nursery: Nursery, server: Server | None = None) -> None:
        self.folder = folder
        self.nursery = nursery
        self.server = server
        self._image: Image = {}
        self._template = ""
        self._make()

    @property
    def dialect(self) -> str:
        return "sqlite" if self.server is None else "postgresql"

    def _make(self) -> None:
        with self.no_house() as place:
            upgrade(place.url)
            house = place.open()
            finish(house, World({"setup": setup()}))
            finish(house, World(lanes(self.rounds)))
            self._image = read_image(place.folder)
            house.close()
            if self.server is not None:
                self._template = f"template_{place.database}"
                self.server.admin(f"CREATE DATABASE {self._template} TEMPLATE {place.database}")

    @contextlib.contextmanager
    def house(self) -> Iterator[Place]:
        """A copy of the house, gone afterwards."""
        with self._place(self._template) as place:
            write_image(self._image, place.folder)
            yield place

    @contextlib.contextmanager
    def no_house(self) -> Iterator[Place]:
        """Room for a house."""
        with self._place("template0") as place:
            yield place

    @contextlib.contextmanager
    def _place(self, template: str) -> Iterator[Place]:
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            folder = Path(name)
            if self.server is None:
                yield Place.in_folder(folder)
                return
            place = Place(fresh_database(self.server, template), folder / KEY)
            try:
                yield place
            finally:
                self.server.admin(f"DROP DATABASE {place.database} WITH (FORCE)")

    def world(self) -> World:
        """What is to be played: the next round of every table."""
        return World(lanes(1, self.rounds + 1))

    @contextlib.contextmanager
    def child(self, *options: str) -> Iterator[tuple[Child, Strace]]:
        """A child with strace around it, both gone afterwards."""
        child = self.nursery.start()
        output = self.folder / "trace"
        strace = Strace(child.pid, output, *options)
        try:
            yield child, strace
        finally:
            child.kill()
            strace.end(0.2)
        assert (died_of := strace.died_of()) is None, f"the house died of {died_of}"
