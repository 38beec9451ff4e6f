"""Runs Python's garbage collector by the clock, because everything waits while it runs.

Python collects when it has allocated much more than it has freed. Where tables change all the time that is rare, and
then there is a lot to do: 5,000 connections wait for up to 0.6 s. So new objects are collected five times a second,
which takes a millisecond or two, and are then frozen. Cycles that live longer are collected once an hour, or when the
process has doubled in size.
"""

from __future__ import annotations

import asyncio
import gc
from itertools import count

from highcardflush.web.server.metrics import memory_bytes

YOUNG_S = 0.2
CHECK_EVERY = 50
"""Young collections between two looks at the size of the process: ten seconds."""
FULL_EVERY = 18_000
"""Young collections between two full ones: an hour."""
GROWTH = 2


async def run() -> None:
    """Collect garbage until cancelled."""
    gc.disable()
    try:
        size = collect()
        for number in count(1):
            await asyncio.sleep(YOUNG_S)
            if number % FULL_EVERY == 0 or (number % CHECK_EVERY == 0 and memory_bytes() > size * GROWTH):
                size = collect()
            else:
                gc.collect(0)
                gc.freeze()
    finally:
        gc.unfreeze()
        gc.enable()


def collect() -> int:
    """Collect everything and freeze the rest; return the size of the process in bytes."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    return memory_bytes()
