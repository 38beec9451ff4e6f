"""What computes: version and build, so that somebody else can tell whether theirs is the same."""

from __future__ import annotations

import platform
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from msgspec import Struct

PACKAGE = "highcardflush"


class Software(Struct, frozen=True):
    """A version, and a hash over the package's files: two builds with the same hash compute the same."""

    name: str
    version: str
    build: str
    python: str


@cache
def software() -> Software:
    folder = Path(str(files(PACKAGE)))
    return Software(PACKAGE, version(PACKAGE), build_hash(folder), platform.python_version())


def build_hash(folder: Path) -> str:
    """SHA-256 over the lines `SHA-256 of a file, two blanks, its path` in the order of the paths, caches left out.

    It is what `sha256sum` prints for these files, hashed once more.
    """
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    kept = sorted(name for name in found if "__pycache__" not in name)
    lines = (f"{sha256(found[name].read_bytes()).hexdigest()}  {name}\n" for name in kept)
    return sha256("".join(lines).encode()).hexdigest()
