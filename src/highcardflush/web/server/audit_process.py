"""`python -m highcardflush.web.server.audit_process`: an audit as a process of its own, for who must not wait for it.

It reads the address of the books as one line from standard input, so that no list of processes shows it, and writes
lines of JSON: how far it is, and at the end what it found.
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

KINDLY = 10
"""Play comes first."""
TELL_S = 0.25


def main() -> int:
    with suppress(OSError):
        os.nice(KINDLY)
    told = 0.0

    def progress(what: str, done: int, total: int) -> None:
        nonlocal told
        if (now := time.monotonic()) - told >= TELL_S:
            told = now
            _say({"what": what, "done": done, "total": total})

    try:
        report = audit_database(sys.stdin.readline().strip(), progress)
    except HcfError as error:
        _say({"error": error.as_dict()})
        return 1
    assert report.heads is not None
    _say({"found": {**report_data(report), "findings": report.wrong, "heads": report.heads.digest}})
    return 0


def _say(line: dict[str, Any]) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
