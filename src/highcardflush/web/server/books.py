"""The database of a server: its address and key, its lock, and a default floor if it is new."""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from highcardflush.errors import HcfError
from highcardflush.house import House, open_house
from highcardflush.house.store.address import default_url, key_file, parse_url
from highcardflush.house.store.admin import current_revision, upgrade
from highcardflush.web.server.default_floor import open_floor
from highcardflush.web.server.settings import Settings, require_workers
from highcardflush.words import refuse

LOG = logging.getLogger(__name__)


def resolve(settings: Settings) -> Settings:
    """Fill in the addresses of database and key; refuse several workers on SQLite."""
    url = settings.db or default_url()
    require_workers(settings, parse_url(url).dialect)
    key = Path(settings.key).expanduser() if settings.key else key_file(url)
    return replace(settings, db=url, key=str(key))


@contextlib.contextmanager
def lock(settings: Settings) -> Iterator[None]:
    """Lock a SQLite database against other servers; the lock ends with the process, however that ends."""
    address = parse_url(settings.db or default_url())
    if address.dialect != "sqlite":
        yield
        return
    path = Path(f"{address.target}.serving")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise refuse("second-server-process", HcfError, database=address.target) from None
        yield


def open_books(settings: Settings) -> House:
    assert settings.db is not None
    assert settings.key is not None
    return open_house(settings.db, Path(settings.key))


def prepare(settings: Settings) -> None:
    """Create the database if there is none, and the default floor if nobody has set up another."""
    assert settings.db is not None
    address = parse_url(settings.db)
    absent = address.dialect == "sqlite" and not os.path.exists(address.target)
    if absent or current_revision(settings.db) is None:
        LOG.info("new books")
        upgrade(settings.db)
    with contextlib.closing(open_books(settings)) as house:
        open_floor(house)
