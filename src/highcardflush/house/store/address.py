"""Addresses of databases: reading them, printing them without secrets, the default address, and the place of the house
key, which is in a file next to the database and never in it."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from highcardflush.errors import StoreError, TextError
from highcardflush.house.store.protocol import Dialect


@dataclass(frozen=True, slots=True)
class Address:
    dialect: Dialect
    target: str
    """The path of the file, or the connection string of libpq. It has the password, so never print it."""


def parse_url(url: str) -> Address:
    """Read an address in the form of SQLAlchemy.

    >>> parse_url("sqlite:///house.db").target, parse_url("sqlite:////var/house.db").target
    ('house.db', '/var/house.db')
    """
    scheme, separator, rest = url.partition("://")
    path = rest.removeprefix("/")
    if separator and scheme == "sqlite" and rest.startswith("/") and path and path != ":memory:" and "?" not in path:
        return Address("sqlite", path)
    if separator and scheme in ("postgresql", "postgresql+psycopg"):
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict

        with suppress(ProgrammingError, UnicodeEncodeError):
            conninfo_to_dict(f"postgresql://{rest}")
            return Address("postgresql", f"postgresql://{rest}")
    expected = "sqlite:///FILE, sqlite:////ABSOLUTE/FILE or postgresql://USER@HOST/DATABASE"
    raise TextError("database address", read=shown_url(url), expected=expected)


def shown_url(url: str) -> str:
    """Return an address as it may be printed, without a password or anything that might be one."""
    scheme, separator, rest = url.partition("://")
    if not {"@", "?"} & set(rest if separator else url):
        return url
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port is not None else ""
    except ValueError:
        return f"{scheme}://..."
    if not separator or not parts.scheme.startswith("postgresql"):
        return f"{scheme}://..." if separator else "..."
    user = f"{parts.username}@" if parts.username else ""
    return f"{scheme}://{user}{parts.hostname or ''}{port}{parts.path}"


def default_url() -> str:
    """Return `HCF_DB`, else `house.db` in the user's data folder, which is created if it is missing."""
    if url := os.environ.get("HCF_DB"):
        return url
    return f"sqlite:///{_data_folder('HCF_DB') / 'house.db'}"


def key_file(url: str) -> Path:
    """Return `HCF_KEY`, else the name of the SQLite file with `.key` appended; for a server one in the data folder."""
    if named := os.environ.get("HCF_KEY"):
        return Path(named).expanduser()
    address = parse_url(url)
    return Path(f"{address.target}.key") if address.dialect == "sqlite" else _data_folder("HCF_KEY") / "house.key"


def _data_folder(instead: str) -> Path:
    """Return the user's data folder, created if it is missing. `instead` is the variable that names another place."""
    folder = Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "highcardflush"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        place, expected = f"data folder {folder}", f"a folder, or {instead}"
        raise StoreError(place, read=str(error.strerror), expected=expected) from None
    return folder
