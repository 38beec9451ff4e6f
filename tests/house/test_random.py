"""A house under random commands and incidents: the books hold, the reports agree, the audit finds nothing."""

import os
from pathlib import Path

import pytest

from support.walkers.random_house import HAPPENINGS, walking

STEPS = int(os.environ.get("HCF_HOUSE_STEPS", "200"))
SEED = int(os.environ.get("HCF_SEED", "0"))
HAPPENS = 0.15
"""The chance of a happening where a command would be."""
WANTED = {"wagers", "lock", "dynamic", "deal", "hand", "raise", "fold"}
WANTED |= {"void", "take-back", "warn", "settle", "vote", "approve", "checkpoint", "change", "disable", "role"}
WANTED |= {"commit-seed", "reveal-seed", "assign", "consent", "hit"}
WANTED |= {"person", "start-shift", "end-shift", "acknowledge", "propose-change", "decide-change", "require-approval"}
MOST = 5_000


@pytest.mark.parametrize("seed", range(SEED, SEED + 3))
def test_random_commands(url: str, tmp_path: Path, seed: int, request: pytest.FixtureRequest) -> None:
    server = None if url.startswith("sqlite:") else request.getfixturevalue("postgres_server")
    with walking(url, tmp_path, seed, server) as walk:
        for number in range(STEPS):
            walk.step(HAPPENS)
            if number % (STEPS // 3) == 0:
                walk.check()
        walk.check_all()
        assert sum(walk.kinds.values()) > STEPS // 5  # much is refused to processes that were away for long


def test_the_walk_reaches_what_it_should(sqlite_url: str, tmp_path: Path) -> None:
    """Wins, votes, voids, and everything that can happen: a random test that never gets there would show nothing."""
    with walking(sqlite_url, tmp_path, 11) as walk:
        for _ in range(MOST):
            walk.step(HAPPENS, 3)  # what loses rounds comes after
            if set(walk.kinds) >= WANTED:
                break
        for _, happening in HAPPENINGS:
            happening(walk)
        walk.check_all()
        assert set(walk.kinds) >= WANTED
