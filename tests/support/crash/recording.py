"""What was written to a folder, kept for making images of: recorded by strace around one child after another."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from random import Random

from support.crash.disk import Disk, Image, crashes, read_image
from support.crash.nursery import Child
from support.crash.strace import Strace, recording
from support.crash.trace import Operation, Reader, Sync, SyncNames, Told


@dataclass(frozen=True, slots=True)
class Recording:
    before: Image
    operations: tuple[Operation, ...]

    def images(self, seed: int, numbers: range) -> Iterator[tuple[int, int, int, Image]]:
        """Images by number, each with its place and how much had been told by then; each is the same for the same seed.

        Places come in rising order, so that the disk is only ever moved on.
        """
        places = [self.place(number) for number in numbers]
        order = sorted(zip(places, numbers, strict=True))
        for (place, number), disk in zip(order, crashes(self.before, self.operations, sorted(places)), strict=True):
            yield number, place, disk.told, disk.image(Random(seed << 32 | number))

    @property
    def told(self) -> list[bytes]:
        """What was told, in order."""
        return [operation.line for operation in self.operations if isinstance(operation, Told)]

    def place(self, number: int) -> int:
        """Where the power is cut for this image: spread evenly, whatever the range of numbers."""
        return int((number * 0.6180339887498949) % 1 * (len(self.operations) + 1))

    def after(self) -> Disk:
        """The disk when all was done."""
        (disk,) = crashes(self.before, self.operations, [len(self.operations)])
        return disk

    def without_syncs(self, names: str | None) -> Recording:
        """As if a sync of the files whose names match (None: of the folder) had never been called."""
        kept: list[Operation] = []
        for operation in self.operations:
            lost = isinstance(operation, SyncNames) if names is None else _is_sync(operation, names)
            # Something in its place, for later syncs count operations.
            kept.append(Sync("", 0) if lost else operation)
        return Recording(self.before, tuple(kept))


def _is_sync(operation: Operation, names: str) -> bool:
    return isinstance(operation, Sync) and fnmatch(operation.name, names)


class Recorder:
    """Watches children that work in one folder, one after another."""

    def __init__(self, folder: Path) -> None:
        self._before = read_image(folder)
        self._reader = Reader(folder.resolve(), self._before)

    @contextmanager
    def watch(self, child: Child, *options: str) -> Iterator[None]:
        """Record what a child does within; it is to be ended after."""
        with tempfile.TemporaryDirectory(prefix="hcf-strace-") as name:
            output = Path(name) / "trace"
            strace = Strace(child.pid, output, *recording(), *options)
            try:
                yield
            finally:
                strace.end()
            with output.open(encoding="ascii") as lines:
                self._reader.read(lines)

    def recording(self) -> Recording:
        return Recording(self._before, tuple(self._reader.operations))
