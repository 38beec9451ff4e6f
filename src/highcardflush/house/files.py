"""Files that are written atomically, and files that only their owner may read."""

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from highcardflush.house.secret import Secret


def write_whole(path: Path, data: Secret[bytes], mode: int, *, over: bool = False) -> None:
    """Write a file atomically with these permissions, and sync it and its folder. If `over`, it may replace a file."""
    draft = path.parent / f".{path.name}.draft"
    with locked(path.parent) as folder:
        draft.unlink(missing_ok=True)  # A killed process may have left a draft.
        if not over and os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        try:
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
                file.write(data.reveal())
                file.flush()
                os.fsync(file.fileno())
            os.rename(draft, path)
        finally:
            draft.unlink(missing_ok=True)
        os.fsync(folder)


@contextmanager
def locked(path: Path, flags: int = os.O_RDONLY) -> Iterator[int]:
    """Open and lock a file or folder, and yield its descriptor. On a file system without locks, only open it."""
    handle = os.open(path, flags, 0o600)
    try:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield handle
    finally:
        os.close(handle)


def sync(path: Path) -> None:
    """Sync a file or folder. A new file is durable only after its folder has been synced too."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_private(path: Path) -> Secret[bytes]:
    """Read a file. Refuse it if other users may read or change it."""
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        mode = stat.S_IMODE(status.st_mode)
        if mode & 0o077:
            raise PermissionError(errno.EPERM, f"mode {mode:04o}, accessible to other users (fix it with chmod 600)")
        if status.st_uid not in (0, os.geteuid()):
            raise PermissionError(errno.EPERM, f"a file owned by user {status.st_uid} (fix it with chown)")
        return Secret(file.read())
