"""The high-water mark: the progress of the books, stored in a file next to the house key and outside the database.

For the office and the cage, the mark is the number of the newest event. For each table, it is the number of the newest
event that revealed something: cards to players, or the seed of a finished round. Books that end before the mark were
restored by hand, and the cards of their live rounds may be known. The mark is written after the commit, so it is never
ahead of intact books. It is not synced to disk, because a mark that is too low only makes some losses go undetected.

The file has a 128-byte line for each stream of each house that uses the key. Checksums expose partly written lines.
"""

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from zlib import crc32

from msgspec import Struct

from highcardflush.errors import StoreError
from highcardflush.house.books.reader import OFFICE, read_event, read_head, read_standing
from highcardflush.house.cache import Loss
from highcardflush.house.events import KINDS
from highcardflush.house.files import locked
from highcardflush.house.store.admin import open_store
from highcardflush.house.store.protocol import Transaction

LINE_BYTES = 128
REVEALS = frozenset(kind for (_, kind), body in KINDS.items() if body.event_kind.reveals)
"""Table events that reveal a random outcome to everybody, or to a player who could bet again if the event were lost."""


class Reached(Struct, frozen=True, order=True):
    """The progress of a stream, as an epoch and an event number."""

    epoch: int
    seq: int


class Mark:
    """The lines of one house in the mark file. Several houses may use the same key and file."""

    def __init__(self, path: Path, house: str) -> None:
        self.path, self._house = path, house
        self._places: dict[str, int] = {}

    def raise_to(self, reached: Mapping[str, Reached]) -> None:
        """Record the progress of streams. Ignore write errors, because the commands are already committed."""
        with contextlib.suppress(OSError), locked(self.path, os.O_RDWR | os.O_CREAT) as handle:
            for stream, mark in reached.items():
                at = self._place(handle, stream)
                recorded = _parse(os.pread(handle, LINE_BYTES, at))
                if recorded is None or recorded[2] < mark:
                    os.pwrite(handle, _line(self._house, stream, mark), at)

    def _place(self, handle: int, stream: str) -> int:
        """Return the offset of a stream's line, or of the end of the file if the stream has no line. Offsets are
        cached, because lines never move, but they are checked, because the file may have been replaced."""
        name, at = f"{self._house} {stream} ".encode(), self._places.get(stream)
        if at is None or os.pread(handle, len(name), at) != name:
            data = _data(handle)
            offset = data.find(name)
            at = self._places[stream] = offset if offset >= 0 else len(data) // LINE_BYTES * LINE_BYTES
        return at

    def reset(self, epoch: int) -> None:
        """Start a new epoch: clear the lines of all streams, and record only the beginning of the epoch."""
        try:
            with locked(self.path, os.O_RDWR | os.O_CREAT) as handle:
                for at, house, stream, _ in _read(_data(handle)):
                    if house == self._house:
                        os.pwrite(handle, _line(house, stream, Reached(0, 0)), at)
        except OSError as error:
            expected = "a writable file, or no file"
            raise StoreError("mark", read=str(error.strerror), expected=expected, file=str(self.path)) from None
        self.raise_to({OFFICE: Reached(epoch, epoch)})

    def find_loss(self, tx: Transaction) -> Loss | None:
        """Return a loss if the books are behind the mark: they are in an earlier epoch, or a stream ends too early."""
        # Read the mark first. Other processes keep writing, but intact books are never behind a mark read earlier.
        marks = self._reached()
        standing = read_standing(tx)
        for stream, reached in sorted(marks.items()):
            newest = read_head(tx, stream).seq
            if standing is not None and Reached(standing.epoch, newest) < reached:
                return Loss(stream, reached.seq, newest, reached.epoch)
        return None

    def refusal(self, loss: Loss) -> StoreError:
        required = f"event {loss.acknowledged_seq} or later in epoch {loss.epoch}, as recorded in {self.path}"
        expected = f"{required}; if the books were restored, run `hcf db restore --reason TEXT`"
        return StoreError(f"books: {loss.stream}", read=f"newest event {loss.newest_seq}", expected=expected)

    def _reached(self) -> dict[str, Reached]:
        with contextlib.suppress(OSError):
            lines = _read(self.path.read_bytes())
            return {stream: reached for _, house, stream, reached in lines if house == self._house}
        return {}


def read_mark(tx: Transaction, key_file: Path) -> Mark | None:
    first = read_event(tx, OFFICE, 1)
    return Mark(key_file.with_name(f"{key_file.name}.mark"), first.hash.hex()[:16]) if first is not None else None


def reset_mark(url: str, key_file: Path, epoch: int) -> None:
    with contextlib.closing(open_store(url)) as store:
        mark = store.snapshot(lambda tx: read_mark(tx, key_file))
    if mark is not None and mark.path.exists():
        mark.reset(epoch)


def _read(data: bytes) -> Iterator[tuple[int, str, str, Reached]]:
    for at in range(0, len(data), LINE_BYTES):
        if (line := _parse(data[at : at + LINE_BYTES])) is not None:
            yield at, *line


def _data(handle: int) -> bytes:
    return os.pread(handle, os.fstat(handle).st_size, 0)


def _parse(line: bytes) -> tuple[str, str, Reached] | None:
    words = line.decode("ascii", "replace").split()
    if len(words) != 5 or not (words[2].isdecimal() and words[3].isdecimal()):
        return None
    house, stream, reached = words[0], words[1], Reached(int(words[2]), int(words[3]))
    return (house, stream, reached) if line == _line(house, stream, reached) else None


def _line(house: str, stream: str, reached: Reached) -> bytes:
    """Format a line with a checksum, because a partly written line may mix the digits of two numbers."""
    text = f"{house} {stream:<48}{reached.epoch:>20}{reached.seq:>20}".encode()
    return b"%s %08x" % (text, crc32(text)) + b" " * (LINE_BYTES - 10 - len(text)) + b"\n"
