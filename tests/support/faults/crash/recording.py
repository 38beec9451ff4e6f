"""The writes to a folder, as strace recorded them, from which images of the disk are made.

Operations are in the order in which they returned. A sync covers only the operations that had returned when it was
called, so it records their number. Acknowledgements are the lines on standard output. An unknown call that may have
changed the folder is an error.
"""

import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from random import Random
from typing import Literal, Self

from support.faults.crash import disk as d
from support.faults.crash.lab import Strace
from support.faults.crash.nursery import Child

SYSCALLS = (
    "open,openat,creat,close,lseek,write,pwrite64,writev,pwritev,pwritev2,truncate,ftruncate,fallocate,fsync,fdatasync,"
    "sync_file_range,copy_file_range,unlink,unlinkat,rename,renameat,renameat2,link,linkat,symlink,symlinkat"
)
"""All system calls that can change a file or a name."""
WHOLE = ("-xx", "-s", str(1 << 24))
"""Options of strace: print paths and strings in full."""
STDOUT = 1


@dataclass(frozen=True, slots=True)
class Recording:
    folder: Path
    before: d.Image
    operations: list[d.Operation] = field(default_factory=list)

    @classmethod
    def of(cls, folder: Path) -> Self:
        return cls(folder.resolve(), d.read_image(folder))

    @contextmanager
    def watch(self, child: Child, *options: str) -> Iterator[None]:
        """Record the system calls that a child makes inside the block."""
        with tempfile.NamedTemporaryFile(mode="r", prefix="hcf-strace-", encoding="ascii") as output:
            strace = Strace(child.pid, Path(output.name), SYSCALLS, *WHOLE, *options)
            try:
                yield
            finally:
                strace.end()
            Reader(self.folder, self.after().names, self.operations).read(output)

    def images(self, seed: int, numbers: range) -> Iterator[tuple[int, int, int, d.Image]]:
        """Yield images in the order of their places: number, place, count of lines printed by then, and image."""
        order = sorted((self.place(number), number) for number in numbers)
        disks = d.crashes(self.before, self.operations, [place for place, _ in order])
        for (place, number), disk in zip(order, disks, strict=True):
            yield number, place, disk.line_count, disk.image(Random(seed << 32 | number))

    @property
    def output_lines(self) -> list[bytes]:
        return [operation.line for operation in self.operations if isinstance(operation, d.OutputLine)]

    def place(self, number: int) -> int:
        """Return the operation before which the power is cut for this image. Any range of numbers is spread evenly."""
        return int((number * 0.6180339887498949) % 1 * (len(self.operations) + 1))

    def after(self) -> d.Disk:
        (disk,) = d.crashes(self.before, self.operations, [len(self.operations)])
        return disk

    def without_syncs(self, names: str) -> Self:
        """Return the recording as if the files whose names match had never been synced."""

        def lost(operation: d.Operation) -> bool:
            return isinstance(operation, d.Sync) and fnmatch(operation.name, names)

        # Put an empty sync in its place, because later syncs count operations.
        return replace(self, operations=[d.Sync("", 0) if lost(each) else each for each in self.operations])


_LINE = re.compile(r"(\d+) +(\w+)\((.*)\) += (-?\d+)(?:<.*)?(?: .*)?", re.DOTALL)
_BEGUN = re.compile(r"(\d+) +(\w+)\((.*?),? <unfinished \.\.\.>", re.DOTALL)
_RESUMED = re.compile(r"(\d+) +<\.\.\. (\w+) resumed>,? ?(.*)", re.DOTALL)
_FILE = re.compile(r"(\d+)<([^>]*)>(\(deleted\))?")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')


