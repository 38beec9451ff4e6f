"""Commands from an event loop: they gather while the disk works, and go to the books together.

No caller holds a thread. A lane has one, which submits what waits in it as a group (`House.submit_many`); the commands
of a stream take the same lane, and so stay in order. SQLite has one writer and one lane, PostgreSQL
takes several.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from types import TracebackType
from zlib import crc32

from highcardflush.errors import StoreError
from highcardflush.game.actions import Action
from highcardflush.house.commands import Command
from highcardflush.house.house import Answer, House, Request
from highcardflush.house.store.protocol import GROUP

LANES = {"sqlite": 1, "postgresql": 4}
Waiting = tuple[Request, "asyncio.Future[Answer]"]
Lane = asyncio.Queue["Waiting | None"]
"""What waits, in order; None closes it."""


class Pump:
    """`async with Pump(house) as pump: await pump.submit(...)`."""

    def __init__(self, house: House, lanes: int | None = None) -> None:
        self._house = house
        self._lanes: list[Lane] = [asyncio.Queue() for _ in range(lanes or LANES[house.store.dialect])]
        self._threads = ThreadPoolExecutor(len(self._lanes), "books")
        self._runs: list[asyncio.Task[None]] = []
        self._open = False

    async def __aenter__(self) -> Pump:
        self._open = True
        self._runs = [asyncio.create_task(self._run(lane)) for lane in self._lanes]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """What waits is still done."""
        self._open = False
        for lane in self._lanes:
            lane.put_nowait(None)
        try:
            await asyncio.gather(*self._runs)
        finally:
            self._threads.shutdown()

    @property
    def waiting(self) -> int:
        """How many commands wait for their lane."""
        return sum(lane.qsize() for lane in self._lanes)

    async def submit(self, stream: str, command: Command | Action, actor: str, key: str) -> Answer:
        """As `House.submit`. A caller that is cancelled does not take the command back."""
        if not self._open:
            raise StoreError("books", read="a closed pump", expected="one that runs")
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        lane = self._lanes[crc32(stream.encode(errors="replace")) % len(self._lanes)]
        lane.put_nowait((Request(stream, command, actor, key), answer))
        return await answer

    async def _run(self, lane: Lane) -> None:
        group: list[Waiting] = []
        try:
            while group := await _next_group(lane):
                for (_, answer), outcome in zip(group, await self._submit(group), strict=True):
                    _tell(answer, outcome)
        finally:
            for _, answer in (*group, *_waiting(lane)):  # of a run that was cancelled: nobody else would tell them
                answer.cancel()

    async def _submit(self, group: Sequence[Waiting]) -> Sequence[Answer | Exception]:
        requests = [request for request, _ in group]
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, self._house.submit_many, requests)
        except Exception as error:
            return [error] * len(group)


async def _next_group(lane: Lane) -> list[Waiting]:
    """What waits, at most `GROUP`, as soon as there is anything; nothing when the lane closes."""
    first = await lane.get()
    return [first, *islice(_waiting(lane), GROUP - 1)] if first is not None else []


def _waiting(lane: Lane) -> Iterator[Waiting]:
    """Take what waits, up to the end."""
    while not lane.empty():
        if (found := lane.get_nowait()) is None:
            lane.put_nowait(None)  # it is the last: to be found again
            return
        yield found


def _tell(answer: asyncio.Future[Answer], outcome: Answer | Exception) -> None:
    if answer.done():
        return  # its caller has gone
    if isinstance(outcome, Exception):
        answer.set_exception(outcome)
    else:
        answer.set_result(outcome)
