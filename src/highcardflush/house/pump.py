"""Submits commands from an event loop to the books, in groups.

Callers do not occupy threads while they wait. Each lane has one thread, which submits the waiting commands as a group
(`House.submit_many`). All commands of a stream use the same lane, so they stay in order. PostgreSQL has several lanes.
SQLite has one writer and therefore one lane.

With SQLite, the event loop also blocks until only the group's commit remains. Otherwise the loop and the lane's thread,
which both run Python, would alternate at every statement. Measurements show that this delays all waiting callers.
"""

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
"""Seconds for which a group waits for more commands if the last one had several: a commit costs more than a command."""
STAND_STILL_S = 0.02
"""Maximum number of seconds for which the event loop blocks. Another process may write for longer than that."""
Observer = Callable[[str, float], None]
"""A callback that receives the name of an accepted command and the seconds it took."""


class Waiting(NamedTuple):
    request: Request
    answer: asyncio.Future[Answer]
    interruptions: int
    """The value of `Submitter.interruptions` when the command was queued."""


class Lane:
    """A queue of commands, and the thread that submits them."""

    def __init__(self, house: House) -> None:
        self._house, self._loop = house, asyncio.get_running_loop()
        self.waiting: list[Waiting] = []
        self._is_idle = True
        """True if no group is being submitted or scheduled."""
        self._last_size = 0
        """Size of the last group."""
        self._thread = ThreadPoolExecutor(1, "books")
        self._blocks_loop = house.store.dialect == "sqlite"
        self._decided = threading.Event()

    def put(self, request: Request, answer: asyncio.Future[Answer]) -> None:
        self.waiting.append(Waiting(request, answer, self._house.submitter.interruptions))
        if self._is_idle:
            self._schedule_group()

    def _schedule_group(self) -> None:
        self._is_idle = False
        self._loop.call_later(LINGER_S if self._last_size > 1 else 0, self._submit_group)

    async def close(self) -> None:
        """Finish the queued commands, and stop the thread."""
        while not self._is_idle:
            await asyncio.sleep(LINGER_S)
        await asyncio.to_thread(self._thread.shutdown)

    def _submit_group(self) -> None:
        group, self.waiting = self.waiting[:GROUP], self.waiting[GROUP:]
        self._last_size = len(group)
        self._decided.clear()
        self._thread.submit(self._run, group)
        if self._blocks_loop:
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
        self._loop.call_soon_threadsafe(self._answer, group, outcomes)

    def _answer(self, group: Sequence[Waiting], outcomes: Sequence[Answer | Exception]) -> None:
        for (_, answer, _), outcome in zip(group, outcomes, strict=True):
            if answer.done():
                continue  # The caller was cancelled.
            if isinstance(outcome, Exception):
                answer.set_exception(outcome)
            else:
                answer.set_result(outcome)
        self._is_idle = True
        if self.waiting:
            self._schedule_group()


class Pump:
    """The lanes of a house, used as `async with Pump(house) as pump: await pump.submit(...)`."""

    def __init__(self, house: House, lanes: int | None = None, observe: Observer | None = None) -> None:
        self._house, self._observe = house, observe
        self._count = lanes or LANES[house.store.dialect]
        self._lanes: list[Lane] = []
        self._open = False

    async def __aenter__(self) -> "Pump":
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
            raise refuse("books-closed", StoreError)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        lane = self._lanes[crc32(stream.encode(errors="replace")) % len(self._lanes)]
        began = time.perf_counter()
        lane.put(Request(stream, command, actor, key), answer)
        result = await answer
        if self._observe is not None:
            kind = type(command.command if isinstance(command, Checked) else command)
            self._observe(kind.__name__, time.perf_counter() - began)
        return result
