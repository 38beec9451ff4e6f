"""Temporary files in memory, where there is room: the tests wait for no disk. What a disk may lose is shown elsewhere
(`support/crash`)."""

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM_BYTES = 4 << 30
"""Clusters of PostgreSQL, their logs, and whatever tests write. A container has 64 MB there unless told otherwise."""


def memory() -> str | None:
    """The folder in memory, if there is one that is large enough."""
    return str(MEMORY) if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= ROOM_BYTES else None


def use_memory() -> None:
    """For us and for those whom we start, if nobody has said where temporary files belong."""
    if "TMPDIR" not in os.environ and (place := memory()):
        os.environ["TMPDIR"] = tempfile.tempdir = place
