"""Parses database addresses, prints them without secrets, and provides the default address and the path of the house
key. The key is never in the database. For SQLite, it is in a file next to the database."""

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
    """Path of the SQLite file, or connection string for libpq. It may contain the password, so never print it."""


def parse_url(url: str) -> Address:
    """Parse a database URL in SQLAlchemy's form.

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
    """Return an address for printing, without anything that might be a password."""
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
    """Return the address in the environment variable `HCF_DB`. If it is not set, return the address of `house.db` in
    the user's data folder, which is created if it is missing."""
    if url := os.environ.get("HCF_DB"):
        return url
    return f"sqlite:///{_data_folder('HCF_DB') / 'house.db'}"


def key_file(url: str) -> Path:
    """Return the path in the environment variable `HCF_KEY`. If it is not set, return the name of the SQLite file with
    `.key` appended, or `house.key` in the data folder for a PostgreSQL database."""
    if path := os.environ.get("HCF_KEY"):
        return Path(path).expanduser()
    address = parse_url(url)
    return Path(f"{address.target}.key") if address.dialect == "sqlite" else _data_folder("HCF_KEY") / "house.key"


def _data_folder(instead: str) -> Path:
    """Return the user's data folder, which is created if it is missing. `instead` is the environment variable that the
    error message suggests for choosing another place."""
    folder = Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "highcardflush"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        place, expected = f"data folder {folder}", f"a writable folder, or another place in the variable {instead}"
        raise StoreError(place, read=str(error.strerror), expected=expected) from None
    return folder
