"""The scripts of bench, sweep and tools can be imported, so a broken target of the Makefile fails a test first."""

import subprocess
import sys
from pathlib import Path

import pytest

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
