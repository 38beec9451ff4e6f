"""Version and build of the running software, so that other people can check whether theirs is the same."""

import platform
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from msgspec import Struct

from highcardflush.units import Figure

PACKAGE = "highcardflush"


class Software(Struct, frozen=True):
    """Version of the software and a hash of its files. Two builds with the same hash compute the same results."""

    name: str
    version: str
    build: Annotated[str, Figure("code", "SHA-256 over the SHA-256 and path of each file of the software")]
    python: Annotated[str, Figure("text", "version of Python")]


@cache
def software() -> Software:
    folder = Path(str(files(PACKAGE)))
    return Software(PACKAGE, version(PACKAGE), build_hash(folder), platform.python_version())


def build_hash(folder: Path) -> str:
    """Return the SHA-256 of what `sha256sum` prints for a folder's files, sorted by path, except caches."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    names = sorted(name for name in files if "__pycache__" not in name)
    lines = (f"{sha256(files[name].read_bytes()).hexdigest()}  {name}\n" for name in names)
    return sha256("".join(lines).encode()).hexdigest()
