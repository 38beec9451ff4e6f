"""Rows of "What a change touches" in CONTRIBUTING.md, each made in a copy of the package and seen to work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.places.patched_package import CHANGES, TESTS, make_change, read_change, run

PAGE = (TESTS.parent / "CONTRIBUTING.md").read_text("utf-8")
SECTION = PAGE.partition("## What a change touches\n")[2].partition("\n## ")[0]
ROWS = dict(re.findall(r"^\| (.+?) \| (.+) \|$", SECTION, re.MULTILINE))
ELSEWHERE = {"a side bet": "rulebook/test_new_side_bet.py", "a study": "report/test_studies.py"}
"""Rows with a test of their own."""


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
    process = run(make_change(change, tmp_path), change.script)
    assert process.returncode == 0, process.stderr


COMPLETENESS = """
from audit.test_audit import test_the_auditor_knows_every_kind_of_event
from house.test_events import test_tables_and_meters_handle_every_kind
from house.test_house import test_every_command_has_its_roles, test_every_command_has_one_handler

for test in (
    test_every_command_has_its_roles,
    test_every_command_has_one_handler,
    test_tables_and_meters_handle_every_kind,
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
    "(c.Announce,), ": "test_every_command_has_its_roles\ntest_every_command_has_one_handler\n",
    "| TableSwitched | PlayerWarned": "test_tables_and_meters_handle_every_kind\n",
    "_ASSIGNS = {": "test_the_auditor_knows_every_kind_of_event\n",
}
"""The completeness tests that fail if a place of a new command is forgotten, by its anchor or its text."""


@pytest.mark.parametrize("place", FORGOTTEN)
def test_a_forgotten_place_of_a_command_is_noticed(place: str, tmp_path: Path) -> None:
    change = read_change("command")
    others = (patch for patch in change.patches if not patch.anchor.startswith(place))
    remaining_patches = tuple(patch._replace(new=patch.new.replace(place, "")) for patch in others)
    assert (remaining_patches == change.patches) == (place == "nothing")
    process = run(make_change(change._replace(patches=remaining_patches), tmp_path), COMPLETENESS)
    assert (process.returncode, process.stdout) == (0, FORGOTTEN[place]), process.stderr
