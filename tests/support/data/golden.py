"""The rounds of golden/ and refused/: each file's cases, the clauses it claims, and the broken rules that it detects.

A file demonstrates a clause only if it fails while the clause is broken. Only rounds of a clause's own rulebook can
demonstrate a clause that belongs to one rulebook.
"""

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import pytest

from highcardflush.cli.files import finder
from highcardflush.errors import HcfError
from highcardflush.notation.replay import replay
from highcardflush.notation.rounds import parse_each
from support.data.clauses import RULEBOOKS, TESTS
from support.faults.breakages import BREAKAGES

FILES = sorted([*TESTS.glob("golden/*.hcf"), *TESTS.glob("refused/*.hcf")])
CLAIM = re.compile(r"# clauses:((?: [GVAWMOS]\d+[ab]?)*)")
MARK = re.compile(r"#\s*refused\s*$")


class Case(NamedTuple):
    """One round of a file. Its text is padded so that line numbers match those in the file."""

    path: Path
    text: str
    marks: tuple[int, ...]

    @property
    def line(self) -> int:
        """Number of the round's first line in the file."""
        return len(self.text) - len(self.text.lstrip("\n")) + 1

    @property
    def rulebook(self) -> str:
        """Return the name of the round's rulebook, or an empty string if it names none."""
        match = re.search(r"^rulebook (\S+)", self.text, re.MULTILINE)
        return match[1] if match else ""

    @property
    def statements(self) -> list[str]:
        return [line_text for line in self.text.splitlines() if (line_text := line.split("#")[0].strip())]

    def errors(self) -> list[HcfError]:
        """List the errors that refuse the round, and the differences from its expected results."""
        refusals: list[HcfError] = []
        for one in parse_each(self.text, str(self.path)):
            try:
                refusals += replay(one, str(self.path), finder(self.path.parent)).differences
            except HcfError as error:
                refusals.append(error)
        return refusals

    def fails(self) -> bool:
        """Return whether the result contradicts the folder: a golden round refused, or a refused round accepted."""
        errors = self.errors()
        if self.path.parent.name == "golden":
            return bool(errors)
        return not errors or any(mark < (errors[0].line or 0) for mark in self.marks)


@lru_cache
def split(path: Path) -> list[Case]:
    """Return the rounds of a file, and any statements before the first round."""
    lines = path.read_text().splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("hcf ")]
    cases = []
    for start, end in zip([0, *starts], [*starts, len(lines)], strict=True):
        text = "\n" * start + "\n".join(lines[start:end]) + "\n"
        marks = tuple(number + 1 for number in range(start, end) if MARK.search(lines[number]))
        case = Case(path, text, marks)
        if case.statements:
            cases.append(case)
    return cases


def claims(path: Path) -> list[str]:
    """Return the clauses that a file claims to demonstrate. A file about the notation itself claims none."""
    match = CLAIM.fullmatch(path.read_text().splitlines()[0])
    assert match, f"{path}: its first line names no clauses"
    return match[1].split()


@cache
def bites(path: Path, clause: str) -> dict[str, list[Case]]:
    """Return the breakages of a clause that the file detects, each with the rounds that then fail."""
    owner, failures = RULEBOOKS.get(clause[0]), dict[str, list[Case]]()
    for name, breakage in BREAKAGES.get(clause, {}).items():
        with pytest.MonkeyPatch.context() as patch:
            breakage(patch)
            if cases := [case for case in split(path) if owner in (None, case.rulebook) and case.fails()]:
                failures[name] = cases
    return failures
