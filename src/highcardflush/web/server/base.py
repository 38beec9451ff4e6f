"""What every part of a process has: the house, the way in, clocks that tests set, and threads that read the books."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from highcardflush.house import House
from highcardflush.house.floor import read_floor
from highcardflush.house.pump import Pump
from highcardflush.house.store.protocol import Transaction
from highcardflush.web.server.metrics import Counted, Metrics
from highcardflush.web.server.rate_limits import Limits
from highcardflush.web.server.settings import Settings

T = TypeVar("T")
READERS = 4
"""Threads that read the books."""
REPORTERS = 2
"""Threads for what staff reads, which may take long: players do not wait for it."""


@dataclass(eq=False, repr=False)
class Base:
    house: House
    settings: Settings
    clock: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic
    metrics: Metrics = field(default_factory=Metrics)

    def __post_init__(self) -> None:
        self.floor = self.house.store.snapshot(read_floor)
        self.pump: Pump = Counted(self.house, self.metrics)
        self.limits = Limits(self.monotonic)
        self._threads = ThreadPoolExecutor(READERS, "reads")
        self._reports = ThreadPoolExecutor(REPORTERS, "reports")

    def close_threads(self) -> None:
        self._threads.shutdown()
        self._reports.shutdown(cancel_futures=True)

    async def ask(self, function: Callable[..., T], *args: Any) -> T:
        """What a function says that reads the books, asked in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *args)

    async def report(self, function: Callable[..., T], *args: Any) -> T:
        """The same of what may take long."""
        return await asyncio.get_running_loop().run_in_executor(self._reports, function, *args)

    async def read(self, job: Callable[[Transaction], T]) -> T:
        return await self.ask(self.house.store.snapshot, job)

    async def write(self, job: Callable[[Transaction], T]) -> T:
        """Something beside the books: credentials, sessions."""
        return await self.ask(self.house.store.transact, job)
