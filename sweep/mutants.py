"""Changes ranking, settlement and jackpot in small ways (mutants). Each change should make a test fail.

    .venv/bin/python sweep/mutants.py [--processes 2]

mutmut changes every function body of MODULES, in a scratch copy, and runs TESTS on each change. It does not change
constants of a module, class fields and properties. survivors.toml must list every mutant that no test notices, with the
reason why that is acceptable.

Exit status: 0 every survivor is explained, 1 one is not or mutmut failed, 2 usage, 130 interrupted.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import options
from options import ROOT

EXPLAINED = Path(__file__).with_name("survivors.toml")
PACKAGE = "src/highcardflush/"
MODULES = ("ranking.py", "jackpot.py", "game/settle.py", "game/caps.py", "game/sidebets.py")
TESTS = (
    "core/test_ranking",
    "core/test_jackpot",
    "game/test_settle",
    "game/test_caps",
    "game/test_sidebets",
    "game/test_golden",
)
# Seconds long each, and what they find the other tests of ranking find too.
SLOW = (
    "test_random_hands_and_who_wins_are_as_the_twin_says",
    "test_every_hand_with_six_or_seven_hearts_is_as_the_twin_says",
    "test_exact_counts_over_all_hands",
)
CONFIG = {
    "source_paths": ["src"],
    "also_copy": ["conftest.py"],
    "only_mutate": [PACKAGE + module for module in MODULES],
    "pytest_add_cli_args_test_selection": [f"tests/{name}.py" for name in TESTS],
    "pytest_add_cli_args": [
        "--hypothesis-profile=ci",  # the same examples every time
        "-pno:cacheprovider",
        *(f"--deselect=tests/core/test_ranking.py::{name}" for name in SLOW),
    ],
    "timeout_multiplier": ["5.0"],
    "timeout_constant": ["5.0"],
}
# mutmut 3.8 reads a private name that pytest 9.2 no longer has.
PATCH = """
def pytest_collection_modifyitems(items):
    for item in items:
        item._nodeid = item.nodeid
"""
DEAD = {"killed", "timeout"}  # a mutant that never ends is noticed as well
LEFT = {"survived", "no tests"}


class Mutant(NamedTuple):
    """A change in a function: the line before and after."""

    module: str
    function: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.module}, {self.function}\n    - {self.before}\n    + {self.after}"


def explained() -> dict[Mutant, str]:
    """Return the accepted survivors, each with the reason."""
    rows = tomllib.loads(EXPLAINED.read_text("utf-8")).get("survivor", [])
    return {Mutant(*(row[field] for field in Mutant._fields)): row["why"] for row in rows}


def copy_project(scratch: Path) -> None:
    for folder in ("src", "tests"):
        shutil.copytree(ROOT / folder, scratch / folder, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    shutil.copy(ROOT / "pyproject.toml", scratch)
    (scratch / "conftest.py").write_text(PATCH, "utf-8")
    lines = (f"{key} =" + "".join(f"\n    {value}" for value in values) for key, values in CONFIG.items())
    (scratch / "setup.cfg").write_text("[mutmut]\n" + "\n".join(lines) + "\n", "utf-8")


def mutmut(scratch: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "mutmut", *arguments]
    return subprocess.run(command, cwd=scratch, check=True, text=True, stdout=subprocess.PIPE).stdout


def run(scratch: Path, processes: int) -> int:
    """Test all mutants, in a process group that can be stopped as one."""
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(processes)]
    running = subprocess.Popen(command, cwd=scratch, start_new_session=True)
    try:
        return running.wait()
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()


def read_mutant(scratch: Path, name: str) -> Mutant:
    """Read a mutant from its diff; several lines become one."""
    diff = mutmut(scratch, "show", name).splitlines()
    path = next(line[4:] for line in diff if line.startswith("--- "))
    sides = (
        " ".join(line[1:].strip() for line in diff if line.startswith(sign) and not line.startswith(sign * 3))
        for sign in "-+"
    )
    function = re.sub(r".*\.x(_|ǁ)|__mutmut_\d+$", "", name).replace("ǁ", ".")
    return Mutant(path.removeprefix(PACKAGE), function, *sides)


def sweep(processes: int) -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    explained_survivors = explained()
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="hcf-mutants-") as folder:
        scratch = Path(folder)
        copy_project(scratch)
        if status := run(scratch, processes):
            print(f"mutmut failed with status {status}", file=sys.stderr)
            return 1
        mutant_lines = mutmut(scratch, "results", "--all", "true").splitlines()
        results = dict(line.strip().rsplit(": ", 1) for line in mutant_lines if "__mutmut_" in line)
        survivors = {read_mutant(scratch, name) for name, status in results.items() if status in LEFT}
    counts = Counter(results.values())
    summary = ", ".join(f"{number} {status}" for status, number in counts.most_common())
    print(f"{counts.total()} mutants in {(time.monotonic() - start) / 60:.0f} min: {summary}")
    for mutant in sorted(explained_survivors.keys() - survivors):
        print(f"explained, but survives no longer: {mutant}")
    for mutant in sorted(survivors & explained_survivors.keys()):
        print(f"explained: {mutant}\n    {explained_survivors[mutant]}")
    for mutant in sorted(survivors - explained_survivors.keys()):
        print(f"NOT EXPLAINED: {mutant}")
    untested_names = [name for name, status in results.items() if status not in DEAD | LEFT]
    for name in untested_names:
        print(f"NOT TESTED: {name}: {results[name]}")
    silent = [module for module in MODULES if not any(module_of(name) == module for name in results)]
    for module in silent:
        print(f"NO MUTANTS: {module}")
    return 1 if survivors - explained_survivors.keys() or untested_names or silent else 0


def module_of(name: str) -> str:
    """Return `game/settle.py` for `highcardflush.game.settle.x_settle__mutmut_1`."""
    return name.rpartition(".x")[0].removeprefix("highcardflush.").replace(".", "/") + ".py"


if __name__ == "__main__":
    options.run(sweep, __doc__, processes=2)
