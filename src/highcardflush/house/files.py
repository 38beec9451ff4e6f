"""Files that are there whole or not at all, and files that their owner alone may read."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from highcardflush.house.secret import Secret


def write_whole(path: Path, data: Secret[bytes], mode: int, *, over: bool = False) -> None:
    """A file with these rights from its first moment, on disk with its name; a new one, or `over` what is there."""
    draft = Path(f"{path}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(data.reveal())
            file.flush()
            os.fsync(file.fileno())
        (os.replace if over else _name)(draft, path)
    finally:
        with suppress(OSError):  # it has its name
            os.unlink(draft)
    sync(path.parent)


def _name(draft: Path, path: Path) -> None:
    """Unlike a rename, a link never replaces what is there."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links, a stick perhaps
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        os.rename(draft, path)


def sync(path: Path) -> None:
    """A file, or a folder: a file is on disk when its name is too."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_private(path: Path) -> Secret[bytes]:
    """What a file holds that nobody else may read or change."""
    with path.open("rb") as file:
        if os.name == "posix":
            _require_private(os.fstat(file.fileno()))
        return Secret(file.read())


def _require_private(status: os.stat_result) -> None:
    mode = stat.S_IMODE(status.st_mode)
    if mode & 0o077:
        raise PermissionError(errno.EPERM, f"mode {mode:04o}, open to others (chmod 600 mends it)")
    if status.st_uid not in (0, os.geteuid()):
        raise PermissionError(errno.EPERM, f"a file of user {status.st_uid} (chown mends it)")
