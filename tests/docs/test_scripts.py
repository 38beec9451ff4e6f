"""The scripts of bench, sweep and tools can be imported, so a broken target of the Makefile fails a test first.

The last line of `make test` says which checks were left out, and why.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import closing_line

ROOT = Path(__file__).parents[2]
OPTIONAL = ("treys", "phevaluator", "eval7", "pokerkit", "mutmut")
"""Packages of the extras `bench` and `sweep`, which the tests do not install."""
IMPORT = f"""
import runpy, sys, types
sys.path.insert(0, sys.argv[1])
for name in {OPTIONAL}:
    sys.modules[name] = types.ModuleType(name)
for path in sys.argv[2:]:
    print(path, flush=True)
    runpy.run_path(path, run_name="imported")
"""


@pytest.mark.parametrize("folder", ["bench", "sweep", "tools"])
def test_every_script_can_be_imported(folder: str) -> None:
    scripts = [str(path) for path in sorted((ROOT / folder).glob("*.py"))]
    command = [sys.executable, "-c", IMPORT, str(ROOT / folder), *scripts]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stdout.splitlines()[-1] + outcome.stderr


def test_the_closing_line_says_what_was_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    make = [shutil.which("make") or "make", "--dry-run", "--no-print-directory", "-C", str(ROOT), "test"]
    outcome = subprocess.run(make, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=True)
    assignment, _, command = outcome.stdout.splitlines()[-1].rpartition("' ")
    assert "pytest" in command
    monkeypatch.delenv("LEFT_OUT", raising=False)
    assert closing_line([]) == "skipped: no test"
    assert closing_line(["Skipped: no node"] * 2) == "skipped: 2 because no node"
    monkeypatch.setenv("LEFT_OUT", assignment.removeprefix("LEFT_OUT='"))
    expected = "skipped: 1 because no node; the lint of the pages because npm is not installed"
    assert closing_line(["Skipped: no node"]) == expected
