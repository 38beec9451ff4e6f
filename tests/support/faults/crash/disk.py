"""Possible contents of a disk after a power cut: images of a folder, made from the writes to it.

Everything that a completed sync of a file covers is on the disk. The disk may have kept all or nothing of each later
write, truncation and name change, or only some sectors or a prefix of a write, independently of the others. If an
unsynced write made a file longer, the file may have its new length without the data. A name is on the disk once its
folder has been synced. Nothing outside a write is touched (SQLite's powersafe overwrite). Data that a failed sync
covered may be lost for good even if later syncs succeed, because the kernel considers it written.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Literal, Self

SECTOR = 512
FOLDER = "."
"""The name under which a sync of the folder itself is recorded."""
UNSYNCED = "-shm"
"""Suffix of SQLite's shared memory. It is not part of an image: the first process to open the books creates it."""


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
class Naming:
    """A change of a file's name; only "rename" and "link" have a target."""

    kind: Literal["create", "unlink", "rename", "link"]
    name: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class Sync:
    """`began`: number of operations that had returned when the sync was called."""

    name: str
    began: int
    has_failed: bool = False


@dataclass(frozen=True, slots=True)
class OutputLine:
    """A line on standard output that somebody outside has read."""

    line: bytes


Operation = Write | Truncate | Naming | Sync | OutputLine
Image = dict[str, bytes]


@dataclass(slots=True)
class Change:
    place: int
    operation: Write | Truncate
    fate: Literal["open", "certain", "doomed"] = "open"
    """Changes to "certain" when a sync covers the operation, and to "doomed" when a failed sync does."""


@dataclass(slots=True, eq=False)
class File:
    """A file apart from its name: its content on the disk, and later changes."""

    synced: bytearray = field(default_factory=bytearray)
    pending: list[Change] = field(default_factory=list)

    def sync(self, began: int, *, has_failed: bool) -> None:
        """Sync the operations whose place is before `began`."""
        for change in self.pending:
            if change.place < began and change.fate == "open":
                change.fate = "doomed" if has_failed else "certain"
        while self.pending and self.pending[0].fate == "certain":
            _apply(self.synced, self.pending.pop(0).operation)


@dataclass(slots=True)
class Disk:
    """A folder on a disk after a number of operations."""

    names: dict[str, File] = field(default_factory=dict)
    synced_names: dict[str, File] = field(default_factory=dict)
    pending_names: list[tuple[int, Naming, File]] = field(default_factory=list)
    line_count: int = 0
    place: int = 0

    @classmethod
    def of(cls, image: Image) -> Self:
        files = {name: File(bytearray(data)) for name, data in image.items()}
        return cls(dict(files), files)

    def apply(self, operation: Operation) -> None:
        match operation:
            case Write(name) | Truncate(name):
                self.names[name].pending.append(Change(self.place, operation))
            case Sync(name, began) if name == FOLDER:
                for _, change, file in [change for change in self.pending_names if change[0] < began]:
                    _change_names(self.synced_names, change, file)
                self.pending_names = [change for change in self.pending_names if change[0] >= began]
            case Sync(name, began, has_failed):
                if name in self.names:
                    self.names[name].sync(began, has_failed=has_failed)
            case OutputLine():
                self.line_count += 1
            case naming:
                file = File() if naming.kind == "create" else self.names[naming.name]
                self.pending_names.append((self.place, naming, file))
                _change_names(self.names, naming, file)
        self.place += 1

    def image(self, rng: Random) -> Image:
        """Draw one of the images that the disk may hold if the power is cut now."""
        names = dict(self.synced_names)
        for is_kept, (_, change, file) in zip(_kept(len(self.pending_names), rng), self.pending_names, strict=True):
            if is_kept:
                _change_names(names, change, file)
        return {name: _content(file, rng) for name, file in names.items()}

    def kept(self) -> Image:
        """Return everything that has been written, as another process finds it, even after a kill."""
        image_files = {}
        for name, file in self.names.items():
            content = bytearray(file.synced)
            for change in file.pending:
                _apply(content, change.operation)
            image_files[name] = bytes(content)
        return image_files


def crashes(before: Image, operations: Sequence[Operation], places: Sequence[int]) -> Iterator[Disk]:
    """Yield the disk at each of the places, in rising order. It is the same object each time, advanced to the place."""
    disk = Disk.of(before)
    for place in places:
        while disk.place < place:
            disk.apply(operations[disk.place])
        yield disk


def write_image(image: Image, folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    for name, data in image.items():
        (folder / name).write_bytes(data)
        (folder / name).chmod(0o600)  # the mode with which the house creates them


def read_image(folder: Path) -> Image:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith(UNSYNCED)}


def _apply(content: bytearray, operation: Write | Truncate) -> None:
    match operation:
        case Write(_, offset, data):
            if offset > len(content):
                content.extend(bytes(offset - len(content)))
            content[offset : offset + len(data)] = data
        case Truncate(_, size):
            if size > len(content):
                content.extend(bytes(size - len(content)))
            del content[size:]


def _change_names(names: dict[str, File], change: Naming, file: File) -> None:
    if change.kind in ("unlink", "rename"):
        names.pop(change.name, None)
    if change.kind != "unlink":
        names[change.target or change.name] = file


def _kept(count: int, rng: Random) -> list[bool]:
    """Draw which of `count` changes the disk kept: none, the first few, the last few, all but one, or any."""
    some, chance = rng.randint(0, count), rng.random()
    ways: list[Callable[[int], bool]] = [
        lambda _: False,
        lambda number: number < some,
        lambda number: number >= some,
        lambda number: number != some,
        lambda _: rng.random() < chance,
    ]
    return list(map(rng.choice(ways), range(count)))


def _content(file: File, rng: Random) -> bytes:
    if not file.pending:
        return bytes(file.synced)
    content = bytearray(file.synced)
    torn_share = rng.choice((0.0, 0.0, 0.2, 1.0))
    longer = rng.random() < 0.25
    for is_kept, change in zip(_kept(len(file.pending), rng), file.pending, strict=True):
        operation = change.operation
        if change.fate == "certain" or isinstance(operation, Truncate):
            if is_kept or change.fate == "certain":
                _apply(content, operation)
            continue
        tears = rng.random() < torn_share
        if longer and (tears or not is_kept):
            end = operation.offset + len(operation.data)
            content.extend(bytes(max(0, end - len(content))))
        for part in _torn(operation, rng) if tears else [operation] * is_kept:
            _apply(content, part)
    return bytes(content)


def _torn(write: Write, rng: Random) -> list[Write]:
    """Draw the pieces of a write that are on the disk: a prefix of any length, or some of its sectors."""
    if rng.random() < 0.5:
        return [Write(write.name, write.offset, write.data[: rng.randrange(len(write.data))])]
    end = write.offset + len(write.data)
    edges = [write.offset, *range((write.offset // SECTOR + 1) * SECTOR, end, SECTOR), end]
    chance = rng.random()
    return [
        Write(write.name, start, write.data[start - write.offset : stop - write.offset])
        for start, stop in pairwise(edges)
        if rng.random() < chance
    ]
