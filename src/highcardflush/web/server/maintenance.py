"""What a process does beside serving: it hears what others write, mends a full disk, and measures itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping

from highcardflush.house.house import House
from highcardflush.web.live.remote_commits import News
from highcardflush.web.server import garbage_collection
from highcardflush.web.server.disk_space import MB, free_bytes, mend
from highcardflush.web.server.health import Checker
from highcardflush.web.server.metrics import Metrics
from highcardflush.web.server.settings import Settings

LOG = logging.getLogger(__name__)
MEASURE_S = 0.25
"""How often the event loop is measured."""
PUBLISH_S = 2.0
"""How often a worker leaves its numbers for the others."""


class Maintenance:
    """`hint` is called with each stream in which another process has written."""

    def __init__(
        self, house: House, settings: Settings, metrics: Metrics, health: Checker, hint: Callable[[str], None]
    ) -> None:
        self._house, self._settings, self._metrics, self._health, self._hint = house, settings, metrics, health, hint
        self._lag_s = 0.0
        self._news = News(house, settings.db or "", self._hear)
        house.on_committed(metrics.committed)
        metrics.ask("hcf_loop_lag_seconds", self._take_lag)
        metrics.ask("hcf_store_failed", lambda: house.store.failed is not None)
        metrics.ask("hcf_disk_free_bytes", lambda: free_bytes(health.place))
        metrics.ask("hcf_audit_age_seconds", health.audit_age_s)

    async def load(self) -> None:
        await self._news.load()

    async def run(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._news.run())
            tasks.create_task(mend(self._house, self._health.place, self._settings.least_free_mb * MB))
            tasks.create_task(self._measure())
            tasks.create_task(self._publish())
            tasks.create_task(garbage_collection.run())

    def _hear(self, newest: Mapping[str, int]) -> None:
        for stream in newest:
            self._hint(stream)

    def _take_lag(self) -> float:
        """The worst since it was last asked."""
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
                LOG.warning("numbers could not be left for the others", exc_info=True)
            await asyncio.sleep(PUBLISH_S)
