"""A serving process collects new cycles soon and older ones only in full collections."""

import asyncio
import gc
import weakref

from highcardflush.web.server import maintenance


class _Circle:
    def __init__(self) -> None:
        self.itself = self


async def _watch() -> None:
    running = asyncio.create_task(maintenance.collect_garbage())
    await asyncio.sleep(0)
    assert not gc.isenabled()
    dropped_ref, survivor = weakref.ref(_Circle()), _Circle()
    old = weakref.ref(survivor)
    await asyncio.sleep(2 * maintenance.YOUNG_S)
    assert dropped_ref() is None
    assert gc.get_freeze_count() > 0
    del survivor
    await asyncio.sleep(2 * maintenance.YOUNG_S)
    assert old() is not None  # it survived an earlier collection, so only a full one finds it
    maintenance.collect()
    assert old() is None
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


def test_new_objects_are_collected_soon_and_old_ones_hourly() -> None:
    asyncio.run(_watch())
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
