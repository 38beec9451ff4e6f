"""Write the schema that the migrations make in PostgreSQL, for `hcf db check` to hold a database against.

.venv/bin/python tools/schema.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from highcardflush.house.store.address import parse_url
from highcardflush.house.store.admin import connect, reader, upgrade
from highcardflush.house.store.schema import KEPT, describe
from support import postgres


def main() -> None:
    with postgres.running() as server:
        url = postgres.fresh_database(server)
        upgrade(url)
        with connect(parse_url(url)) as connection:
            schema = describe("postgresql", reader(connection))
    KEPT.write_bytes(msgspec.json.format(msgspec.json.encode(schema), indent=1) + b"\n")


if __name__ == "__main__":
    main()
