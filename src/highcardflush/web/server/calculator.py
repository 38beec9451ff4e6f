"""A cache of calculations that take a moment and are the same for everybody: odds, rulebooks.

One thread calculates, so the tables never wait for it. A bounded number of requests may queue; more are asked to retry.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor

from highcardflush.web.errors import limited
from highcardflush.web.messages.parts import encode

MOST_WAITING = 32
MOST_KEPT = 256


class Calculator:
    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "odds")
        self._cache = OrderedDict[Hashable, bytes]()
        """JSON by key, the least recently used first."""
        self._waiting = 0

    async def answer(self, key: Hashable, calculate: Callable[[], object]) -> bytes:
        """Return the JSON of what `calculate` returns, from the cache if it has this key."""
        body = self._cache.pop(key, None)
        if body is None:
            body = await self._calculated(calculate)
        self._cache[key] = body
        if len(self._cache) > MOST_KEPT:
            self._cache.popitem(last=False)
        return body

    async def _calculated(self, calculate: Callable[[], object]) -> bytes:
        if self._waiting >= MOST_WAITING:
            raise limited("calculations", 1)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: encode(calculate()))
        finally:
            self._waiting -= 1

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)
