"""Write golden books: a house of the current format in each database, which later programs must still read.

.venv/bin/python tools/golden.py

They are made once for a format and never again: what would need others is a new format.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from highcardflush.house.store.admin import upgrade
from highcardflush.house.store.backup import backup
from highcardflush.house.store.protocol import FORMAT
from support.places import postgres
from support.walkers.random_house import walking

BOOKS = Path(__file__).parent.parent / "tests" / "data" / "books"

SEED, STEPS, MOST, HAPPENS, LIGHTEST = 1, 1_000, 10_000, 0.05, 3
WANTED = {"hit", "vote", "approve", "settle", "void", "void-hand", "reveal-seed", "time-out", "decide-change"}


def write(url: str, name: str, server: postgres.Server | None = None) -> None:
    target = BOOKS / f"{FORMAT}.{name}"
    if target.exists():
        raise SystemExit(f"{target.name} is there: golden books are never made anew")
    BOOKS.mkdir(exist_ok=True)
    upgrade(url)
    with tempfile.TemporaryDirectory() as folder, walking(url, Path(folder), SEED, server) as walk:
        for number in range(MOST):
            walk.step(HAPPENS, LIGHTEST)
            if number >= STEPS and set(walk.kinds) >= WANTED:
                break
        walk.check_all()
        backup(url, str(target))
        target.with_name(f"{target.name}.key").write_bytes(walk.key.read_bytes())
        print(f"{target.name}: {target.stat().st_size:,} bytes, {dict(walk.kinds)}")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        write(f"sqlite:///{folder}/house.db", "sqlite")
    with postgres.running() as server:
        write(postgres.fresh_database(server), "postgresql", server)


if __name__ == "__main__":
    main()
