"""A copy of the package with a change, and scripts that run with the copy in their own process.

A change is a text file in `tests/data/changes`. Its first line is the row of "What a change touches" in
CONTRIBUTING.md. Each section then begins with `@@@ FILE` for a new file, `@@@ FILE @ ANCHOR` for lines to insert before
the line with the anchor, or `@@@ FILE @ ANCHOR @ OLD @ NEW` for a replacement in that line. The section after a bare
`@@@` is a script that shows the effect. It may call `hcf(*args, shows=TEXT, status=0)`.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import highcardflush

PACKAGE = Path(highcardflush.__file__).parent
TESTS = Path(__file__).parents[2]
CHANGES = TESTS / "data" / "changes"
PATIENCE_SECONDS = 300
PRELUDE = """\
import contextlib, io
from highcardflush.cli import run

def hcf(*args, shows, status=0):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        assert run([*args]) == status, out.getvalue()
    assert shows in " ".join(out.getvalue().split()), out.getvalue()

"""


class Patch(NamedTuple):
    file: str
    anchor: str
    old: str
    new: str

    def apply(self, package: Path) -> None:
        path = package / self.file
        if not self.anchor:
            assert not path.exists(), f"{self.file} is there already"
            path.parent.mkdir(exist_ok=True)
            path.write_text(self.new, encoding="utf-8")
            return
        lines = path.read_text("utf-8").splitlines(keepends=True)
        (at,) = [at for at, line in enumerate(lines) if line.strip().startswith(self.anchor)]
        if self.old:
            assert self.old in lines[at], lines[at]
            lines[at] = lines[at].replace(self.old, self.new)
        else:
            lines.insert(at, self.new)
        path.write_text("".join(lines), encoding="utf-8")


class Change(NamedTuple):
    row: str
    patches: tuple[Patch, ...]
    script: str


def read_change(name: str) -> Change:
    row, *parts = (CHANGES / f"{name}.txt").read_text("utf-8").split("@@@")
    patches = []
    for part in parts[:-1]:
        head, _, text = part.partition("\n")
        file, anchor, old, new = [*head.strip().split(" @ "), "", "", ""][:4]
        patches.append(Patch(file, anchor, old, new or text))
    return Change(row.strip(), tuple(patches), parts[-1])


def make_change(change: Change, folder: Path) -> Path:
    """Copy the package into a folder and change the copy; return the folder from which Python imports it."""
    package = folder / "src" / "highcardflush"
    shutil.copytree(PACKAGE, package)
    for patch in change.patches:
        patch.apply(package)
    return package.parent


def run(source: Path, script: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join(map(str, (source, TESTS, TESTS.parent / "tools")))
    return subprocess.run(
        [sys.executable, "-c", PRELUDE + script],
        env=os.environ | {"PYTHONPATH": paths},
        cwd=source.parent,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
