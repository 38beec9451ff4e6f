"""The disk under the books: how much room there is, and what to do when there was none.

After a write that failed the store takes no command (`store-failed`), while what is there can be read. When there is
room again the books are opened anew, every page is read, and they take commands as before; nobody has to do anything.
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
    """The folder in which this machine writes for the books: SQLite's, else that of the house key and its mark."""
    address = parse_url(settings.db) if settings.db is not None else None
    path = address.target if address is not None and address.dialect == "sqlite" else settings.key
    return Path(path or ".").absolute().parent


def free_bytes(place: Path) -> int | None:
    """None: it cannot be asked."""
    try:
        return shutil.disk_usage(place).free
    except OSError:
        return None


async def mend(house: House, place: Path, least_bytes: int, retry_s: float = RETRY_S) -> None:
    """Open the books again whenever they have failed and there is room: until it is cancelled."""
    while True:
        await asyncio.sleep(retry_s)
        failed, free = house.store.failed, free_bytes(place)
        if failed is None or (free is not None and free < least_bytes):
            continue
        try:
            await asyncio.to_thread(house.reopen)
        except HcfError:
            LOG.warning("the books cannot be opened again", exc_info=True)
        else:
            LOG.warning("the books were opened again and checked", extra={"after": failed.read})
