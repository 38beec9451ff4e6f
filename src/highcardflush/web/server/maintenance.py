"""A process's background tasks: remote commits, full-disk recovery, loop lag, shared metrics and garbage collection."""

import asyncio
import gc
import logging
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path

from highcardflush.errors import HcfError
from highcardflush.house.house import House
from highcardflush.web.live.remote_commits import RemoteCommits
from highcardflush.web.server.context import ServerContext
from highcardflush.web.server.health import MB, Checker, free_bytes
from highcardflush.web.server.metrics import memory_bytes

LOG = logging.getLogger(__name__)
MEASURE_S = 0.25
"""Interval at which the lag of the event loop is measured."""
PUBLISH_S = 2.0
"""Interval at which a worker writes its metrics for the other workers."""
REOPEN_RETRY_S = 2.0
YOUNG_S = 0.2
CHECK_EVERY = 50
"""Number of collections of new objects after which the process's size is checked, about every ten seconds."""
FULL_EVERY = 18_000
"""Number of collections of new objects after which all objects are collected, about once an hour."""
GROWTH = 2


class Maintenance:
    def __init__(self, context: ServerContext, health: Checker, report: Callable[[Iterable[str]], None]) -> None:
        """`report` is called with the streams to which another process has written."""
        house, metrics = context.house, context.metrics
        self._house, self._settings, self._metrics, self._health = house, context.settings, metrics, health
        self._lag_s = 0.0
        self.remote_commits = RemoteCommits(house, context.settings.db or "", report)
        house.on_committed(metrics.committed)
        metrics.ask("hcf_loop_lag_seconds", self._take_lag)
        metrics.ask("hcf_store_failed", lambda: house.store.failed is not None)
        metrics.ask("hcf_disk_free_bytes", lambda: free_bytes(health.place))
        metrics.ask("hcf_audit_age_seconds", health.audit_age_s)

    async def run(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.remote_commits.run())
            tasks.create_task(reopen_when_free(self._house, self._health.place, self._settings.least_free_mb * MB))
            tasks.create_task(self._measure())
            tasks.create_task(self._publish())
            tasks.create_task(collect_garbage())

    def _take_lag(self) -> float:
        """Return the worst lag since the last call."""
        lag, self._lag_s = self._lag_s, 0.0
        return lag

    async def _measure(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + MEASURE_S
            await asyncio.sleep(MEASURE_S)
            self._lag_s = max(self._lag_s, loop.time() - due)

    async def _publish(self) -> None:
        while True:
            try:
                await asyncio.to_thread(self._metrics.publish)
            except OSError:
                LOG.warning("metrics could not be written for the other workers", exc_info=True)
            await asyncio.sleep(PUBLISH_S)


async def collect_garbage() -> None:
    """Run Python's garbage collector often and briefly, because all other work waits while it runs. End when cancelled.

    By default Python collects rarely, and then 5,000 connections wait for up to 0.6 s. Here, new objects are collected
    five times a second, which takes a millisecond or two, and the survivors are frozen. Frozen garbage is collected
    once an hour, or when the process has doubled in size.
    """
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
    """Collect all garbage and freeze the surviving objects; return the process's size in bytes."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    return memory_bytes()


async def reopen_when_free(house: House, place: Path, least_bytes: int, retry_s: float = REOPEN_RETRY_S) -> None:
    """Reopen the database whenever it has failed and the disk has space; run until cancelled.

    After a failed write the store accepts no commands (`store-failed`) but can still be read.
    """
    while True:
        await asyncio.sleep(retry_s)
        failure, free = house.store.failed, free_bytes(place)
        if failure is None or (free is not None and free < least_bytes):
            continue
        try:
            await asyncio.to_thread(house.reopen)
        except HcfError:
            LOG.warning("the database could not be reopened", exc_info=True)
        else:
            LOG.warning("the database has been reopened and checked", extra={"after": failure.read})
