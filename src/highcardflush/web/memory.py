"""When a process looks for what it no longer needs: by the clock, for everything waits meanwhile.

Python looks when it has made much more than it has freed. Where tables change all the time that is rarely, and then
there is much to look at: 5,000 connections wait for up to 0.4 s. So the young are looked through twice a second, which
takes some milliseconds, and the rest when few notice.
"""

from __future__ import annotations

import asyncio
import gc
from itertools import count

YOUNG_S = 0.5
OLDER, ALL = 120, 7200
"""So many times the young: once a minute and once an hour."""


async def run() -> None:
    """Until it is cancelled."""
    gc.disable()
    try:
        for time in count(1):
            await asyncio.sleep(YOUNG_S)
            if time % ALL == 0:
                collect()
            else:
                gc.collect(0 if time % OLDER else 1)
    finally:
        gc.enable()


def collect() -> None:
    """All; what is there after it is looked at no more until the next time."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
