"""Install what the tests need and pip does not have: PostgreSQL's server and strace, by apt where we are root.

Without them the tests that need them are skipped, and this says which. Debian's package would make and start a
cluster of its own; the tests start theirs, so it is told not to.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent.parent / "tests")]

from support import postgres  # noqa: E402

LOSSES = {
    "postgresql": "the tests on PostgreSQL will be skipped",
    "strace": "the power-loss tests, which record every write, will be skipped",
}


def absent() -> list[str]:
    """The Debian packages whose programs are not here."""
    present = {"postgresql": postgres.missing() is None, "strace": shutil.which("strace") is not None}
    return [package for package, here in present.items() if not here]


def install(packages: list[str]) -> None:
    """Ask apt; what it says matters only where something is missing after it."""
    # a server that is started by its package is stopped by nobody: at run level 1 Debian starts none
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        done = subprocess.run(
            ["apt-get", "-qq", *command], env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            print(f"apt-get {command[0]}: {' '.join(done.stderr.split())}", file=sys.stderr)
            return


def main() -> None:
    if (wanted := absent()) and os.geteuid() == 0 and shutil.which("apt-get"):
        install(wanted)
    for package in absent():
        print(f"{package} is not installed: {LOSSES[package]}")


if __name__ == "__main__":
    main()
