"""Books that an earlier program has written: this one audits them, plays on in them, and audits them again.

There is a house for each format and each database, in `data/books`; `tools/golden.py` has made them, once.
"""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from highcardflush.errors import BetClosed
from highcardflush.game.actions import Void
from highcardflush.house.commands import OpenRound
from highcardflush.house.store.protocol import FORMAT
from support.places.floor import Floor, open_floor
from support.places.hcf import Hcf
from support.places.postgres import fresh_database
from support.walkers.random_commands import TABLES

BOOKS = Path(__file__).parents[1] / "data" / "books"
KEYS = sorted(BOOKS.glob("*.key"))
GOLDEN = [key.with_suffix("") for key in KEYS]


def test_this_format_has_its_books() -> None:
    assert {path.name for path in GOLDEN} >= {f"{FORMAT}.sqlite", f"{FORMAT}.postgresql"}


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda path: path.name)
def test_golden_books(
    golden: Path, tmp_path: Path, hcf: Hcf, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """They are put back as an operator would, pass the audit, and a round is opened and voided at every table."""
    key = tmp_path / "house.key"
    shutil.copyfile(f"{golden}.key", key)
    key.chmod(0o600)
    url = f"sqlite:///{tmp_path}/house.db"
    if golden.suffix == ".postgresql":
        url = fresh_database(request.getfixturevalue("postgres_server"))
    monkeypatch.setenv("HCF_KEY", str(key))
    for command in (["db", "restore", str(golden), "--reason", "a test"], ["db", "check"], ["audit"]):
        result = hcf(*command, "--db", url)
        assert result.status == 0, result.err + result.out
    with closing(open_floor(url, key)) as floor:
        assert sum(play_on(floor, table) for table in TABLES) >= len(TABLES) - 1
        assert not floor.findings()


def play_on(floor: Floor, name: str) -> bool:
    """Void the open round, then play one of this version; return False if the table has only a closed meter."""
    stream, void = f"table/{name}", Void("other", text="a test")
    if floor.house.table(name).round is not None:
        floor.do(stream, void, "sue", f"{name} stale")
    try:
        floor.do(stream, OpenRound(), "sue", f"{name} open")
    except BetClosed:
        return False
    floor.do(stream, void, "sue", f"{name} void")
    return True
