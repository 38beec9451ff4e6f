"""Reads and writes files for the commands, so that code for rulebooks, strategies and notation only handles text."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EEXIST, EISDIR, ENOENT, ENOTDIR
from pathlib import Path

from highcardflush.errors import HcfError, RulebookError, TextError, one_line
from highcardflush.odds.strategies import Strategy, find_strategy, load_strategy
from highcardflush.rulebook import PayTable, Rulebook, load, packaged
from highcardflush.rulebook.load import packaged_text

WHY = {ENOENT: "no such file", EISDIR: "it is a folder", EEXIST: "it already exists"}


class FileError(HcfError):
    def __str__(self) -> str:
        return one_line(f"{self.message}: {self.read}")


def _cannot(act: str, path: str | Path, why: str, expected: str) -> FileError:
    return FileError(f"cannot {act} {path}", read=why, expected=expected, file=str(path))


@contextmanager
def _explained(act: str, path: str | Path, expected: str) -> Iterator[None]:
    """Turn an operating system error about a file into a readable message."""
    try:
        yield
    except OSError as error:
        words = error.strerror or str(error)
        why = WHY.get(error.errno or 0, words[:1].lower() + words[1:])
        raise _cannot(act, path, why, expected) from None


def read_bytes(path: str | Path) -> bytes:
    """Read a file, or standard input if the path is `-`."""
    try:
        with _explained("read", path, "a file to read"):
            return sys.stdin.buffer.read() if str(path) == "-" else Path(path).read_bytes()
    except ValueError as error:  # The name contains a NUL.
        raise _cannot("read", repr(str(path)), str(error), "a file to read") from None


def read_key(path: str | Path) -> bytes:
    """Read a private key; only its owner may have access to the file."""
    from highcardflush.house.files import read_private

    with _explained("read", path, "a private key"):
        return read_private(Path(path)).reveal()


def read_text(path: str | Path) -> str:
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _cannot("read", path, f"byte {error.start} is not UTF-8", "UTF-8 text") from None


def check_folder(path: str) -> None:
    """Refuse an output file whose folder does not exist. Call this before long work begins."""
    with _explained("write", path, "a place to write"):
        if not Path(path).parent.is_dir():
            raise NotADirectoryError(ENOTDIR, "no such folder")


def write_bytes(path: str, data: bytes) -> None:
    with _explained("write", path, "a place to write"):
        Path(path).write_bytes(data)


def write_whole(path: str, data: bytes) -> None:
    """Write the file atomically, replacing any existing one."""
    with _explained("write", path, "a place to write"):
        part = Path(f"{path}.part")
        try:
            part.write_bytes(data)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)


def make_folder(path: str) -> None:
    with _explained("write", path, "a folder to write to"):
        Path(path).mkdir(parents=True, exist_ok=True)


def write_new(path: Path, data: bytes, mode: int) -> None:
    """Write a new file with these permissions, atomically."""
    from highcardflush.house.files import write_whole
    from highcardflush.house.secret import Secret

    with _explained("write", path, "a new file"):
        write_whole(path, Secret(data), mode)


def check_new(path: str) -> None:
    """Refuse an output file that already exists. Call this before long work begins."""
    with _explained("write", path, "a new file"):
        if Path(path).exists():
            raise FileExistsError(EEXIST, "")


def find_rulebook(name: str, folder: Path | None = None) -> Rulebook:
    """Return the packaged rulebook with this name, or load the .toml file with this path, relative to `folder`."""
    if not name.endswith(".toml"):
        try:
            return packaged(name)
        except RulebookError as error:  # A wrong name is an error in the command line.
            raise TextError(error.message, read=error.read, expected=error.expected) from None
    path = (folder or Path()) / name
    return load(read_text(path), file=str(path), read=_reader(path.parent))


def find_paytable(name: str, key: str) -> tuple[Rulebook, PayTable]:
    rulebook = find_rulebook(name)
    if key not in rulebook.paytables:
        expected = f"a pay table of {rulebook.name}: {', '.join(rulebook.paytables)}"
        raise RulebookError("pay table", read=repr(key), expected=expected).at(None if name == rulebook.name else name)
    return rulebook, rulebook.paytables[key]


def read_strategy(text: str) -> Strategy:
    return load_strategy(read_text(text), text) if text.endswith(".toml") else find_strategy(text)


def finder(folder: Path) -> Callable[[str], Rulebook]:
    """Return a function that finds rulebooks, with paths relative to this folder."""
    return lambda name: find_rulebook(name, folder)


def _reader(folder: Path) -> Callable[[str], str]:
    """Return a reader for the documents that a rulebook extends.

    The first path is relative to `folder`, and each further path is relative to the folder of the document before it.
    """

    def read(name: str) -> str:
        nonlocal folder
        if not name.endswith(".toml"):
            return packaged_text(name)
        path = folder / name
        folder = path.parent
        return read_text(path)

    return read
