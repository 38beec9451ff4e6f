"""Houses to break, in SQLite or in PostgreSQL. Each is a copy of a house that was built once.

The SQLite house is copied while it is open, so a round on the copy begins with a recovery.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

from highcardflush.house import House, open_house
from highcardflush.house.store.admin import upgrade
from support.faults.crash.disk import read_image, write_image
from support.faults.crash.driver import THREADS, Way, World, check, finish
from support.faults.crash.nursery import Child, Nursery
from support.faults.crash.scenario import lanes, setup
from support.places.postgres import Server, fresh_database, need

SECONDS = 20


def need_strace() -> None:
    program, trouble = shutil.which("strace"), "strace is not installed"
    if program is not None:
        command = [program, "-o", os.devnull, sys.executable, "-c", ""]
        trial = subprocess.run(command, capture_output=True, text=True, check=False)
        trouble = f"strace does not work here ({trial.stderr.strip()[:100]})" if trial.returncode else ""
    need(f"{trouble}: no kill, power or disk tests" if trouble else None)


@dataclass(frozen=True, slots=True)
class Point:
    """A system call: its kind, and its number in the thread that reaches that number first."""

    syscall: str
    number: int

    def __str__(self) -> str:
        return f"{self.syscall} {self.number}"

    def killing(self) -> tuple[str, str, str]:
        """Return the arguments that make `Strace` kill a process, with all its threads, before this call."""
        return self.syscall, "-e", f"inject={self.syscall}:signal=KILL:when={self.number}"

    def failing(self, error: str, *, lasting: bool = False) -> tuple[str, str, str]:
        """Return the arguments that make `Strace` let this call fail, or this call and all later ones."""
        return self.syscall, "-e", f"inject={self.syscall}:error={error}:when={self.number}{'+' * lasting}"


class Strace:
    """strace attached to a process; `options` are passed to strace."""

    def __init__(self, pid: int, output: Path, syscalls: str, *options: str) -> None:
        trace_options = ["-y", "-e", f"trace={syscalls}", "-e", "signal=none"]
        command = ["strace", "-f", "-o", str(output), *trace_options, *options, "-p", str(pid)]
        self.output = output
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        if b"attached" not in line:
            self.end()
            raise RuntimeError(f"strace did not take hold: {line.decode().strip()}")

    def died_of(self) -> str | None:
        """Return the name of the signal that killed the process, or None if that was SIGKILL or none did."""
        signals = re.findall(r"\+\+\+ killed by (\w+)", self.output.read_text(encoding="utf-8", errors="replace"))
        return next((signal for signal in signals if signal != "SIGKILL"), None)

    def end(self, seconds: float = SECONDS) -> None:
        """Detach from the process if it is still running; the output is then complete."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        # strace 6.1 may wait forever for a thread that was killed with its process.
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        assert self.process.stderr is not None
        self.process.stderr.close()


T = TypeVar("T")

DATABASE, KEY = "house.db", "house.key"
WRITES = {
    "sqlite": ("pwrite64", "fsync", "fdatasync", "ftruncate", "rename", "unlink", "write"),
    # `recvfrom` means a kill while an answer is awaited: the server carries on alone.
    "postgresql": ("sendto", "recvfrom", "pwrite64", "fsync", "rename", "write"),
}
"""System calls with which a house writes to its files or its server, and (`write`) to its client."""


def spread(items: Sequence[T], count: int) -> list[T]:
    """Return `count` of the items, evenly spaced from the first to the last."""
    return [items[number * (len(items) - 1) // (count - 1)] for number in range(count)]


@contextlib.contextmanager
def noted(note: str) -> Iterator[None]:
    """Add a note to any error raised inside the block."""
    try:
        yield
    except Exception as error:
        error.add_note(note)
        raise


@dataclass(frozen=True, slots=True)
class Place:
    """The database and the key of a house."""

    url: str
    key: Path

    @classmethod
    def in_folder(cls, folder: Path) -> Self:
        return cls(f"sqlite:///{folder / DATABASE}", folder / KEY)

    @property
    def folder(self) -> Path:
        return self.key.parent

    @property
    def database(self) -> str:
        return self.url.rpartition("/")[2]

    def opening(self, way: Way = "one", synchronous: str = "FULL") -> dict[str, Any]:
        threads = THREADS if way == "threads" else 1
        return {"open": self.url, "key": str(self.key), "threads": threads, "synchronous": synchronous}

    def set_up(self, world: World | None = None) -> House:
        """Create the database, set up the house or play a world to its end, and return the open house."""
        upgrade(self.url)
        house = self.open()
        finish(house, world or World({"setup": setup()}))
        return house

    def open(self) -> House:
        return open_house(self.url, self.key)

    def examine(self, world: World) -> None:
        """Open the house in this process and check it against the world."""
        with contextlib.closing(self.open()) as house:
            check(house, world)


class Lab:
    rounds = 1
    """Number of rounds already played at every table."""

    def __init__(self, folder: Path, nursery: Nursery, server: Server | None = None) -> None:
        self.folder = folder
        self.nursery = nursery
        self.server = server
        with self.no_house() as place:
            with contextlib.closing(place.set_up()) as house:
                finish(house, World(lanes(self.rounds)))
                self._image = read_image(place.folder)
            self._template = f"template_{place.database}"
            if server is not None:
                server.admin(f"CREATE DATABASE {self._template} TEMPLATE {place.database}")

    @property
    def dialect(self) -> str:
        return "sqlite" if self.server is None else "postgresql"

    @contextlib.contextmanager
    def house(self) -> Iterator[Place]:
        """Copy the house, and remove the copy afterwards."""
        with self.no_house(self._template) as place:
            write_image(self._image, place.folder)
            yield place

    @contextlib.contextmanager
    def no_house(self, template: str = "template0") -> Iterator[Place]:
        """Provide an empty place (folder and database) for a house, and remove it afterwards."""
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
        """Return the commands of the next round at every table."""
        return World(lanes(1, self.rounds + 1))

    @contextlib.contextmanager
    def child(self, syscalls: str, *options: str) -> Iterator[tuple[Child, Strace]]:
        """Start a child under strace, and end both afterwards."""
        child = self.nursery.start()
        strace = Strace(child.pid, self.folder / "trace", syscalls, *options)
        try:
            yield child, strace
        finally:
            child.kill()
            strace.end(0.2)
        assert (died_of := strace.died_of()) is None, f"the house died of {died_of}"
