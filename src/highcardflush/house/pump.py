"""Commands from an event loop: they gather while the disk works, and go to the books together.

No caller holds a thread. A lane has one, which submits what waits in it as a group (`House.submit_many`); the commands
of a stream take the same lane, and so stay in order. SQLite has one writer and one lane, PostgreSQL
takes several.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence
from queue import SimpleQueue
from types import TracebackType
from zlib import crc32

from highcardflush.errors import StoreError
from highcardflush.game.actions import Action
from highcardflush.house.commands import Command
from highcardflush.house.house import Answer, House, Request
from highcardflush.house.store.protocol import GROUP

LANES = {"sqlite": 1, "postgresql": 4}
LINGER_S = 0.003
"""How long a group waits for more when the one before had several: a commit costs more than a command."""
Waiting = tuple[Request, "asyncio.Future[Answer]"]
Lane = SimpleQueue["Waiting | None"]
"""What waits, in order; None closes it."""


class Pump:
    """`async with Pump(house) as pump: await pump.submit(...)`."""

    def __init__(self, house: House, lanes: int | None = None) -> None:
        self._house = house
        self._lanes: list[Lane] = [SimpleQueue() for _ in range(lanes or LANES[house.store.dialect])]
        self._threads: list[threading.Thread] = []
        self._open = False
        self._loop: asyncio.AbstractEventLoop

    async def __aenter__(self) -> Pump:
        self._open, self._loop = True, asyncio.get_running_loop()
        self._threads = [threading.Thread(target=self._run, args=(lane,), name="books") for lane in self._lanes]
        for thread in self._threads:
            thread.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """What waits is still done."""
        self._open = False
        for lane in self._lanes:
            lane.put(None)
        for thread in self._threads:
            await asyncio.to_thread(thread.join)

    @property
    def waiting(self) -> int:
        """How many commands wait for their lane."""
        return sum(lane.qsize() for lane in self._lanes)

    async def submit(self, stream: str, command: Command | Action, actor: str, key: str) -> Answer:
        """As `House.submit`. A caller that is cancelled does not take the command back."""
        if not self._open:
            raise StoreError("books", read="a closed pump", expected="one that runs")
        answer: asyncio.Future[Answer] = self._loop.create_future()
        lane = self._lanes[crc32(stream.encode(errors="replace")) % len(self._lanes)]
        lane.put((Request(stream, command, actor, key), answer))
        return await answer

    def _run(self, lane: Lane) -> None:
        group: list[Waiting] = []
        while group := _next_group(lane, LINGER_S if len(group) > 1 else 0):
            self._loop.call_soon_threadsafe(_tell, group, self._submit([request for request, _ in group]))

    def _submit(self, requests: Sequence[Request]) -> Sequence[Answer | Exception]:
        try:
            return self._house.submit_many(requests)
        except Exception as error:
            return [error] * len(requests)


def _next_group(lane: Lane, linger_s: float) -> list[Waiting]:
    """What waits, at most `GROUP`, so long after there is anything; nothing when the lane closes."""
    found, group = lane.get(), list[Waiting]()
    if linger_s and found is not None:
        time.sleep(linger_s)
    while found is not None:
        group.append(found)
        if len(group) == GROUP or lane.empty():
            return group
        found = lane.get()
    if group:
        lane.put(None)  # it is the last: to be found again
    return group


def _tell(group: Sequence[Waiting], outcomes: Sequence[Answer | Exception]) -> None:
    for (_, answer), outcome in zip(group, outcomes, strict=True):
        if answer.done():
            continue  # its caller has gone
        if isinstance(outcome, Exception):
            answer.set_exception(outcome)
        else:
            answer.set_result(outcome)
