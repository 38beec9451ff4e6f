"""The clauses of the rules: `data/clauses.toml` as data, and the rulebook that each clause belongs to."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

import pytest

TESTS = Path(__file__).parents[2]


class Clause(NamedTuple):
    """A clause. A procedure is something people do at the table; the product only stores and prints its text."""

    id: str
    text: str
    kind: Literal["behaviour", "procedure"] = "behaviour"
    printed: str = ""


def _read() -> tuple[dict[str, str], dict[str, Clause]]:
    titles, clauses = {}, {}
    data = tomllib.loads((TESTS / "data" / "clauses.toml").read_text("utf-8"))
    for chapter, entries in data.items():
        titles[chapter] = entries.pop("title")
        for key, entry in entries.items():
            clauses[key] = Clause(key, entry) if isinstance(entry, str) else Clause(key, **entry)
    return titles, clauses


TITLES, CLAUSES = _read()
"""The chapter titles, keyed by letter, and the clauses, keyed by id."""
RULEBOOKS = {letter: title for letter, title in TITLES.items() if letter not in "GS"}
"""Rulebooks of the chapters that apply to one rulebook only, keyed by the letter of the chapter."""


def clause_tests(items: Iterable[pytest.Item]) -> dict[str, list[str]]:
    """Return the names of the tests that are marked with each clause id."""
    tests: dict[str, dict[str, None]] = {}
    for item in items:
        name = f"{item.path.parent.name}/{item.path.stem}::{item.name.partition('[')[0]}"
        for mark in item.iter_markers("clause"):
            for clause in mark.args:
                tests.setdefault(clause, {})[name] = None
    return {clause: list(names) for clause, names in tests.items()}
