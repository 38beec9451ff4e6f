"""Write the schema that the migrations make: for `hcf db check` to hold a PostgreSQL database against, and as a dump of
some rows in each database, for the tests to upgrade.

.venv/bin/python tools/schema.py

A dump of a revision that was released stays as it is: of the others only the newest is written.
"""

import contextlib
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from highcardflush.house.store.address import parse_url
from highcardflush.house.store.admin import connect, open_store, reader, upgrade
from highcardflush.house.store.protocol import REVISION, Transaction
from highcardflush.house.store.schema import KEPT, describe
from support.places import postgres

DUMPS = Path(__file__).parent.parent / "tests" / "data" / "schemas"
DIGEST = bytes(range(32))
EVENT = (
    "INSERT INTO events (stream, seq, at, office, actor, role, kind, number, key, request, body, sealed, hash)"
    " VALUES (?, 1, 1763000000000000, 2, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def main() -> None:
    with postgres.running() as server, tempfile.TemporaryDirectory() as folder:
        url = postgres.fresh_database(server)
        upgrade(url)
        with connect(parse_url(url)) as connection:
            schema = describe("postgresql", reader(connection))
        KEPT.write_bytes(msgspec.json.format(msgspec.json.encode(schema), indent=1) + b"\n")
        fill(url)
        write("postgresql", _dump_postgresql(url))
        url = f"sqlite:///{folder}/house.db"
        upgrade(url)
        fill(url)
        with contextlib.closing(sqlite3.connect(parse_url(url).target)) as books:
            write("sqlite", books.iterdump())


def write(dialect: str, lines: Iterator[str]) -> None:
    text = "".join(f"{line.rstrip()}\n" for line in lines)
    (DUMPS / f"{REVISION}.{dialect}.sql").write_text(text, encoding="utf-8")


def fill(url: str) -> None:
    """Write values of every type, and an event with all its parts."""

    def work(tx: Transaction) -> None:
        for name in ("cage", "table/one", "meter/mega"):
            tx.write("INSERT INTO streams (name) VALUES (?)", name)
        tx.write(EVENT, "cage", "cal", "cashier", "buy-in", None, "k1", DIGEST, '{"player":"ann"}', None, DIGEST)
        tx.write(EVENT, "table/one", "dan", "dealer", "open", 1, None, None, "{}", b"\0\xffsealed", DIGEST)
        for stream, source, target in (("cage", "cage", "wallet/ann"), ("table/one", "house", "meter/mega")):
            tx.write("INSERT INTO transfers VALUES (?, 1, 1, ?, ?, 5000000)", stream, source, target)
        tx.write("INSERT INTO wallets (player, micros, moves) VALUES ('ann', 5000000, 1)")
        tx.write("INSERT INTO moves (player, n, stream, seq, micros) VALUES ('ann', 1, 'cage', 1, 5000000)")

    with contextlib.closing(open_store(url)) as store:
        store.transact(work)


def _dump_postgresql(url: str) -> Iterator[str]:
    """Dump a database without comments and psql commands, so that a driver can run it."""
    command = [str(postgres.binary("pg_dump")), "--inserts", "--no-owner", "--no-privileges", f"--dbname={url}"]
    dump = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return (line for line in dump.splitlines() if line and not line.startswith(("--", "\\")))


if __name__ == "__main__":
    main()
