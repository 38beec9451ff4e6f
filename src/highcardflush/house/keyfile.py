"""Where the house key lies: in a file beside the database, never in it.

`HCF_KEY` names the file. Otherwise it is the SQLite file's name with `.key` after it, or, for a database on a server,
`house.key` in the user's data folder.
"""

from __future__ import annotations

import os
from pathlib import Path

from highcardflush.house.founding import open_house
from highcardflush.house.house import House
from highcardflush.house.store.address import parse_url


def key_file(url: str) -> Path:
    """The file that has the key of the house at this address."""
    if named := os.environ.get("HCF_KEY"):
        return Path(named).expanduser()
    address = parse_url(url)
    if address.dialect == "sqlite":
        return Path(f"{address.target}.key")
    folder = Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "highcardflush"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / "house.key"


def open_house_at(url: str) -> House:
    """The house at this address, with the key from its file; founded with a new key if the books are empty."""
    return open_house(url, key_file(url))
