"""When a process looks for what it no longer needs: by the clock, for everything waits meanwhile.

Python looks when it has made much more than it has freed. Where tables change all the time that is rarely, and then
there is much to look at: 5,000 connections wait for up to 0.6 s. So what is new is looked at five times a second, which
takes a millisecond or two, and then never again: what goes in circles and was needed for longer is found by the hour,
or when the process has doubled.
"""

from __future__ import annotations

import asyncio
import gc
from itertools import count

from highcardflush.web.server.metrics import memory_bytes

NEW_S = 0.2
OFTEN = 50
"""So many times are ten seconds: whether the process has grown is looked at then."""
ALL = 18_000
"""And so many an hour."""
GROWN = 2


async def run() -> None:
    """Until it is cancelled."""
    gc.disable()
    try:
        held = collect()
        for time in count(1):
            await asyncio.sleep(NEW_S)
            if time % ALL == 0 or (time % OFTEN == 0 and memory_bytes() > held * GROWN):
                held = collect()
            else:
                gc.collect(0)
                gc.freeze()
    finally:
        gc.unfreeze()
        gc.enable()


def collect() -> int:
    """All; what is there after it is looked at no more until the next time. The bytes that are held then."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    return memory_bytes()
