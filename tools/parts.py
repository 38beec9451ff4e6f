"""Installs the programs that the tests need and pip cannot install: PostgreSQL, strace, Chromium, and node with npm.

They are installed with apt if this script runs as root. Tests whose programs are missing are skipped, and the script
prints which. Debian's PostgreSQL package is kept from starting a server, because the tests start one themselves.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent.parent / "tests")]

from support.places import postgres  # noqa: E402

LOSSES = {
    "postgresql": "the tests on PostgreSQL will be skipped",
    "strace": "the power-loss tests, which record every write, will be skipped",
    "chromium": "the tests in the browser will be skipped",
    "nodejs": "the types and the style of the browser's pages will not be checked",
    "npm": "the types, the style and the accessibility of the browser's pages will not be checked",
}
PROGRAMS = {"strace": "strace", "chromium": "chromium", "nodejs": "node", "npm": "npm"}
"""The program of each package. A node that does not come from Debian includes npm."""


def absent() -> list[str]:
    packages = [package for package, program in PROGRAMS.items() if shutil.which(program) is None]
    return packages if postgres.missing() is None else ["postgresql", *packages]


def install(packages: list[str]) -> None:
    """Install each package separately, so that a failure does not prevent the others."""
    apt("update")
    for package in packages:
        apt("install", "-y", "--no-install-recommends", package)


def apt(*command: str) -> None:
    """Install packages with apt. A failure matters only if something is still missing afterwards."""
    # nobody would stop a server that a package starts, and at run level 1 Debian starts none
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    result = subprocess.run(["apt-get", "-qq", *command], env=environment, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        print(f"apt-get {' '.join(command)}: {' '.join(result.stderr.split())}", file=sys.stderr)


def main() -> None:
    if (packages := absent()) and os.geteuid() == 0 and shutil.which("apt-get"):
        install(packages)
    for package in absent():
        print(f"{package} is not installed: {LOSSES[package]}")


if __name__ == "__main__":
    main()
