"""Reads what strace wrote: the writes, syncs and names of one folder, and the acknowledgements, in one order.

An operation stands where it returned. A sync covers only what had returned when the sync was called, so it also
says how many operations stood before it then. Acknowledgements are the lines that the process wrote to its
standard output. What this reader does not know of, and the folder could have felt, is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

SYSCALLS = (
    "open,openat,creat,close,lseek,write,pwrite64,writev,pwritev,pwritev2,truncate,ftruncate,fallocate,fsync,fdatasync,"
    "sync_file_range,copy_file_range,unlink,unlinkat,rename,renameat,renameat2,link,linkat,symlink,symlinkat"
)
"""What the reader must see: all that can change a file or a name."""
STDOUT = 1
UNSYNCED = ("-shm",)
"""SQLite's shared memory is made anew by the first to open: it is no part of an image."""


@dataclass(frozen=True, slots=True)
class Write:
    name: str
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Truncate:
    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Create:
    name: str


@dataclass(frozen=True, slots=True)
class Unlink:
    name: str


@dataclass(frozen=True, slots=True)
class Rename:
    name: str
    target: str


@dataclass(frozen=True, slots=True)
class Link:
    """A second name for a file."""

    name: str
    target: str


@dataclass(frozen=True, slots=True)
class Sync:
    """`began`: how many operations had returned when the sync was called."""

    name: str
    began: int


@dataclass(frozen=True, slots=True)
class SyncFailed:
    """A sync that returned an error."""

    name: str
    began: int


@dataclass(frozen=True, slots=True)
class SyncNames:
    """A sync of the folder itself."""

    began: int


@dataclass(frozen=True, slots=True)
class Told:
    """A line on standard output: from here on somebody outside knows."""

    line: bytes


Operation = Write | Truncate | Create | Unlink | Rename | Link | Sync | SyncFailed | SyncNames | Told

_LINE = re.compile(r"(\d+) +(\w+)\((.*)\) += (-?\d+)(?:<.*)?(?: .*)?", re.DOTALL)
_BEGUN = re.compile(r"(\d+) +(\w+)\((.*?),? <unfinished \.\.\.>", re.DOTALL)
_RESUMED = re.compile(r"(\d+) +<\.\.\. (\w+) resumed>,? ?(.*)", re.DOTALL)
_FILE = re.compile(r"(\d+)<([^>]*)>(\(deleted\))?")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')


class Reader:
    """Gathers the operations on one folder, from one process after another; `names` were in it before."""

    def __init__(self, folder: Path, names: Iterable[str] = ()) -> None:
        self.folder = str(folder)
        self.names = set(names)
        self.operations: list[Operation] = []
        self.positions: dict[int, int] = {}
        self.tail = b""

    def read(self, lines: Iterable[str]) -> None:
        """What strace wrote about one process."""
        self.positions, self.tail = {}, b""
        waiting: dict[str, tuple[str, int]] = {}
        for line in lines:
            if found := _LINE.fullmatch(line.rstrip("\n")):
                self.call(found[2], found[3], int(found[4]), len(self.operations))
            elif found := _BEGUN.match(line):
                waiting[found[1]] = found[3], len(self.operations)
            elif (found := _RESUMED.match(line)) and found[1] in waiting:
                arguments, began = waiting.pop(found[1])
                whole = _LINE.fullmatch(f"{found[1]} {found[2]}({arguments}{found[3]}".rstrip("\n"))
                if whole:
                    self.call(whole[2], whole[3], int(whole[4]), began)

    def name(self, path: str) -> str | None:
        """The name in the folder, None for what lies elsewhere or need not be kept."""
        pure = PurePosixPath(path)
        return pure.name if str(pure.parent) == self.folder and not path.endswith(UNSYNCED) else None

    def call(self, syscall: str, arguments: str, result: int, began: int) -> None:
        if result < 0:
            if syscall in ("fsync", "fdatasync") and (name := self.file(arguments)) is not None:
                self.operations.append(SyncFailed(name, began))
            return
        match syscall:
            case "open" | "openat" | "creat":
                self.opened(arguments, result)
            case "write" | "pwrite64":
                self.written(syscall, arguments, result)
            case "fsync" | "fdatasync":
                self.synced(arguments, began)
            case "ftruncate":
                name = self.file(arguments)
                if name is not None:
                    self.operations.append(Truncate(name, int(arguments.rpartition(", ")[2])))
            case "unlink":
                (path,) = _texts(arguments)
                self.unlinked(path)
            case "rename" | "renameat" | "renameat2" | "link" | "linkat":
                self.named(Link if syscall.startswith("link") else Rename, *_texts(arguments))
            case "lseek":
                found = _FILE.match(arguments)
                if found:
                    self.positions[int(found[1])] = result
            case "close":
                pass
            case _:
                if self.folder in _plain(arguments):
                    raise ValueError(f"{syscall} in {self.folder}: not known to the crash lab")

    def file(self, arguments: str) -> str | None:
        """The name of the file that the first argument is open on."""
        found = _FILE.match(arguments)
        return self.name(_decode(found[2]).decode()) if found and not found[3] else None

    def opened(self, arguments: str, descriptor: int) -> None:
        self.positions[descriptor] = 0
        name = self.name(_texts(arguments)[0])
        if name is None:
            return
        if name not in self.names and "O_CREAT" in arguments:
            self.names.add(name)
            self.operations.append(Create(name))
        elif "O_TRUNC" in arguments:
            self.operations.append(Truncate(name, 0))
        if "O_APPEND" in arguments:
            raise ValueError(f"{name} opened to append: not known to the crash lab")

    def written(self, syscall: str, arguments: str, result: int) -> None:
        found = _FILE.match(arguments)
        if found is None:
            return
        descriptor, name = int(found[1]), self.file(arguments)
        if descriptor != STDOUT and name is None:
            return
        text = _TEXT.search(arguments)
        if text is None or text[2]:
            raise ValueError(f"a write to {name} was not recorded whole")
        data = _decode(text[1])[:result]
        if descriptor == STDOUT:
            *lines, self.tail = (self.tail + data).split(b"\n")
            self.operations += map(Told, lines)
        elif syscall == "pwrite64":
            self.operations.append(Write(str(name), int(arguments.rpartition(", ")[2]), data))
        else:
            self.operations.append(Write(str(name), self.positions[descriptor], data))
            self.positions[descriptor] += result

    def synced(self, arguments: str, began: int) -> None:
        found = _FILE.match(arguments)
        path = _decode(found[2]).decode() if found else ""
        if path == self.folder:
            self.operations.append(SyncNames(began))
        elif name := self.file(arguments):
            self.operations.append(Sync(name, began))

    def unlinked(self, path: str) -> None:
        name = self.name(path)
        if name is not None:
            self.names.discard(name)
            self.operations.append(Unlink(name))

    def named(self, kind: type[Rename | Link], path: str, target_path: str) -> None:
        name, target = self.name(path), self.name(target_path)
        if name is None and target is None:
            return
        if name is None or target is None:
            raise ValueError(f"{path} becomes {target_path}: not known to the crash lab")
        if kind is Rename:
            self.names.discard(name)
        self.names.add(target)
        self.operations.append(kind(name, target))


def _decode(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


def _texts(arguments: str) -> list[str]:
    return [_decode(found[1]).decode() for found in _TEXT.finditer(arguments)]


def _plain(arguments: str) -> str:
    """The arguments with every path in the clear."""
    return re.sub(r"(?:\\x[0-9a-f]{2})+", lambda found: _decode(found[0]).decode("utf-8", "replace"), arguments)
