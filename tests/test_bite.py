"""A golden round bites: it fails while a clause that it claims is broken. See `support/breakages.py` for the ways."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.breakages import BREAKAGES
from support.clauses import CLAUSES
from support.golden import FILES, bites, claims, split

TOOTHLESS = {("golden/O5-deal-order", "O5"), ("golden/W10-dice", "W10")}
"""Rounds that any order of the deal agrees with."""


def pairs() -> list[Any]:
    found = []
    for path in FILES:
        name = f"{path.parent.name}/{path.stem}"
        for clause in claims(path):
            marks = [pytest.mark.xfail(strict=True)] if (name, clause) in TOOTHLESS else []
            found.append(pytest.param(path, clause, id=f"{name}-{clause}", marks=marks))
    return found


@pytest.mark.parametrize(("path", "clause"), pairs())
def test_a_round_fails_when_its_clause_is_broken(path: Path, clause: str) -> None:
    assert CLAUSES[clause].kind == "behaviour"
    assert bites(path, clause), f"{path.name} does not notice: {', '.join(BREAKAGES.get(clause, ())) or 'no breakage'}"


@pytest.mark.parametrize(
    "clause", [clause for clause in BREAKAGES if clause not in {clause for _, clause in TOOTHLESS}]
)
def test_each_way_to_break_a_clause_is_noticed(clause: str) -> None:
    noticed = {how for path in FILES if clause in claims(path) for how in bites(path, clause)}
    assert noticed == set(BREAKAGES[clause])


def test_nothing_stays_broken() -> None:
    """Every file is in order again after all of the breakages."""
    for path in FILES:
        for clause in claims(path):
            bites(path, clause)
    assert [case.path.name for path in FILES for case in split(path) if case.fails()] == []
