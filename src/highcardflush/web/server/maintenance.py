"""Background tasks of a process: remote commits, a full disk, loop lag, shared metrics and garbage collection."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping

from highcardflush.house.house import House
from highcardflush.web.live.remote_commits import RemoteCommits
from highcardflush.web.server import garbage_collection
from highcardflush.web.server.disk_space import MB, free_bytes, reopen_when_free
from highcardflush.web.server.health import Checker
from highcardflush.web.server.metrics import Metrics
from highcardflush.web.server.settings import Settings

LOG = logging.getLogger(__name__)
MEASURE_S = 0.25
"""Interval at which the lag of the event loop is measured."""
PUBLISH_S = 2.0
"""Interval at which a worker writes its metrics for the others."""


class Maintenance:
    """`hint` is called with each stream to which another process has written."""

    def __init__(
        self, house: House, settings: Settings, metrics: Metrics, health: Checker, hint: Callable[[str], None]
    ) -> None:
        self._house, self._settings, self._metrics, self._health, self._hint = house, settings, metrics, health, hint
        self._lag_s = 0.0
        self._remote_commits = RemoteCommits(house, settings.db or "", self._pass_on)
        house.on_committed(metrics.committed)
        metrics.ask("hcf_loop_lag_seconds", self._take_lag)
        metrics.ask("hcf_store_failed", lambda: house.store.failed is not None)
        metrics.ask("hcf_disk_free_bytes", lambda: free_bytes(health.place))
        metrics.ask("hcf_audit_age_seconds", health.audit_age_s)

    async def load(self) -> None:
        await self._remote_commits.load()

    async def run(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._remote_commits.run())
            least_bytes = self._settings.least_free_mb * MB
            tasks.create_task(reopen_when_free(self._house, self._health.place, least_bytes))
            tasks.create_task(self._measure())
            tasks.create_task(self._publish())
            tasks.create_task(garbage_collection.run())

    def _pass_on(self, newest: Mapping[str, int]) -> None:
        for stream in newest:
            self._hint(stream)

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
