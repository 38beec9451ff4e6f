"""Rows of "What a change touches" in CONTRIBUTING.md, each made in a copy of the package and seen to work."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.places.browser import missing
from support.places.patched_package import CHANGES, TESTS, make_change, read_change, run
from support.places.postgres import need

PAGE = (TESTS.parent / "CONTRIBUTING.md").read_text("utf-8")
SECTION = PAGE.partition("## What a change touches\n")[2].partition("\n## ")[0]
ROWS = dict(re.findall(r"^\| (.+?) \| (.+) \|$", SECTION, re.MULTILINE))
ELSEWHERE = {"a side bet": "rulebook/test_new_side_bet.py", "a study": "report/test_studies.py"}
"""Rows that another file tests."""


def test_every_row_has_a_test() -> None:
    rows_changed = {read_change(path.stem).row for path in CHANGES.glob("*.txt")}
    assert rows_changed | ELSEWHERE.keys() | {"change", "-"} == ROWS.keys()
    assert all(f"`tests/{file}`" in ROWS[row] and (TESTS / file).exists() for row, file in ELSEWHERE.items())


@pytest.mark.parametrize("name", sorted(path.stem for path in CHANGES.glob("*.txt")))
def test_a_change_needs_only_the_files_of_its_row(name: str, tmp_path: Path) -> None:
    change = read_change(name)
    for patch in change.patches:
        path = Path(patch.file)
        places_named = [patch.file, *(f"{folder}/" for folder in path.parents)]
        assert any(f"`{each}`" in ROWS[change.row] for each in places_named), patch.file
    if "open_browser" in change.script:
        need(missing())
    process = run(make_change(change, tmp_path), change.script)
    assert process.returncode == 0, process.stderr


COMPLETENESS = """
from audit.test_audit import test_the_auditor_knows_every_kind_of_event
from house.test_events import test_every_kind_is_in_the_union_of_its_stream
from house.test_house import test_every_command_has_its_roles, test_every_command_has_one_handler

for test in (
    test_every_command_has_its_roles,
    test_every_command_has_one_handler,
    test_every_kind_is_in_the_union_of_its_stream,
    test_the_auditor_knows_every_kind_of_event,
):
    try:
        test()
    except AssertionError:
        print(test.__name__)
"""
FORGOTTEN = {
    "nothing": "",
    "def warn(": "test_every_command_has_one_handler\n",
    ", (c.Announce,)": "test_every_command_has_its_roles\ntest_every_command_has_one_handler\n",
    "AnyTime": "test_every_kind_is_in_the_union_of_its_stream\n",
    "_ASSIGNS = {": "test_the_auditor_knows_every_kind_of_event\n",
}
"""The completeness tests that fail if a place of a new command is forgotten, by its anchor or its text."""
MATCHES = {
    "highcardflush/house/table/apply.py": "case ev.RoundOpened()",
    "highcardflush/house/audit/folds.py": "WithoutEffect",
    "highcardflush/house/audit/permissions.py": "ByStaff",
}
"""The modules in which mypy reports a new kind of event that they do not handle, with the anchors of the places."""


@pytest.mark.parametrize("place", FORGOTTEN)
def test_a_forgotten_place_of_a_command_is_noticed(place: str, tmp_path: Path) -> None:
    change = read_change("command")
    others = (patch for patch in change.patches if not patch.anchor.startswith(place))
    remaining_patches = tuple(patch._replace(new=patch.new.replace(place, "")) for patch in others)
    assert (remaining_patches == change.patches) == (place == "nothing")
    process = run(make_change(change._replace(patches=remaining_patches), tmp_path), COMPLETENESS)
    assert (process.returncode, process.stdout) == (0, FORGOTTEN[place]), process.stderr


def test_mypy_reports_matches_that_lack_an_event(tmp_path: Path) -> None:
    change = read_change("command")
    others = tuple(patch for patch in change.patches if not patch.anchor.startswith(tuple(MATCHES.values())))
    assert len(others) == len(change.patches) - len(MATCHES)
    source = make_change(change._replace(patches=others), tmp_path)
    paths = [str(source / file) for file in MATCHES]
    config = str(TESTS.parent / "pyproject.toml")
    mypy = [sys.executable, "-m", "mypy", "--config-file", config, "--cache-dir", os.devnull, *paths]
    env = os.environ | {"MYPYPATH": str(source)}
    process = subprocess.run(mypy, env=env, cwd=source, capture_output=True, text=True, check=False)
    files = re.findall(r"^(\S+?):\d+: error: .*Announced", process.stdout, re.MULTILINE)
    assert sorted(files) == sorted(MATCHES), process.stdout + process.stderr


def test_the_house_refuses_an_event_that_must_not_happen_during_a_round(tmp_path: Path) -> None:
    """Declare the new event as one between rounds. The house must fail at once, before the audit condemns the books."""
    change = read_change("command")
    patches = (
        patch._replace(anchor="BetweenRounds = ", old="= ", new="= Announced | ")
        if patch.anchor.startswith("AnyTime")
        else patch
        for patch in change.patches
    )
    process = run(make_change(change._replace(patches=tuple(patches)), tmp_path), change.script)
    assert "AssertionError: announce must not happen during this round" in process.stderr
