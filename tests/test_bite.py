"""A golden round bites: it fails while a clause that it claims is broken. See `support/breakages.py` for the ways."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.breakages import BREAKAGES
from support.clauses import CLAUSES
from support.golden import FILES, bites, claims, split


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


GOLDEN = [path for path in FILES if path.parent.name == "golden"]


def pairs() -> list[Any]:
    """Every file with every clause that it claims."""
    return [pytest.param(path, clause, id=f"{name(path)}-{clause}") for path in FILES for clause in claims(path)]


@pytest.mark.parametrize(("path", "clause"), pairs())
def test_a_round_fails_when_its_clause_is_broken(path: Path, clause: str) -> None:
    assert CLAUSES[clause].kind == "behaviour"
    assert bites(path, clause), f"{path.name} does not notice: {', '.join(BREAKAGES.get(clause, ())) or 'no breakage'}"


@pytest.mark.parametrize("clause", BREAKAGES)
def test_each_way_to_break_a_clause_is_noticed(clause: str) -> None:
    noticed = {how for path in FILES if clause in claims(path) for how in bites(path, clause)}
    assert noticed == set(BREAKAGES[clause])


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_no_golden_round_agrees_with_every_breakage(path: Path) -> None:
    """And afterwards nothing is broken any more."""
    noticed = [case for clause in claims(path) for cases in bites(path, clause).values() for case in cases]
    assert [case.text for case in split(path) if case not in noticed] == []
    assert not any(case.fails() for case in split(path))
