"""What takes a moment and is the same for everybody: odds, rulebooks. One thread makes it, and what was made is kept.

It is never in the way of the tables: a bounded number waits, and who comes then is asked to come back.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor

from highcardflush.figures.plain import Data
from highcardflush.web import wire
from highcardflush.web.errors import limited

MOST_WAITING = 32
MOST_KEPT = 256


class Calculator:
    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "odds")
        self._kept = OrderedDict[Hashable, bytes]()
        """JSON, what was asked for the longest ago first."""
        self._waiting = 0

    async def answer(self, key: Hashable, make: Callable[[], Data | list[Data]]) -> bytes:
        """JSON of what `make` makes, or of what it made for this key."""
        found = self._kept.pop(key, None)
        if found is None:
            found = await self._made(make)
        self._kept[key] = found
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return found

    async def _made(self, make: Callable[[], Data | list[Data]]) -> bytes:
        if self._waiting >= MOST_WAITING:
            raise limited("calculations", 1)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: wire.encode(make()))
        finally:
            self._waiting -= 1

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)
