"""Several workers of one server: started, started again when one dies, and stopped together.

The supervisor has the socket, and keeps no connection and no books. Workers are processes of their own from the start
(`spawn`): nothing of this one is in them but the settings and the socket. A worker whose supervisor has gone stops as
if it had been told to.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from types import FrameType

from highcardflush.web.server.logs import set_up
from highcardflush.web.server.process import STOPS, run_process
from highcardflush.web.server.settings import Settings

LOG = logging.getLogger(__name__)
START_S = 60.0
"""How long a worker may take to start."""
BREATH_S = 1.0
"""How long after its start a worker that has died is started again, at the least."""
PATIENCE_S = 30.0
"""How much longer than its rounds may take a worker has to stop."""


class Worker:
    """A worker, and what it says: one word when it takes connections."""

    def __init__(self, number: int, settings: Settings, listening: socket.socket, folder: Path) -> None:
        context = get_context("spawn")
        self.number, self.ready, self.began = number, False, time.monotonic()
        self.said, says = context.Pipe(duplex=False)
        self.process: SpawnProcess = context.Process(
            target=work, args=(number, settings, listening, folder, says), name=f"worker {number}"
        )
        self.process.start()
        says.close()

    def hear(self) -> None:
        with contextlib.suppress(EOFError, OSError):
            self.ready = bool(self.said.recv())
        self.said.close()


def work(number: int, settings: Settings, listening: socket.socket, folder: Path, says: Connection) -> None:
    """A worker's life."""
    set_up(settings.log_level)
    parent = parent_process()
    assert parent is not None

    def tell() -> None:
        says.send(True)
        says.close()

    try:
        lifeline = int(parent.sentinel)
        raise SystemExit(run_process(settings, listening, tell, worker=number, folder=folder, lifeline=lifeline))
    except Exception:
        LOG.exception("a worker has failed")
        raise SystemExit(1) from None


def supervise(settings: Settings, listening: socket.socket, on_started: Callable[[], None]) -> int:
    """Run the workers until a signal comes; the exit status."""
    with tempfile.TemporaryDirectory(prefix="hcf-workers-") as name, _signals() as (heard, wake):
        folder = Path(name)
        workers = {number: Worker(number, settings, listening, folder) for number in range(1, settings.workers + 1)}
        try:
            if _wait_for_all(workers, wake, heard):
                on_started()
                _keep(workers, wake, heard, lambda number: Worker(number, settings, listening, folder))
            elif not heard:
                LOG.error("a worker did not start")
        finally:
            _stop(workers, heard[0] if heard else signal.SIGTERM, settings.stop_seconds + PATIENCE_S)
        return STOPS[heard[0]] if heard else 1


def _wait_for_all(workers: dict[int, Worker], wake: int, heard: list[signal.Signals]) -> bool:
    """Whether all take connections; not if one has died, or somebody stops us."""
    until = time.monotonic() + START_S
    while waiting := {worker.said: worker for worker in workers.values() if not worker.ready}:
        for found in connection.wait([*waiting, wake], until - time.monotonic()):
            if found in waiting:
                waiting[found].hear()
                if not waiting[found].ready:
                    return False
        if heard or time.monotonic() > until:
            return False
    return True


def _keep(workers: dict[int, Worker], wake: int, heard: list[signal.Signals], start: Callable[[int], Worker]) -> None:
    """Start a worker again that has died, until a signal comes."""
    while not heard:
        ends = {worker.process.sentinel: number for number, worker in workers.items()}
        for found in connection.wait([*ends, wake]):
            if found not in ends or heard:
                continue
            number = ends[found]
            dead = workers[number]
            dead.process.join()
            LOG.error("a worker has died", extra={"worker": number, "status": dead.process.exitcode})
            if (left := dead.began + BREATH_S - time.monotonic()) > 0:
                connection.wait([wake], left)
            if not heard:
                workers[number] = start(number)


def _stop(workers: dict[int, Worker], number: signal.Signals, seconds: float) -> None:
    for worker in workers.values():
        if worker.process.is_alive() and worker.process.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker.process.pid, number)
    until = time.monotonic() + seconds
    for worker in workers.values():
        worker.process.join(max(0, until - time.monotonic()))
        if worker.process.is_alive():
            LOG.error("a worker did not stop and is killed", extra={"worker": worker.number})
            worker.process.kill()
            worker.process.join()


@contextlib.contextmanager
def _signals() -> Iterator[tuple[list[signal.Signals], int]]:
    """The signals that came, and what is readable when one does."""
    heard: list[signal.Signals] = []

    def hear(number: int, frame: FrameType | None) -> None:
        heard.append(signal.Signals(number))

    reads, writes = os.pipe()
    os.set_blocking(writes, False)
    before = {number: signal.signal(number, hear) for number in STOPS}
    woken = signal.set_wakeup_fd(writes, warn_on_full_buffer=False)
    try:
        yield heard, reads
    finally:
        signal.set_wakeup_fd(woken)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(reads)
        os.close(writes)
