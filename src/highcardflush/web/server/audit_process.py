"""`python -m highcardflush.web.server.audit_process` runs an audit in a process of its own.

It reads the address of the database as one line from standard input, so that no list of processes shows it. It writes
lines of JSON: its progress, and at the end its report or an error.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from typing import Any

import msgspec

from highcardflush.errors import HcfError
from highcardflush.house.auditing import audit_database, report_data

NICENESS = 10
"""Play comes first."""
PROGRESS_S = 0.25


def main() -> int:
    with suppress(OSError):
        os.nice(NICENESS)
    last = 0.0

    def progress(what: str, done: int, total: int) -> None:
        nonlocal last
        if (now := time.monotonic()) - last >= PROGRESS_S:
            last = now
            _write({"what": what, "done": done, "total": total})

    try:
        report = audit_database(sys.stdin.readline().strip(), progress)
    except HcfError as error:
        _write({"error": error.as_dict()})
        return 1
    assert report.heads is not None
    _write({"found": {**report_data(report), "findings": report.wrong, "heads": report.heads.digest}})
    return 0


def _write(line: dict[str, Any]) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
