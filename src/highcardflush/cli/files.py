"""Reading files for the commands: the pure part takes texts, this is where they come from."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from highcardflush.errors import HcfError

if TYPE_CHECKING:
    from highcardflush.odds.strategies import Strategy
    from highcardflush.rulebook import Rulebook


def read_text(path: str | Path) -> str:
    """The text of a file, `-` being standard input."""
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else Path(path).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise HcfError("file", read=error.strerror or str(error), expected="a file to read", file=str(path)) from None
    except UnicodeDecodeError as error:
        raise HcfError("file", read=f"byte {error.start} is not UTF-8", expected="UTF-8 text", file=str(path)) from None
    except ValueError as error:  # a NUL in the name
        raise HcfError("file", read=str(error), expected="a file to read", file=repr(str(path))) from None


def find_rulebook(name: str, folder: Path | None = None) -> Rulebook:
    """A packaged rulebook by name, or the one in a .toml file, taken from `folder`."""
    from highcardflush.rulebook.load import load, packaged

    if not name.endswith(".toml"):
        return packaged(name)
    path = (folder or Path()) / name
    return load(read_text(path), file=str(path), read=_reader(path.parent))


def find_strategy(name: str) -> Strategy:
    """A named strategy, or the one in a .toml file."""
    from highcardflush.odds.strategies import NAMED, load_strategy

    if name.endswith(".toml"):
        return load_strategy(read_text(name), name)
    if name not in NAMED:
        raise HcfError("strategy", read=repr(name), expected=f"one of {', '.join(NAMED)}, or a .toml file")
    return NAMED[name]


def finder(folder: Path) -> Callable[[str], Rulebook]:
    """`find_rulebook` for names that stand in a file of this folder."""
    return lambda name: find_rulebook(name, folder)


def _reader(folder: Path) -> Callable[[str], str]:
    """The text of what a rulebook in this folder extends, and of what that one extends, seen from its own folder."""
    from highcardflush.rulebook.load import packaged_text

    def read(name: str) -> str:
        nonlocal folder
        if not name.endswith(".toml"):
            return packaged_text(name)
        path = folder / name
        folder = path.parent
        return read_text(path)

    return read
