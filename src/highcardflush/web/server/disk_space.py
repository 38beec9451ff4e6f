"""Free space on the disk of the database, and recovery after the disk was full.

After a failed write the store takes no commands (`store-failed`) but can still be read. Once there is space again, the
database is opened again, every page is read, and commands are taken as before without anybody's help.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
from pathlib import Path

from highcardflush.errors import HcfError
from highcardflush.house.house import House
from highcardflush.house.store.address import parse_url
from highcardflush.web.server.settings import Settings

LOG = logging.getLogger(__name__)
RETRY_S = 2.0
MB = 1 << 20


def place_of(settings: Settings) -> Path:
    """Return the folder that this machine writes to: that of the SQLite file, else that of the house key."""
    address = parse_url(settings.db) if settings.db is not None else None
    path = address.target if address is not None and address.dialect == "sqlite" else settings.key
    return Path(path or ".").absolute().parent


def free_bytes(place: Path) -> int | None:
    """Return the free bytes on the disk of a folder, or None if the system does not say."""
    try:
        return shutil.disk_usage(place).free
    except OSError:
        return None


async def reopen_when_free(house: House, place: Path, least_bytes: int, retry_s: float = RETRY_S) -> None:
    """Open the database again whenever it has failed and the disk has space; run until cancelled."""
    while True:
        await asyncio.sleep(retry_s)
        failure, free = house.store.failed, free_bytes(place)
        if failure is None or (free is not None and free < least_bytes):
            continue
        try:
            await asyncio.to_thread(house.reopen)
        except HcfError:
            LOG.warning("the database cannot be opened again", exc_info=True)
        else:
            LOG.warning("the database was opened again and checked", extra={"after": failure.read})
