"""Submits commands from an event loop to the books, in groups.

No caller holds a thread. Each lane has one thread, which submits the waiting commands as a group (`House.submit_many`).
The commands of a stream take the same lane and so stay in order. PostgreSQL has several lanes. SQLite has one writer
and one lane, and there the event loop blocks until only the commit of the group is left: otherwise two threads that
both want to run Python take turns at every statement, and everybody who waits for the books waits for all of that, as
measured.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import NamedTuple
from zlib import crc32

from highcardflush.errors import StoreBusy, StoreError
from highcardflush.game.actions import Action
from highcardflush.house.commands import Command
from highcardflush.house.house import House
from highcardflush.house.parse import Checked
from highcardflush.house.store.protocol import GROUP
from highcardflush.house.submit import Answer, Request, runs_clock
from highcardflush.words import refuse

LANES = {"sqlite": 1, "postgresql": 4}
LINGER_S = 0.008
"""The time for which a group waits for more commands when the group before had several, because a commit costs more
than a command."""
STAND_STILL_S = 0.02
"""The longest time for which the loop blocks, since another process may be writing."""
Observer = Callable[[str, float], None]
"""Receives the name of an accepted command and the seconds it took."""


class Waiting(NamedTuple):
    request: Request
    answer: asyncio.Future[Answer]
    interruptions: int
    """The interruptions of the house when the command was queued."""


class Lane:
    """A queue of commands, and the thread that submits them."""

    def __init__(self, house: House) -> None:
        self._house, self._loop = house, asyncio.get_running_loop()
        self.waiting: list[Waiting] = []
        self._rests = True
        """No group is being submitted or about to be."""
        self._last = 0
        """The size of the last group."""
        self._thread = ThreadPoolExecutor(1, "books")
        self._stands_still = house.store.dialect == "sqlite"
        self._decided = threading.Event()

    def put(self, request: Request, answer: asyncio.Future[Answer]) -> None:
        self.waiting.append(Waiting(request, answer, self._house.submitter.interruptions))
        if self._rests:
            self._go_on()

    def _go_on(self) -> None:
        self._rests = False
        self._loop.call_later(LINGER_S if self._last > 1 else 0, self._hand_over)

    async def close(self) -> None:
        """Finish the queued commands, and stop the thread."""
        while not self._rests:
            await asyncio.sleep(LINGER_S)
        await asyncio.to_thread(self._thread.shutdown)

    def _hand_over(self) -> None:
        group, self.waiting = self.waiting[:GROUP], self.waiting[GROUP:]
        self._last = len(group)
        self._decided.clear()
        self._thread.submit(self._run, group)
        if self._stands_still:
            self._decided.wait(STAND_STILL_S)

    def _run(self, group: Sequence[Waiting]) -> None:
        interruptions = self._house.submitter.interruptions
        late = {id(one) for one in group if one.interruptions != interruptions and runs_clock(one.request)}
        requests = [one.request for one in group if id(one) not in late]
        outcomes: list[Answer | Exception]
        try:
            done = iter(self._house.submit_many(requests, self._decided.set))
            outcomes = [refuse("timer-restarted", StoreBusy) if id(one) in late else next(done) for one in group]
        except Exception as error:
            outcomes = [error] * len(group)
        self._decided.set()
        self._loop.call_soon_threadsafe(self._tell, group, outcomes)

    def _tell(self, group: Sequence[Waiting], outcomes: Sequence[Answer | Exception]) -> None:
        for (_, answer, _), outcome in zip(group, outcomes, strict=True):
            if answer.done():
                continue  # The caller has gone.
            if isinstance(outcome, Exception):
                answer.set_exception(outcome)
            else:
                answer.set_result(outcome)
        self._rests = True
        if self.waiting:
            self._go_on()


class Pump:
    """`async with Pump(house) as pump: await pump.submit(...)`."""

    def __init__(self, house: House, lanes: int | None = None, observe: Observer | None = None) -> None:
        self._house, self._observe = house, observe
        self._count = lanes or LANES[house.store.dialect]
        self._lanes: list[Lane] = []
        self._open = False

    async def __aenter__(self) -> Pump:
        self._lanes = [Lane(self._house) for _ in range(self._count)]
        self._open = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open = False
        await asyncio.gather(*(lane.close() for lane in self._lanes))

    @property
    def waiting(self) -> int:
        return sum(len(lane.waiting) for lane in self._lanes)

    async def submit(self, stream: str, command: Command | Action | Checked, actor: str, key: str) -> Answer:
        """Submit a command as `House.submit` does. Cancelling the caller does not withdraw the command."""
        if not self._open:
            raise StoreError("books", read="a closed pump", expected="one that runs")
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        lane = self._lanes[crc32(stream.encode(errors="replace")) % len(self._lanes)]
        began = time.perf_counter()
        lane.put(Request(stream, command, actor, key), answer)
        result = await answer
        if self._observe is not None:
            kind = type(command.command if isinstance(command, Checked) else command)
            self._observe(kind.__name__, time.perf_counter() - began)
        return result