class Reader:
    """Reads the strace output of one process, after that of earlier processes."""

    def __init__(self, folder: Path, names: Iterable[str], operations: list[d.Operation]) -> None:
        self.folder = str(folder)
        self.names = set(names)
        self.operations = operations
        self.positions: dict[int, int] = {}
        self.tail = b""

    def read(self, lines: Iterable[str]) -> None:
        waiting: dict[str, tuple[str, int]] = {}
        for line in lines:
            whole, began = line, len(self.operations)
            if (match := _RESUMED.match(line)) and match[1] in waiting:
                arguments, began = waiting.pop(match[1])
                whole = f"{match[1]} {match[2]}({arguments}{match[3]}"
            if match := _LINE.fullmatch(whole.rstrip("\n")):
                self.call(match[2], match[3], int(match[4]), began)
            elif match := _BEGUN.match(line):
                waiting[match[1]] = match[3], began

    def call(self, syscall: str, arguments: str, result: int, began: int) -> None:
        if result < 0 and syscall not in ("fsync", "fdatasync"):
            return
        match syscall:
            case "open" | "openat" | "creat":
                self.opened(arguments, result)
            case "write" | "pwrite64":
                self.written(syscall, arguments, result)
            case "fsync" | "fdatasync":
                if (name := self.file(arguments)) is not None:
                    self.operations.append(d.Sync(name, began, has_failed=result < 0))
            case "ftruncate":
                if (name := self.file(arguments)) is not None:
                    self.operations.append(d.Truncate(name, int(arguments.rpartition(", ")[2])))
            case "unlink":
                if (name := self.name(*_texts(arguments))) is not None:
                    self.names.discard(name)
                    self.operations.append(d.Naming("unlink", name))
            case "rename" | "renameat" | "renameat2" | "link" | "linkat":
                self.named("link" if syscall.startswith("link") else "rename", *_texts(arguments))
            case "lseek":
                if match := _FILE.match(arguments):
                    self.positions[int(match[1])] = result
            case "close":
                pass
            case _:
                if self.folder in _plain(arguments):
                    raise ValueError(f"{syscall} in {self.folder}: not known to the crash lab")

    def name(self, path: str) -> str | None:
        """Return a path's name in the folder, or None if it is elsewhere or need not be recorded."""
        if path == self.folder:
            return d.FOLDER
        pure = PurePosixPath(path)
        return pure.name if str(pure.parent) == self.folder and not path.endswith(d.UNSYNCED) else None

    def file(self, arguments: str) -> str | None:
        match = _FILE.match(arguments)
        return self.name(_decode(match[2]).decode()) if match and not match[3] else None

    def opened(self, arguments: str, descriptor: int) -> None:
        self.positions[descriptor] = 0
        name = self.name(_texts(arguments)[0])
        if name is None:
            return
        if name not in self.names and "O_CREAT" in arguments:
            self.names.add(name)
            self.operations.append(d.Naming("create", name))
        elif "O_TRUNC" in arguments:
            self.operations.append(d.Truncate(name, 0))
        if "O_APPEND" in arguments:
            raise ValueError(f"{name} opened to append: not known to the crash lab")

    def written(self, syscall: str, arguments: str, result: int) -> None:
        match, name = _FILE.match(arguments), self.file(arguments)
        if match is None or (int(match[1]) != STDOUT and name is None):
            return
        text = _TEXT.search(arguments)
        if text is None or text[2]:
            raise ValueError(f"a write to {name} was not recorded whole")
        descriptor, data = int(match[1]), _decode(text[1])[:result]
        if descriptor == STDOUT:
            *lines, self.tail = (self.tail + data).split(b"\n")
            self.operations += map(d.OutputLine, lines)
        elif syscall == "pwrite64":
            self.operations.append(d.Write(str(name), int(arguments.rpartition(", ")[2]), data))
        else:
            self.operations.append(d.Write(str(name), self.positions[descriptor], data))
            self.positions[descriptor] += result

    def named(self, kind: Literal["link", "rename"], path: str, target_path: str) -> None:
        name, target = self.name(path), self.name(target_path)
        if name is None and target is None:
            return
        if name is None or target is None:
            raise ValueError(f"{path} becomes {target_path}: not known to the crash lab")
        if kind == "rename":
            self.names.discard(name)
        self.names.add(target)
        self.operations.append(d.Naming(kind, name, target))


def _decode(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


def _texts(arguments: str) -> list[str]:
    return [_decode(match[1]).decode() for match in _TEXT.finditer(arguments)]


def _plain(arguments: str) -> str:
    return re.sub(r"(?:\\x[0-9a-f]{2})+", lambda match: _decode(match[0]).decode("utf-8", "replace"), arguments)
